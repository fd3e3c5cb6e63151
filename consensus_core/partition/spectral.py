"""Cuts of a consensus graph from its smallest eigenvectors."""

import numpy as np

from ..errors import InputError
from ..linalg import polar_factor, smallest_eigenvectors, unit_rows
from .exact import exactly
from .kmeans import EDGE, group_sums, weighted_kmeans


def spectral_cut(S, k, counts=None, seed=0, how="kmeans", starts=10):
    """Normalised cut of S into k groups; returns labels (q,), numbered by first appearance.

    The k smallest eigenvectors of the normalised Laplacian (rows with counts), rows brought to unit length (Ng, Jordan
    & Weiss 2001), then

        "kmeans"      weighted k-means, the best of so many starts
        "discretise"  the nearest rotated indicator matrix (Yu & Shi 2003)

    Where that leaves fewer than k groups (equal rows), groups are split by average linkage. The same answer for the
    same seed.
    """
    q = S.shape[0]
    if not 1 <= k <= q:
        raise InputError(f"Cannot cut into k = {k} clusters: k must be between 1 and {q}, the number of distinct rows.")
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    _, Y = smallest_eigenvectors(S, k, counts, normalised=True)
    Y = unit_rows(Y)
    if how == "kmeans":
        labels = weighted_kmeans(Y, k, counts, seed, starts)
    elif how == "discretise":
        labels, _ = discretise(Y, counts, seed)
    else:
        raise ValueError(f'spectral_cut: how must be "kmeans" or "discretise", got {how!r}')
    return exactly(k, labels, S, counts)


def discretise(Y, counts=None, seed=0, max_iter=100, first=None):
    """Spectral rotation (Yu & Shi 2003): indicator X and rotation R with ‖X − YR‖ least, rows weighted by counts.

    Starts from k rows of Y chosen as different as can be (the first is row `first`, or one drawn by the seed), then
    alternates row-wise argmax and Procrustes. Returns labels (q,) in 0 … k − 1 (some may stay empty) and R (k, k).
    Rows of zeros say nothing and are never chosen. What is equal but for rounding is equal: the first is taken.
    """
    Y = np.asarray(Y, dtype=float)
    q, k = Y.shape
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    if first is None:
        first = np.random.default_rng(seed).choice(q, p=counts / counts.sum())
    R = np.empty((k, k))
    R[:, 0] = Y[first]
    overlap = np.where(Y.any(axis=1), 0.0, np.inf)
    for column in range(1, k):
        overlap += np.abs(Y @ R[:, column - 1])
        R[:, column] = Y[first_of_greatest(-overlap)]
    labels = first_greatest(Y @ R)
    for _ in range(max_iter):
        R = polar_factor(group_sums(labels, counts[:, None] * Y, k).T)
        new = first_greatest(Y @ R)
        if (new == labels).all():
            break
        labels = new
    return labels, R


def clear_cut(Y, counts, seed=None):
    """`discretise` of the rows of Y brought to unit length; labels and R. With a seed the first row is drawn by it;
    without one it is the row in whose direction most objects have a share, which no order of rows decides."""
    unit = unit_rows(Y)
    if seed is not None:
        return discretise(unit, counts, seed)
    densest = (unit @ (unit.T @ (counts[:, None] * unit)) * unit).sum(axis=1)
    return discretise(unit, counts, first=first_of_greatest(densest))


def first_greatest(values, size=1.0):
    """(q,) the column of the greatest value in each row; of those as great to rounding, beside `size`, the first."""
    return (values >= values.max(axis=1, keepdims=True) - EDGE * size).argmax(axis=1)


def first_of_greatest(values):
    """Where the greatest of (q,) values is; of those as great to rounding, the first."""
    greatest = values.max()
    return int((values >= greatest - EDGE * max(1.0, abs(greatest))).argmax())
