"""In which order objects and clusters stand in all pictures."""

from __future__ import annotations

import functools

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..partition import linkage
from ..similarity import coassociation


def member_of(ensemble: Ensemble) -> np.ndarray:
    """(n,): the microcluster of each object."""
    return np.repeat(np.arange(ensemble.q), ensemble.counts) if ensemble.member_of is None else ensemble.member_of


# --- orders, names and places -------------------------------------------------------------------------------------


def leaf_rank(ensemble: Ensemble, most: int = 4000) -> np.ndarray:
    """(q,): the place of each microcluster along the tree of the co-association; neighbours are alike.

    Beyond `most` microclusters the rows stand as the ensemble keeps them, which is also by likeness, only coarser.
    """
    if not 2 < ensemble.q <= most:
        return np.arange(ensemble.q)
    order = linkage(coassociation(ensemble), ensemble.counts).leaf_order()
    rank = np.empty(ensemble.q, dtype=np.intp)
    rank[order] = np.arange(ensemble.q)
    return rank


def ordered(ensemble: Ensemble, rank: np.ndarray, key: np.ndarray | None = None) -> np.ndarray:
    """(n,): the objects sorted by a key of their own (n,), or of their microclusters (q,), and then by rank."""
    member = member_of(ensemble)
    keys = [np.arange(len(member)), rank[member]]
    if key is not None:
        key = np.asarray(key)
        keys.append(key if len(key) == len(member) else key[member])
    return np.lexsort(keys)


@functools.lru_cache(maxsize=8)
def _incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    return incidence(ensemble)


def cluster_order(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """(K,): the base clusterings' clusters sorted by the consensus cluster that most of their objects have."""
    H = _incidence(ensemble)
    k = int(labels.max()) + 1
    inside = scipy.sparse.csr_array((ensemble.counts.astype(float), (np.arange(ensemble.q), labels)), (ensemble.q, k))
    return np.argsort((H.T @ inside).toarray().argmax(axis=1), kind="stable")
