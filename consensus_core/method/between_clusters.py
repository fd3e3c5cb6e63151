"""Clusters compared with clusters: what they share, and where walks from them lead. For methods that begin so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..similarity import jaccard, likeness_of_walks, steps_between
from .cost import Cost, speed
from .hyperedges import overlap, sizes
from .method import Method, State
from .params import param
from .quantities import Matrix, derived, shown
from .telling import At, Told, tells
from .walkers import told_cosine, told_way, way_of

CLUSTERS = ("hyperedge", "hyperedge")


@dataclass(frozen=True, kw_only=True, eq=False)
class SharesState(State):
    J: Matrix = shown("J", "clusters alike: the share of their objects that two have in common",
        axes=CLUSTERS, span=(0, 1))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SharedObjects(Method):
    """Methods that compare clusters by J, the objects two have in common out of all that are in either."""

    @tells("J", "both / (s_e + s_l - both)")
    def why_J(self, at: At) -> Told:
        if at.e == at.l:
            return at.given(0, "{e} is not compared with itself.")
        if at.ensemble.cluster(at.e)[0] == at.ensemble.cluster(at.l)[0]:
            return at.given(0, "{e} and {l} are of the same base clustering: they share no object.")
        words = "{both} of the objects of {e}, {s_e} in all, and of {l}, {s_l} in all, are in both."
        both = overlap(at, np.array([at.l])).term(0)
        return at.terms(both=both, s_e=sizes(at).term(at.e), s_l=sizes(at).term(at.l), words=words)


@dataclass(frozen=True, kw_only=True, eq=False)
class WalkState(SharesState):
    Z: Matrix = shown("Z", "clusters alike: the cosine of the ways of walkers from two of them",
        axes=CLUSTERS, span=(0, 1))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ClusterWalks(SharedObjects):
    """Methods that compare clusters by where random walks from them lead.

    P_ab = J_ab / Σ_b J_ab,  S = Σ_{t ≤ T} Pᵗ(Pᵗ)ᵀ,  Z_ab = S_ab / √(S_aa S_bb),  Z_aa = 1.
    """

    steps: int = param(20, "how many steps a walker makes from cluster to cluster", letter="T", span=(1, 100))

    def walks(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        J = jaccard(ensemble)
        return {"J": J, "Z": likeness_of_walks(J, self.steps)}

    @derived("P", "where a walker goes from a cluster: to those that share objects", axes=CLUSTERS, span=(0, 1),
             minor=True)  # fmt: skip
    def P(self, ensemble: Ensemble, state: WalkState) -> Matrix:
        return steps_between(state.J)

    @tells("P", "J / reach")
    def why_P(self, at: At) -> Told:
        reach = at.now("reach", at.e)
        if not reach.value:
            return at.given(0, "{e} shares no object with any other cluster: a walker goes nowhere.")
        return at.terms(J=at.now("J"), reach=reach, words="From {e} a walker goes to {l} in {value} of cases.")

    @tells(
        "reach", "sum(J[b], b)", letter="reach", axes=("hyperedge",), meaning="what a cluster shares with all others"
    )
    def why_reach(self, at: At) -> Told:
        return at.terms(J=at.row("J", at.e, None), words="All that {e} shares with other clusters.")

    @tells("Z", "dot(way_e, way_l) / (norm(way_e) * norm(way_l))")
    def why_Z(self, at: At) -> Told:
        if at.e == at.l:
            return at.given(1, "{e} is like itself.")
        if not (way_of(at, at.e, self.steps).values.any() and way_of(at, at.l, self.steps).values.any()):
            return at.given(0, "One of {e} and {l} shares no object with any cluster: no way leads to it.")
        return told_cosine(at, self.steps)

    @tells("way", "sum(way[b]*P[b], b)", letter="way", axes=("hyperedge", "hyperedge", "rank"),
           meaning="how likely a walker from a cluster is in another one after so many steps", first="P")  # fmt: skip
    def why_way(self, at: At) -> Told:
        return told_way(at, self.steps)

    def cost_of_walks(self, ensemble: Ensemble) -> Cost:
        K = ensemble.K
        products = 4 * np.log2(self.steps + 1) * K**3
        return Cost(bytes=60 * K * K, seconds=float(products / speed().products))
