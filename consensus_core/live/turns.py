"""Who may compute: a few places, first come first served, taken for a moment at a time."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable


class Turns:
    """`take` waits in line for a place; whoever is asked to `make_way` goes to the end of it."""

    def __init__(self, places: int):
        self._free = places
        self._line: deque[object] = deque()
        self._change = threading.Condition()

    def take(self, give_up: Callable[[], bool]) -> bool:
        """True with a place, False when `give_up` says so first."""
        ticket = object()
        with self._change:
            self._line.append(ticket)
            try:
                while not (self._free and self._line[0] is ticket):
                    if give_up():
                        return False
                    self._change.wait(0.2)
                self._free -= 1
                return True
            finally:
                self._line.remove(ticket)
                self._change.notify_all()

    def give(self) -> None:
        with self._change:
            self._free += 1
            self._change.notify_all()

    @property
    def waiting(self) -> int:
        return len(self._line)


# one more than a solver needs, so that a short run does not wait for a long one's step
TURNS = Turns(max(2, (os.cpu_count() or 2)))
