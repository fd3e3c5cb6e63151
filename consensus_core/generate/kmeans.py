"""k-means from one random start: Lloyd's iterations, which scikit-learn's KMeans takes too (a test holds us to it).

    min over centres c_1 … c_k and labels l:   Σ_i ‖x_i − c_{l(i)}‖²

Written out because the library's is neither cancellable within a run nor blind to the number of threads, and because it
warns where there are fewer distinct objects than clusters, which is an ordinary case here: then every distinct object
is a cluster of its own.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ..errors import Cancelled
from ..linalg import row_tiles

BLOCK = 1 << 17  # distances looked at together: one megabyte stays in the processor's cache


def kmeans(X, k, rng, stopped=lambda: False, max_iter=100, tol=1e-4) -> np.ndarray:
    """Labels (n,) in 0 … k − 1 from k distinct objects drawn at random as the first centres.

    Stops when no label changes, or no centre moves (Σ shift² ≤ tol · mean variance), or after max_iter iterations.
    """
    return lloyd(X, random_start(X, k, rng), stopped, max_iter, tol)


def random_start(X, k, rng) -> np.ndarray:
    """k objects drawn without replacement, no two alike; fewer where the data has fewer distinct objects."""
    order = rng.permutation(len(X))
    looked = k
    while True:
        _, first = np.unique(X[order[:looked]], axis=0, return_index=True)
        if len(first) >= k or looked >= len(X):
            return X[order[np.sort(first)[:k]]]
        looked *= 4


def lloyd(X, centres, stopped=lambda: False, max_iter=100, tol=1e-4) -> np.ndarray:
    """Lloyd's iterations from given centres; raises Cancelled soon after stopped() turns true."""
    middle = X.mean(axis=0)
    X, centres = X - middle, centres - middle  # distances from the middle: less cancels in ‖c‖² − 2 x·c
    threshold = tol * X.var(axis=0).mean()
    labels = None
    for _ in range(max_iter):
        before, labels = labels, nearest(X, centres, stopped)
        if before is not None and np.array_equal(before, labels):
            return labels
        moved = _means(X, labels, centres)
        shift = ((moved - centres) ** 2).sum()
        centres = moved
        if shift <= threshold:
            break
    return nearest(X, centres, stopped)


def nearest(X, centres, stopped=lambda: False) -> np.ndarray:
    """The nearest centre of each object; of equally near ones the first."""
    half = 0.5 * np.einsum("ij,ij->i", centres, centres)
    labels = np.empty(len(X), dtype=np.intp)
    for rows in row_tiles(len(X), len(centres), BLOCK):
        if stopped():
            raise Cancelled
        closeness = X[rows] @ centres.T
        closeness -= half
        np.argmax(closeness, axis=1, out=labels[rows])
    return labels


def _means(X, labels, centres):
    """The mean of each cluster; an emptied one moves onto the object farthest from its own centre."""
    n, k = len(X), len(centres)
    member = sp.csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, k))
    sums, sizes = member.T @ X, np.bincount(labels, minlength=k).astype(float)
    empty = np.flatnonzero(sizes == 0)
    if empty.size:
        distance = ((X - centres[labels]) ** 2).sum(axis=1)
        farthest = np.argsort(-distance, kind="stable")[: empty.size]
        for cluster, i in zip(empty, farthest, strict=True):
            sums[labels[i]] -= X[i]
            sizes[labels[i]] -= 1
            sums[cluster] += X[i]
            sizes[cluster] += 1
    kept = sizes > 0
    return np.where(kept[:, None], sums / np.where(kept, sizes, 1)[:, None], centres)
