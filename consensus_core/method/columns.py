"""Clusters that a method has in an order of its own, as everybody sees them: by the one numbering."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..partition import relabel, split_scattered
from ..partition.numbering import column_of
from .method import Method, State
from .telling import At, Told

AS_FAR = 1e-9  # beside the sizes compared: two that differ by less are equally far


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnsState(State):
    y: np.ndarray  # (q,) the cluster of each microcluster, in the method's own order


@dataclass(frozen=True, kw_only=True)
class Columns(Method):
    """Methods that put every object into one of k clusters, some of which may stay empty: then others are split."""

    def places(self, ensemble: Ensemble, state: ColumnsState) -> np.ndarray:
        """(q, d) where objects are: by it the most scattered clusters are split."""
        return incidence(ensemble).toarray()

    def labels(self, ensemble: Ensemble, state: ColumnsState) -> np.ndarray:
        if len(np.unique(state.y)) == self.k:
            return relabel(state.y)
        return split_scattered(relabel(state.y), self.k, self.places(ensemble, state), ensemble.counts)

    def found(self, ensemble: Ensemble, state: ColumnsState) -> int:
        return len(np.unique(state.y))

    def split_in_words(self, state: ColumnsState) -> tuple[str, ...]:
        """A remark where clusters stayed empty."""
        found = len(np.unique(state.y))
        said = f"{found} of the {self.k} clusters asked for have objects; the most scattered were split"
        return () if found == self.k else (f"{said} until there were {self.k}.",)

    def columns(self, ensemble: Ensemble, state: ColumnsState) -> np.ndarray:
        """Which of the method's own each cluster is, as it is numbered on every screen."""
        return column_of(ensemble, state.y, self.labels(ensemble, state), self.k)

    def columns_at(self, at: At, iteration: int) -> np.ndarray:
        state = at.path.state(iteration)
        return at.path.once("columns", iteration, lambda: self.columns(at.ensemble, state))

    def column_before(self, at: At, own: int) -> int:
        """Which cluster one of the method's own was a step before."""
        return int(np.flatnonzero(self.columns_at(at, at.iteration - 1) == own)[0])

    def told_choice(self, at: At, name: str, sign: int, size: float, words: str, **far: str) -> Told:
        """Whether an object is in cluster c: where `name` is greatest (sign 1) or least (−1) for it. `far`: the words
        for "best" and "worse"."""
        own, rivals = at.now(name), [at.now(name, at.i, c) for c in range(self.k) if c != at.c]
        if not rivals:
            return at.given(1, "Only one cluster is wanted.")
        rival = max(rivals, key=lambda term: sign * term.value)
        if abs(own.value - rival.value) <= AS_FAR * size:
            mine = at.after.y[at.p] == self.columns_at(at, at.iteration)[at.c]
            return at.given(mine, f"{{i}} {far['tied']}: one of them takes it.", rival=rival)
        best, worse = ("own >= rival", "own < rival") if sign > 0 else ("own <= rival", "own > rival")
        return at.terms(own=own, rival=rival, far={best: far["best"], worse: far["worse"]}, words=words)
