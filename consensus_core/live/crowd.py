"""How many look on at once, and how often each of them may ask, so that answering leaves room for computing.

Alone in the room one is answered as often as a screen can show. Sixty who follow one link ask for the same frames of
one run: asking as often as one alone does, they would keep a core busy with being told that nothing is new.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

SHARE = 0.4  # of a core, for answering all but one
LEAST, MOST = 30, 2000  # milliseconds between two questions
NEWCOMER = 150  # at most, of who has no picture yet
OF_A_RUN = 25  # milliseconds more for each run that computes
HERE = 4.0  # seconds after a question for which somebody counts as looking on
TYPICAL = 0.004  # seconds of an answer, before there was any
LONGEST = 0.05  # seconds counted for one way: the thread has other things to do as well
FEW = 2  # pages that are written while runs go on
ASIDE, LOOK = 0.25, 0.01  # seconds that something stands aside for them, and between two looks
PATIENT = 3.0  # seconds after which a page counts as work like any other
SWAY = 0.05  # how far the mean follows the latest answer


class Crowd:
    def __init__(self):
        self._seen: dict[str, float] = {}  # door -> when it last asked
        self._cost = TYPICAL  # of putting an answer together
        self._way = 0.0  # and of the way in and out, which is most of it where there is little to say
        self._used: float | None = None
        self._opening: dict[int, float] = {}  # threads that write a page -> since when

    def came(self, used: float) -> None:
        """A question has come in; `used`: seconds of a processor so far of the thread all come in by."""
        if self._used is not None:
            self._way += SWAY * (min(used - self._used, LONGEST) - self._way)
        self._used = used

    def answered(self, door: str, seconds: float) -> None:
        """Somebody was answered, which took so many seconds of a processor."""
        now = time.monotonic()
        self._seen[door] = now
        self._cost += SWAY * (seconds - self._cost)
        if len(self._seen) > 2 * len(self._here(now)) + 8:
            self._seen = self._here(now)

    def size(self) -> int:
        return max(1, len(self._here(time.monotonic())))

    def pace(self, runs: int, new: bool = False) -> int:
        """Milliseconds between two questions of one who looks on, while so many runs compute. `new`: who has seen
        nothing yet asks again soon."""
        wanted = max(OF_A_RUN * runs, 1000 * (self.size() - 1) * (self._cost + self._way) / SHARE)
        return round(min(max(LEAST, wanted), NEWCOMER if new else MOST))

    # --- pages before runs ----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Somebody waits for the page this thread writes."""
        me = threading.get_ident()
        self._opening[me] = time.monotonic()
        try:
            yield
        finally:
            self._opening.pop(me, None)

    def opened(self) -> None:
        """What the page is about can be seen."""
        self._opening.pop(threading.get_ident(), None)

    def make_way(self) -> None:
        """What can wait stands aside for a moment while several people wait for a page, which is short work: a run
        before a step, the lower half of a page. One or two wait for a run's first picture, and nothing stands aside.
        """
        until = time.monotonic() + ASIDE
        while self.waiting() > FEW and time.monotonic() < until:
            time.sleep(LOOK)

    def waiting(self) -> int:
        now = time.monotonic()
        return sum(now - since < PATIENT for since in list(self._opening.values()))

    def _here(self, now: float) -> dict[str, float]:
        return {door: at for door, at in list(self._seen.items()) if now - at < HERE}


CROWD = Crowd()
