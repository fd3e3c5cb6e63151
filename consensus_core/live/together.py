"""The same run for all who ask for it: a class that follows one link computes it once; who comes late finds it done.

Each has a stage and a transport of their own: pausing, stepping and scrubbing stay everybody's own. Data that somebody
brought are shared only with those who have the same data.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

from ..ensemble import Ensemble
from ..method import Method
from .run import Listener, Run

_RUNS: WeakValueDictionary[tuple[str, Method], Run] = WeakValueDictionary()
_LOCK = threading.Lock()


def the_run_of(
    method: Method, ensemble: Ensemble, new: Callable[[], Run], watcher: str, listeners: Iterable[Listener]
) -> Run:
    """The run that somebody follows already, or a new one; followed by this watcher too before anybody can leave it as
    the last."""
    key = (ensemble.fingerprint, method)
    with _LOCK:
        run = _RUNS.get(key)
        if run is None or run.error or not run.follow(watcher, *listeners):
            _RUNS[key] = run = new()
            run.follow(watcher, *listeners)
        return run
