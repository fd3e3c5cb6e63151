"""Where results differ: which objects, which clusters flow into which, and how two partitions cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..ensemble import Ensemble


@dataclass(frozen=True, eq=False)
class Crossed:
    """A contingency table: how many objects cluster a of the one and cluster b of the other share."""

    one: np.ndarray  # (a,) the numbers of the clusters of the first result that hold anything
    other: np.ndarray  # (b,)
    shared: np.ndarray  # (a, b) whole numbers
    match: dict[int, int]  # cluster of the first -> cluster of the second that is its counterpart


def crossed(ensemble: Ensemble, one: np.ndarray, other: np.ndarray) -> Crossed:
    """Counterparts are matched one to one so that as many objects as possible are where the other result has them."""
    a, rows = np.unique(one, return_inverse=True)
    b, cols = np.unique(other, return_inverse=True)
    shared = np.zeros((len(a), len(b)), dtype=np.int64)
    np.add.at(shared, (rows.reshape(-1), cols.reshape(-1)), ensemble.counts)
    left, right = linear_sum_assignment(shared, maximize=True)
    match = {int(a[i]): int(b[j]) for i, j in zip(left, right, strict=True)}
    return Crossed(a, b, shared, match)


def disagreed(ensemble: Ensemble, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(q,) whether two results disagree on an object: it is not in the counterpart of its cluster. As few objects as
    any naming of the clusters leaves."""
    match = crossed(ensemble, one, other).match
    return np.array([match.get(int(a), -1) != int(b) for a, b in zip(one, other, strict=True)])


@dataclass(frozen=True)
class Flow:
    """Objects that are in cluster `source` of result `at` and in cluster `target` of the next one."""

    at: int
    source: int
    target: int
    objects: int


def flows(ensemble: Ensemble, labellings: Sequence[np.ndarray]) -> list[Flow]:
    """From each result to the one beside it, larger streams first."""
    found = []
    for at, (one, other) in enumerate(pairwise(labellings)):
        table = crossed(ensemble, one, other)
        rows, cols = np.nonzero(table.shared)
        found += [
            Flow(at, int(table.one[i]), int(table.other[j]), int(table.shared[i, j]))
            for i, j in zip(rows, cols, strict=True)
        ]
    return sorted(found, key=lambda flow: (flow.at, -flow.objects))
