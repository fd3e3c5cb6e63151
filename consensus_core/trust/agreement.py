"""Do sound methods agree? The mutual adjusted Rand index of three of them on the same ensemble.

Of everything tried without the truth it is the number that goes with the true quality across data sets (Spearman .73 to
.75 over 26 pools of base clusterings of 19 data sets, 95% interval .37 to .92). It says nothing about which of them is
right, and three methods that see the same base clusterings can be wrong together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Cost, Method, solve
from ..methods import METHODS, SOUND
from ..scores import ari

HIGH, LOW = 0.8, 0.5  # of the mean: from here on, and below here
MEANING = {
    "high": "They see the same groups in these base clusterings. Where that was so, results were mostly close to the "
    "classes people had given; it proves nothing.",
    "middling": "They share the coarse picture and differ in part of the objects: look at those first.",
    "low": "They do not see the same groups: what any one of them shows is its own reading of the base clusterings.",
    "unknown": "With a single cluster there is nothing to agree on.",
}
EVIDENCE = (
    "Over 26 pools of real base clusterings this number followed the agreement with the true classes (Spearman .73 to "
    ".75, interval .37 to .92)."
)


@dataclass(frozen=True, eq=False)
class Trust:
    """What several methods say of one ensemble."""

    names: tuple[str, ...]
    pairs: np.ndarray  # (r, r) adjusted Rand index of each with each

    @property
    def value(self) -> float:
        """The mean over all pairs."""
        return float(np.mean([self.pairs[i, j] for i, j in combinations(range(len(self.names)), 2)]))

    def __float__(self) -> float:
        return self.value

    @property
    def level(self) -> str:
        """ "high", "middling" or "low"; "unknown" where there is nothing to agree on."""
        if not np.isfinite(self.value):
            return "unknown"
        return "high" if self.value >= HIGH else "middling" if self.value >= LOW else "low"

    @property
    def meaning(self) -> str:
        return MEANING[self.level]

    @property
    def odd(self) -> str:
        """The one that differs, where the two others agree well; "" otherwise."""
        for i in range(len(self.names)):
            others = [j for j in range(len(self.names)) if j != i]
            between = self.pairs[others[0], others[1]]
            if between >= HIGH and self.pairs[i, others].max() < LOW:
                return self.names[i]
        return ""

    def __repr__(self) -> str:
        return f"Trust({self.level}: {self.value:.2f} between {', '.join(self.names)})"


def panel(k: int) -> list[Method]:
    """The sound methods, with the settings evidence has for them."""
    return [METHODS[key](k=k, **params) for key, params in SOUND if key in METHODS]


def cost(ensemble: Ensemble, k: int) -> Cost:
    """Of all of them, one after the other."""
    costs = [method.cost(ensemble) for method in panel(k)]
    return Cost(max(one.bytes for one in costs), sum(one.seconds for one in costs))


def agreement(ensemble: Ensemble, k: int, cancel: Callable[[], bool] | None = None) -> Trust:
    """The sound methods on this ensemble, and how far they agree."""
    if k > ensemble.q:
        raise InputError(f"k = {k} clusters are wanted, but the base clusterings tell only {ensemble.q} groups apart.")
    methods = panel(k)
    return mutual(methods, [solve(method, ensemble, cancel).raw for method in methods], ensemble.counts)


def mutual(methods: list[Method], labellings: list[np.ndarray], counts=None) -> Trust:
    """From labels that are there already: of microclusters with their counts, or of objects."""
    pairs = np.ones((len(methods), len(methods)))
    for i, j in combinations(range(len(methods)), 2):
        pairs[i, j] = pairs[j, i] = ari(labellings[i], labellings[j], counts)
    if all(len(np.unique(labels)) < 2 for labels in labellings):
        pairs[:] = np.nan
    return Trust(tuple(method.name() for method in methods), pairs)
