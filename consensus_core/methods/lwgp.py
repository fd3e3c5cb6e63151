"""LWGP: locally weighted graph partitioning (Huang, Wang and Lai 2018)."""

from __future__ import annotations

from dataclasses import dataclass

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..method import At, State, Told, Weights, param, shown, tells
from ..method.cut import CutState, TransferCut
from ..method.evidence import LocallyWeighted
from ..method.hyperedges import membership_term
from ..similarity import cluster_indices


@dataclass(frozen=True, kw_only=True, eq=False)
class ECIState(State):
    ECI: Weights = shown(
        "ECI", "ensemble-driven cluster index: near 1 where the other base clusterings keep a cluster whole",
        axes=("hyperedge",), span=(0, 1),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class LWGPState(CutState, ECIState):
    pass


@dataclass(frozen=True, kw_only=True)
class LWGP(LocallyWeighted, TransferCut):
    """Objects are tied to their clusters, the tighter the more the ensemble agrees with a cluster: cut that graph.

        entropy(C) = − Σ_i Σ_j p log₂ p,   p = |C ∩ C_j⁽ⁱ⁾| / |C|
        ECI_e      = exp(− entropy(C_e) / (θ m))
        G_pe       = ECI_e [p is in base cluster e]              edges; none between objects, none between clusters
        u_p        = Σ_e G_pe,  Y = Gᵀ diag(n / u) G,  d = Y 1   n_p objects of microcluster p
        Y V        = diag(d) V diag(σ)                           the k greatest σ, from a matrix of clusters alone
        x_p        = Σ_e G_pe V_e / u_p,  X_p = x_p / ‖x_p‖

    then k-means of the rows of X. The weights are those of LWEA; here they say how hard it is to cut an object off its
    cluster, and nothing of the size of all pairs is needed.

    D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Trans. Cybernetics 48 (2018) 1460–1473.
    """

    theta: float = param(
        0.4, "how much a cluster that the others tear apart still counts: the smaller θ, the less",
        plain="weight of torn clusters", letter="θ", span=(0.1, 4.0), step=0.1,
    )  # fmt: skip

    title = "Locally weighted graph partitioning"
    reference = "Huang, Wang & Lai, IEEE Trans. Cybernetics 48 (2018) 1460–1473"
    handles_missing = "an object is tied to the clusters it has a label of"
    State = LWGPState

    def placed(self, ensemble: Ensemble):
        ECI = cluster_indices(ensemble, self.theta)
        return {**self.placed_by(ensemble, incidence(ensemble) * ECI), "ECI": ECI}

    def edges(self, ensemble: Ensemble):
        return incidence(ensemble) * cluster_indices(ensemble, self.theta)

    @tells("G", "ECI*H")
    def why_G(self, at: At) -> Told:
        H = membership_term(at)
        words = "{i} is in {e}, and tied to it by its index." if H.value else "{i} is not in {e}."
        return at.terms(ECI=at.now("ECI", at.e), H=H, words=words)
