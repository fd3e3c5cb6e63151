"""What several methods write again and again: how easy a thing is, how a price moves, exactly k groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..numbers import counted
from ..partition import exactly
from .method import Method, State
from .params import param
from .telling import At, Told, tells


def ease(age: float, difficulty: np.ndarray) -> np.ndarray:
    """min(age / 2 difficulty, 1), also where the difficulty is 0 or below."""
    return age / np.maximum(2 * difficulty, age)


def age_of_share(difficulty: np.ndarray, counts: np.ndarray, share: float) -> float:
    """The age at which this share of the objects is easy: twice the difficulty of the last of them, counted in whole
    objects; at least one is."""
    order = np.argsort(difficulty, kind="stable")
    last = np.searchsorted(np.cumsum(counts[order]), objects_in_share(counts, share))
    return 2 * float(difficulty[order[last]])


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


@dataclass(frozen=True, kw_only=True)
class Components(Method):
    """Methods whose clusters are the connected parts of something learned, merged or split where k are wanted.

    A state has `components`, how many there are, and `member` (q,), which one each microcluster is in.
    """

    exact_k: bool = param(True, "merge or split the components found until there are exactly k", role="method")

    def likeness(self, ensemble: Ensemble, state: State):
        """(q, q) how alike microclusters are, by which components are merged and split."""
        raise TypeError(f"{type(self).__name__} must define likeness")

    likeness_in_words = "likeness"

    def repaired(self, ensemble: Ensemble, state: State) -> np.ndarray:
        return exactly(self.k, state.member, self.likeness(ensemble, state), ensemble.counts)

    def labels(self, ensemble: Ensemble, state: State) -> np.ndarray:
        if not self.exact_k or state.components == self.k:
            return state.member
        return self.repaired(ensemble, state)

    def found(self, ensemble: Ensemble, state: State) -> int:
        return int(state.components)

    def repair_in_words(self, state: State) -> tuple[str, ...]:
        """A remark where the components are not k."""
        if state.components == self.k:
            return ()
        found = f"{self.name()} found {counted(int(state.components), 'component')} where {self.k} were wanted"
        if not self.exact_k:
            return (f"{found}: left as they are.",)
        verb = "merged" if state.components > self.k else "split"
        return (f"{found}: {verb} into {self.k} by {self.likeness_in_words}.",)

    @tells("components", "sum(n[q] / size[q], q)")
    def why_components(self, at: At) -> Told:
        """Every object counts for its share of the part it is in."""
        member, n = at.after.member, at.ensemble.weights
        sizes = np.bincount(member, weights=n)
        listed = ", ".join(f"{size:,.0f}" for size in np.sort(sizes)[::-1][:8]) + (", …" if len(sizes) > 8 else "")

        def of_part(p: int):
            return at.constant(sizes[member[p]], "objects in the same connected part, linked or through others")

        words = f"{{value}} connected parts, of {listed} objects; {self.k} are wanted. Each object counts for a share."
        return at.terms(n=at.counts, size=at.rows(sizes[member], of_part, at.ensemble.first_of), words=words)
