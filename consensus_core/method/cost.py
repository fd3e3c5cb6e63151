"""What a piece of work will take, said before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass

from ..machine import available_bytes, speed
from ..numbers import bytes_in_words, seconds_in_words

__all__ = ["Cost", "available_bytes", "in_words", "speed"]


@dataclass(frozen=True)
class Cost:
    """An estimate: bytes of memory beyond what is held already, CPU seconds on this machine."""

    bytes: int
    seconds: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.bytes + other.bytes, self.seconds + other.seconds)


def in_words(cost: Cost) -> str:
    """ "about 1.2 GB and 40 s"."""
    return f"about {bytes_in_words(cost.bytes)} and {seconds_in_words(cost.seconds)}"
