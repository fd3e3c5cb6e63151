"""The same run for all who ask for it: a class that follows one link computes it once; who comes late finds it done.

Each has a stage and a transport of their own: pausing, stepping and scrubbing stay everybody's own. Data that somebody
brought are shared only with those who have the same data.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from weakref import WeakValueDictionary

from ..ensemble import Ensemble
from ..method import Method
from .run import Run

_RUNS: WeakValueDictionary[tuple[str, Method], Run] = WeakValueDictionary()
_LOCK = threading.Lock()


def the_run_of(method: Method, ensemble: Ensemble, new: Callable[[], Run]) -> tuple[Run, bool]:
    """The run that somebody follows already, or a new one; and which of the two."""
    key = (ensemble.fingerprint, method)
    with _LOCK:
        known = _RUNS.get(key)
        if known is not None and known.state not in ("cancelled", "failed"):
            return known, False
        _RUNS[key] = run = new()
        return run, True
