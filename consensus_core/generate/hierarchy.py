"""Agglomerative base clusterings: one tree per linkage, cut at any number of clusters."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist

LINKAGES = ("ward", "average", "complete", "single")


def tree(X, how) -> np.ndarray:
    """The merges (n − 1, 2), from the first to the last."""
    return linkage(pdist(X), method=how)[:, :2].astype(np.intp)


def cut(merges, k) -> np.ndarray:
    """Labels (n,) of exactly k clusters: the last k − 1 merges undone.

    Where merges are equally high the tree's own order decides, so that there are always k.
    """
    n = len(merges) + 1
    made = np.arange(n, n + max(n - k, 0))
    joined = merges[: len(made)]
    ends = (np.concatenate([made, made]), np.concatenate([joined[:, 0], joined[:, 1]]))
    graph = sp.coo_array((np.ones(2 * len(made), dtype=np.int8), ends), shape=(2 * n, 2 * n))
    return connected_components(graph, directed=False)[1][:n]
