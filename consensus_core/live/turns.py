"""Who may compute: a few places, taken for a moment at a time. Turns go round the visitors, then round their runs."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Ticket:
    """One run's wish for a place, and on whose behalf."""

    visitor: str
    run: str


class Turns:
    """`take` waits for a place; whose run was served longest ago comes first, visitor by visitor.

    `each`: the places one visitor may hold at once. One fewer than there are, so that somebody with many long runs
    never keeps another waiting for the end of a step.
    """

    def __init__(self, places: int, each: int | None = None):
        self._free = places
        self._each = max(1, places - 1) if each is None else each
        self._line: list[Ticket] = []
        self._held: Counter[str] = Counter()
        self._served: dict[str, int] = {}  # visitor or run -> when last, for those who are about
        self._count = 0
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
                self._held[ticket.visitor] += 1
                self._count += 1
                self._served[ticket.visitor] = self._served[ticket.run] = self._count
                return True
            finally:
                self._line.remove(ticket)
                self._forget()
                self._change.notify_all()

    def give(self, ticket: Ticket) -> None:
        with self._change:
            self._free += 1
            self._held[ticket.visitor] -= 1
            self._held += Counter()  # those who hold none are dropped
            self._change.notify_all()

    @property
    def each(self) -> int:
        """How many places one visitor may hold at once."""
        return self._each

    @property
    def waiting(self) -> int:
        return len(self._line)

    def wanted(self, ticket: Ticket) -> bool:
        """Somebody could have the place that this one holds."""
        with self._change:
            return any(self._held[one.visitor] - (one.visitor == ticket.visitor) < self._each for one in self._line)

    def _next(self) -> Ticket | None:
        """Whose turn it is when a place becomes free. The only rule of fairness there is."""
        able = [one for one in self._line if self._held[one.visitor] < self._each]
        return min(able, key=self._claim) if able else None

    def _claim(self, ticket: Ticket) -> tuple[int, int, int]:
        """The least goes first: who holds fewest places, then whose turn was longest ago, then which run's."""
        return self._held[ticket.visitor], self._served.get(ticket.visitor, 0), self._served.get(ticket.run, 0)

    def _forget(self) -> None:
        """Beyond a thousand names, those long gone."""
        if len(self._served) > 1000:
            last = sorted(self._served.values())[-500]
            self._served = {name: at for name, at in self._served.items() if at >= last}


# one more than a solver needs, so that a short run does not wait for a long one's step
TURNS = Turns(max(2, (os.cpu_count() or 2)))
