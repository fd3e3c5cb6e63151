"""How everything stands in the pictures of one iteration: the order of objects and base clusters, and the consensus."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from .orders import FIRST, column_order, leaf_rank, row_order
from .pixels import PIXELS, Axis


@dataclass(frozen=True, eq=False)
class Arrangement:
    ensemble: Ensemble
    labels: np.ndarray  # (q,) the consensus
    rows: np.ndarray  # (n,) which object stands in each row
    columns: np.ndarray  # (K,) which base cluster stands in each column
    pixels: int = PIXELS

    @functools.cached_property
    def objects(self) -> Axis:
        return Axis.of_objects(self.ensemble, self.rows, self.pixels)

    def under(self, labels: np.ndarray) -> Arrangement:
        """The same order, other clusters."""
        if labels is self.labels or np.array_equal(labels, self.labels):
            return self
        other = dataclasses.replace(self, labels=labels)
        other.__dict__["objects"] = self.objects
        return other

    def axis(self, side: str, length: int, window: tuple[int, int] | None = None) -> Axis:
        """How one side of a picture becomes pixels; `window`: the objects in view, first to last."""
        if side == "object":
            if window is None:
                return self.objects
            return Axis.of_objects(self.ensemble, self.rows, self.pixels, window)
        order = self.columns if side == "hyperedge" and length == len(self.columns) else None
        return Axis.of_things(length, self.pixels, order=order)


def arranged(
    ensemble: Ensemble, labels: np.ndarray, order: str = FIRST, rank: np.ndarray | None = None, pixels: int = PIXELS
) -> Arrangement:
    """Everything in the order of this name; `rank` is the ensemble's leaf rank, where it is known already."""
    rank = leaf_rank(ensemble) if rank is None else rank
    rows = row_order(ensemble, rank, order, labels)
    return Arrangement(ensemble, labels, rows, column_order(ensemble, order, labels), pixels)
