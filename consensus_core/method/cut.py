"""Methods that cut the graph of objects and base clusters, from the eigenvectors of a matrix of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..linalg import unit_rows
from ..partition.transfer_cut import LEAST, transfer_cut
from .cost import Cost, speed
from .grouped import POINT, GroupedObjects, PlacesState
from .hyperedges import membership
from .leading import MORE, ClusterGraph, ClusterGraphState
from .quantities import Incidence, Matrix, derived, shown
from .telling import At, Told, tells


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class CutState(PlacesState, ClusterGraphState):
    Y: Matrix = shown("Y", "clusters tied by the objects they share: one step from cluster to object to cluster",
        axes=("hyperedge", "hyperedge"))


@dataclass(frozen=True, kw_only=True)
class TransferCut(ClusterGraph, GroupedObjects):
    """Methods whose graph has edges G (q, K) between objects and base clusters, and none else.

    u_p = Σ_e G_pe,  Y = Gᵀ diag(n / u) G,  d_e = Σ_l Y_el,  Y V = diag(d) V diag(σ),  x_p = Σ_e G_pe V_e / u_p,
    X_p = x_p / ‖x_p‖ of the k coordinates with the greatest σ; then k-means of the rows of X.
    """

    family = "bipartite cut"
    graph = "Y"

    def edges(self, ensemble: Ensemble) -> np.ndarray | sp.csr_array:
        """G (q, K), none of its columns all 0; 1 where the object is in the cluster, unless it is said otherwise."""
        return incidence(ensemble)

    def placed(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        return self.placed_by(ensemble, self.edges(ensemble))

    def placed_by(self, ensemble: Ensemble, G) -> dict[str, np.ndarray]:
        cut = transfer_cut(G, self.k + MORE, self.worth(ensemble))
        return {"X": unit_rows(cut.X[:, : self.k]), "Y": cut.Y, "sigma": cut.values, "V": cut.V}

    @derived("G", "edges between objects and base clusters")
    def G(self, ensemble: Ensemble, state: CutState) -> Incidence:
        G = self.edges(ensemble)
        return G.toarray() if sp.issparse(G) else G

    @tells("G", "it")
    def why_G(self, at: At) -> Told:
        return membership(at)

    def _clusters(self, at: At) -> np.ndarray:
        """Those that the object has edges to."""
        return np.flatnonzero(at.path.array("G", at.iteration)[at.p])

    @tells("u", "sum(G[e], e)", letter="u", axes=("object",), meaning="how strongly an object is tied to its clusters")
    def why_u(self, at: At) -> Told:
        return at.terms(G=at.row("G", at.i, None, some=self._clusters(at)), words="All edges of {i}.")

    @tells("Y", "sum(n[p]*G_e[p]*G_l[p] / u[p], p)")
    def why_Y(self, at: At) -> Told:
        G = at.path.array("G", at.iteration)
        some = np.flatnonzero(G[:, at.e] * G[:, at.l])
        if not len(some):
            return at.given(0, "No object is in both {e} and {l}.")
        edges = {f"G_{x}": at.row("G", None, y, some=some) for x, y in zip("el", (at.e, at.l), strict=True)}
        u = at.known("u", G[some].sum(axis=1), lambda k: (int(at.ensemble.first_of[some[k]]),))
        words = "The objects tied to both {e} and {l}, each by its edges to the two, divided by all its edges."
        return at.terms(n=self.counting(at, some), **edges, u=u, words=words)

    # --- places of the objects ----------------------------------------------------------------------------------

    def unscaled(self, at: At) -> np.ndarray:
        """Where the object is before it is brought to length 1."""
        G = at.path.array("G", at.iteration)[at.p]
        return G @ at.after.V[:, : at.after.X.shape[1]] / max(G.sum(), LEAST)

    @tells("X", "x / norm(x_i)")
    def why_X(self, at: At) -> Told:
        x = self.unscaled(at)
        if not x.any():
            return at.given(0, "{i} has no label at all: nothing says where it stands.")
        if not at.after.X[at.p].any():
            return at.given(0, "No coordinate that is used says where {i} is.")
        row = at.known("x", x, lambda a: (at.i, a))
        return at.terms(x=row.term(at.a), x_i=row, words="The place of {i}, brought to distance 1 from the middle.")

    @tells("x", "sum(G[e]*V[e], e) / u", letter="x", axes=POINT, meaning="the mean place of the clusters of an object")
    def why_x(self, at: At) -> Told:
        return at.terms(**self.drawn(at), u=at.now("u", at.i), words="{i} stands in the middle of its clusters.")

    def drawn(self, at: At) -> dict:
        some = self._clusters(at)
        return {"G": at.row("G", at.i, None, some=some), "V": at.row("V", None, at.a, some=some)}
    # fmt: on

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K, c = ensemble.q, ensemble.K, self.k + MORE
        machine = speed()
        seconds = 5 * K**3 / machine.products + 30 * q * ensemble.m * (ensemble.m + c) / machine.entries + 5e-3
        return Cost(bytes=60 * K * K + q * (60 * ensemble.m + 24 * c), seconds=seconds) + self.cost_of_groups(q, self.k)
