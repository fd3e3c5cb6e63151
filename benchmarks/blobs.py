"""Label tables of many objects: ten overlapping blobs in eight dimensions, twenty k-means results."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

K = 10
M = 20
SAMPLE = 5_000  # objects each k-means looks at; all objects then go to the nearest centre
CHUNK = 100_000


def blobs(n: int, missing: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Labels (n, 20) int8, −1 where missing, and the blob each object was drawn from (n,)."""
    X, truth = make_blobs(n, n_features=8, centers=K, cluster_std=3.0, random_state=0)
    rng = np.random.default_rng(0)
    labels = np.empty((n, M), dtype=np.int8)
    for column in range(M):
        some = X[rng.choice(n, min(n, SAMPLE), replace=False)]
        start = KMeans(K, init="random", n_init=1, max_iter=20, random_state=column)
        centres = start.fit(some).cluster_centers_
        for at in range(0, n, CHUNK):
            part = slice(at, at + CHUNK)
            labels[part, column] = ((centres**2).sum(axis=1) - 2 * X[part] @ centres.T).argmin(axis=1)
    labels[rng.random(labels.shape) < missing] = -1
    return labels, truth
