"""k-means of rows that stand for several equal objects, from starts that no order of the rows decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

EDGE = 1e-12  # values this near to each other are equal, whatever the order of summation
WIDE = 64  # columns from which one pass over all of them is faster than one over each


@dataclass(frozen=True, eq=False)
class Grouping:
    """What several starts begin or end with."""

    labels: np.ndarray  # (q,) 0 … k − 1 of the best; k-means leaves a group empty only where rows are too few
    spread: np.ndarray  # (starts,) Σ counts ‖x − middle of its group‖²
    every: np.ndarray  # (starts, q) the groups of each start


def weighted_kmeans(X, k, counts=None, seed=0, starts=10, max_iter=300):
    """Labels (q,) of the rows of X (q, d), each standing for counts objects: the best of several starts."""
    return settled_kmeans(X, k, counts, seed, starts, max_iter).labels


def settled_kmeans(X, k, counts=None, seed=0, starts=10, max_iter=300) -> Grouping:
    """Lloyd's steps from every start, until nothing moves; the labels of the one that ends lowest, of equals the first.

    The first start has no chance in it: the row farthest from the mean of all objects, then always the row farthest
    from those taken (to rounding; of equals the first). The other starts are k-means++ (Arthur & Vassilvitskii 2007),
    drawn by the seed: a number between 0 and 1 says how far to go through the rows, each as long as its counts times
    its squared distance from the centres taken. So equal rows and one row with their counts are drawn alike. Of a few
    rows drawn the one that leaves least is taken.

    A row as near to two centres, to rounding, goes to the first. A group that runs empty takes the place farthest from
    its centre, with all rows that are there.
    """
    return _best_of(lambda *of: _lloyd(*of, max_iter), X, k, counts, seed, starts)


def starting_kmeans(X, k, counts=None, seed=0, starts=10) -> Grouping:
    """The same starts before any step: every row at the nearest of the rows taken."""
    return _best_of(_nearest, X, k, counts, seed, starts)


def _best_of(grouped, X, k, counts, seed, starts) -> Grouping:
    X = np.asarray(X, dtype=float)
    counts = np.ones(len(X)) if counts is None else np.asarray(counts, dtype=float)
    scale = float((X**2).sum(axis=1).max(initial=0.0))
    every = np.array([grouped(X, centres, scale, counts) for centres in _starts(X, k, counts, scale, seed, starts)])
    return best_of(X, counts, every, group_means)


def best_of(X, counts, every, middles) -> Grouping:
    """The groups that leave least; of equals the first. `middles`: where the middles of groups are."""
    met: dict[bytes, float] = {}  # many starts end alike
    for labels in every:
        if (known := labels.tobytes()) not in met:
            met[known] = spread_of(X, labels, counts, middles)
    spread = np.array([met[labels.tobytes()] for labels in every])
    rounding = EDGE * counts @ (X**2).sum(axis=1)
    return Grouping(every[int(np.argmax(spread <= spread.min() * (1 + 1e-9) + rounding))], spread, every)


def spread_of(X, labels, counts, middles=None):
    """Σ counts ‖x − middle of its group‖²; the middle is the mean, or what `middles` says."""
    middle = (middles or group_means)(X, labels, counts)
    return float(counts @ ((X - middle[labels]) ** 2).sum(axis=1))


def group_means(X, labels, counts, k=None):
    """(k, d): the mean of the rows of each group; zeros where it has none."""
    k = int(labels.max(initial=-1)) + 1 if k is None else k
    mass = np.bincount(labels, weights=counts, minlength=k)
    return group_sums(labels, counts[:, None] * X, k) / np.maximum(mass, 1e-300)[:, None]


def group_sums(labels, values, k):
    """(k, d): sums of the rows of `values` (q, d) over each of k groups; a negative label is in none."""
    if labels.min(initial=0) < 0:
        labels, values = labels[labels >= 0], values[labels >= 0]
    if values.shape[1] < WIDE:
        return np.array([np.bincount(labels, weights=column, minlength=k) for column in values.T]).T
    rows = np.arange(len(labels))  # the same sums in the same order, whole rows at a time
    return scipy.sparse.csr_array((np.ones(len(labels)), (labels, rows)), (k, len(labels))) @ values


def _starts(X, k, counts, scale, seed, starts):
    rng = np.random.default_rng(seed)
    yield _corners(X, k, counts)
    for _ in range(starts - 1):
        yield _plus_plus(X, counts, scale, rng.random((k, 2 + int(np.log(k)))))


def _corners(X, k, counts):
    nearest = ((X - counts @ X / counts.sum()) ** 2).sum(axis=1)
    taken = []
    for turn in range(k):
        taken.append(int(np.argmax(nearest >= nearest.max() * (1 - EDGE))))
        away = ((X - X[taken[-1]]) ** 2).sum(axis=1)
        nearest = away if turn == 0 else np.minimum(nearest, away)
    return X[taken]


def _plus_plus(X, counts, scale, chances):
    nearest, taken = np.full(len(X), np.inf), []
    for chance in chances:
        reached = np.cumsum(counts * (np.where(nearest > EDGE * scale, nearest, 0.0) if taken else 1.0))
        if reached[-1] <= 0:
            reached = np.cumsum(counts)
        drawn = np.minimum(np.searchsorted(reached, chance * reached[-1], side="right"), len(X) - 1)
        left = np.minimum(_squared(X, X[drawn]), nearest[:, None])
        sums = counts @ left
        best = int(np.argmax(sums <= sums.min() + EDGE * scale * counts.sum()))
        taken.append(drawn[best])
        nearest = left[:, best]
    return X[taken]


def _squared(X, centres, lengths=None):
    lengths = (X**2).sum(axis=1) if lengths is None else lengths
    return np.maximum(lengths[:, None] - 2 * X @ centres.T + (centres**2).sum(axis=1), 0)


def _nearest(X, centres, scale, _=None, lengths=None):
    distance = _squared(X, centres, lengths)
    return (distance <= distance.min(axis=1, keepdims=True) + EDGE * scale).argmax(axis=1)


def _lloyd(X, centres, scale, counts, max_iter):
    k, labels, lengths = len(centres), None, (X**2).sum(axis=1)
    for _ in range(max_iter):
        new = _nearest(X, centres, scale, lengths=lengths)
        if labels is not None and (new == labels).all():
            break
        labels = new
        _fill_empty(X, labels, centres, scale)
        filled = np.bincount(labels, minlength=k)[:, None] > 0
        centres = np.where(filled, group_means(X, labels, counts, k), centres)
    return labels


def _fill_empty(X, labels, centres, scale):
    """Gives each group without rows the place that is farthest from its centre."""
    without = np.flatnonzero(np.bincount(labels, minlength=len(centres)) == 0)
    far = ((X - centres[labels]) ** 2).sum(axis=1) if len(without) else None
    for empty in without:
        if far.max() <= EDGE * scale:
            return
        place = X[np.argmax(far >= far.max() * (1 - EDGE))]
        away = ((X - place) ** 2).sum(axis=1)
        labels[away <= EDGE * scale] = empty
        np.minimum(far, away, out=far)
