"""Columns of a method's own, shown as the clusters are numbered on every screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..partition.numbering import column_of
from .method import Method, State
from .telling import At


@dataclass(frozen=True, kw_only=True)
class Columned(Method):
    """Methods with k columns, one for each cluster, in an order of their own. A column keeps its own place from step
    to step, while the number of its cluster follows from the partition."""

    def own(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """(q,) the column each microcluster is in, before any repair."""
        raise TypeError(f"{type(self).__name__} must define own")

    def columns(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """(k,) which column of the method's own each cluster is, as it is numbered on every screen."""
        return column_of(ensemble, self.own(ensemble, state), self.labels(ensemble, state), self.k)

    def found(self, ensemble: Ensemble, state: State) -> int:
        return len(np.unique(self.own(ensemble, state)))

    def columns_at(self, at: At, iteration: int) -> np.ndarray:
        state = at.path.state(iteration)
        return at.path.once("columns", iteration, lambda: self.columns(at.ensemble, state))

    def column_before(self, at: At, own: int) -> int:
        """Which cluster a column of the method's own was a step before."""
        return int(np.flatnonzero(self.columns_at(at, at.iteration - 1) == own)[0])

    def split_in_words(self, ensemble: Ensemble, state: State) -> tuple[str, ...]:
        """A remark where clusters stayed empty."""
        found = self.found(ensemble, state)
        said = f"{found} of the {self.k} clusters asked for have objects; the most scattered were split"
        return () if found == self.k else (f"{said} until there were {self.k}.",)
