"""k-means of rows that stand for several equal objects, from starts that no order of the rows decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

EDGE = 1e-12  # values this near to each other are equal, whatever the order of summation


@dataclass(frozen=True, eq=False)
class KMeans:
    labels: np.ndarray  # (q,) 0 … k − 1; a group stays empty only where there are fewer than k different rows
    spread: np.ndarray  # (starts,) Σ counts ‖x − centre‖², which each start begins or ends with


def weighted_kmeans(X, k, counts=None, seed=0, starts=10, max_iter=300):
    """Labels (q,) of the rows of X (q, d), each standing for counts objects: the best of several starts."""
    return settled_kmeans(X, k, counts, seed, starts, max_iter).labels


def settled_kmeans(X, k, counts=None, seed=0, starts=10, max_iter=300) -> KMeans:
    """Lloyd's steps from every start, until nothing moves; the labels of the one that ends lowest, of equals the first.

    The first start has no chance in it: the row farthest from the mean of all objects, then always the row farthest
    from those taken (to rounding; of equals the first). The other starts are k-means++ (Arthur & Vassilvitskii 2007),
    drawn by the seed: a number between 0 and 1 says how far to go through the rows, each as long as its counts times
    its squared distance from the centres taken. So equal rows and one row with their counts are drawn alike.

    A row as near to two centres, to rounding, goes to the first. A group that runs empty takes the place farthest from
    its centre, with all rows that are there.
    """
    X, counts, scale = _prepared(X, counts)
    ends = [_lloyd(X, counts, centres, scale, max_iter) for centres in _starts(X, k, counts, scale, seed, starts)]
    return _best(ends, counts, scale)


def starting_kmeans(X, k, counts=None, seed=0, starts=10) -> KMeans:
    """The same starts before any step: every row at the nearest of the rows taken."""
    X, counts, scale = _prepared(X, counts)
    begun = []
    for centres in _starts(X, k, counts, scale, seed, starts):
        distance = _squared(X, centres)
        labels = _nearest(distance, scale)
        begun.append((labels, float(counts @ distance[np.arange(len(X)), labels])))
    return _best(begun, counts, scale)


def _prepared(X, counts):
    X = np.asarray(X, dtype=float)
    counts = np.ones(len(X)) if counts is None else np.asarray(counts, dtype=float)
    return X, counts, float((X**2).sum(axis=1).max(initial=0.0))


def _best(found, counts, scale) -> KMeans:
    spread = np.array([cost for _, cost in found])
    first = int(np.argmax(spread <= spread.min() * (1 + 1e-9) + EDGE * scale * counts.sum()))
    return KMeans(found[first][0], spread)


def _starts(X, k, counts, scale, seed, starts):
    rng = np.random.default_rng(seed)
    yield _corners(X, k, counts)
    for _ in range(starts - 1):
        yield _plus_plus(X, counts, scale, rng.random(k))


def _corners(X, k, counts):
    nearest = ((X - counts @ X / counts.sum()) ** 2).sum(axis=1)
    taken = []
    for turn in range(k):
        taken.append(int(np.argmax(nearest >= nearest.max() * (1 - EDGE))))
        away = ((X - X[taken[-1]]) ** 2).sum(axis=1)
        nearest = away if turn == 0 else np.minimum(nearest, away)
    return X[taken]


def _plus_plus(X, counts, scale, chance):
    nearest, taken = np.ones(len(X)), []
    for turn, share in enumerate(chance):
        reached = np.cumsum(counts * np.where(nearest > EDGE * scale, nearest, 0.0))
        if reached[-1] <= 0:
            reached = np.cumsum(counts)
        taken.append(min(int(np.searchsorted(reached, share * reached[-1], side="right")), len(X) - 1))
        away = ((X - X[taken[-1]]) ** 2).sum(axis=1)
        nearest = away if turn == 0 else np.minimum(nearest, away)
    return X[taken]


def _squared(X, centres):
    return np.maximum((X**2).sum(axis=1)[:, None] - 2 * X @ centres.T + (centres**2).sum(axis=1), 0)


def _nearest(distance, scale):
    return (distance <= distance.min(axis=1, keepdims=True) + EDGE * scale).argmax(axis=1)


def _lloyd(X, counts, centres, scale, max_iter):
    k, every = len(centres), np.arange(len(X))
    weighted, labels = counts[:, None] * X, None
    for _ in range(max_iter):
        distance = _squared(X, centres)
        new = _nearest(distance, scale)
        if labels is not None and (new == labels).all():
            break
        labels = new
        _fill_empty(X, labels, distance[every, labels], k, scale)
        mass = np.bincount(labels, weights=counts, minlength=k)
        sums = np.array([np.bincount(labels, weights=column, minlength=k) for column in weighted.T]).T
        centres = np.where(mass[:, None] > 0, sums / np.maximum(mass, 1e-300)[:, None], centres)
    return labels, float(counts @ ((X - centres[labels]) ** 2).sum(axis=1))


def _fill_empty(X, labels, far, k, scale):
    """Gives each group without rows the place that is farthest from its centre."""
    for empty in np.flatnonzero(np.bincount(labels, minlength=k) == 0):
        if far.max() <= EDGE * scale:
            return
        place = X[np.argmax(far >= far.max() * (1 - EDGE))]
        away = ((X - place) ** 2).sum(axis=1)
        labels[away <= EDGE * scale] = empty
        np.minimum(far, away, out=far)
