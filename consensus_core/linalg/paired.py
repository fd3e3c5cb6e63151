"""Matrices over pairs of objects, kept as pairs of microclusters beside a diagonal for each object with itself.

Such a matrix of n objects is U B Uᵀ + diag(d − diag B) with U the (n, q) membership of the objects: B[p, q] stands for
two different objects, d[p] for an object with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .pool import Room
from .tiles import row_tiles as rows_together

TILE_ENTRIES = 100_000  # entries worked on together: enough rows to transpose well, few enough to stay in cache
TURNED = 512  # rows transposed together, so that what is read stays at hand until it is used up


class Paired(NamedTuple):
    """A q x q matrix whose self-pair (i, i) differs from two objects of one microcluster.

    B[p, q] is the entry of two different objects of microclusters p and q, d[p] that of an object of p with itself.
    """

    B: np.ndarray  # (q, q)
    d: np.ndarray  # (q,)


def row_tiles(q: int):
    """Slices of rows whose tiles of width q stay in cache."""
    return rows_together(q, q, TILE_ENTRIES)


def clip_symmetric(X: np.ndarray, rows: slice, out: np.ndarray) -> np.ndarray:
    """Rows of the projection of X on symmetric matrices with entries in [0, 1]: min(max((X + Xᵀ) / 2, 0), 1)."""
    for start in range(0, len(X), TURNED):
        np.copyto(out[:, start : start + TURNED], X[start : start + TURNED, rows].T)
    out += X[rows]
    out *= 0.5
    return np.clip(out, 0.0, 1.0, out=out)


def clipped_symmetric(X: np.ndarray, room: Room) -> np.ndarray:
    """The whole of this projection, the caller's to write on: what the room has kept of X, or computed."""
    found = room.taken(X)
    if found is None:
        found = room.array(*X.shape)
        for rows in row_tiles(len(X)):
            clip_symmetric(X, rows, out=found[rows])
    return found


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
        ends = np.array((rows.start * self.q, rows.stop * self.q), dtype=self.pairs.dtype)  # else all are converted
        first, last = np.searchsorted(self.pairs, ends)
        return self.pairs[first:last] - rows.start * self.q

    def masks(self) -> tuple[np.ndarray, np.ndarray]:
        """(q, q) and (q,): True where a pair, a self-pair is in it."""
        pairs, own = np.zeros((self.q, self.q), dtype=bool), np.zeros(self.q, dtype=bool)
        pairs.reshape(-1)[self.pairs] = True
        own[self.own] = True
        return pairs, own


@dataclass(frozen=True, eq=False)
class Tile:
    """A part of the entries of such matrices that is worked on together: some rows of B, or all of d."""

    rows: slice | None  # None: the self-pairs
    counts: np.ndarray
    some: np.ndarray  # flat positions in it of the pairs of a set

    def of(self, pair: Paired) -> np.ndarray:
        return pair.d if self.rows is None else pair.B[self.rows]

    def sum(self, entries: np.ndarray) -> float:
        """Over all pairs of objects it stands for."""
        return float(self.counts @ entries) if self.rows is None else pair_sum(self.rows, self.counts, entries)

    def keep(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """The target, which gets the values of the source at the pairs of the set."""
        target.reshape(-1)[self.some] = source.reshape(-1)[self.some]
        return target

    def clipped(self, pair: Paired) -> np.ndarray:
        """Its part of the nearest symmetric matrix with entries in [0, 1]."""
        if self.rows is None:
            return np.clip(pair.d, 0.0, 1.0)
        return clip_symmetric(pair.B, self.rows, np.empty((self.rows.stop - self.rows.start, len(pair.B))))

    def clip(self, pair: Paired, old: Paired) -> np.ndarray:
        """Its part of that matrix X, written over the one before; ‖X‖² and the ‖X − old‖² of the tiles add up.

        The matrix is symmetric: only what lies right of the tiles before is computed, and mirrored to those to come.
        """
        if self.rows is None:
            new, change = self.clipped(pair), old.d
            change -= new
            found = np.array((self.sum(np.square(new)), self.sum(np.square(change))))
            old.d[:] = new
            return found
        a, b = self.rows.start, self.rows.stop
        mine, weights = slice(0, b - a), self.counts[a:].copy()
        weights[b - a :] *= 2  # for their mirror images
        before, new = old.B[a:b, a:], np.empty((b - a, len(self.counts) - a))
        clip_symmetric(pair.B[a:, a:], mine, new)
        before -= new
        found = np.array([pair_sum(mine, weights, np.square(D)) for D in (new, before)])
        before[...] = new
        old.B[b:, a:b] = new[:, b - a :].T
        return found


def tiles(counts: np.ndarray, some: PairSet) -> Iterator[Tile]:
    """All entries, tile by tile; the self-pairs last."""
    for rows in row_tiles(len(counts)):
        yield Tile(rows, counts, some.inside(rows))
    yield Tile(None, counts, some.own)
