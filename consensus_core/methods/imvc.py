"""Incomplete multi-view clustering on base labels (Liu, Li, Tang, Xia, Xiong, Liu, Kloft and Zhu 2021)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..linalg import ranged_polar, unit_rows
from ..method import At, Told, tells
from ..method.schedule import unseen_in_words
from ..method.views import Views, ViewsState
from ..partition import relabel, split_scattered, weighted_kmeans


# fmt: off
@dataclass(frozen=True, kw_only=True)
class IMVC(Views):
    """Base clusterings with gaps, each turned onto one consensus embedding and completed from it.

        max tr Fᵀ(Σ_i β_i H_i W_i + λF₀)   over  FᵀF = I,  W_i and the missing rows of H_i semi-orthogonal,  ‖β‖ = 1

    H_i (n, k_i) is base clustering i: a one per object, divided by the root of the cluster's size (`scale="orth"`).
    F₀ are the k leading eigenvectors of Σ H_iH_iᵀ, missing rows zero. One round takes the best of each in turn:

        F = polar(Σ_i β_i H_i W_i + λF₀),  polar(X) = UVᵀ of the singular value decomposition X = UΣVᵀ
        W_i = polar(H_iᵀF)
        missing rows of H_i = polar(F W_iᵀ of these rows); observed rows never change
        β_i = g_i / ‖g‖,  g_i = tr FᵀH_iW_i

    until the value changes by less than the tolerance; then k-means of the rows of F, brought to unit length. The first
    W_i are turned to F₀: the text begins as if equal numbers meant equal clusters.

    X. Liu, M. Li, C. Tang, J. Xia, J. Xiong, L. Liu, M. Kloft, E. Zhu: Efficient and effective regularized incomplete
    multi-view clustering. IEEE TPAMI 43 (2021) 2634–2646.
    """

    title = "Incomplete multi-view clustering"
    reference = "Liu, Li, Tang, Xia, Xiong, Liu, Kloft & Zhu, IEEE TPAMI 43 (2021) 2634–2646"
    State = ViewsState

    def init(self, ensemble: Ensemble) -> ViewsState:
        start = self.start(ensemble)
        return ViewsState(F=start["F0"], **start)

    def step(self, ensemble: Ensemble, state: ViewsState) -> ViewsState:
        F = ranged_polar(self.drawn(ensemble, state), ensemble.weights)
        return replace(state, **self.completed(ensemble, F, state))

    def groups(self, ensemble: Ensemble, state: ViewsState) -> np.ndarray:
        return relabel(weighted_kmeans(unit_rows(state.F), self.k, ensemble.weights, self.seed))

    def labels(self, ensemble: Ensemble, state: ViewsState) -> np.ndarray:
        return self.answer(ensemble, state)[0]

    def found(self, ensemble: Ensemble, state: ViewsState) -> int:
        return self.answer(ensemble, state)[1]

    def answer(self, ensemble: Ensemble, state: ViewsState) -> tuple[np.ndarray, int]:
        groups = self.groups(ensemble, state)
        return split_scattered(groups, self.k, state.F, ensemble.counts), int(groups.max()) + 1

    def remarks(self, ensemble: Ensemble, state: ViewsState) -> tuple[str, ...]:
        return unseen_in_words(ensemble)

    @tells("F", "P == sum(F[b]*S[b], b)")
    def why_F(self, at: At) -> Told:
        if at.start:
            return at.equals(at.now("start_F"), "The run begins with the leading eigenvectors of the ensemble.")
        S = self._bound(at)
        words = "{i} is drawn to P. F, here {value}, is the matrix with orthonormal columns nearest to P: S is " \
                "symmetric, which holds for the nearest only."
        terms = {"P": at.now("aim"), "F": at.row("F", at.i, None)}
        return at.terms(**terms, S=at.known("bind_F", S[:, at.a], lambda b: (b, at.a)), words=words)

    def _bound(self, at: At) -> np.ndarray:
        inner = at.after.F.T @ (at.ensemble.weights[:, None] * self.aimed(at))
        return (inner + inner.T) / 2

    @tells("bind_F", "sum(n[p]*(F_a[p]*P_b[p] + P_a[p]*F_b[p]), p) / 2", "", "S",
           "what ties the columns of F to each other", ("coordinate", "coordinate"))
    def why_bind_F(self, at: At) -> Told:
        P, every, rows = self.aimed(at), np.arange(at.ensemble.q), {}
        for x, a in (("a", at.a), ("b", at.b)):
            rows[f"F_{x}"] = at.row("F", None, a)
            rows[f"P_{x}"] = at.at_objects("aim", every, P[:, a], a)
        words = "How far column {a} is drawn along {b}, and {b} along {a}: the mean."
        return at.terms(n=at.counts, **rows, words=words)
# fmt: on
