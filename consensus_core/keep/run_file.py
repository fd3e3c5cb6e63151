"""A run as bytes and back: every moment, the first and the last state, as many between as a budget allows.

What is not kept is computed again from what is: steps are deterministic.
"""

from __future__ import annotations

import hashlib
import json

from ..ensemble import Ensemble
from ..method import History, Method
from ..method.method import arrays_of, freeze
from .careful import packed, unpacked

BUDGET = 24 << 20  # bytes of states kept with a run
_FORM = 1  # raised when what is kept changes: older runs are then computed again


def run_key(method: Method, ensemble: Ensemble) -> str:
    """The same data, method and parameters are the same run."""
    asked = json.dumps([method.key, method.parameters()], sort_keys=True)
    return f"{ensemble.fingerprint}-{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}"


def as_bytes(history: History, moments: list) -> bytes:
    content = {
        "form": _FORM,
        "moments": list(moments),
        "steps": _thinned(history),
        "objective": list(history.objective),
        "terms": {name: list(course) for name, course in history.terms.items()},
        "scalars": {name: list(course) for name, course in history.scalars.items()},
        "stop": history.stop,
    }
    return packed(content)


def _thinned(history: History) -> dict:
    """Iterations 0 and the last if they fit, then every second, fourth … between them."""
    sizes = {at: sum(a.nbytes for a in arrays_of(history.step(at).state)) for at in history.kept}
    stride = 1
    while True:
        chosen = [at for i, at in enumerate(history.kept) if i % stride == 0 or at == history.kept[-1]]
        if sum(sizes[at] for at in chosen) <= BUDGET or stride > len(sizes):
            break
        stride *= 2
    if sum(sizes[at] for at in chosen) > BUDGET:
        return {}
    return {at: history.step(at) for at in chosen}


def from_bytes(kept: bytes, method: Method, ensemble: Ensemble) -> tuple[History, list] | None:
    """The history and moments again; None where they are of an older form, damaged, or too large to have been kept."""
    content = unpacked(kept)
    if not isinstance(content, dict) or content.get("form") != _FORM or 0 not in content["steps"]:
        return None
    for step in content["steps"].values():
        freeze(step.state)
    history = History(method, ensemble)
    history.restore(content["steps"], content["objective"], content["terms"], content["scalars"], content["stop"])
    return history, content["moments"]
