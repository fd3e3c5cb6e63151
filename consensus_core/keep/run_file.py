"""A run as bytes and back: every moment, the first and the last state, as many between as a budget allows.

What is not kept is computed again from what is: steps are deterministic. What does not fit together, down to the
objective of the last state, is not taken up either: the run is then computed again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math

import numpy as np

from ..ensemble import Ensemble
from ..method import History, Method, Scalar, Step
from ..method.loop import STOPS
from ..method.method import arrays_of
from .codec import Damaged, Unkeepable, decode, encode
from .program import program
from .types import run_types

BUDGET = 24 << 20  # bytes of states kept with a run
MOMENTS = 256 << 20  # bytes of moments: a run with more of them is computed again
CLOSE = 1e-6  # an objective computed again may differ by this share: another number of threads rounds otherwise


def run_key(method: Method, ensemble: Ensemble) -> str:
    """The same data, method and parameters are the same run."""
    asked = json.dumps([method.key, method.parameters()], sort_keys=True)
    return f"{ensemble.fingerprint}-{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}"


def as_bytes(history: History, moments: list) -> bytes | None:
    """None for a run that is too large, or holds what is not kept: it is computed again when it is wanted."""
    steps = _thinned(history)
    if not steps or sum(array.nbytes for seen in moments for array in arrays_of(seen)) > MOMENTS:
        return None
    content = {
        "program": program(),
        "run": run_key(history.method, history.ensemble),
        "moments": list(moments),
        "steps": steps,
        "objective": list(history.objective),
        "terms": {name: list(course) for name, course in history.terms.items()},
        "scalars": {name: list(course) for name, course in history.scalars.items()},
        "stop": history.stop,
    }
    try:
        return encode(content, run_types(history.method))
    except Unkeepable:
        return None


def _thinned(history: History) -> dict[int, Step]:
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
    return {at: dataclasses.replace(history.step(at), run=None) for at in chosen}


def from_bytes(kept: bytes, method: Method, ensemble: Ensemble) -> tuple[History, list] | None:
    """The history and moments again; None where they are damaged, another run's, or another program's."""
    try:
        content = decode(kept, run_types(method))
        if content["program"] != program() or content["run"] != run_key(method, ensemble):
            return None
        steps, moments, course = content["steps"], content["moments"], content["objective"]
        _courses_fit(method, content, len(moments))
        _moments_fit(moments, ensemble)
        _steps_fit(method, ensemble, steps, course)
        history = History(method, ensemble)
        history.restore(steps, course, content["terms"], content["scalars"], content["stop"])
        return history, moments[: len(history)]
    except Damaged:
        return None
    except Exception:  # right in form, wrong in sense: a matrix of another size, a course without an end
        return None


def _courses_fit(method: Method, content: dict, count: int) -> None:
    courses = [content["objective"], *content["terms"].values(), *content["scalars"].values()]
    shown = {quantity.name for quantity in method.quantities() if quantity.kind is Scalar}
    right = all(type(course) is list and len(course) == count for course in courses)
    if not right or not count or content["stop"] not in STOPS or set(content["scalars"]) != shown:
        raise Damaged("courses that do not belong together")


def _moments_fit(moments: list, ensemble: Ensemble) -> None:
    for iteration, seen in enumerate(moments):
        labels = seen.labels
        rows = all(array.shape == (ensemble.q,) for array in (labels, seen.certainty, seen.second))
        if seen.iteration != iteration or not rows or labels.dtype.kind not in "iu" or seen.stop not in STOPS:
            raise Damaged("a moment of another run")
        if labels.min() < 0 or labels.max() >= ensemble.q:
            raise Damaged("labels that are none")


def _steps_fit(method: Method, ensemble: Ensemble, steps: dict[int, Step], course: list[float]) -> None:
    if 0 not in steps or max(steps) >= len(course):
        raise Damaged("steps without a beginning, or beyond the end")
    for at, step in steps.items():
        same = step.objective == course[at] or (math.isnan(step.objective) and math.isnan(course[at]))
        if step.iteration != at or type(step.state) is not method.State or not same or step.stop not in STOPS:
            raise Damaged("a step of another run")
    last = steps[max(steps)]
    if last.stop != "diverged":
        again = method.objective(ensemble, last.state)
        if not np.isclose(again, last.objective, rtol=CLOSE, atol=CLOSE):
            raise Damaged("a state whose objective is another")
