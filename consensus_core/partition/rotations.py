"""Spectral rotation from every row: the indicator matrix nearest to an embedding, whatever the order of the rows."""

import numpy as np

from ..linalg import polar_factor
from .kmeans import EDGE, Grouping, best_of, group_sums
from .relabel import relabel

MOST = 30  # rounds of a start


def settled_rotations(X, k, counts=None) -> Grouping:
    """Yu & Shi's discretisation of rows of unit length (q, k), each of which begins one start; the best of all.

    A start takes k rows as different as can be, the first of them given, as the axes R. Then in turn: every row to the
    axis it lies furthest along, and R the orthogonal matrix nearest to the sums over the groups, until nothing moves.
    What a start leaves is Σ counts ‖x − r‖², r the axis of x's group; of equal ends the first counts.
    """
    return _from_every_row(X, k, counts, MOST)


def starting_rotations(X, k, counts=None) -> Grouping:
    """The same starts before any round: every row to the axis among the rows taken that it lies furthest along."""
    return _from_every_row(X, k, counts, 0)


def rotated_axes(X, labels, counts):
    """(k, k): the axis of each group, rows of the orthogonal matrix nearest to the sums over the groups."""
    return polar_factor(group_sums(labels, counts[:, None] * X, X.shape[1]))


def _from_every_row(X, k, counts, rounds):
    X = np.asarray(X, dtype=float)
    counts = np.ones(len(X)) if counts is None else np.asarray(counts, dtype=float)
    some, ends = np.flatnonzero(X.any(axis=1)) if X.any() else np.arange(len(X)), {}
    begun = (relabel(_furthest(X @ X[taken].T)) for taken in _corners(X, some, min(k, X.shape[1])))
    return best_of(X, counts, np.array([_turned(X, counts, labels, rounds, ends) for labels in begun]), rotated_axes)


def _corners(X, firsts, k):
    """(starts, k): from each first row on, k rows with always the least overlap with those before; of equals the first.
    Rows of zeros are never taken."""
    alike = np.abs(X @ X.T)
    alike[:, ~X.any(axis=1)] = np.inf if X.any() else 0.0
    taken = [np.asarray(firsts)]
    overlap = alike[taken[0]]
    for _ in range(1, k):
        taken.append((overlap <= overlap.min(axis=1, keepdims=True) + EDGE).argmax(axis=1))
        overlap += alike[taken[-1]]
    return np.array(taken).T


def _turned(X, counts, labels, rounds, ends):
    """The end of the rounds; `ends` remembers those of all groups met, in which many starts soon meet."""
    way = []
    for _ in range(rounds):
        if (known := labels.tobytes()) in ends:
            labels = ends[known]
            break
        way.append(known)
        new = relabel(_furthest(X @ rotated_axes(X, labels, counts).T))
        if (new == labels).all():
            break
        labels = new
    ends.update(dict.fromkeys(way, labels))
    return labels


def _furthest(along):
    return (along >= along.max(axis=1, keepdims=True) - EDGE).argmax(axis=1)
