"""What a consensus matrix says about labels, and about itself: confidence, its distribution, PAC, delta area.

S (q, q) holds the similarity of distinct rows, S[p, p] that of two objects of one row; counts says how many objects a
row stands for. All means are over objects and pairs of objects, i < j.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Confidence:
    """How surely each row belongs where it was put."""

    own: np.ndarray  # (q,) mean similarity to the other objects of its cluster; 1 in a cluster of one object
    other: np.ndarray  # (q,) mean similarity to the nearest other cluster; 0 where there is no other
    rival: np.ndarray  # (q,) the label of that cluster; its own where there is no other
    margin: np.ndarray  # (q,) own − other
    silhouette: np.ndarray  # (q,) with distances 1 − S; 0 in a cluster of one object and in a single cluster


def confidence(S, labels, counts=None):
    """Margin and co-association silhouette of each row under these labels (q,)."""
    S = np.asarray(S, dtype=float)
    counts = np.ones(len(S)) if counts is None else np.asarray(counts, dtype=float)
    names, code = np.unique(labels, return_inverse=True)
    code = code.reshape(-1)
    here = np.arange(len(S))
    member = np.zeros((len(S), len(names)))
    member[here, code] = counts
    sums = S @ member
    sizes = member.sum(axis=0)
    fellows = sizes[code] - 1
    alone = fellows == 0
    own = np.where(alone, 1.0, (sums[here, code] - np.diagonal(S)) / np.where(alone, 1, fellows))
    means = sums / sizes
    means[here, code] = -np.inf
    rival = means.argmax(axis=1)
    other = means[here, rival] if len(names) > 1 else np.zeros(len(S))
    near, far = 1 - own, 1 - other
    greater = np.maximum(near, far)
    undefined = alone | (greater == 0) | (len(names) == 1)
    silhouette = np.where(undefined, 0.0, (far - near) / np.where(undefined, 1, greater))
    return Confidence(own, other, names[rival], own - other, silhouette)


def consensus_cdf(S, counts=None, at=None):
    """(values, share of pairs of objects with S ≤ value), at every value that occurs or at the given ascending ones.

    With fewer than two objects there are no pairs: no values, or shares of 0.
    """
    if at is None:
        summed = [_summed(*pairs) for pairs in _pairs(S, counts)]
        values, weights = _summed(*(np.concatenate(parts) for parts in zip(*summed, strict=True)))
        return values, np.cumsum(weights) / max(weights.sum(), 1)
    at = np.asarray(at, dtype=float)
    total = np.zeros(len(at) + 1)
    for values, weights in _pairs(S, counts):
        total += np.bincount(np.searchsorted(at, values, side="left"), weights=weights, minlength=len(at) + 1)
    return at, np.cumsum(total)[: len(at)] / max(total.sum(), 1)


def _summed(values, weights):
    """Every value once, with its whole weight."""
    values, inverse = np.unique(values, return_inverse=True)
    return values, np.bincount(inverse.reshape(-1), weights=weights, minlength=len(values))


def pac(S, counts=None, low=0.1, high=0.9):
    """Proportion of ambiguous clustering (Șenbabaoğlu et al. 2014): share of pairs with low < S ≤ high."""
    _, (below, upto) = consensus_cdf(S, counts, at=(low, high))
    return float(upto - below)


def cdf_area(S, counts=None):
    """The area under the distribution of S over [0, 1], which is 1 − mean S over pairs (S clipped to [0, 1])."""
    area = pairs = 0.0
    for values, weights in _pairs(S, counts):
        area += weights @ (1 - np.clip(values, 0, 1))
        pairs += weights.sum()
    return float(area / max(pairs, 1))


def delta_area(areas):
    """Relative gain in area from one number of clusters to the next (Monti et al. 2003).

    `areas` are `cdf_area` of the consensus matrices for k = 2, 3, …; Δ(2) = A(2), Δ(k) = (A(k) − A(k−1)) / A(k−1).
    """
    areas = np.asarray(areas, dtype=float)
    before = areas[:-1]
    gain = np.where(before > 0, np.diff(areas) / np.where(before > 0, before, 1), 0.0)
    return np.concatenate([areas[:1], gain])


def _pairs(S, counts):
    """Row by row, so that nothing as large as S is made: similarities, and how many pairs of objects have each."""
    S = np.asarray(S, dtype=float)
    counts = np.ones(len(S)) if counts is None else np.asarray(counts, dtype=float)
    for p, c in enumerate(counts):
        weights = c * counts[p:]
        weights[0] = c * (c - 1) / 2
        start = p if weights[0] else p + 1
        yield S[p, start:], weights[start - p :]
