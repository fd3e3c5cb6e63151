"""Which runs may take memory: what those that are let in are expected to need, and do not hold yet, is spoken for.

Each alone would find all that is free at this moment, and twelve that begin together would take it twelve times.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from ..machine import available_bytes

SMALL = 0.02  # of what is free: never waits for a large one's promise
LOOK = 0.5  # seconds after which what is free is looked at again: other programs take and give, too


@dataclass(frozen=True)
class Claim:
    """What one run needs to compute, what it may keep besides, and how much of it is taken already and no more free."""

    needed: int
    kept: int = 0
    held: Callable[[], int] = lambda: 0

    @property
    def open(self) -> int:
        return max(0, self.needed + self.kept - self.held())


class Admission:
    def __init__(self, free: Callable[[], int] = available_bytes):
        self._free = free
        self._claims: dict[Hashable, Claim] = {}
        self._change = threading.Condition()

    def ask(self, who: Hashable, claim: Claim, give_up: Callable[[], bool]) -> bool:
        """Waits until there is room for it beside the others; False where `give_up` says so first.

        What is too much for what is free even without their claims is let in: it is the method's to refuse it.
        """
        with self._change:
            while self._must_wait(claim):
                if give_up():
                    return False
                self._change.wait(LOOK)
            self._claims[who] = claim
            return True

    def over(self, who: Hashable) -> None:
        """It computes no more; what it keeps is no longer free, and needs no word for it."""
        with self._change:
            self._claims.pop(who, None)
            self._change.notify_all()

    def _must_wait(self, claim: Claim) -> bool:
        free = self._free()
        return bool(self._claims) and claim.needed <= free and claim.open > max(self.room, SMALL * free)

    @property
    def room(self) -> int:
        """Bytes nobody has or is about to take."""
        return self._free() - sum(claim.open for claim in self._claims.values())


ADMISSION = Admission()
