"""How many look on at once, and how often each of them may ask, so that answering leaves room for computing.

Alone in the room one is answered as often as a screen can show. Sixty who follow one link ask for the same frames of
one run: asking as often as one alone does, they would keep a core busy with being told that nothing is new.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from .doorway import Doorway

SHARE = 0.4  # of a core, for answering all but one
LEAST, MOST = 30, 2000  # milliseconds between two questions
NEWCOMER = 150  # at most, of who has no picture yet
NEWS = 250  # where nothing goes on, but for saying that one's page has come
OF_A_RUN = 25  # milliseconds more for each run that computes
HERE = 4.0  # seconds after a question for which somebody counts as looking on
TYPICAL = 0.004  # seconds of an answer, before there was any
LONGEST = 0.05  # seconds counted for one way: the thread has other things to do as well
FEW = 2  # pages that are written while runs go on
ASIDE = 1.0  # seconds that something stands aside for them
PAGE = 0.05  # seconds of a processor until a page shows what it is about, before there was any
DELIVERED = 3.0  # seconds after which a browser has what was written, even if it asks for nothing
PATIENT = 8.0  # seconds after which a page counts as work like any other
SWAY = 0.05  # how far the mean follows the latest answer


class Crowd:
    def __init__(self, doorway: Doorway | None = None):
        self._seen: dict[str, float] = {}  # door -> when it last asked
        self._cost = TYPICAL  # of putting an answer together
        self._way = 0.0  # and of the way in and out, which is most of it where there is little to say
        self._used: float | None = None
        self._page = PAGE
        self._opening: dict[int, tuple[float, float]] = {}  # threads that write a page -> since when, used till then
        self._sent: dict[str, float] = {}  # door -> since when a browser is about to see its page
        self._several = False
        self._calmer = threading.Condition()
        self._doorway = doorway or Doorway()

    def came(self, used: float) -> None:
        """A question has come in; `used`: seconds of a processor so far of the thread all come in by."""
        if self._used is not None:
            self._way += SWAY * (min(used - self._used, LONGEST) - self._way)
        self._used = used

    def answered(self, door: str, seconds: float) -> None:
        """Somebody was answered, which took so many seconds of a processor."""
        now = time.monotonic()
        self._seen[door] = now
        if self._sent.pop(door, None) is not None:
            self._call_back()
        self._cost += SWAY * (seconds - self._cost)
        if len(self._seen) > 2 * len(self._here(now)) + 8:
            self._seen = self._here(now)

    def size(self) -> int:
        return max(1, len(self._here(time.monotonic())))

    def pace(self, runs: int, new: bool = False) -> int:
        """Milliseconds between two questions of one who looks on, while so many runs compute. `new`: who has seen
        nothing yet asks again soon."""
        line = self.at_the_door
        if line:  # nothing goes on until they have their pages
            return NEWS if new else round(min(max(NEWS, 1000 * line * self._page), MOST))
        wanted = max(OF_A_RUN * runs, 1000 * (self.size() - 1) * (self._cost + self._way) / SHARE)
        return round(min(max(LEAST, wanted), NEWCOMER if new else MOST))

    # --- pages before runs ----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Somebody waits for the page this thread writes."""
        self._opening[threading.get_ident()] = time.monotonic(), time.thread_time()
        try:
            self._doorway.enter()
            yield
        finally:
            self._is_open()
            self._doorway.leave()

    def opened(self, door: str) -> None:
        """What the page is about is on its way to a browser, which will ask for more."""
        if threading.get_ident() in self._opening:
            now = time.monotonic()
            self._sent = {known: at for known, at in list(self._sent.items()) if now - at < DELIVERED} | {door: now}
        opening = self._is_open()
        self._doorway.leave()
        if opening is not None:
            self._page += SWAY * (time.thread_time() - opening[1] - self._page)

    def rest(self) -> None:
        """The rest of a page waits until everybody sees what theirs is about."""
        until = time.monotonic() + PATIENT
        while self.at_the_door and time.monotonic() < until:
            self._stand_aside(ASIDE)
        self._doorway.enter(later=True)

    def make_way(self) -> None:
        """A run stands aside before a step, for a moment, while several people wait for a page, which is short work.
        One or two wait for a run's first picture, and it does not.
        """
        self._stand_aside(ASIDE)

    def _stand_aside(self, seconds: float) -> None:
        with self._calmer:
            if self.at_the_door:
                self._calmer.wait(seconds)

    @property
    def at_the_door(self) -> int:
        """How many people wait for their pages where several did, until all have them; 0 where it is one or two."""
        now = time.monotonic()
        writing = sum(now - since < PATIENT for since, _ in list(self._opening.values()))
        on_their_way = sum(now - since < DELIVERED for since in list(self._sent.values()))
        self._several = writing > FEW or (self._several and writing + on_their_way > 0)
        return writing + on_their_way if self._several else 0

    def _is_open(self) -> tuple[float, float] | None:
        opening = self._opening.pop(threading.get_ident(), None)
        self._call_back()
        return opening

    def _call_back(self) -> None:
        """Who stands aside, where there is no need any more."""
        if not self.at_the_door:
            with self._calmer:
                self._calmer.notify_all()

    def _here(self, now: float) -> dict[str, float]:
        return {door: at for door, at in list(self._seen.items()) if now - at < HERE}


CROWD = Crowd()
