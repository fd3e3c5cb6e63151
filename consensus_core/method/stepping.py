"""A consensus embedding with orthogonal columns, found by steps (`linalg.stiefel_minimum`): why it is where it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from .method import Method, State
from .telling import At, Told, tells

STEP = ("object", "coordinate", "rank")  # the rank counts the steps of a pass


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class SteppedState(State):
    """Beside it the embedding H (q, c)."""

    turns: tuple[tuple[np.ndarray, np.ndarray], ...] = ()  # of the steps of H in this pass


@dataclass(frozen=True, kw_only=True)
class Stepped(Method):
    """Methods in which H minimises tr HᵀDH − 2 tr HᵀC over HᵀH = r²I. A step goes to the nearest such matrix to
    M = C + (max d − D) H: then M = HS with a symmetric S, and only then."""

    def quadratic(self, at: At) -> tuple[np.ndarray, np.ndarray]:
        """C (q, c) and the diagonal of D (q,) of this pass."""
        raise TypeError(f"{type(self).__name__} must define quadratic")

    def radius(self, ensemble: Ensemble) -> float:
        """r"""
        return 1.0

    def steps_of_H(self, at: At) -> list[tuple[np.ndarray, np.ndarray]]:
        """M and the new H of every step of this pass."""
        return at.path.once("steps of H", at.iteration, lambda: self._steps_of_H(at))

    def _steps_of_H(self, at: At) -> list[tuple[np.ndarray, np.ndarray]]:
        (C, d), H, steps = self.quadratic(at), at.before.H, []
        for A, B in at.after.turns:
            M = C + (d.max() - d)[:, None] * H
            H = M @ A + H @ B
            steps.append((M, H))
        return [*steps[:-1], (steps[-1][0], at.after.H)]

    def nearest(self, at: At, M: np.ndarray, H: np.ndarray, r: int) -> Told:
        """Why H is the nearest to M, in step r of the pass."""
        S = H.T @ (at.ensemble.weights[:, None] * M) / self.radius(at.ensemble) ** 2
        name, more = self._name(at, r)
        return at.condition(
            H[at.p, at.a], M=at.known("aim", M[at.p], lambda a: (at.i, a, r)).term(at.a),
            H=at.known(name, H[at.p], lambda b: (at.i, b, *more)),
            S=at.known("bind_H", (S + S.T)[:, at.a] / 2, lambda b: (b, at.a, r)),
            words="{i} is drawn to M. H, here {value}, is the matrix with orthogonal columns nearest to M: S is "
                  "symmetric, which holds for the nearest only.",
        )

    def _name(self, at: At, r: int) -> tuple[str, tuple]:
        return ("H", ()) if r >= len(at.after.turns) - 1 else ("climb", (r,))

    @tells("climb", "M == sum(H[b]*S[b], b)", "(7)", "H", "the consensus after a step of this pass", STEP)
    def why_climb(self, at: At) -> Told:
        return self.nearest(at, *self.steps_of_H(at)[at.r], at.r)

    @tells("bind_H", "sum(n[p]*(H_a[p]*M_b[p] + M_a[p]*H_b[p]), p) / (2*size)", "(7)", "S",
           "what ties the columns of H to each other", ("coordinate", "coordinate", "rank"))
    def why_bind_H(self, at: At) -> Told:
        (M, H), first = self.aimed(at, at.r), at.ensemble.first_of
        (name, more), rows = self._name(at, at.r), {}
        for letter, x in (("a", at.a), ("b", at.b)):
            rows[f"H_{letter}"] = at.known(name, H[:, x], lambda p, x=x: (int(first[p]), x, *more))
            rows[f"M_{letter}"] = at.known("aim", M[:, x], lambda p, x=x: (int(first[p]), x, at.r))
        size = at.constant(self.radius(at.ensemble) ** 2, "squared length of a column of H")
        words = "How far column {a} is drawn along column {b}, and {b} along {a}: the mean."
        return at.terms(n=at.counts, **rows, size=size, words=words)

    def aimed(self, at: At, r: int) -> tuple[np.ndarray, np.ndarray]:
        """M and H of step r of the pass."""
        return self.steps_of_H(at)[r]

    def H_before(self, at: At):
        """H where the step pointed at begins."""
        if not at.r:
            return at.then("H", at.i, at.a)
        H = self.steps_of_H(at)[at.r - 1][1]
        return at.known("climb", H[at.p], lambda a: (at.i, a, at.r - 1)).term(at.a)
# fmt: on
