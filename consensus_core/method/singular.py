"""A matrix of pairs taken apart into singular values and directions: why each is what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..linalg.low_rank import Directions, directions
from .method import State
from .quantities import Weights, derived
from .telling import At, Told, tells
from .worth import Worth

NOTHING = 1e-6  # of the greatest singular value: below it the rounding of Xv is more than nothing beside σ


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Singular(Worth):
    """Methods that work on the singular values of the quantity X named `decomposed`: X = Σ_a σ_a u_a v_aᵀ over all
    objects, directions being orthonormal over all objects."""

    decomposed: ClassVar[str] = "X"

    def directions(self, ensemble: Ensemble, state: State) -> Directions:
        return directions(self.raw(ensemble, state, self.decomposed), self.worth(ensemble))

    def directions_at(self, at: At, when: int = 0) -> Directions:
        iteration = at.iteration + when
        state = at.path.state(iteration)
        return at.path.once("directions", iteration, lambda: self.directions(at.ensemble, state))

    @derived("σ", "singular values, greatest first", axes=("rank",))
    def sigma(self, ensemble: Ensemble, state: State) -> Weights:
        return self.directions(ensemble, state).sigma

    @tells("sigma", "sqrt(sum(n[p]*Xv[p]**2, p))")
    def why_sigma(self, at: At) -> Told:
        words = "The length of what the matrix makes of direction {r}."
        return at.terms(n=self.counting(at), Xv=self._made(at, at.r), words=words)

    def _made(self, at: At, r: int):
        """Xv of all objects, at hand."""
        found = self.directions_at(at)
        values = at.path.once(f"Xv {r}", at.iteration, lambda: at.path.array(self.decomposed, at.iteration) @ (
            self.worth(at.ensemble) * found.right[:, r]))
        return at.at_objects("Xv", np.arange(at.ensemble.q), values, r)

    def row_of(self, at: At, side: str, r: int):
        """ "u" or "v" of all objects in direction r, at hand."""
        found, first = self.directions_at(at), at.ensemble.first_of
        return at.known(side, (found.left if side == "u" else found.right)[:, r], lambda p: (int(first[p]), r))

    @tells("Xv", "sum(n[j]*X[j]*v[j], j)", "", "Xv", "what the matrix makes of a direction", ("object", "rank"))
    def why_Xv(self, at: At) -> Told:
        X, v = at.row(self.decomposed, at.i, None), self.row_of(at, "v", at.r)
        return at.terms(n=self.counting(at), X=X, v=v, words="All objects by their part in direction {r}.")

    @tells("u", "Xv / σ", "", "u", "part of an object in a direction, on the left", ("object", "rank"))
    def why_u(self, at: At) -> Told:
        found = self.directions_at(at)
        if found.sigma[at.r] <= NOTHING * found.sigma[0]:
            return at.given(found.left[at.p, at.r], "A direction of which the matrix has next to nothing.")
        return at.terms(Xv=at.now("Xv", at.i, at.r), σ=at.now("sigma", at.r), words="Brought to length 1.")

    @tells("v", "sum(n[p]*X[p]*u[p], p) == σ*v_i", "", "v", "part of an object in a direction", ("object", "rank"))
    def why_v(self, at: At) -> Told:
        v, X = self.directions_at(at).right[at.p, at.r], at.row(self.decomposed, None, at.i)
        own = at.known("v", np.array([v]), lambda _: at.address.where).term(0)
        words = "A singular direction: it is met from the left as it meets, σ times."
        terms = {"u": self.row_of(at, "u", at.r), "σ": at.now("sigma", at.r), "v_i": own}
        return at.condition(v, n=self.counting(at), X=X, **terms, words=words)
# fmt: on
