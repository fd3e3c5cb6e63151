"""Where objects are put on a map."""

from __future__ import annotations

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import svds

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence


def map_of(ensemble: Ensemble, features: np.ndarray | None = None) -> np.ndarray:
    """(n, 2): a place for every object. Two features as they are, more by their principal components; without
    features the second and third coordinates of the co-association's correspondence analysis."""
    if features is not None:
        X = np.nan_to_num(np.asarray(features, dtype=float))
        if X.shape[1] == 2:
            return X
        X = X - X.mean(axis=0)
        spread = X.std(axis=0)
        X = X / np.where(spread > 0, spread, 1.0)
        if X.shape[1] == 1:
            return np.column_stack([X[:, 0], np.zeros(len(X))])
        U, s, _ = _leading(X, 2)
        return U * s
    H = incidence(ensemble)
    weight = np.sqrt(ensemble.counts)
    sizes = np.maximum(H.T @ ensemble.counts.astype(float), 1.0)
    Z = scipy.sparse.csr_array(H.multiply(weight[:, None]).multiply(1 / np.sqrt(sizes)[None, :]))
    U, s, _ = _leading(Z, 3)
    places = U[:, 1:3] * s[1:3] / weight[:, None]
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros((len(places), 2 - places.shape[1]))])
    return ensemble.expand(places)


def flattened(places: np.ndarray) -> np.ndarray:
    """(q, 2) of (q, d) coordinates: two as they are; of more, each pulls along its own direction around a star.

    Corners of a simplex, which is where clear-cut embeddings send their clusters, stay apart on a star whatever d is;
    no plane through them does that. A coordinate that is the same for all tells nothing and gets no direction.
    """
    spread = places.max(axis=0) - places.min(axis=0)
    telling = places[:, spread > 1e-9 * max(float(spread.max(initial=0.0)), 1e-300)]
    if telling.shape[1] <= 2:
        return np.column_stack([telling, np.zeros((len(places), 2 - telling.shape[1]))])
    angle = 2 * np.pi * np.arange(telling.shape[1]) / telling.shape[1]
    return telling @ np.column_stack([np.cos(angle), np.sin(angle)])


def _leading(X, rank: int):
    """The leading singular triplets, each with its largest entry positive."""
    if min(X.shape) <= max(rank + 1, 64):
        U, s, V = np.linalg.svd(X.toarray() if scipy.sparse.issparse(X) else X, full_matrices=False)
        U, s, V = U[:, :rank], s[:rank], V[:rank]
    else:
        U, s, V = svds(X, k=rank, v0=np.ones(min(X.shape)))
        U, s, V = U[:, ::-1], s[::-1], V[::-1]
    sign = np.sign(U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])])
    return U * np.where(sign == 0, 1, sign), s, V
