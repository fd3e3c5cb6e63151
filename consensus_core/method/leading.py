"""Methods that group things by the leading eigenvectors of a graph: what is told of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from .grouped import Grouped, GroupedState
from .quantities import Embedding, Scalar, Weights, derived, shown
from .telling import At, Told, tells

MORE = 5  # eigenvalues shown beyond the k-th
TIED = 1e-9  # eigenvalues as near as this are one
STEP = {"value > 0.99999": "(nearly) all: some hang together with no others",
        "value <= 0.99999 and value > 0.5": "most", "value <= 0.5": "little"}  # fmt: skip


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class LeadingState(GroupedState):
    sigma: Weights = shown("σ", "eigenvalues: how much of each coordinate a step along the graph leaves",
        axes=("rank",))


@dataclass(frozen=True, kw_only=True)
class Leading(Grouped):
    """Methods whose places are the k leading eigenvectors of a graph; a few eigenvalues more are shown."""

    @derived("gap", "σ_k − σ_k+1: how firm the cut is")
    def gap(self, ensemble: Ensemble, state: LeadingState) -> Scalar:
        return float(state.sigma[self.k - 1] - state.sigma[self.k]) if len(state.sigma) > self.k else 0.0

    @tells("gap", "here - next")
    def why_gap(self, at: At) -> Told:
        if len(at.after.sigma) <= self.k:
            return at.given(0, "There are no more coordinates than {k}: none is left out.", k=at.param("k"))
        here, beyond = at.now("sigma", self.k - 1), at.now("sigma", self.k)
        return at.terms(here=here, next=beyond, words="From the last coordinate used to the first one left out.")

    @derived("cut", "k − (σ_1 + … + σ_k): the normalised cut, were it allowed to share things out")
    def relaxed(self, ensemble: Ensemble, state: LeadingState) -> Scalar:
        return float((1 - state.sigma[: self.k]).sum())

    @tells("relaxed", "sum(1 - σ[r], r)")
    def why_relaxed(self, at: At) -> Told:
        σ = at.row("sigma", None, some=range(min(self.k, len(at.after.sigma))))
        return at.terms(σ=σ, words="What a step takes from the coordinates used. 0: parts that share nothing.")

    def remarks(self, ensemble: Ensemble, state: LeadingState) -> tuple[str, ...]:
        loose = len(state.sigma) > self.k and self.gap(ensemble, state) <= TIED
        tied = ("The graph can be cut in more than one way that is as good: σ_k and σ_k+1 are equal.",) if loose else ()
        return *super().remarks(ensemble, state), *tied


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterGraphState(LeadingState):
    V: Embedding = shown("V", "eigenvectors: places of the base clusters", axes=("hyperedge", "coordinate"), minor=True)


@dataclass(frozen=True, kw_only=True)
class ClusterGraph(Leading):
    """Methods whose graph ties base clusters: W V = diag(d) V diag(σ), d the sums of the rows of W.

    With an offset o every cluster is tied to itself by o more, and counts by 2 o more: W + o I, and d + 2 o of W.
    """

    graph: ClassVar[str] = ""  # the quantity that W is

    def offset(self) -> float:
        return 0.0

    def _ties(self, at: At):
        W = at.path.array(self.graph, at.iteration)
        some = np.flatnonzero(W[at.e])
        ties = {"W": at.row(self.graph, at.e, None, some=some), "V": at.row("V", None, at.a, some=some)}
        if not self.offset():
            return "", ties
        return "offset", {**ties, "o": at.constant(self.offset(), "by how much more a cluster is tied to itself")}

    @tells("V", "sum(W[l]*V[l], l) == σ*d*V_e", offset="sum(W[l]*V[l], l) + o*V_e == σ*d*V_e")
    def why_V(self, at: At) -> Told:
        case, ties = self._ties(at)
        terms = {"V_e": at.now("V"), "σ": at.now("sigma", at.a), "d": at.now("d", at.e)}
        words = "{e} stands where the clusters it is tied to draw it, but for what the eigenvalue {σ} leaves."
        return at.terms(case, **ties, **terms, words=words)

    @tells("d", "sum(W[l], l)", letter="d", axes=("hyperedge",), meaning="how strongly a cluster is tied to all",
           offset="sum(W[l], l) + 2*o")
    def why_d(self, at: At) -> Told:
        o = at.constant(self.offset(), "by how much more a cluster is tied to itself")
        more = {"o": o} if self.offset() else {}
        W = at.row(self.graph, at.e, None)
        return at.terms("offset" if more else "", W=W, **more, words="All that ties {e}, to itself too.")

    @tells("pull", "sum(W[l]*V[l], l)", letter="pull", axes=("hyperedge", "coordinate"),
           meaning="where a cluster is drawn by those it is tied to", offset="sum(W[l]*V[l], l) + o*V_e")
    def why_pull(self, at: At) -> Told:
        case, ties = self._ties(at)
        more = {"V_e": at.now("V")} if case else {}
        return at.terms(case, **ties, **more, words="{e} is drawn towards the clusters it is tied to.")

    @tells("sigma", "sum(V[e]*pull[e], e) / sum(d[e]*V[e]**2, e)")
    def why_sigma(self, at: At) -> Told:
        W, V, r = at.path.array(self.graph, at.iteration), at.after.V[:, at.r], at.r
        pull = at.known("pull", W @ V + self.offset() * V, lambda e: (e, r))
        d = at.known("d", W.sum(axis=1) + 2 * self.offset(), lambda e: (e,))
        words = "A step from cluster to cluster leaves {say} of coordinate {r}."
        return at.terms(V=at.row("V", None, r), pull=pull, d=d, say=STEP, words=words)
# fmt: on
