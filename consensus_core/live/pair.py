"""Two runs side by side: what both show is drawn as a difference."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from ..drawing.kinds import drawn, kind_of
from ..method import Matrix, Quantity
from .run import Run

# what any two results have in common, whatever else they show
PARTITION = Quantity(
    name="partition",
    kind=Matrix,
    letter="Δ",
    meaning="together in the second result and not in the first: 1; the other way round: −1",
    axes=("object", "object"),
    diverging=True,
)
MOST = 3000  # microclusters up to which it is drawn


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
        common = (PARTITION,) if self.one.ensemble.q <= MOST else ()
        return common + tuple(
            dataclasses.replace(mine, span=None, log=False, diverging=True)
            for mine in drawn(self.one.method)
            if kind_of(mine).difference is not None and _equal(mine, theirs.get(mine.name))
        )


def _equal(mine: Quantity, theirs: Quantity | None) -> bool:
    return theirs is not None and (mine.kind, mine.axes, mine.span) == (theirs.kind, theirs.axes, theirs.span)


def together(labels: np.ndarray) -> np.ndarray:
    """(q, q) 1 where a partition puts two microclusters together."""
    return (labels[:, None] == labels[None, :]).astype(np.float32)
