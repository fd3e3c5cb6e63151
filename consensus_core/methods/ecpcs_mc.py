"""ECPCS-MC: clusters grouped by random walks, and a vote (Huang, Wang, Peng, Lai and Kwoh 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Cost, Matrix, Told, derived, tells
from ..method.between_clusters import CLUSTERS, ClusterWalks, WalkState
from ..method.meta import MetaClusters, MetaState

LEAST = 1e-6  # likeness below it is none


@dataclass(frozen=True, kw_only=True, eq=False)
class ECPCSMCState(MetaState, WalkState):
    pass


@dataclass(frozen=True, kw_only=True)
class ECPCSMC(ClusterWalks, MetaClusters):
    """Which clusters of the base clusterings correspond? Those that walkers find alike; then every object votes.

        J_el     = |C_e ∩ C_l| / |C_e ∪ C_l|,  J_ee = 0           all clusters of all base clusterings
        P_el     = J_el / Σ_l J_el,  S = Σ_{t = 1 … T} Pᵗ(Pᵗ)ᵀ    a walker goes where objects are shared
        Z_el     = S_el / √(S_ee S_ll),  Z_ee = 1
        (Z + ½ I) V = diag(d) V diag(σ),  d = Z 1 + 1             the k greatest σ;  X_Ce = V_e / ‖V_e‖
        M_1 … M_k                                                meta-clusters: the rotation of X_C nearest to 0s and 1s
        score_pc = (1 / |M_c|) Σ_{e in M_c} [p in C_e]            p goes where its score is greatest

    The rotation (Yu & Shi) begins from every cluster as a first axis, the best of all counts; the authors' program
    draws one. Of scores that are equal the meta-cluster with more objects in its clusters wins.

    D. Huang, C.-D. Wang, H. Peng, J. Lai, C.-K. Kwoh: Enhanced ensemble clustering via fast propagation of cluster-wise
    similarities. IEEE Trans. Systems, Man, and Cybernetics: Systems 51 (2021) 508–520.
    """

    short = "ECPCS-MC"
    title = "Propagated cluster similarities, meta-clusters"
    family = "meta-clusters"
    graph = "W"
    cut = "discretise"
    reference = "Huang, Wang, Peng, Lai & Kwoh, IEEE Trans. Systems, Man, and Cybernetics: Systems 51 (2021) 508–520"
    handles_missing = "clusters are sets of labelled objects; an object votes with the clusters it has a label of"
    State = ECPCSMCState

    def placed(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        walks = self.walks(ensemble)
        return {**walks, **self.placed_by(np.where(walks["Z"] >= LEAST, walks["Z"], 0.0))}

    @derived("W", "Z, where it is not as good as 0", axes=CLUSTERS, span=(0, 1), minor=True)
    def W(self, ensemble: Ensemble, state: ECPCSMCState) -> Matrix:
        return np.where(state.Z >= LEAST, state.Z, 0.0)

    @tells("W", "Z if Z >= least else 0")
    def why_W(self, at: At) -> Told:
        least = at.constant(LEAST, "the least likeness that counts")
        return at.terms(Z=at.now("Z"), least=least, words="How alike walkers find {e} and {l}.")

    def cost(self, ensemble: Ensemble) -> Cost:
        turns = 8e-5 * ensemble.K * self.k  # a start from every cluster
        return super().cost(ensemble) + self.cost_of_walks(ensemble) + Cost(bytes=16 * ensemble.K**2, seconds=turns)
