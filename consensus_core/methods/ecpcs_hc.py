"""ECPCS-HC: objects together by clusters that are alike (Huang, Wang, Peng, Lai and Kwoh 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Cost, Matrix, Told, TreeMethod, TreeState, derived, shown, tells
from ..method.between_clusters import ClusterWalks, WalkState
from ..method.evidence import share
from ..similarity import coassociation, propagated


@dataclass(frozen=True, kw_only=True, eq=False)
class ECPCSHCState(TreeState, WalkState):
    A: Matrix = shown("B", "objects alike: together, or in clusters that walkers find alike", span=(0, 1))


@dataclass(frozen=True, kw_only=True)
class ECPCSHC(ClusterWalks, TreeMethod):
    """Two objects that are never together can still be alike, if the clusters they are in are.

        J_ab = |C_a ∩ C_b| / |C_a ∪ C_b|,  J_aa = 0               all clusters of all base clusterings
        P_ab = J_ab / Σ_b J_ab                                   a walker goes where objects are shared
        S    = Σ_{t = 1 … T} Pᵗ(Pᵗ)ᵀ                             how alike the ways of two walkers are
        Z_ab = S_ab / √(S_aa S_bb),  Z_aa = 1
        B_pq = (1/m) Σ_i Z[c_i(p), c_i(q)]                       c_i(p): the cluster of p in base clustering i

    then average linkage on 1 − B. With Z = I this is evidence accumulation: all that is new is what Z says of two
    clusters of one base clustering, so B is nowhere below the co-association. R, the number of clusters, is small
    beside the number of objects, and all walks are among clusters.

    D. Huang, C.-D. Wang, H. Peng, J. Lai, C.-K. Kwoh: Enhanced ensemble clustering via fast propagation of cluster-wise
    similarities. IEEE Trans. Systems, Man, and Cybernetics: Systems 51 (2021) 508–520.
    """

    short = "ECPCS-HC"
    title = "Propagated cluster similarities, tree"
    reference = "Huang, Wang, Peng, Lai & Kwoh, IEEE Trans. Systems, Man, and Cybernetics: Systems 51 (2021) 508–520"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = ECPCSHCState

    def init(self, ensemble: Ensemble) -> ECPCSHCState:
        walks = self.walks(ensemble)
        return ECPCSHCState(**walks, A=propagated(ensemble, walks["Z"]))

    @tells("A", "sum(Z[t], t) / seen")
    def why_A(self, at: At) -> Told:
        if at.pair.alike or at.pair.unseen:
            return at.given(float(at.pair.alike and not at.pair.unseen), at.of_both)
        ensemble, seen = at.ensemble, np.flatnonzero(at.pair.seen)
        e, l = (ensemble.offsets[seen] + ensemble.rows[x, seen] for x in (at.pair.p, at.pair.q))
        Z = at.known("Z", at.after.Z[e, l], lambda k: (int(e[k]), int(l[k])))
        words = "{together} of {seen} base clusterings put {i} and {j} together, each for 1; the others count by how " \
                "alike the two clusters are."  # fmt: skip
        return at.terms(Z=Z, seen=at.now("seen"), together=at.now("together"), words=words)

    @derived("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1), minor=True)
    def plain(self, ensemble: Ensemble, state: ECPCSHCState) -> Matrix:
        return coassociation(ensemble)

    @tells("plain", "together / seen")
    def why_plain(self, at: At) -> Told:
        return share(at)

    @derived("B − A", "what the walks add to the co-association", span=(0, 1))
    def added(self, ensemble: Ensemble, state: ECPCSHCState) -> Matrix:
        return state.A - coassociation(ensemble)

    @tells("added", "B - A")
    def why_added(self, at: At) -> Told:
        words = "Clusters that are alike bring {i} and {j} nearer to each other than being together does."
        return at.terms(B=at.now("A"), A=at.now("plain"), words=words)

    def cost(self, ensemble: Ensemble) -> Cost:
        return super().cost(ensemble) + self.cost_of_walks(ensemble)
