"""Runs go into the local store while they compute, and are taken up again from it."""

from __future__ import annotations

import sqlite3
import time

from ..ensemble import Ensemble
from ..keep.run_file import as_bytes, from_bytes, run_key
from ..keep.store import Store
from ..method import History, Method

EVERY = 3.0  # seconds of computing that a killed server may lose
SHARE = 0.1  # of the time, at most, that keeping may take


class Keeper:
    """Called by a run in its own thread: keeps it now and then, and when it ends."""

    def __init__(self, store: Store, desk: str, data_key: str, data_title: str):
        self._store, self._desk, self._data_key, self._data_title = store, desk, data_key, data_title
        self._next = time.monotonic() + EVERY

    def __call__(self, run, at_rest: bool = False) -> None:
        """`at_rest`: the run has stopped or pauses; what stands now is worth keeping at once."""
        began = time.monotonic()
        if not run.moments or (began < self._next and not at_rest):
            return
        meta = {"method": run.method.key, "iteration": len(run.moments) - 1, "stop": run.moments[-1].stop}
        meta["data"] = self._data_key
        title = f"{run.method.name()} on {self._data_title}"
        try:
            content = as_bytes(run.history, run.moments)
            if content is not None:
                files = {"run": content}
                self._store.put(self._desk, "run", run_key(run.method, run.ensemble), title, meta, files)
        except (OSError, sqlite3.Error):  # a full or locked disk must not stop a run
            self._next = time.monotonic() + 60
            return
        self._next = time.monotonic() + max(EVERY, (time.monotonic() - began) / SHARE)


def kept_run(store: Store, desk: str, method: Method, ensemble: Ensemble) -> tuple[History, list] | None:
    """This visitor's run of the same method and parameters on the same data, as far as it had come."""
    kept = store.find(desk, "run", run_key(method, ensemble))
    content = store.file(kept.id, "run") if kept else None
    return from_bytes(content, method, ensemble) if content else None
