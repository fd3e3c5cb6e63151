"""U-SENC's consensus: the graph of objects and base clusters, cut (Huang, Wang, Wu, Lai and Kwoh 2020)."""

from __future__ import annotations

from dataclasses import dataclass

from ..method.cut import CutState, TransferCut


@dataclass(frozen=True, kw_only=True)
class USENC(TransferCut):
    """Objects are tied to the clusters they are in, clusters to their objects: cut that graph where fewest ties break.

        G_pe = [p is in base cluster e]                          edges; none between objects, none between clusters
        u_p  = Σ_e G_pe,  Y = Gᵀ diag(n / u) G,  d = Y 1         n_p objects of microcluster p
        Y V  = diag(d) V diag(σ)                                 the k greatest σ, from a matrix of clusters alone
        x_p  = Σ_e G_pe V_e / u_p,  X_p = x_p / ‖x_p‖

    then k-means of the rows of X. It is the normalised cut of the whole graph, at a cost linear in the objects: an
    eigenvector of the graph's Laplacian with eigenvalue λ is one of Y with σ = (1 − λ)² (transfer cut). The paper's
    other half, U-SPEC, makes base clusterings from features and is no consensus.

    D. Huang, C.-D. Wang, J.-S. Wu, J.-H. Lai, C.-K. Kwoh: Ultra-scalable spectral clustering and ensemble clustering.
    IEEE Trans. Knowledge and Data Engineering 32 (2020) 1212–1226.
    """

    short = "U-SENC"
    title = "Cut of objects and clusters"
    reference = "Huang, Wang, Wu, Lai & Kwoh, IEEE Trans. Knowledge and Data Engineering 32 (2020) 1212–1226"
    handles_missing = "an object is tied to the clusters it has a label of"
    State = CutState
