"""Clusters by the normalised cut of a learned similarity: its smallest eigenvectors, and why they are what they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..linalg import smallest_eigenvectors
from ..partition import spectral_cut
from .method import State
from .quantities import Embedding, derived
from .telling import At, Told, tells
from .worth import Worth


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Spectral(Worth):
    """Methods that end with the eigenvectors of D^-½ S D^-½, rows brought to unit length, and k-means of these rows.

    `graph` is the quantity S; `seed` and `starts` are those of k-means.
    """

    graph: ClassVar[str] = "S"
    starts: ClassVar[int] = 10
    seed: ClassVar[int] = 0

    def similarity(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """(q, q), symmetric"""
        return self.raw(ensemble, state, self.graph)

    def spectrum(self, ensemble: Ensemble, state: State) -> tuple[np.ndarray, np.ndarray]:
        """μ (k,) and F (q, k)"""
        S = self.similarity(ensemble, state)
        return smallest_eigenvectors(S, self.k, self.worth(ensemble), normalised=True)

    def labels(self, ensemble: Ensemble, state: State) -> np.ndarray:
        S = self.similarity(ensemble, state)
        return spectral_cut(S, self.k, self.worth(ensemble), seed=self.seed, starts=self.starts)

    @derived("F", "objects as points: near each other where the similarity links them")
    def F(self, ensemble: Ensemble, state: State) -> Embedding:
        return self.spectrum(ensemble, state)[1]

    @tells("F", "sum(n[j]*S[j]*F[j] / sqrt(d_i*d[j]), j) == (1 - μ)*F_i")
    def why_F(self, at: At) -> Told:
        d = at.row("degree", None)
        if not d.values[at.p]:
            return at.given(at.path.entry("F", at.address.where, at.iteration), "Nothing links {i} to anything.")
        linked = np.flatnonzero(d.values)
        F, S = (at.row(name, *where, some=linked) for name, where in
                (("F", (None, at.a)), (self.graph, (at.i, None))))
        words = "An eigenvector: where its links draw {i}, each by what both ends have, it stands; {μ} is what is lost."
        return at.terms(n=self.counting(at, linked), S=S, F=F, F_i=at.now("F"), μ=at.now("lost", at.a),
                        d_i=at.now("degree", at.i), d=at.row("degree", None, some=linked), words=words)

    @tells("degree", "sum(n[j]*S[j], j)", "", "d", "all links of an object", ("object",))
    def why_degree(self, at: At) -> Told:
        S, words = at.row(self.graph, at.i, None), "Everything that links {i}, added up."
        return at.terms(n=self.counting(at), S=S, words=words)

    @tells("lost", "1 - sum(n[k]*S[k]*F_p[k]*F_q[k] / sqrt(d_p[k]*d_q[k]), k)", "", "μ",
           "what a coordinate loses along the links", ("coordinate",))
    def why_lost(self, at: At) -> Told:
        S, F = at.path.array(self.graph, at.iteration), at.path.array("F", at.iteration)[:, at.a]
        d, share = at.row("degree", None).values, self.worth(at.ensemble)
        p, r = np.nonzero(S * (F[:, None] != 0) * (F != 0))
        both = share[p] * share[r]
        n = at.rows(both, lambda k: at.constant(both[k], "how many pairs of objects have these base labels"))
        ends = {f"{name}_{side}": at.at_objects(of, end, x, *more)
                for name, of, x, more in (("F", "F", F, (at.a,)), ("d", "degree", d, ()))
                for side, end in (("p", p), ("q", r))}
        words = "0 where a coordinate is cut nowhere; more where links lead from high to low."
        return at.terms(n=n, S=at.at_pairs(self.graph, p, r, S[p, r]), **ends, words=words)
# fmt: on
