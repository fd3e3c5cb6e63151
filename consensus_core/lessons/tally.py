"""What a class has answered: counts alone, in memory, for a few hours.

Of everybody the first answer to a question counts: later ones were given with the reply in hand. Who it was is kept as
a hash with a salt of this program, so that one person counts once, and is told to nobody.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

MOST_QUESTIONS = 400  # those answered longest ago go
MOST_PEOPLE = 1000  # of a question; who comes later is not counted any more
HOURS = 12.0  # after which a class is over
LONGEST = 40  # signs of an answer


class Tally:
    """Safe to use from several threads."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic):
        self._ticks, self._salt = ticks, secrets.token_bytes(16)
        self._door = threading.Lock()
        self._answers: OrderedDict[tuple, dict[bytes, str]] = OrderedDict()
        self._last: dict[tuple, float] = {}

    def heard(self, question: tuple, who: str, answer: str) -> None:
        """`question`: (lesson, screen)."""
        name = hashlib.blake2b(who.encode(), key=self._salt, digest_size=8).digest()
        with self._door:
            self._clear()
            given = self._answers.setdefault(question, {})
            if len(given) < MOST_PEOPLE:
                given.setdefault(name, answer[:LONGEST])
            self._answers.move_to_end(question)
            self._last[question] = self._ticks()
            while len(self._answers) > MOST_QUESTIONS:
                gone, _ = self._answers.popitem(last=False)
                del self._last[gone]

    def counts(self, question: tuple) -> Counter[str]:
        """How many have answered what."""
        with self._door:
            self._clear()
            return Counter(self._answers.get(question, {}).values())

    def _clear(self) -> None:
        over = self._ticks() - HOURS * 3600
        for question in [one for one, last in self._last.items() if last < over]:
            del self._last[question], self._answers[question]
