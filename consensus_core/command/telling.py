"""What a command says, and where: results on the standard output, the rest beside it. With --json one object."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from ..numbers import seconds_in_words
from ..text import visible

PACE = 0.2  # seconds between two looks at how far it is; on paper every ten times as long


class Teller:
    def __init__(self, as_json: bool = False, quiet: bool = False, progress: bool = False):
        self.as_json, self.quiet = as_json, quiet
        self._moving = sys.stderr.isatty() and not quiet
        self._lines = progress and not self._moving
        self._began = self._last = time.monotonic()
        self._shown = False

    def say(self, text: str = "") -> None:
        """A line of the result."""
        if not self.as_json:
            self.done()
            print(text)

    def note(self, text: str) -> None:
        """What one should know besides."""
        if not self.quiet and not self.as_json:
            self.done()
            print(text, file=sys.stderr)

    def result(self, content: dict[str, Any]) -> None:
        """For programs."""
        if self.as_json:
            self.done()
            print(json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False))

    # --- how far it is ------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._began = time.monotonic()

    def progress(self, what: str, share: float | None = None, seconds: float | None = None) -> None:
        """`share` of the work that is done, or the seconds it is thought to take in all."""
        now = time.monotonic()
        if not (self._moving or self._lines) or now - self._last < (PACE if self._moving else 10 * PACE):
            return
        self._last, spent = now, now - self._began
        left = spent / share - spent if share else seconds - spent if seconds is not None else None
        words = f"{visible(what, 100)}, {seconds_in_words(spent)}"
        if left is not None:
            words += f", about {seconds_in_words(left)} left" if left > 0 else ", longer than estimated"
        if self._moving:
            print(f"\r\x1b[2K{words}", end="", file=sys.stderr, flush=True)
            self._shown = True
        else:
            print(words, file=sys.stderr, flush=True)

    @property
    def spent(self) -> float:
        return time.monotonic() - self._began

    def done(self) -> None:
        if self._shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
            self._shown = False


def columns(rows: list[list[str]], indent: str = "") -> str:
    """Texts in columns, for a terminal."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(indent + line for line in lines)
