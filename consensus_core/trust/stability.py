"""How far a result hangs on the base clusterings it was made from: drawn again, and left out.

Base clusterings that are the same partition, or nearly, count as one group: one of three copies can be left out and
nothing moves, for the two others go on saying the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from ..ensemble import Ensemble
from ..scores import ari, diversity
from ..scores.element_centric import element_similarity

ALIKE = 0.95  # adjusted Rand index from which two base clusterings are one saying
CARRIES = 0.2  # change of the result from which a group is said to carry it
STABLE = 0.9  # mean adjusted Rand index between redraws


@dataclass(frozen=True)
class Groups:
    """Base clusterings that say the same, the largest group first, then as they stand."""

    members: tuple[tuple[int, ...], ...]

    @property
    def copies(self) -> tuple[tuple[int, ...], ...]:
        """Those of more than one."""
        return tuple(group for group in self.members if len(group) > 1)

    def without(self, at: int, m: int) -> list[int]:
        """The base clusterings that are left without a group."""
        return [i for i in range(m) if i not in self.members[at]]

    def orders(self, m: int) -> list[list[int]]:
        """For each group all base clusterings, those of the group last."""
        return [self.without(at, m) + list(group) for at, group in enumerate(self.members)]


def groups_of(ensemble: Ensemble) -> Groups:
    """Base clusterings joined where two have an adjusted Rand index of at least ALIKE."""
    alike = np.nan_to_num(diversity(ensemble.rows, ensemble.counts).ari) >= ALIKE
    _, group = connected_components(sp.csr_array(alike), directed=False)
    found = [tuple(np.flatnonzero(group == number).tolist()) for number in np.unique(group)]
    return Groups(tuple(sorted(found, key=lambda one: (-len(one), one))))


@dataclass(frozen=True, eq=False)
class Stable:
    """Of a result (n,) and the results of other draws."""

    objects: np.ndarray  # (n,) mean element-centric similarity with the other draws: 1 where nothing moves
    clusters: np.ndarray  # (k,) its mean over each cluster, as they are numbered
    changes: np.ndarray  # (draws,) 1 − adjusted Rand index: how far the result moves with each
    between: float  # mean adjusted Rand index of two draws without a base clustering in common


def stable(labels: np.ndarray, others: Sequence[np.ndarray]) -> Stable:
    """`labels` (n,) is the result, `others` those of other draws, each two in a row of halves apart (see `halves`)."""
    labels = np.asarray(labels)
    alike = [element_similarity(labels, other) for other in others]
    objects = np.mean(alike, axis=0) if alike else np.full(len(labels), np.nan)
    k = int(labels.max()) + 1
    sizes = np.maximum(np.bincount(labels, minlength=k), 1)
    clusters = np.bincount(labels, weights=objects, minlength=k) / sizes
    changes = np.array([1 - ari(labels, other) for other in others])
    return Stable(objects, clusters, changes, apart(others))


def halves(m: int, pairs: int) -> list[list[int]]:
    """Orders of m base clusterings, of which the first half of each two in a row have none in common: two results that
    share none agree by what they found and not by what they were both given."""
    found = []
    for number in range(pairs):
        order = np.random.default_rng(number).permutation(m).tolist()
        found += [order, order[::-1]]
    return found


def apart(draws: Sequence[np.ndarray]) -> float:
    """Mean adjusted Rand index of each two in a row; NaN without any."""
    pairs = [ari(one, other) for one, other in zip(draws[::2], draws[1::2], strict=False)]
    return float(np.mean(pairs)) if pairs else float("nan")
