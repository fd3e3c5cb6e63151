"""Locally weighted evidence accumulation (Huang, Wang and Lai 2018)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import Explanation, Matrix, TreeMethod, TreeState, Weights, param, shown
from ..similarity import cluster_indices, local_weighting, why


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
class LWEA(TreeMethod):
    """Evidence accumulation in which a cluster counts by how far the whole ensemble agrees with it.

        entropy(C) = − Σ_i Σ_j p log₂ p,   p = |C ∩ C_j⁽ⁱ⁾| / |C|
        ECI(C)     = exp(− entropy(C) / (θ m))
        Ã_pq       = (1/m) Σ_i ECI(C⁽ⁱ⁾(p)) [p and q together in i]

    then average linkage on 1 − Ã. m is the number of base clusterings, C⁽ⁱ⁾(p) the cluster of p in the i-th.

    D. Huang, C.-D. Wang, J.-H. Lai: Locally weighted ensemble clustering. IEEE Trans. Cybernetics 48 (2018) 1460–1473.
    """

    theta: float = param(
        0.4,
        "how much a torn cluster still counts: the smaller, the less",
        plain="mercy for torn clusters",
        letter="θ",
        low=0.1,
        high=4.0,
        step=0.1,
    )

    title = "Locally weighted evidence accumulation"
    reference = "Huang, Wang & Lai, IEEE Trans. Cybernetics 48 (2018) 1460–1473"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = LWEAState

    def init(self, ensemble: Ensemble) -> LWEAState:
        return LWEAState(A=local_weighting(ensemble, self.theta), ECI=cluster_indices(ensemble, self.theta))

    def explain_ECI(self, ensemble: Ensemble, before, after, c: int) -> Explanation:
        i = int(np.searchsorted(ensemble.offsets, c, side="right")) - 1
        inside = ensemble.rows[:, i] == c - ensemble.offsets[i]
        entropy = why.entropy(ensemble, i, c - ensemble.offsets[i])
        value = math.exp(-entropy / (self.theta * ensemble.m))
        return Explanation(
            "ECI = exp(− entropy / (θ m))",
            f"ECI = exp(− {entropy:.3g} / ({self.theta:g} · {ensemble.m}))",
            value,
            f"The {int(ensemble.counts[inside].sum()):,} members of this cluster are spread over the other base "
            f"clusterings with {entropy:.3g} bits in all, {entropy / ensemble.m:.3g} for each: it counts {value:.3g}.",
        )

    def explain_A(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        return why.of_local_weighting(ensemble, i, j, self.theta, "Ã")
