"""In which order objects and base clusters stand in all pictures. The browser is sent these orders, it has none of its
own.

An order has a name: "consensus", "truth", "given" (as in the table), "leaf" (neighbours are alike) or "base:3" (the
labels of base clustering 3).
"""

from __future__ import annotations

import functools

import numpy as np
import scipy.sparse

from ..ensemble import MISSING, Ensemble
from ..ensemble.incidence import incidence
from ..ensemble.truth import truth_codes
from ..partition import linkage
from ..similarity import coassociation
from .owners import owners

FIRST = "consensus"


def member_of(ensemble: Ensemble) -> np.ndarray:
    """(n,): the microcluster of each object."""
    return np.repeat(np.arange(ensemble.q), ensemble.counts) if ensemble.member_of is None else ensemble.member_of


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


def orders_of(ensemble: Ensemble) -> tuple[str, ...]:
    """The names of all orders there are for an ensemble."""
    truth = () if ensemble.truth is None else ("truth",)
    return (FIRST, "leaf", "given", *truth, *(f"base:{i}" for i in range(ensemble.m)))


def row_order(ensemble: Ensemble, rank: np.ndarray, order: str, labels: np.ndarray) -> np.ndarray:
    """(n,): which object stands in each row; `labels` (q,) are those of the consensus."""
    if order == "given":
        return np.arange(ensemble.n)
    if order == "leaf":
        return by_microclusters(ensemble, rank)
    if order == "truth" and ensemble.truth is not None:
        return by_objects(ensemble, rank, _last_if_missing(truth_codes(ensemble)[0]))
    if order.startswith("base:"):
        return by_microclusters(ensemble, rank, _last_if_missing(ensemble.rows[:, int(order[5:])]))
    return by_microclusters(ensemble, rank, labels)


def by_microclusters(ensemble: Ensemble, rank: np.ndarray, key: np.ndarray | None = None) -> np.ndarray:
    """(n,): the objects sorted by a key of their microclusters (q,), then by rank."""
    key = np.zeros(ensemble.q, dtype=np.intp) if key is None else np.asarray(key)
    _check(key, ensemble.q, "microclusters")
    place = np.empty(ensemble.q, dtype=np.intp)
    place[np.lexsort((rank, key))] = np.arange(ensemble.q)
    return np.argsort(place[member_of(ensemble)], kind="stable")


def by_objects(ensemble: Ensemble, rank: np.ndarray, key: np.ndarray) -> np.ndarray:
    """(n,): the objects sorted by a key of their own (n,), then by rank."""
    key = np.asarray(key)
    _check(key, ensemble.n, "objects")
    return np.lexsort((rank[member_of(ensemble)], key))


def column_order(ensemble: Ensemble, order: str, labels: np.ndarray) -> np.ndarray:
    """(K,): which base cluster stands in each column: under the consensus, by the cluster that most of its objects
    have, so that what belongs together stands on the diagonal; else as they are numbered."""
    if order != FIRST:
        return np.arange(int(ensemble.offsets[-1]))
    return np.argsort(owners(ensemble, labels), kind="stable")


def follows_labels(order: str) -> bool:
    """Whether the order is another one when the consensus changes."""
    return order == FIRST


@functools.lru_cache(maxsize=8)
def _incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    return incidence(ensemble)


def _check(key: np.ndarray, length: int, of: str) -> None:
    if key.shape != (length,):
        raise ValueError(f"a key of the {of} must have the shape ({length},), got {key.shape}")


def _last_if_missing(codes: np.ndarray) -> np.ndarray:
    return np.where(codes == MISSING, codes.max(initial=0) + 1, codes)
