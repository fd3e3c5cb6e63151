"""Element-centric similarity (Gates, Wood, Hetrick and Ahn, Scientific Reports 9, 2019): object by object.

A partition gives every object i a distribution over all objects, the PageRank that returns to i with probability 1 − α
and else goes to any object of i's cluster alike:

    p_ij = α / |C| for j in i's cluster C (0 elsewhere),  and 1 − α more for j = i.

Two partitions treat i alike as far as these agree, S_i = 1 − 1/(2α) Σ_j |p_ij − p'_ij|. For partitions the sum has a
closed form in which α is gone: with a and b the sizes of i's two clusters and c the objects they share,

    S_i = c / max(a, b).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..ensemble import MISSING


def element_similarity(labels, others, counts=None) -> np.ndarray:
    """(q,) of each object under two label vectors 0, 1, …; NaN where it has no label in one of them."""
    labels, others = np.asarray(labels), np.asarray(others)
    counts = np.ones(len(labels)) if counts is None else np.asarray(counts, dtype=float)
    seen = (labels != MISSING) & (others != MISSING)
    found = np.full(len(labels), np.nan)
    if not seen.any():
        return found
    one, other = (np.unique(side[seen], return_inverse=True)[1].reshape(-1) for side in (labels, others))
    k = int(other.max()) + 1
    shared = np.bincount(one * k + other, weights=counts[seen], minlength=(int(one.max()) + 1) * k).reshape(-1, k)
    a, b = shared.sum(axis=1)[one], shared.sum(axis=0)[other]
    found[seen] = shared[one, other] / np.maximum(a, b)
    return found


def element_centric(labels, others, counts=None) -> float:
    """The mean over all objects: 1 for the same partition."""
    return _mean(element_similarity(labels, others, counts), counts)


def element_agreement(labellings, counts=None) -> np.ndarray:
    """(q,) how alike many labellings treat each object: the mean of S_i over all pairs of them; 1 with fewer than
    two."""
    labellings = [np.asarray(labels) for labels in labellings]
    pairs = [element_similarity(one, other, counts) for one, other in combinations(labellings, 2)]
    if not pairs:
        return np.ones(len(labellings[0]) if labellings else 0)
    total, seen = np.zeros(len(pairs[0])), np.zeros(len(pairs[0]))
    for found in pairs:
        known = ~np.isnan(found)
        total[known] += found[known]
        seen += known
    return np.divide(total, seen, out=np.full(len(total), np.nan), where=seen > 0)


def pairwise_element_centric(labellings, counts=None) -> np.ndarray:
    """(r, r) of each label vector with each."""
    labellings = list(labellings)
    table = np.ones((len(labellings), len(labellings)))
    for i, j in combinations(range(len(labellings)), 2):
        table[i, j] = table[j, i] = element_centric(labellings[i], labellings[j], counts)
    return table


def _mean(values, counts) -> float:
    weights = np.ones(len(values)) if counts is None else np.asarray(counts, dtype=float)
    known = ~np.isnan(values)
    return float(np.average(values[known], weights=weights[known])) if known.any() else float("nan")
