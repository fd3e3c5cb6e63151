"""HGPA: the hypergraph of all base clusters, cut (Strehl and Ghosh 2002), by its spectrum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..method import At, Scalar, Told, Weights, derived, tells
from ..method.cut import CutState, TransferCut
from ..method.hyperedges import sizes


@dataclass(frozen=True, kw_only=True)
class HGPA(TransferCut):
    """Every base cluster is a hyperedge that ties its objects: part the objects so that few hyperedges are torn.

        torn = Σ_e (parts that hyperedge e has objects in − 1)                     what the original makes least
        S_pr = Σ_e [p and r in e] / |C_e|                                          what is cut here: normalised cut of S

    The original asks hMETIS for parts of equal size. Here no balance is asked, and the cut is that of Zhou, Huang &
    Schölkopf's hypergraph Laplacian with equal weights: S comes of the bipartite graph of objects and hyperedges,

        G_pe = [p in e],  u_p = Σ_e G_pe,  Y = Gᵀ diag(n / u) G,  d = Y 1,  Y V = diag(d) V diag(σ)
        x_p  = Σ_e G_pe V_e / u_p,  X_p = x_p / ‖x_p‖,  then k-means of the rows of X.

    A. Strehl, J. Ghosh: Cluster ensembles – a knowledge reuse framework for combining multiple partitions. J. Machine
    Learning Research 3 (2002) 583–617.
    """

    title = "Hypergraph partitioning"
    family = "hypergraph"
    reference = "Strehl & Ghosh, J. Machine Learning Research 3 (2002) 583–617"
    handles_missing = "an object is in the hyperedges it has a label of"
    State = CutState

    def shares(self, ensemble: Ensemble, state: CutState) -> np.ndarray:
        """(K, clusters) how many objects of each hyperedge are in each cluster."""
        labels = self.labels(ensemble, state)
        parts = np.eye(int(labels.max()) + 1)[labels]
        return incidence(ensemble).T @ (ensemble.weights[:, None] * parts)

    @derived("kept", "share of each hyperedge that stays together; 1: not torn", axes=("hyperedge",), span=(0, 1))
    def kept(self, ensemble: Ensemble, state: CutState) -> Weights:
        shares = self.shares(ensemble, state)
        return shares.max(axis=1, initial=0.0) / shares.sum(axis=1)

    @tells("kept", "largest / size")
    def why_kept(self, at: At) -> Told:
        largest = self._parts(at, at.e).max()
        largest = at.constant(largest, "objects of the hyperedge in the cluster that has most of them")
        words = "{largest} of the {size} objects of {e} are in one cluster."
        return at.terms(largest=largest, size=sizes(at).term(at.e), words=words)

    @derived("torn", "how often hyperedges are torn: parts of each beyond the first, in all")
    def torn(self, ensemble: Ensemble, state: CutState) -> Scalar:
        return float(((self.shares(ensemble, state) > 0).sum(axis=1) - 1).sum())

    @tells("torn", "sum(parts[e] - 1, e)")
    def why_torn(self, at: At) -> Told:
        parts = [len(self._parts(at, e)) for e in range(at.ensemble.K)]
        row = at.rows(parts, lambda e: at.constant(parts[e], "clusters that have objects of the hyperedge"))
        return at.terms(parts=row, words="A hyperedge whose objects are in three clusters is torn twice.")

    def _parts(self, at: At, e: int) -> np.ndarray:
        """Objects of a hyperedge in each cluster that has some."""
        t, code = at.ensemble.cluster(e)
        inside = at.ensemble.rows[:, t] == code
        shares = np.bincount(at.path.array("cluster", at.iteration)[inside], weights=at.ensemble.weights[inside])
        return shares[shares > 0]
