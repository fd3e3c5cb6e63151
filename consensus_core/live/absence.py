"""Whether whoever things are held for is there. A connection that closes may be back in a moment; who stays away is not
waited for for ever: what is held for them is let go, and comes back from the store when they do.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

HOLD = 40.0  # seconds without a word for which runs and pictures are held


class Absence:
    """`let_go` is called once, in a thread of its own, when an absence has lasted too long; `over` says so until
    somebody is back."""

    def __init__(self, let_go: Callable[[], None]):
        self._let_go = let_go
        self._since: float | None = None
        self.over = False
        self._lock = threading.Lock()

    def begins(self) -> None:
        with self._lock:
            waited_for = self._since is not None
            self._since, self.over = time.monotonic(), False
        if not waited_for:
            self._look_in(HOLD)

    def ends(self) -> None:
        with self._lock:
            self._since, self.over = None, False

    def word(self) -> None:
        """Something was heard, though nobody may be there."""
        with self._lock:
            lapsed = self.over
            if self._since is not None or lapsed:
                self._since, self.over = time.monotonic(), False
        if lapsed:
            self._look_in(HOLD)

    def _look_in(self, seconds: float) -> None:
        timer = threading.Timer(max(seconds, 0.0), self._look)
        timer.daemon = True
        timer.start()

    def _look(self) -> None:
        with self._lock:
            if self._since is None:
                return
            left = self._since + HOLD - time.monotonic()
            if left <= 0:
                self._since, self.over = None, True
        if left > 0:
            self._look_in(left)
        else:
            self._let_go()
