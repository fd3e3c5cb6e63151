"""The consensus step of SC3 (Kiselev et al. 2017): objects compared by whole rows of the co-association."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Cost, Matrix, Told, TreeMethod, TreeState, derived, param, shown, speed, tells
from ..method.evidence import share
from ..partition import Dendrogram, linkage
from ..similarity import coassociation, together

NO_DISTANCE = 1e-7  # beside the greatest: what is left of 0 by a difference of large sums


@dataclass(frozen=True, kw_only=True, eq=False)
class SC3State(TreeState):
    A: Matrix = shown("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1))


@dataclass(frozen=True, kw_only=True)
class SC3(TreeMethod):
    """Two objects are alike when they go with the same others. Join the closest groups until k are left.

        A_pq = (base clusterings that put p and q together) / (base clusterings that have a label for both)
        D_pq = √(Σ_s (A_ps − A_qs)²),   over all objects s

    The distance of two groups is the largest D (complete), the mean (average) or the smallest (single linkage) over
    their pairs of objects. EAC compares by the entry A_pq alone, this by all entries of the rows p and q.

    V. Kiselev and others: SC3: consensus clustering of single-cell RNA-seq data. Nature Methods 14 (2017) 483–486.
    """

    linkage: str = param(
        "complete", "how the distance of two groups follows from their pairs", choices=("complete", "average", "single")
    )

    title = "Consensus of single-cell clusterings"
    reference = "Kiselev and others, Nature Methods 14 (2017) 483–486"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = SC3State

    def similarity(self, ensemble: Ensemble) -> np.ndarray:
        return coassociation(ensemble)

    @derived("D", "distance of two rows of A: how differently two objects go with all others")
    def D(self, ensemble: Ensemble, state: SC3State) -> Matrix:
        return self.distances(ensemble, state.A)

    def distances(self, ensemble: Ensemble, A: np.ndarray) -> np.ndarray:
        """From the whole numbers behind A where nothing is missing: then equal distances are equal numbers."""
        rows, of = (A, 1) if ensemble.has_missing else (together(ensemble), ensemble.m)
        G = (rows * ensemble.weights) @ rows.T
        square = np.diagonal(G)[:, None] + np.diagonal(G) - G - G.T
        square[square <= NO_DISTANCE**2 * square.max()] = 0.0
        np.fill_diagonal(square, 0.0)
        return np.sqrt(square) / of

    def grown(self, ensemble: Ensemble, A: np.ndarray) -> Dendrogram:
        return linkage(-self.distances(ensemble, A), ensemble.counts, self.linkage, top=0.0, overwrite=True)

    def cost(self, ensemble: Ensemble) -> Cost:
        q = ensemble.q
        return super().cost(ensemble) + Cost(bytes=24 * q * q, seconds=q**3 / speed().products)

    @tells("A", "together / seen")
    def why_A(self, at: At) -> Told:
        return share(at)

    @tells("D", "sqrt(sum(n[s]*(A_i[s] - A_j[s])**2, s))")
    def why_D(self, at: At) -> Told:
        rows = {f"A_{x}": at.row("A", place, None) for x, place in zip("ij", (at.i, at.j), strict=True)}
        say = {"value > 0": "differ in how they go with these objects, with the first most",
               "value <= 0": "go with all objects alike"}  # fmt: skip
        return at.terms(n=at.counts, **rows, say=say, words="{i} and {j} {say}.")
