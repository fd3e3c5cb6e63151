"""Who may compute: a few places, taken for a moment at a time, first come first served."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Ticket:
    """One run's wish for a place, and on whose behalf."""

    visitor: str
    run: str


class Turns:
    """`take` waits in line for a place; who gave one up goes to the end of the line."""

    def __init__(self, places: int):
        self._free = places
        self._line: list[Ticket] = []
        self._change = threading.Condition()

    def take(self, ticket: Ticket, give_up: Callable[[], bool]) -> bool:
        """True with a place, False when `give_up` says so first."""
        with self._change:
            self._line.append(ticket)
            try:
                while not (self._free and self._next() is ticket):
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

    def _next(self) -> Ticket:
        """Whose turn it is when a place becomes free. The only rule of fairness there is."""
        return self._line[0]


# one more than a solver needs, so that a short run does not wait for a long one's step
TURNS = Turns(max(2, (os.cpu_count() or 2)))
