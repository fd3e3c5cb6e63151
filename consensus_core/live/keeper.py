"""Runs go into the local store while they compute, and are taken up again from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ..ensemble import Ensemble
from ..keep.run_file import as_bytes, from_bytes, run_key
from ..keep.shelf import Shelf
from ..method import History, Method
from ..numbers import finite
from .run import Listener, Run

EVERY = 3.0  # seconds of computing that a killed server may lose
SHARE = 0.1  # of the time of a run, at most, that keeping it may take, for however many
_WRITTEN: WeakKeyDictionary[Run, tuple[int, bytes | None]] = WeakKeyDictionary()
_FREE: WeakKeyDictionary[Run, float] = WeakKeyDictionary()  # from when on a run may be written again while it computes
_LOCK = threading.Lock()


class Keeper(Listener):
    """Told by a run in its own thread: keeps it now and then, and when it rests."""

    def __init__(self, store: Shelf, desk: str, data_key: str):
        self._store, self._desk, self._data_key = store, desk, data_key
        self._next = time.monotonic() + EVERY

    def stepped(self, run: Run, moment, step) -> None:
        # a class of sixty has sixty keepers of one run: each in turn, or the run would do nothing else
        if time.monotonic() >= max(self._next, _FREE.get(run, 0.0)):
            self._keep(run)

    def rested(self, run: Run) -> None:
        self._keep(run)

    def _keep(self, run: Run) -> None:
        if not run.moments or run.error:
            return
        began = time.monotonic()
        key, content = run_key(run.method, run.ensemble), _written(run)
        if content is not None:
            before = self._store.find(self._desk, "run", key)
            meta = {
                "data": self._data_key,
                "method": run.method.key,
                "parameters": run.method.parameters(),
                "iteration": len(run.moments) - 1,
                "stop": run.moments[-1].stop,
                "scores": {name: finite(value) for name, value in run.moments[-1].scores.items()},
                "seconds": run.moments[-1].spent,
            }
            # a full or locked disk does not stop a run: it is then not kept
            self._store.put(self._desk, "run", key, "", {**(before.meta if before else {}), **meta}, {"run": content})
        now = time.monotonic()
        self._next = now + EVERY
        _FREE[run] = now + (now - began) / SHARE


def _written(run: Run) -> bytes | None:
    """Once for all whose run it is."""
    with _LOCK:
        count, content = _WRITTEN.get(run, (0, None))
        if count != len(run.moments):
            count, content = len(run.moments), as_bytes(run.history, run.moments)
            _WRITTEN[run] = (count, content)
        return content


@dataclass(frozen=True)
class Keeping:
    """Where the runs of one stage are kept."""

    store: Shelf
    desk: str
    data_key: str

    def keeper(self) -> Keeper:
        return Keeper(self.store, self.desk, self.data_key)

    def find(self, method: Method, ensemble: Ensemble) -> Callable[[], tuple[History, list] | None] | None:
        """This visitor's run of the same method and parameters on the same data, as far as it had come: how to take it
        up. None where there is none. To find it takes a moment, to take it up may take long."""
        kept = self.store.find(self.desk, "run", run_key(method, ensemble))
        return kept and (lambda: self._taken_up(kept.id, method, ensemble))

    def _taken_up(self, id: str, method: Method, ensemble: Ensemble) -> tuple[History, list] | None:
        content = self.store.file(id, "run")
        return from_bytes(content, method, ensemble) if content else None
