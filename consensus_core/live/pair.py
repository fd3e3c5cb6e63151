"""Two runs side by side: what both show is drawn as a difference."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ..drawing.kinds import drawn, kind_of
from ..method import Quantity
from .run import Run


@dataclass(frozen=True)
class Pair:
    """Two runs whose equal quantities are drawn as differences: the second minus the first."""

    one: Run
    other: Run

    @property
    def id(self) -> str:
        return f"{self.one.id}-{self.other.id}"

    def quantities(self) -> tuple[Quantity, ...]:
        """What both show as the same kind over the same things."""
        theirs = {quantity.name: quantity for quantity in drawn(self.other.method)}
        return tuple(
            dataclasses.replace(mine, span=None, log=False, diverging=True)
            for mine in drawn(self.one.method)
            if kind_of(mine).difference is not None and _equal(mine, theirs.get(mine.name))
        )


def _equal(mine: Quantity, theirs: Quantity | None) -> bool:
    return theirs is not None and (mine.kind, mine.axes, mine.span) == (theirs.kind, theirs.axes, theirs.span)
