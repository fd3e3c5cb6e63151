"""PTGP: trajectories of random walks, and a cut of objects and clusters (Huang, Lai and Wang 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..method import At, Cost, Incidence, Matrix, Told, shown, tells
from ..method.cut import CutState, TransferCut
from ..method.object_walks import ObjectWalks
from ..method.quantities import derived


@dataclass(frozen=True, kw_only=True, eq=False)
class PTGPState(CutState):
    A: Matrix = shown("PTS", "objects alike: the cosine of the ways of walkers from two of them", span=(0, 1))


@dataclass(frozen=True, kw_only=True)
class PTGP(ObjectWalks, TransferCut):
    """Objects are tied to all clusters whose members walkers find alike: cut that graph.

        PTS_pr                                                   as in PTA, between distinct label rows p and r
        G_pe = (1 / |C_e|) Σ_{r in C_e} PTS_pr                   |C_e| label rows; also of clusters that p is not in
        u_p  = Σ_e G_pe,  Y = Gᵀ diag(1 / u) G,  d = Y 1
        Y V  = diag(d) V diag(σ)                                 the k greatest σ, from a matrix of clusters alone
        x_p  = Σ_e G_pe V_e / u_p,  X_p = x_p / ‖x_p‖

    then k-means of the rows of X. After the walks every label row (microcluster) counts once, however many objects it
    stands for.

    D. Huang, J.-H. Lai, C.-D. Wang: Robust ensemble clustering using probability trajectories. IEEE Trans. Knowledge
    and Data Engineering 28 (2016) 1312–1326.
    """

    title = "Probability trajectories, graph partitioning"
    reference = "Huang, Lai & Wang, IEEE Trans. Knowledge and Data Engineering 28 (2016) 1312–1326"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = PTGPState

    def worth(self, ensemble: Ensemble) -> np.ndarray:
        return np.ones(ensemble.q)

    def placed(self, ensemble: Ensemble):
        A = self.likeness(ensemble)
        return {**self.placed_by(ensemble, means_over_clusters(ensemble, A)), "A": A}

    @derived("G", "edges between objects and base clusters: the mean likeness to the members")
    def G(self, ensemble: Ensemble, state: PTGPState) -> Incidence:
        return means_over_clusters(ensemble, state.A)

    @tells("G", "sum(PTS[r], r) / size")
    def why_G(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        some = np.flatnonzero(at.ensemble.rows[:, t] == code)
        size = at.constant(len(some), "different label rows in the cluster")
        PTS = at.row("A", at.i, None, some=some)
        return at.terms(PTS=PTS, size=size, words="How alike {i} is to the label rows of {e}, the mean.")

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K = ensemble.q, ensemble.K
        return super().cost(ensemble) + self.cost_of_walks(ensemble) + Cost(bytes=24 * q * K, seconds=1e-9 * q * q * K)


def means_over_clusters(ensemble: Ensemble, A: np.ndarray) -> np.ndarray:
    """(q, K): the mean of the rows of A over the label rows in each cluster."""
    H = incidence(ensemble)
    return (H.T @ A).T / H.sum(axis=0)
