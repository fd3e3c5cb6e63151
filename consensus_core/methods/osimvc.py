"""One-stage incomplete multi-view clustering on base labels (Zhang, Wang, Liu, Zhou, Zhang and Zhu 2021)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..linalg import ranged_polar, unit_rows
from ..method import At, Incidence, Matrix, Told, derived, tells
from ..method.columns import Columns, ColumnsState
from ..method.schedule import unseen_in_words
from ..method.views import Views, ViewsState
from ..partition import first_greatest, group_sums, settled_kmeans


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class OSIMVCState(ViewsState, ColumnsState):
    turn: np.ndarray  # (k, k) C, its rows in the method's own order
    spread: np.ndarray  # what each start of the first k-means leaves


@dataclass(frozen=True, kw_only=True)
class OSIMVC(Views, Columns):
    """Base clusterings with gaps, turned onto clusters instead of an embedding: no k-means at the end.

        max tr Fᵀ(Σ_i β_i H_i W_i + λF₀),   F = YC,   over
        one 1 per row of Y,  CᵀC = I,  W_i and the missing rows of H_i semi-orthogonal,  ‖β‖ = 1

    H_i (n, k_i) is base clustering i: a one per object, divided by the root of the cluster's size (`scale="orth"`).
    F₀ are the k leading eigenvectors of Σ H_iH_iᵀ, missing rows zero. One round takes the best of each in turn:

        P = Σ_i β_i H_i W_i + λF₀
        cluster of p = the c with the greatest (P Cᵀ)_pc,  C = polar(YᵀP),  F = YC
        W_i = polar(H_iᵀF)
        missing rows of H_i = polar(F W_iᵀ of these rows); observed rows never change
        β_i = g_i / ‖g‖,  g_i = tr FᵀH_iW_i

    until the value changes by less than the tolerance. The first C is turned to the centres of k-means of F₀.

    Y. Zhang, S. Wang, X. Liu, S. Zhou, P. Zhang, E. Zhu and others: One-stage incomplete multi-view clustering via late
    fusion. ACM Multimedia (2021) 2717–2725.
    """

    title = "One-stage incomplete multi-view clustering"
    reference = "Zhang and others, ACM Multimedia (2021) 2717–2725"
    State = OSIMVCState

    def init(self, ensemble: Ensemble) -> OSIMVCState:
        start = self.start(ensemble)
        u = unit_rows(start["F0"])
        found = settled_kmeans(u, self.k, ensemble.weights, self.seed)
        turn = ranged_polar(self._means(ensemble, u, found.labels))
        return OSIMVCState(F=turn[found.labels], y=found.labels, turn=turn, spread=found.spread, **start)

    def step(self, ensemble: Ensemble, state: OSIMVCState) -> OSIMVCState:
        P = self.drawn(ensemble, state)
        y = first_greatest(P @ state.turn.T, np.abs(P).max(axis=1, keepdims=True))
        turn = ranged_polar(group_sums(y, ensemble.weights[:, None] * P, self.k))
        return replace(state, y=y, turn=turn, **self.completed(ensemble, turn[y], state))

    def _means(self, ensemble: Ensemble, u: np.ndarray, y: np.ndarray) -> np.ndarray:
        mass = np.bincount(y, weights=ensemble.weights, minlength=self.k)[:, None]
        return group_sums(y, ensemble.weights[:, None] * u, self.k) / np.maximum(mass, 1)

    def remarks(self, ensemble: Ensemble, state: OSIMVCState) -> tuple[str, ...]:
        return *self.split_in_words(state), *unseen_in_words(ensemble)

    @tells("F", "it")
    def why_F(self, at: At) -> Told:
        own = int(np.argsort(self.columns_at(at, at.iteration))[at.after.y[at.p]])
        return at.equals(at.now("C", own, at.a), "{i} stands where its cluster {c} is.", c=("cluster", own))

    @derived("C", "where each cluster is drawn", axes=("cluster", "coordinate"), span=(-1, 1), diverging=True)
    def C(self, ensemble: Ensemble, state: OSIMVCState) -> Matrix:
        return state.turn[self.columns(ensemble, state)]

    @tells("C", "T == sum(C[b]*S[b], b)")
    def why_C(self, at: At) -> Told:
        S = self._bound(at)
        words = "The objects of cluster {c} lie at T. C, here {value}, is the rotation nearest to T: S is symmetric, " \
                "which holds for the nearest only."
        terms = {"T": at.now("T_C"), "C": at.row("C", at.c, None)}
        return at.terms(**terms, S=at.known("bind_C", S[:, at.a], lambda b: (b, at.a)), words=words)

    def _drawn_to(self, at: At) -> np.ndarray:
        """T (k, k), its rows as the clusters are numbered."""
        if at.start:
            T = self._means(at.ensemble, unit_rows(at.after.F0), at.after.y)
        else:
            T = group_sums(at.after.y, at.ensemble.weights[:, None] * self.aimed(at), self.k)
        return T[self.columns_at(at, at.iteration)]

    def _bound(self, at: At) -> np.ndarray:
        inner = at.path.array("C", at.iteration).T @ self._drawn_to(at)
        return (inner + inner.T) / 2

    @tells("bind_C", "sum(C_a[c]*T_b[c] + T_a[c]*C_b[c], c) / 2", "", "S", "what ties the columns of C to each other",
           ("coordinate", "coordinate"))
    def why_bind_C(self, at: At) -> Told:
        T, rows = self._drawn_to(at), {}
        for x, a in (("a", at.a), ("b", at.b)):
            rows[f"C_{x}"] = at.row("C", None, a)
            rows[f"T_{x}"] = at.known("T_C", T[:, a], lambda c, a=a: (c, a))
        return at.terms(**rows, words="How far column {a} is drawn along {b}, and {b} along {a}: the mean.")

    @tells("T_C", "sum(n[p]*P[p], p)", "", "T", "where the objects of a cluster lie", ("cluster", "coordinate"),
           start="sum(n[p]*u[p], p) / size")
    def why_T_C(self, at: At) -> Told:
        some = np.flatnonzero(at.after.y == self.columns_at(at, at.iteration)[at.c])
        if not len(some):
            return at.given(0, "Cluster {c} has no object.")
        n = at.counts_at(some)
        if not at.start:
            P = at.at_objects("aim", some, self.aimed(at)[:, at.a], at.a)
            return at.terms(n=n, P=P, words="Where the base clusterings draw the objects of cluster {c}.")
        u = at.at_objects("unit_F", some, unit_rows(at.after.F0)[:, at.a], at.a)
        size = at.constant(at.ensemble.weights[some].sum(), "objects of the cluster, by k-means of F₀")
        return at.terms("start", n=n, u=u, size=size, words="The centre of cluster {c}, by k-means of F₀.")

    @tells("unit_F", "F / norm(F_i)", "", "u", "F₀ with rows of length 1", ("object", "coordinate"))
    def why_unit_F(self, at: At) -> Told:
        if not unit_rows(at.after.F0)[at.p].any():
            return at.given(0, "Nothing is known of {i}.")
        row = at.known("start_F", at.after.F0[at.p], lambda a: (at.i, a))
        return at.terms(F=row.term(at.a), F_i=row, words="Only the direction of {i} counts.")

    @derived("Y", "the cluster of each object: one 1 per row", axes=("object", "cluster"), span=(0, 1))
    def Y(self, ensemble: Ensemble, state: OSIMVCState) -> Incidence:
        return (state.y[:, None] == self.columns(ensemble, state)).astype(float)

    @tells("Y", "1 if own >= rival else 0")
    def why_Y(self, at: At) -> Told:
        if at.start:
            mine = at.after.y[at.p] == self.columns_at(at, 0)[at.c]
            return at.given(mine, "k-means of F₀ puts {i} there." if mine else "k-means of F₀ puts {i} elsewhere.")
        far = {"best": "furthest along cluster {c}", "worse": "further along another cluster than {c}",
               "tied": "lies as far along another cluster, {rival}"}
        size = np.abs(self.aimed(at)[at.p]).max()
        return self.told_choice(at, "score", 1, size, "The base clusterings draw {i} {far}.", **far)

    @tells("score", "dot(P_i, C_c)", "", "PCᵀ", "how far an object is drawn along a cluster", ("object", "cluster"))
    def why_score(self, at: At) -> Told:
        c = self.column_before(at, int(self.columns_at(at, at.iteration)[at.c]))
        P = at.known("aim", self.aimed(at)[at.p], lambda a: (at.i, a))
        return at.terms(P_i=P, C_c=at.row("C", c, None, when=-1), words="{i} is drawn so far along cluster {c}.")
# fmt: on
