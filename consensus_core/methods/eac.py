"""Evidence accumulation (Fred and Jain 2005): the tree of the co-association matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Matrix, Told, TreeMethod, TreeState, param, shown, tells
from ..method.evidence import share
from ..partition import Dendrogram, linkage
from ..similarity import coassociation


@dataclass(frozen=True, kw_only=True, eq=False)
class EACState(TreeState):
    A: Matrix = shown("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1))


@dataclass(frozen=True, kw_only=True)
class EAC(TreeMethod):
    """How often are two objects together? Join the closest groups until k are left.

        A_pq = (base clusterings that put p and q together) / (base clusterings that have a label for both)

    The distance of two groups is the mean (average), the largest (complete) or the smallest (single linkage) of 1 − A
    over their pairs of objects. A pair that no base clustering has seen together has A = 0.

    A. Fred, A. Jain: Combining multiple clusterings using evidence accumulation. IEEE TPAMI 27 (2005) 835–850.
    """

    linkage: str = param(
        "average", "how the distance of two groups follows from their pairs", choices=("average", "complete", "single")
    )

    title = "Evidence accumulation"
    reference = "Fred & Jain, IEEE TPAMI 27 (2005) 835–850"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = EACState

    def similarity(self, ensemble: Ensemble):
        return coassociation(ensemble)

    def votes(self, ensemble: Ensemble) -> np.ndarray:
        return np.ones(ensemble.K)

    def grown(self, ensemble: Ensemble, A) -> Dendrogram:
        """From the whole numbers behind A where nothing is missing: then ties are exact and the rule decides them."""
        if ensemble.has_missing:
            return super().grown(ensemble, A)
        votes = np.rint(A * ensemble.m)
        return linkage(votes, ensemble.counts, self.linkage, scale=ensemble.m, overwrite=True)

    @tells("A", "together / seen")
    def why_A(self, at: At) -> Told:
        return share(at)
