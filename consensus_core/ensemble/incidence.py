"""Which object is in which cluster, and what clusters share."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from .ensemble import Ensemble
from .labels import MISSING
from .masks import once

KEPT = 1 << 18  # labels


def incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """H (q, K): 1 where a microcluster is in a cluster; the clusters of all base clusterings are numbered through.

    Not to be edited: unless it is large, it is made once and kept as long as the ensemble lives, for many small steps.
    """
    return _kept(ensemble) if ensemble.rows.size <= KEPT else indicators(ensemble.rows, ensemble.offsets)


@once
def _kept(ensemble: Ensemble) -> scipy.sparse.csr_array:
    H = indicators(ensemble.rows, ensemble.offsets)
    for part in (H.data, H.indices, H.indptr):
        part.flags.writeable = False
    return H


def indicators(rows: np.ndarray, offsets: np.ndarray) -> scipy.sparse.csr_array:
    """(q, K): the incidence of any label rows (q, m), column i having the clusters offsets[i] .. offsets[i + 1] − 1."""
    observed = rows != MISSING
    columns = (rows + offsets[:-1])[observed]
    starts = np.concatenate([[0], np.cumsum(observed.sum(axis=1))])
    shape = (len(rows), int(offsets[-1]))
    return scipy.sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)


def shared_weight(rows: np.ndarray, k_each: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(K, K): Σ_p weights_p over the rows that two clusters share; missing labels count nowhere."""
    m, offsets = len(k_each), np.concatenate([[0], np.cumsum(k_each)])
    sizes = k_each + 1
    codes = [column.astype(np.intp) + 1 for column in rows.T]  # 0 is missing
    shared = np.zeros((offsets[-1], offsets[-1]))
    for i in range(m):
        own = slice(offsets[i], offsets[i + 1])
        shared[own, own] = np.diag(np.bincount(codes[i], weights=weights, minlength=sizes[i])[1:])
        for j in range(i + 1, m):
            flat = np.bincount(codes[i] * sizes[j] + codes[j], weights=weights, minlength=sizes[i] * sizes[j])
            part = flat.reshape(sizes[i], sizes[j])[1:, 1:]
            other = slice(offsets[j], offsets[j + 1])
            shared[own, other] = part
            shared[other, own] = part.T
    return shared


def marks(rows: np.ndarray, k: int) -> np.ndarray:
    """(q, k): a fixed pattern told by an object's labels alone, for directions the base clusterings leave open."""
    told = ((rows + 2) * np.sqrt(np.arange(2, rows.shape[1] + 2))).sum(axis=1)
    return np.cos(told[:, None] * np.arange(1, k + 1))


@once
def cluster_sizes(ensemble: Ensemble) -> np.ndarray:
    """(K,): objects in each cluster of each base clustering; not to be edited."""
    sizes = incidence(ensemble).T @ ensemble.weights
    sizes.flags.writeable = False
    return sizes


def held_by(ensemble: Ensemble, groups: np.ndarray, k: int) -> np.ndarray:
    """(k, K): objects of each group in each cluster; `groups` (q,) in 0 … k − 1."""
    return (groups == np.arange(k)[:, None]) * ensemble.weights @ incidence(ensemble)


def over_blocks(ensemble: Ensemble, values: np.ndarray) -> np.ndarray:
    """(…, K): at each cluster the sum of `values` (…, K) over the clusters of its base clustering."""
    alive = np.flatnonzero(ensemble.k_each)
    return np.add.reduceat(values, ensemble.offsets[alive], axis=-1).repeat(ensemble.k_each[alive], axis=-1)


def cluster_names(ensemble: Ensemble) -> tuple[str, ...]:
    """(K,): whose cluster, and which, as the person's own table calls it: "k-means 3: 2"."""
    named = enumerate(zip(ensemble.names, ensemble.k_each, strict=True))
    return tuple(f"{name}: {ensemble.label_name(t, code)}" for t, (name, k) in named for code in range(k))


def contingency(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """(K, K): objects that two clusters share."""
    H = incidence(ensemble)
    return scipy.sparse.csr_array(H.T @ H.multiply(ensemble.counts[:, None].astype(float)))
