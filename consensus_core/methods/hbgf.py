"""HBGF: objects and base clusters clustered together (Fern and Brodley 2004)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg import unit_rows
from ..method import At, Embedding, Exempt, Told, shown, tells
from ..method.cut import CutState, TransferCut

NOTHING = 1e-10  # eigenvalues below it have no coordinate


@dataclass(frozen=True, kw_only=True, eq=False)
class HBGFState(CutState):
    places: Embedding = shown("X_C", "places of the base clusters, beside those of the objects: all at distance 1",
        axes=("hyperedge", "coordinate"))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class HBGF(TransferCut):
    """Objects and base clusters are vertices of one graph and are grouped together: a cluster goes with its objects.

        G_pe = [p is in base cluster e],  u_p = Σ_e G_pe,  Y = Gᵀ diag(n / u) G,  d = Y 1     d_e = |C_e|, without gaps
        Y V  = diag(d) V diag(σ)                              the k greatest σ
        x_pa = Σ_e G_pe V_ea / (u_p √σ_a),   X_p = x_p / ‖x_p‖          objects
        X_Ce = V_e / ‖V_e‖                                              base clusters

    then k-means of the rows of X and X_C together, n_p of each object row and 1 of each cluster row. V and x are the
    left and right singular vectors of diag(u)^-½ G diag(d)^-½, with singular values √σ.

    X. Z. Fern, C. E. Brodley: Solving cluster ensemble problems by bipartite graph partitioning. ICML 2004.
    """

    title = "Hybrid bipartite graph formulation"
    reference = "Fern & Brodley, ICML 2004"
    handles_missing = "an object is tied to the clusters it has a label of"
    State = HBGFState
    scale_free = Exempt("objects are grouped along with base clusters; with every object twice, clusters weigh half")

    def placed(self, ensemble: Ensemble):
        fields = super().placed(ensemble)
        σ, V = fields["sigma"][: self.k], fields["V"][:, : self.k]
        x = self.edges(ensemble) @ V / _root(σ)
        return {**fields, "X": unit_rows(x), "places": unit_rows(V)}

    def points(self, ensemble: Ensemble, state: HBGFState):
        return np.concatenate([state.X, state.places]), np.append(self.worth(ensemble), np.ones(ensemble.K))

    def unscaled(self, at: At) -> np.ndarray:
        return super().unscaled(at) / _root(at.after.sigma[: self.k])

    @tells("x", "sum(G[e]*V[e], e) / (u*sqrt(σ))", letter="x", axes=("object", "coordinate"),
           meaning="the mean place of the clusters of an object, as long as theirs")  # fmt: skip
    def why_x(self, at: At) -> Told:
        told = at.now("sigma", at.a)
        if told.value <= NOTHING:
            return at.given(0, "Coordinate {a} is nowhere: its eigenvalue is 0.")
        return at.terms(
            **self.drawn(at), u=at.now("u", at.i), σ=told, words="{i} stands in the middle of its clusters."
        )

    @tells("places", "V / norm(V_e)")
    def why_places(self, at: At) -> Told:
        row = at.row("V", at.e, None, some=range(at.after.places.shape[1]))
        if not at.after.places[at.e].any():
            return at.given(0, "No coordinate that is used says where {e} is.")
        return at.terms(V=row.term(at.a), V_e=row, words="The place of {e}, brought to distance 1 from the middle.")


def _root(σ: np.ndarray) -> np.ndarray:
    """√σ; endless where there is no coordinate."""
    return np.where(σ > NOTHING, np.sqrt(np.maximum(σ, NOTHING)), np.inf)
