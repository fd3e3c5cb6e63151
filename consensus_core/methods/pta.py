"""PTA: probability trajectory accumulation (Huang, Lai and Wang 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import Cost, Matrix, TreeMethod, TreeState, param, shown
from ..method.object_walks import ObjectWalks
from ..partition import Dendrogram, linkage


@dataclass(frozen=True, kw_only=True, eq=False)
class PTAState(TreeState):
    A: Matrix = shown("PTS", "objects alike: the cosine of the ways of walkers from two of them", span=(0, 1))


@dataclass(frozen=True, kw_only=True)
class PTA(ObjectWalks, TreeMethod):
    """Uncertain links mislead: keep the strongest, and compare objects by where long walks along these lead.

        A_pr co-association of distinct label rows (microclusters) p and r;  n_r objects have row r
        w_pr = A_pr where r is among the K nearest of p, or p among those of r (ties all count), else 0
        P_pr = n_r w_pr / Σ_r n_r w_pr                           a walker never stays
        S    = Σ_{t = 1 … T} Pᵗ(Pᵗ)ᵀ,  PTS_pr = S_pr / √(S_pp S_rr)

    then linkage on 1 − PTS, in which every microcluster counts once, however many objects it stands for: average
    (PTA-AL), complete (PTA-CL) or single (PTA-SL). K = T = ⌊√q / 2⌋, at most 20, for q microclusters.

    D. Huang, J.-H. Lai, C.-D. Wang: Robust ensemble clustering using probability trajectories. IEEE Trans. Knowledge
    and Data Engineering 28 (2016) 1312–1326.
    """

    linkage: str = param(
        "average", "how the distance of two groups follows from their pairs", choices=("average", "complete", "single")
    )

    title = "Probability trajectory accumulation"
    reference = "Huang, Lai & Wang, IEEE Trans. Knowledge and Data Engineering 28 (2016) 1312–1326"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = PTAState

    def similarity(self, ensemble: Ensemble) -> np.ndarray:
        return self.likeness(ensemble)

    def grown(self, ensemble: Ensemble, A: np.ndarray) -> Dendrogram:
        return linkage(A, None, self.linkage)

    def cost(self, ensemble: Ensemble) -> Cost:
        return super().cost(ensemble) + self.cost_of_walks(ensemble)
