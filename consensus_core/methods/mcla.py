"""MCLA: clusters of base clusters, and a vote (Strehl and Ghosh 2002)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Told, param, tells
from ..method.between_clusters import SharedObjects, SharesState
from ..method.grouped import Starts
from ..method.meta import MetaClusters, MetaState
from ..similarity import jaccard


@dataclass(frozen=True, kw_only=True, eq=False)
class MCLAState(MetaState, SharesState):
    pass


@dataclass(frozen=True, kw_only=True)
class MCLA(SharedObjects, MetaClusters, Starts):
    """Which clusters of the base clusterings correspond? Group them; then every object votes with those it is in.

        J_el     = |C_e ∩ C_l| / |C_e ∪ C_l|,  J_ee = 1           all clusters of all base clusterings
        J V      = diag(d) V diag(σ),  d = J 1                    the k greatest σ;  X_Ce = V_e / ‖V_e‖
        M_1 … M_k                                                meta-clusters: k-means of the rows of X_C
        score_pc = (1 / |M_c|) Σ_{e in M_c} [p in C_e]            p goes where its score is greatest

    The original has METIS cut J into parts that hold equal shares of the objects; here no balance is asked. With
    `discretise` the groups come of a rotation (Yu & Shi) in place of k-means, from every cluster as a first axis, the
    best of all; J then has ½ more on its diagonal and d 1 more, as in Cour, Yu & Shi's program. Of scores that are
    equal the meta-cluster with more objects in its clusters wins.

    A. Strehl, J. Ghosh: Cluster ensembles – a knowledge reuse framework for combining multiple partitions. J. Machine
    Learning Research 3 (2002) 583–617.
    """

    cut: str = param("kmeans", "how clusters are grouped at their places", plain="grouping",
        choices=("kmeans", "discretise"))  # fmt: skip

    title = "Meta-clustering"
    family = "meta-clusters"
    graph = "J"
    reference = "Strehl & Ghosh, J. Machine Learning Research 3 (2002) 583–617"
    handles_missing = "clusters are sets of labelled objects; an object votes with the clusters it has a label of"
    State = MCLAState

    def placed(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        J = jaccard(ensemble) + np.eye(ensemble.K)
        return {"J": J, **self.placed_by(J)}

    @tells("J", "both / (s_e + s_l - both)")
    def why_J(self, at: At) -> Told:
        return at.given(1, "{e} is like itself.") if at.e == at.l else super().why_J(at)
