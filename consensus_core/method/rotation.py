"""Clusters read off an embedding by a rotation: which, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg import polar_factor, unit_rows
from ..partition import first_greatest, group_sums
from .columns import Columns, ColumnsState
from .quantities import Incidence, Matrix, derived
from .telling import At, Told, tells


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class RotatedState(ColumnsState):
    """Beside it the embedding H (q, c); y is the column of each object's one in Y."""

    turn: np.ndarray  # (c, c) R, its columns in the method's own order


@dataclass(frozen=True, kw_only=True)
class Rotated(Columns):
    """Methods that look for min ‖Y − HR‖² over indicators Y and rotations R: an object's cluster is the column of HR
    along which it lies furthest, and R is the polar factor of HᵀY. Columns are shown as clusters are numbered."""

    def found_anew(self, at: At) -> bool:
        """Whether Y and R come from a spectral rotation of rows of unit length, not from the Y of the step before."""
        return at.start

    def rotated_on(self, H: np.ndarray, y: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One step: R for the clusters of before, then the clusters for R."""
        turn = polar_factor(group_sums(y, counts[:, None] * H, self.k).T)
        return first_greatest(H @ turn, np.abs(H).max(axis=1, keepdims=True)), turn

    def places(self, ensemble: Ensemble, state: RotatedState) -> np.ndarray:
        return state.H

    @derived("Y", "the cluster of each object: one 1 per row", equation="(15)", axes=("object", "cluster"), span=(0, 1))
    def Y(self, ensemble: Ensemble, state: RotatedState) -> Incidence:
        return (state.y[:, None] == self.columns(ensemble, state)).astype(float)

    @tells("Y", "1 if own >= rival else 0")
    def why_Y(self, at: At) -> Told:
        far = {"best": "furthest along cluster {c}", "worse": "further along another cluster than {c}",
               "tied": "lies as far along another cluster, {rival}"}
        size = np.abs(at.after.H[at.p]).max()
        return self.told_choice(at, "HR", 1, size, "Turned by R, {i} lies {far}.", **far)

    @tells("HR", "dot(H_p, R_c)", "(15)", "HR", "how far an object lies along a cluster", ("object", "cluster"))
    def why_HR(self, at: At) -> Told:
        words = "{i} lies so far along cluster {c}."
        return at.terms(H_p=at.row("H", at.i, None), R_c=at.row("R", None, at.c), words=words)

    @derived("R", "rotation that turns the consensus towards clear-cut clusters", equation="(14)",
             axes=("coordinate", "cluster"), span=(-1, 1), diverging=True)
    def R(self, ensemble: Ensemble, state: RotatedState) -> Matrix:
        return state.turn[:, self.columns(ensemble, state)]

    @tells("R", "T == sum(S[b]*R[b], b)")
    def why_R(self, at: At) -> Told:
        """Of the nearest rotation to T: T = SR with a symmetric S."""
        words = "R, here {value}, is the rotation nearest to T, the sums over clusters: S is symmetric, which holds " \
                "for the nearest only."
        S = at.row("bind_R", at.a, None)
        return at.terms(T=at.now("T_R"), S=S, R=at.row("R", None, at.c), words=words)

    @tells("bind_R", "(dot(T_a, R_b) + dot(R_a, T_b)) / 2", "(14)", "S", "what ties the rows of R to each other",
           ("coordinate", "coordinate"))
    def why_bind_R(self, at: At) -> Told:
        rows = {f"T_{x}": at.row("T_R", y, None) for x, y in zip("ab", (at.a, at.b), strict=True)}
        rows |= {f"R_{x}": at.row("R", y, None) for x, y in zip("ab", (at.a, at.b), strict=True)}
        return at.terms(**rows, words="How far coordinate {a} is drawn along {b}, and {b} along {a}: the mean.")

    @tells("T_R", "sum(n[p]*H[p]*Y[p], p)", "(14)", "T", "sums over clusters", ("coordinate", "cluster"),
           anew="sum(n[p]*u[p]*Y[p], p)")
    def why_T_R(self, at: At) -> Told:
        own = self.columns_at(at, at.iteration)[at.c]
        if not self.found_anew(at):
            some = np.flatnonzero(at.before.y == own)
            Y = at.row("Y", None, self.column_before(at, own), when=-1, some=some)
            words = "Coordinate {a} of all objects that were in cluster {c} before."
            return at.terms(n=at.counts_at(some), H=at.row("H", None, at.a, some=some), Y=Y, words=words)
        some = np.flatnonzero(at.after.y == own)
        unit, first = unit_rows(at.after.H)[some], at.ensemble.first_of[some]
        u = at.known("unit", unit[:, at.a], lambda k: (int(first[k]), at.a))
        words = "Coordinate {a} of all objects of cluster {c}, all at distance 1."
        return at.terms("anew", n=at.counts_at(some), u=u, Y=at.row("Y", None, at.c, some=some), words=words)

    @tells("unit", "H / norm(H_p)", "(14)", "u", "H with rows of length 1", ("object", "coordinate"))
    def why_unit(self, at: At) -> Told:
        if not unit_rows(at.after.H)[at.p].any():
            return at.given(0, "The consensus says nothing of {i}.")
        return at.terms(H=at.now("H"), H_p=at.row("H", at.i, None), words="Only the direction of {i} counts.")
# fmt: on
