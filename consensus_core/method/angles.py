"""A similarity sharpened by angles: the fourth power of the cosines of what a square root of a matrix says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..linalg.low_rank import directions
from .method import State
from .quantities import Matrix, derived
from .spectral import Spectral
from .telling import At, Told, tells

KEPT = 1e-4  # of the greatest singular value: smaller ones are left out
NOTHING = 1e-24  # of the greatest entry on the diagonal of G: a row of which rounding alone is left


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Angles(Spectral):
    """Methods that cut B = cos⁴ of the angles between the rows of a root G = (X Xᵀ)^½ of the quantity X, `rooted`; its
    singular values below 1e-4 of the greatest are left out (Liu and others, IEEE TPAMI 35 (2013) 171–184)."""

    graph: ClassVar[str] = "B"
    rooted: ClassVar[str] = "X"

    @derived("G", "root of X Xᵀ: what two objects share in the representation", minor=True, diverging=True)
    def root(self, ensemble: Ensemble, state: State) -> Matrix:
        found = directions(self.raw(ensemble, state, self.rooted), self.worth(ensemble))
        kept = np.where(found.sigma > KEPT * found.sigma[0], found.sigma, 0.0)
        return found._replace(right=found.left).with_values(kept)

    @tells("root", "sum(n[t]*G_i[t]*G_j[t], t) + small == sum(n[t]*X_i[t]*X_j[t], t)")
    def why_root(self, at: At) -> Told:
        rows = {f"{name}_{x}": at.row(of, y, None) for name, of in (("G", "root"), ("X", self.rooted))
                for x, y in zip("ij", (at.i, at.j), strict=True)}
        found = directions(at.path.array(self.rooted, at.iteration), self.worth(at.ensemble))
        sigma, (p, q) = found.sigma, map(at.ensemble.microcluster_of, (at.i, at.j))
        gone = np.where(sigma > KEPT * sigma[0], 0.0, sigma)
        small = at.constant(float((found.left[p] * gone**2) @ found.left[q]), "what small singular values would add")
        words = "The root of what the rows of {i} and {j} have in common: taken twice, it gives that again."
        return at.terms(n=self.counting(at), **rows, small=small, words=words)

    @derived("B", "how alike two objects are: cosine of the angle between their rows of G, to the fourth", span=(0, 1))
    def B(self, ensemble: Ensemble, state: State) -> Matrix:
        return np.square(np.square(cosines(self.root(ensemble, state))))

    @tells("B", "min((G**2 / (G_ii*G_jj))**2, 1)")
    def why_B(self, at: At) -> Told:
        one, other = at.now("root", at.i, at.i), at.now("root", at.j, at.j)
        if not one.number * other.number:
            G, (p, q) = at.path.array("root", at.iteration), map(at.ensemble.microcluster_of, (at.i, at.j))
            words = "Of {i} or of {j} hardly anything is left: only its direction counts."
            return at.given(float(cosines(G)[p, q] ** 4), words)
        like = {"value > 0.5": "nearly one direction", "value <= 0.5": "directions of their own"}
        words = "{i} and {j} have {like}; the fourth power keeps only what is nearly the same."
        return at.terms(G=at.now("root"), G_ii=one, G_jj=other, like=like, words=words)
# fmt: on


def cosines(G: np.ndarray) -> np.ndarray:
    """Of the angles between rows whose inner products are G; 0 for a row of which there is nothing."""
    own = np.diag(G)
    length = np.sqrt(np.where(own > NOTHING * own.max(initial=0.0), own, np.inf))
    return np.clip(G / length / length[:, None], -1.0, 1.0)
