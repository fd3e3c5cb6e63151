"""What several methods write again and again: how easy a thing is, how a price moves, exactly k groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..numbers import counted
from ..partition import Dendrogram, exactly
from .method import Method, State
from .params import param
from .telling import At, Term, Told, tells

PARTED = (
    "Some objects with the same labels are less alike here than they are with others. They stay together all the same: "
    "which of them to part from which, only the order of the file could say."
)


def ease(age: float, difficulty: np.ndarray) -> np.ndarray:
    """min(age / 2 difficulty, 1), also where the difficulty is 0 or below; the age may be 0 where all of it is."""
    return age / np.maximum(2 * difficulty, age) if age > 0 else np.ones_like(difficulty)


def age_of_share(difficulty: np.ndarray, counts: np.ndarray, share: float) -> float:
    """The age at which this share of the objects is easy: twice the difficulty of the last of them."""
    return 2 * float(difficulty[last_easy(difficulty, counts, share)])


def last_easy(difficulty: np.ndarray, counts: np.ndarray, share: float) -> int:
    """Which microcluster holds the last of the easiest objects, counted in whole objects; at least one is easy."""
    order = np.argsort(difficulty, kind="stable")
    return int(order[np.searchsorted(np.cumsum(counts[order]), objects_in_share(counts, share))])


def first_pattern(difficulty: np.ndarray, counts: np.ndarray, share: float) -> int:
    """Whose difficulty sets a first age: the last of the easiest objects; where that is 0, the most difficult one."""
    last = last_easy(difficulty, counts, share)
    return last if difficulty[last] > 0 else int(difficulty.argmax())


def stairs(first: float, last: float, step: float) -> tuple[float, ...]:
    """first, first − step, … as long as it is not below last; first at least."""
    many = max(0, math.floor((first - last) / step + 1e-9))
    return tuple(round(first - i * step, 10) for i in range(many + 1))


def objects_in_share(counts: np.ndarray, share: float) -> int:
    return max(1, int(float(counts.sum()) * share + 1e-9))


def price(price_before: float, parts: int, wanted: int, factor: float) -> float:
    """The price of a link rises while there are too few parts, and falls while there are too many."""
    return price_before * factor if parts < wanted else price_before / factor if parts > wanted else price_before


def unseen_in_words(ensemble: Ensemble) -> tuple[str, ...]:
    """A remark where objects have no label at all."""
    lost = int(ensemble.counts[ensemble.never_observed].sum())
    verb = "has" if lost == 1 else "have"
    return (f"{counted(lost, 'object')} {verb} no label at all: nothing is known of them.",) if lost else ()


def parted_in_words(ensemble: Ensemble, tree: Dendrogram) -> tuple[str, ...]:
    """A remark where average linkage of all objects would part some that are alike: of rows it cannot."""
    return () if tree.keeps_alike(ensemble.counts) else (PARTED,)


@dataclass(frozen=True, kw_only=True)
class Components(Method):
    """Methods whose clusters are the connected parts of something learned, merged or split where k are wanted.

    A state has `components`, how many there are, `member` (q,), which one each microcluster is in, and `exact`: whether
    microclusters have stood for their objects exactly so far.
    """

    exact_k: bool = param(True, "merge or split the components found until there are exactly k", role="method")

    def likeness(self, ensemble: Ensemble, state: State):
        """(q, q) how alike microclusters are, by which components are merged and split."""
        raise TypeError(f"{type(self).__name__} must define likeness")

    likeness_in_words: ClassVar[str] = "likeness"
    inexact_in_words: ClassVar[str] = ""  # a remark where a state is not exact

    def repaired(self, ensemble: Ensemble, state: State) -> np.ndarray:
        return exactly(self.k, state.member, self.likeness(ensemble, state), ensemble.counts)

    def labels(self, ensemble: Ensemble, state: State) -> np.ndarray:
        if not self.exact_k or state.components == self.k:
            return state.member
        return self.repaired(ensemble, state)

    def found(self, ensemble: Ensemble, state: State) -> int:
        return int(state.components)

    def remarks(self, ensemble: Ensemble, state: State) -> tuple[str, ...]:
        inexact = () if state.exact else (self.inexact_in_words,)
        return *self.repair_in_words(state), *unseen_in_words(ensemble), *inexact

    def repair_in_words(self, state: State) -> tuple[str, ...]:
        """A remark where the components are not k."""
        if state.components == self.k:
            return ()
        found = f"{self.name()} found {counted(int(state.components), 'component')} where {self.k} were wanted"
        if not self.exact_k:
            return (f"{found}: left as they are.",)
        verb = "merged" if state.components > self.k else "split"
        return (f"{found}: {verb} into {self.k} by {self.likeness_in_words}.",)

    def told_mark(self, at: At, a: int, kept: bool) -> Told | None:
        """Coordinate a of an embedding that was kept, or that marks a whole component, the greatest first: the case
        "mark" of its equation, 1 / sqrt(size). None where it is an eigenvector inside of one."""
        if kept:
            return at.unchanged("There are more components than {k} wanted: it stays as it was.", k=at.param("k"))
        if a >= at.after.components:
            return None
        mass = np.bincount(at.after.member, weights=at.ensemble.weights)
        part = int(np.argsort(-mass, kind="stable")[a])
        size = at.constant(mass[part], "objects in this component")
        if at.after.member[at.p] != part:
            return at.given(0, "Coordinate {a} marks a component with {size} objects; {i} is not in it.", size=size)
        return at.terms("mark", size=size, words="Coordinate {a} marks the component of {i}, with {size} objects.")

    def told_price(self, at: At, parts: Term, said: str = "", **most: Term) -> Told:
        """How the price of a link has moved: ρ*factor while there are too few parts, else the case "less". `said`: of
        when these parts are, where it is not now."""
        terms = {"c": parts, "k": at.param("k"), "parts": {"c < 1.5": "component", "c > 1.5": "components"}}
        if parts.value == self.k:
            return at.unchanged(f"{{c}} {{parts}}{said}, as wanted: ρ stays.", **terms)
        terms |= {"ρ": at.then("rho"), "factor": at.param("rho_factor"), **most}
        move = {"c < k": "too few, the price of a link rises", "c >= k": "too many, the price falls"}
        case = "" if parts.value < self.k else "less"
        return at.terms(case, **terms, move=move, words=f"{{c}} {{parts}}{said} where {{k}} are wanted: {{move}}.")

    @tells("components", "sum(n[q] / size[q], q)")
    def why_components(self, at: At) -> Told:
        """Every object counts for its share of the part it is in."""
        member, n = at.after.member, at.ensemble.weights
        sizes = np.bincount(member, weights=n)
        listed = ", ".join(f"{size:,.0f}" for size in np.sort(sizes)[::-1][:8]) + (", …" if len(sizes) > 8 else "")

        def of_part(p: int):
            return at.constant(sizes[member[p]], "objects in the same connected part, linked or through others")

        parts = {"value < 1.5": "connected part", "value > 1.5": "connected parts"}
        words = f"{{value}} {{parts}}, of {listed} objects; {self.k} are wanted. Each object counts for a share."
        size = at.rows(sizes[member], of_part, at.ensemble.first_of)
        return at.terms(n=at.counts, size=size, parts=parts, words=words)
