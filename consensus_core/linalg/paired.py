"""Matrices over pairs of objects, kept as pairs of microclusters beside a diagonal for each object with itself.

Such a matrix of n objects is U B Uᵀ + diag(d − diag B) with U the (n, q) membership of the objects: B[p, q] stands for
two different objects, d[p] for an object with itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import tiles

TILE_ENTRIES = 100_000  # entries worked on together: enough rows to transpose well, few enough to stay in cache
TURNED = 512  # rows transposed together, so that what is read stays at hand until it is used up


def row_tiles(q: int):
    """Slices of rows whose tiles of width q stay in cache."""
    return tiles.row_tiles(q, q, TILE_ENTRIES)


def clip_symmetric(X: np.ndarray, rows: slice, out: np.ndarray) -> np.ndarray:
    """Rows of the projection of X on symmetric matrices with entries in [0, 1]: min(max((X + Xᵀ) / 2, 0), 1)."""
    for start in range(0, len(X), TURNED):
        np.copyto(out[:, start : start + TURNED], X[start : start + TURNED, rows].T)
    out += X[rows]
    out *= 0.5
    return np.clip(out, 0.0, 1.0, out=out)


def pair_sum(rows: slice, counts: np.ndarray, tile: np.ndarray) -> float:
    """Σ X_ij over pairs of different objects, of which row p of the tile has counts_p and column q counts_q.

    A row's objects make n_p (n_p − 1) such pairs. Taking the self-pairs off afterwards would leave rounding where 0 is.
    """
    diagonal = tile.reshape(-1)[rows.start :: tile.shape[1] + 1]
    kept = diagonal.copy()
    diagonal *= 1 - 1 / counts[rows]
    total = float(counts[rows] @ (tile @ counts))
    diagonal[:] = kept
    return total


@dataclass(frozen=True, eq=False)
class PairSet:
    """A few of the pairs of q rows: their flat positions p·q + r, and the rows whose self-pair is among them."""

    pairs: np.ndarray
    own: np.ndarray
    q: int

    @classmethod
    def where(cls, pairs: np.ndarray, own: np.ndarray) -> PairSet:
        small = pairs.size < 2**31
        flat = np.flatnonzero(pairs)
        return cls(flat.astype(np.int32) if small else flat, np.flatnonzero(own), len(own))

    def inside(self, rows: slice) -> np.ndarray:
        """Flat positions of its pairs in a tile of rows."""
        first, last = np.searchsorted(self.pairs, (rows.start * self.q, rows.stop * self.q))
        return self.pairs[first:last] - rows.start * self.q

    def masks(self) -> tuple[np.ndarray, np.ndarray]:
        """(q, q) and (q,): True where a pair, a self-pair is in it."""
        pairs, own = np.zeros((self.q, self.q), dtype=bool), np.zeros(self.q, dtype=bool)
        pairs.reshape(-1)[self.pairs] = True
        own[self.own] = True
        return pairs, own
