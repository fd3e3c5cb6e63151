"""Locally weighted evidence accumulation (Huang, Wang and Lai 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Matrix, Told, TreeMethod, TreeState, Weights, param, shown, tells
from ..method.evidence import LocallyWeighted, weighted_share
from ..similarity import cluster_indices, local_weighting


@dataclass(frozen=True, kw_only=True, eq=False)
class LWEAState(TreeState):
    A: Matrix = shown(
        "Ã", "locally weighted co-association: clusters count by how far the ensemble agrees with them", span=(0, 1)
    )
    ECI: Weights = shown(
        "ECI", "ensemble-driven cluster index: near 1 where the other base clusterings keep a cluster whole",
        axes=("hyperedge",), span=(0, 1),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LWEA(LocallyWeighted, TreeMethod):
    """Evidence accumulation in which a cluster counts by how far the whole ensemble agrees with it.

        entropy(C) = − Σ_i Σ_j p log₂ p,   p = |C ∩ C_j⁽ⁱ⁾| / |C|
        ECI(C)     = exp(− entropy(C) / (θ m))
        Ã_pq       = (1/m) Σ_i ECI(C⁽ⁱ⁾(p)) [p and q together in i]

    then average linkage on 1 − Ã. m is the number of base clusterings, C⁽ⁱ⁾(p) the cluster of p in the i-th.

    D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Trans. Cybernetics 48 (2018) 1460–1473.
    """

    theta: float = param(
        0.4, "how much a cluster that the others tear apart still counts: the smaller θ, the less",
        plain="weight of torn clusters", letter="θ", span=(0.1, 4.0), step=0.1,
    )  # fmt: skip

    title = "Locally weighted evidence accumulation"
    reference = "Huang, Wang & Lai, IEEE Trans. Cybernetics 48 (2018) 1460–1473"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = LWEAState

    def init(self, ensemble: Ensemble) -> LWEAState:
        return LWEAState(A=self.matrix(ensemble), ECI=self.votes(ensemble))

    def similarity(self, ensemble: Ensemble) -> np.ndarray:
        return local_weighting(ensemble, self.theta)

    def votes(self, ensemble: Ensemble) -> np.ndarray:
        return cluster_indices(ensemble, self.theta)

    @tells("A", "sum(ECI[t]*same[t], t) / seen")
    def why_A(self, at: At) -> Told:
        return weighted_share(at)
