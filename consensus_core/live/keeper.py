"""Runs go into the local store while they compute, and are taken up again from it."""

from __future__ import annotations

import time

from ..ensemble import Ensemble
from ..keep.run_file import as_bytes, from_bytes, run_key
from ..keep.shelf import Shelf
from ..method import History, Method

EVERY = 3.0  # seconds of computing that a killed server may lose
SHARE = 0.1  # of the time, at most, that keeping may take


class Keeper:
    """Called by a run in its own thread: keeps it now and then, and when it ends."""

    def __init__(self, store: Shelf, desk: str, data_key: str):
        self._store, self._desk, self._data_key = store, desk, data_key
        self._next = time.monotonic() + EVERY

    def __call__(self, run, at_rest: bool = False) -> None:
        """`at_rest`: the run has stopped or pauses; what stands now is worth keeping at once."""
        began = time.monotonic()
        if not run.moments or (began < self._next and not at_rest):
            return
        key, content = run_key(run.method, run.ensemble), as_bytes(run.history, run.moments)
        if content is not None:
            before = self._store.find(self._desk, "run", key)
            meta = {
                "data": self._data_key,
                "method": run.method.key,
                "parameters": run.method.parameters(),
                "iteration": len(run.moments) - 1,
                "stop": run.moments[-1].stop,
            }
            # a full or locked disk does not stop a run: it is then not kept
            self._store.put(self._desk, "run", key, "", {**(before.meta if before else {}), **meta}, {"run": content})
        self._next = time.monotonic() + max(EVERY, (time.monotonic() - began) / SHARE)


def kept_run(store: Shelf, desk: str, method: Method, ensemble: Ensemble) -> tuple[History, list] | None:
    """This visitor's run of the same method and parameters on the same data, as far as it had come."""
    kept = store.find(desk, "run", run_key(method, ensemble))
    content = store.file(kept.id, "run") if kept else None
    return from_bytes(content, method, ensemble) if content else None
