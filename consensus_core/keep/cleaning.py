"""What goes by itself: things nobody has looked at for long, and what killed processes left behind.

Only a share of all things may go by time at one cleaning. Settings never go.
"""

from __future__ import annotations

import threading

from .clock import DAY, store_time
from .fault import StoreFault
from .index import Index
from .places import Places, drop

EVERY = 3600.0  # seconds between two cleanings
SHARE = 0.1  # of all things, at most, that go at one cleaning


class Cleaning:
    def __init__(self, index: Index, places: Places, days: float, spared: str, clock, ticks):
        self._index, self._places, self._days, self._spared = index, places, days, spared
        self._clock, self._ticks = clock, ticks
        self._next = ticks()
        self._alone = threading.Lock()

    def due(self) -> None:
        """Cleans if it is time to, and never stands in anybody's way."""
        if self._ticks() < self._next or not self._alone.acquire(blocking=False):
            return
        try:
            self._next = self._ticks() + EVERY
            self.now()
        except (StoreFault, OSError):  # it can wait
            pass
        finally:
            self._alone.release()

    def now(self) -> list[str]:
        """The ids of what went."""
        with self._index.changing() as index:
            gone = self._expired(index)
            known = {place for (place,) in index.execute("SELECT place FROM things")}
            # asked while nobody else can be moving a folder into its place
            strangers = self._places.strangers(known | {place for _, place in gone})
        self._places.remove([place for _, place in gone])
        for path in strangers:
            drop(path)
        return [id for id, _ in gone]

    def _expired(self, index) -> list[tuple[str, str]]:
        now = store_time(index, self._clock())
        total = index.execute("SELECT COUNT(*) FROM things").fetchone()[0]
        gone = index.execute(
            "SELECT id, place FROM things WHERE used < ? AND kind != ? ORDER BY used LIMIT ?",
            (now - self._days * DAY, self._spared, max(1, int(total * SHARE))),
        ).fetchall()
        index.executemany("DELETE FROM things WHERE id = ?", [(id,) for id, _ in gone])
        return gone
