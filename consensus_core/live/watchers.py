"""Who follows a run, how far each wants it computed, and until when each is taken to be there.

A browser that goes away says nothing, or only that its connection closed. So every watcher has a deadline: long while
its page is open (BACKSTOP), short once the connection is gone (GRACE), because it may be back in a moment.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

GRACE = 15.0  # seconds a run goes on after its last watcher's connection closed
BACKSTOP = 600.0  # seconds a run goes on without anyone asking how it stands
NOTHING = -1


@dataclass(frozen=True)
class _Watcher:
    until: float
    deadline: float


class Watchers:
    def __init__(self):
        self._known: dict[str, _Watcher] = {}
        self._lock = threading.Lock()

    def want(self, watcher: str, until: float) -> None:
        with self._lock:
            self._known[watcher] = _Watcher(until, time.monotonic() + BACKSTOP)

    def touch(self, watcher: str) -> None:
        """It asks how the run stands, and its page is open."""
        self._extend(watcher, lambda known: time.monotonic() + BACKSTOP)

    def linger(self, watcher: str) -> None:
        """It asks how the run stands, and may be gone with the next moment."""
        self._extend(watcher, lambda known: max(known.deadline, time.monotonic() + GRACE))

    def orphan(self, watcher: str) -> None:
        """Its connection is gone. It may be back in a moment; if not, it wants nothing any more."""
        self._extend(watcher, lambda known: time.monotonic() + GRACE)

    def leave(self, watcher: str) -> None:
        with self._lock:
            self._known.pop(watcher, None)

    @property
    def until(self) -> float:
        """The iteration up to which somebody who is there wants the run computed."""
        now = time.monotonic()
        with self._lock:
            return max((one.until for one in self._known.values() if now <= one.deadline), default=NOTHING)

    def __len__(self) -> int:
        return len(self._known)

    def _extend(self, watcher: str, deadline) -> None:
        with self._lock:
            if (known := self._known.get(watcher)) is not None:
                self._known[watcher] = replace(known, deadline=deadline(known))
