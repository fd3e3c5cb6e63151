"""A few at a time, in the order in which they came: sixty who do a short thing in turn are done sooner than sixty who
do it at once and take the processor from each other, and half of them much sooner.

There are two lines. Who comes with what can wait is let in when nobody stands in the first.
"""

from __future__ import annotations

import threading
import time
from collections import deque

AT_ONCE = 2
SLOW = 0.5  # seconds after which whoever is inside keeps nobody waiting any more


class _Place:
    """Where a thread stands in a line."""

    def __init__(self):
        self.thread, self.free = threading.get_ident(), threading.Event()


class Doorway:
    def __init__(self, at_once: int = AT_ONCE, slow: float = SLOW):
        self._at_once, self._slow = at_once, slow
        self._inside: dict[int, float] = {}  # threads -> since when
        self._first: deque[_Place] = deque()
        self._later: deque[_Place] = deque()
        self._lock = threading.Lock()

    def enter(self, later: bool = False) -> None:
        """Waits until there is room."""
        mine = _Place()
        with self._lock:
            (self._later if later else self._first).append(mine)
        self._admit()
        while not mine.free.wait(self._slow):
            self._admit()

    def leave(self) -> None:
        """Also where one was not inside."""
        with self._lock:
            self._inside.pop(threading.get_ident(), None)
        self._admit()

    def _admit(self) -> None:
        with self._lock:
            now = time.monotonic()
            quick = sum(now - since < self._slow for since in self._inside.values())
            while (line := self._first or self._later) and quick < self._at_once:
                place = line.popleft()
                self._inside[place.thread] = now
                quick += 1
                place.free.set()
