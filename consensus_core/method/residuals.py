"""Runs that end when none of several matrices of pairs moves any more, as those of ADMM do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..numbers import number
from .method import Method, State
from .quantities import shown
from .telling import At, Told, tells

ROUNDING = 1e-15  # a change this small beside `size` is no change
NEGLIGIBLE = 1e-4  # nor does a change matter that is this part of the tolerance beside it


def residual(letter: str, equation: str):
    """A scalar of a state: the relative change of one of the matrices."""
    meaning = f"how much {letter} has changed in this step, relative to its size before (1 where that was 0)"
    return shown(f"σ({letter})", meaning, equation=equation, log=True, default=1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class ResidualState(State):
    """Beside it, a `residual` for each matrix NAME as sigma_NAME."""

    size: float  # the squared norm of what the run began with
    squares: tuple[float, ...]  # ‖X‖² of each matrix over all pairs of objects
    changes: tuple[float, ...] = ()  # ‖X′ − X‖²


@dataclass(frozen=True, kw_only=True)
class Residuals(Method):
    """`matrices` are the names of quantities with their letters; `tol` is a dial of the method."""

    matrices: ClassVar[dict[str, str]] = {}

    @property
    def roots(self) -> bool:
        """Whether norms are compared and must be below the tolerance; otherwise squared norms, at most as large."""
        return False

    def ratios(self, old: ResidualState, squares, changes) -> dict[str, float]:
        """σ of each matrix: ‖X′ − X‖² / ‖X‖² or its root; against ‖X′‖ where X was 0."""
        parts = zip(self.matrices, changes, old.squares, squares, strict=True)
        return {f"sigma_{name}": self._ratio(*numbers, old.size) for name, *numbers in parts}

    def _ratio(self, change: float, before: float, after: float, size: float) -> float:
        if change <= ROUNDING**2 * size or not (before or after):  # what was 0 and is 0 has changed by rounding only
            return 0.0
        ratio = change / (before if _is_there(before, size) else after)
        return math.sqrt(ratio) if self.roots else ratio

    def converged(self, old: ResidualState, new: ResidualState) -> bool:
        return all(self._settled(new, name) for name in self.matrices)

    def _settled(self, state: ResidualState, name: str) -> bool:
        ratio = getattr(state, f"sigma_{name}")
        return (ratio < self.tol if self.roots else ratio <= self.tol) or self._negligible(state, name)

    def _negligible(self, state: ResidualState, name: str) -> bool:
        """A matrix on its way to 0 changes by the same share for ever: it is measured beside `size`."""
        return state.changes[list(self.matrices).index(name)] <= (NEGLIGIBLE * self.tol) ** 2 * state.size

    def stage(self, state: ResidualState) -> str:
        if not state.changes:
            return ""
        most = max(self.matrices, key=lambda name: getattr(state, f"sigma_{name}"))
        change = number(getattr(state, f"sigma_{most}"), 2)
        return f"most change in {self.matrices[most]}: {change}, stops at {number(self.tol)}"

    @tells("square", "sum(n[k]*X[k]**2, k)", letter="‖X‖²", axes=("rank",),
           meaning="squared size of a matrix over all pairs of objects")  # fmt: skip
    def why_square(self, at: At) -> Told:
        name, letter = list(self.matrices.items())[at.r]
        n, X = at.everywhere(name)
        return at.terms(n=n, X=X, words=f"Every entry of {letter}, squared.")

    @tells("change", "sum(n[k]*(X_[k] - X[k])**2, k)", letter="‖X′ − X‖²", axes=("rank",),
           meaning="squared change of a matrix over all pairs of objects")  # fmt: skip
    def why_change(self, at: At) -> Told:
        name, letter = list(self.matrices.items())[at.r]
        if at.start:
            return at.given(0, "No step has been made yet.")
        (n, new), (_, old) = at.everywhere(name), at.everywhere(name, -1)
        return at.terms(n=n, X_=new, X=old, words=f"Every entry of {letter} less what it was a step before, squared.")


def _is_there(square: float, size: float) -> bool:
    """More than what rounding leaves of a matrix that is 0."""
    return square > ROUNDING**2 * size


def tells_residual(name: str):
    """The equation of sigma_NAME."""

    @tells(f"sigma_{name}", "change / before", roots="sqrt(change / before)")
    def why(self, at: At) -> Told:
        which, letter = list(self.matrices).index(name), self.matrices[name]
        if at.start:
            return at.given(1, "No step has been made yet.")
        change, before = at.now("change", which), at.then("square", which)
        if not self._ratio(change.value, before.value, at.now("square", which).value, at.before.size):
            return at.given(0, f"{letter} has not changed, but for rounding: ‖X′ − X‖² = {{change}}.", change=change)
        less, more, limit = ("<", ">=", "below") if self.roots else ("<=", ">", "at most")
        moves = {f"value {less} ε": f"{letter} has settled", f"value {more} ε": f"{letter} still moves"}
        if self._negligible(at.after, name):
            moves[f"value {more} ε"] = f"{letter} has settled: beside what the run began with, it hardly moves"
        words = f"{{moves}}. The run stops when all {len(self.matrices)} have: when each σ is {limit} ε = {{ε}}."
        before = before if _is_there(before.value, at.before.size) else at.now("square", which)
        terms = {"change": change, "before": before, "ε": at.param("tol"), "moves": moves}
        return at.terms("roots" if self.roots else "", **terms, words=words)

    return why
