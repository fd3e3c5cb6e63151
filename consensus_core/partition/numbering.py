"""Which cluster has which number."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment


def renamed(labels: np.ndarray, before: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The same clusters under the numbers that keep as many objects as possible at their number of before."""
    size = max(int(labels.max()), int(before.max())) + 1
    shared = np.zeros((size, size))
    np.add.at(shared, (labels, before), counts)
    old, new = linear_sum_assignment(shared, maximize=True)
    name = np.empty(size, dtype=np.intp)
    name[old] = new
    return name[labels]


def largest_first(labels: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The same clusters numbered by size, the largest 0."""
    sizes = np.bincount(labels, weights=counts)
    name = np.empty(len(sizes), dtype=np.intp)
    name[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return name[labels]
