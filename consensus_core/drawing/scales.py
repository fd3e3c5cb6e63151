"""Which values the ends of a colour scale stand for: one rule for the view and for exports.

A quantity may declare the span its values can have. Where what is drawn uses less than half of it, the colours go to
the range of the values instead; one value everywhere stands between 0 and itself. A few entries far outside of all
others do not set the scale: they take its end colour, and the scale says that there are values beyond.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..method import Quantity

ENOUGH = 0.5  # share of a declared span that must be used for the span to be the scale


@dataclass(frozen=True)
class Reach:
    """How far the values of some pictures go, all of them and all but a few. Logarithms where these are drawn."""

    low: float
    high: float
    inner: tuple[float, float]

    def with_(self, other: Reach) -> Reach:
        inner = min(self.inner[0], other.inner[0]), max(self.inner[1], other.inner[1])
        return Reach(min(self.low, other.low), max(self.high, other.high), inner)


@dataclass(frozen=True)
class Scale:
    low: float
    high: float
    under: bool = False  # some values lie below the low end
    over: bool = False  # or above the high end


def reach_of(picture) -> Reach:
    return Reach(picture.low, picture.high, picture.inner)


def scale_of(quantity: Quantity, reach: Reach) -> Scale:
    low, high = reach.inner
    if quantity.diverging:
        high = max(abs(low), abs(high))
        low = -high
    span = None if quantity.log else quantity.span
    if low == high and low and not quantity.diverging and not quantity.log:  # 1 everywhere is no dark nothing
        low, high = span or (min(low, 0.0), max(high, 0.0))
    if span is not None and high - low >= ENOUGH * (span[1] - span[0]):
        low, high = min(span[0], low), max(span[1], high)
    slack = 1e-9 * (high - low)
    return Scale(low, high, reach.low < low - slack, reach.high > high + slack)
