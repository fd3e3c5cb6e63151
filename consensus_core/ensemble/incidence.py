"""Which object is in which cluster, and what clusters share."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from .ensemble import Ensemble
from .labels import MISSING


def incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """H (q, K): 1 where a microcluster is in a cluster; the clusters of all base clusterings are numbered through."""
    return indicators(ensemble.rows, ensemble.offsets)


def indicators(rows: np.ndarray, offsets: np.ndarray) -> scipy.sparse.csr_array:
    """(q, K): the incidence of any label rows (q, m), column i having the clusters offsets[i] .. offsets[i + 1] − 1."""
    observed = rows != MISSING
    columns = (rows + offsets[:-1])[observed]
    starts = np.concatenate([[0], np.cumsum(observed.sum(axis=1))])
    shape = (len(rows), int(offsets[-1]))
    return scipy.sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)


def marks(rows: np.ndarray, k: int) -> np.ndarray:
    """(q, k): a fixed pattern told by an object's labels alone, for directions the base clusterings leave open."""
    told = ((rows + 2) * np.sqrt(np.arange(2, rows.shape[1] + 2))).sum(axis=1)
    return np.cos(told[:, None] * np.arange(1, k + 1))


def cluster_sizes(ensemble: Ensemble) -> np.ndarray:
    """(K,): objects in each cluster of each base clustering."""
    return incidence(ensemble).T @ ensemble.counts.astype(float)


def cluster_names(ensemble: Ensemble) -> tuple[str, ...]:
    """(K,): whose cluster, and which, as the person's own table calls it: "k-means 3: 2"."""
    if ensemble.labels_given is None:
        given = [range(1, k + 1) for k in ensemble.k_each]
    else:
        given = ensemble.labels_given
    return tuple(f"{name}: {label}" for name, labels in zip(ensemble.names, given, strict=True) for label in labels)


def contingency(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """(K, K): objects that two clusters share."""
    H = incidence(ensemble)
    return scipy.sparse.csr_array(H.T @ H.multiply(ensemble.counts[:, None].astype(float)))
