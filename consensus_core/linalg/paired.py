"""Matrices over pairs of objects, kept as pairs of microclusters beside a diagonal for each object with itself.

Such a matrix of n objects is U B Uᵀ + diag(d − diag B) with U the (n, q) membership of the objects: B[p, q] stands for
two different objects, d[p] for an object with itself.
"""

from __future__ import annotations

import numpy as np

TILE_ENTRIES = 24_000  # entries worked on together: a few such tiles stay in the processor's second cache


def row_tiles(q: int):
    """Slices of rows whose tiles of width q stay in cache."""
    height = max(1, TILE_ENTRIES // max(q, 1))
    for start in range(0, q, height):
        yield slice(start, min(start + height, q))


def clip_symmetric(X: np.ndarray, rows: slice, out: np.ndarray) -> np.ndarray:
    """Rows of the projection of X on symmetric matrices with entries in [0, 1]: min(max((X + Xᵀ) / 2, 0), 1)."""
    np.copyto(out, X[:, rows].T)
    out += X[rows]
    out *= 0.5
    return np.clip(out, 0.0, 1.0, out=out)


def square_sum(tile: np.ndarray, rows: slice, counts: np.ndarray, scratch: np.ndarray) -> float:
    """Σ counts_p counts_q X_pq² over a tile of rows."""
    np.square(tile, out=scratch)
    return float(counts[rows] @ (scratch @ counts))


def self_pairs(counts: np.ndarray, within: np.ndarray, own: np.ndarray) -> float:
    """What a Σ counts_p counts_q (…) over rows lacks: n_p of the n_p² pairs in a row are self-pairs.

    `within` and `own` are the summands of two objects of a row and of an object with itself.
    """
    return float(counts @ (own - within))
