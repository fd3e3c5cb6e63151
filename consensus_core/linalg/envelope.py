"""Inverses that are never written down: a sparse symmetric matrix factored within its envelope.

Rows are put in an order in which each reaches only a little way back (reverse Cuthill–McKee), and cut into strips:

    M = (I + W) D (I + W)ᵀ,     W below the diagonal, D in blocks of a strip each

so that M⁻¹R is one pass down the strips and one up, each a product of a small dense tile with the few rows it reaches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import lapack
from scipy.sparse.csgraph import reverse_cuthill_mckee

from .tiles import mirrored, row_tiles

STRIP = 32  # rows: enough for products at speed, few enough to follow the envelope
FEWEST = 120  # rows below which the whole inverse is as soon applied
FULL = 0.2  # share of entries that are not zero from which on no order of the rows is tried
WORTH = 0.6  # of the work of the whole inverse: above it, the inverse with its one large product is the sooner
COPIED = 1 << 17  # entries copied together


@dataclass(frozen=True, eq=False)
class Envelope:
    """diag(1/scale) M⁻¹, rows in the order that `order_of` gave.

    down  per strip from row a: (height, reach), what is taken off it of the rows a − reach .. a
    up    per strip from row a: (height, reach), what it is made of: its own rows and those after, a .. a + reach
    """

    down: tuple[np.ndarray, ...]
    up: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return sum(map(len, self.up))

    @property
    def size(self) -> int:
        """Multiply-adds per column it is applied to."""
        return sum(tile.size for tile in (*self.down, *self.up))

    def __matmul__(self, R: np.ndarray) -> np.ndarray:
        X, room = np.empty(R.shape), np.empty((len(self.up[0]), R.shape[1]))
        start = 0
        for tile in self.down:
            height, reach = tile.shape
            own = slice(start, start + height)
            if reach:
                np.subtract(R[own], np.matmul(tile, X[start - reach : start], out=room[:height]), out=X[own])
            else:
                X[own] = R[own]
            start += height
        for tile in reversed(self.up):
            height, reach = tile.shape
            start -= height
            X[start : start + height] = np.matmul(tile, X[start : start + reach], out=room[:height])
        return X


def enveloped(graph: np.ndarray, rows: np.ndarray, diagonal: np.ndarray, scale: np.ndarray):
    """(rows in the order they are to be taken in, Envelope of diag(1/scale) M⁻¹) with M = diag(diagonal) − graph.

    Over these rows of the symmetric dense graph; diagonal and scale are theirs. None where the envelope would be so
    full that the whole inverse is the better way.
    """
    order, strips = _ordered(graph, rows)
    if not strips or sum((b - a) * (a - back + b - a) for a, b, back in strips) * 2 > WORTH * len(rows) ** 2:
        return None
    rows, diagonal, scale = rows[order], diagonal[order], scale[order]
    down, inverses = [], []
    for start, stop, back in strips:
        G = -graph[np.ix_(rows[start:stop], rows[back:stop])]
        at = np.arange(stop - start)
        G[at, start - back + at] += diagonal[start:stop]
        W = np.empty((stop - start, start - back))
        for j in range(back // STRIP, start // STRIP):
            a, b, reach = strips[j]
            common = max(reach, back)
            mine = G[:, a - back : b - back]
            mine -= G[:, common - back : a - back] @ down[j][:, common - reach :].T
            np.matmul(mine, inverses[j], out=W[:, a - back : b - back])
        own = np.ascontiguousarray(G[:, start - back :])
        own -= G[:, : start - back] @ W.T
        down.append(W)
        inverses.append(inverted(own))
    return rows, Envelope(tuple(down), tuple(_up(strips, down, inverses, scale)))


def _ordered(graph: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, list[tuple[int, int, int]]]:
    """An order of the rows, and (start, stop, how far back it reaches: to the beginning of a strip) of every strip.

    No strips where the graph is too full for any order to help.
    """
    size = len(rows)
    ends, found, most = [np.zeros(1, dtype=np.int64)], [], FULL * size**2
    for part in row_tiles(size, size, COPIED):
        linked = graph[rows[part]][:, rows] != 0
        linked[np.arange(len(linked)), np.arange(part.start, part.stop)] = True
        found.append((np.flatnonzero(linked) % size).astype(np.int32))
        ends.append(ends[-1][-1] + np.cumsum(linked.sum(axis=1)))
        if ends[-1][-1] > most:
            return rows, []
    columns, ends = np.concatenate(found), np.concatenate(ends).astype(np.int32)
    pattern = sp.csr_array((np.ones(len(columns), dtype=np.int8), columns, ends), shape=(size, size))
    order = reverse_cuthill_mckee(pattern, symmetric_mode=True)
    place = np.empty(size, dtype=np.intp)
    place[order] = np.arange(size)
    first = np.minimum.reduceat(place[columns], ends[:-1])[order]
    starts = range(0, size, STRIP)
    return order, [(a, min(a + STRIP, size), int(first[a : a + STRIP].min()) // STRIP * STRIP) for a in starts]


def _up(strips: list, down: list[np.ndarray], inverses: list[np.ndarray], scale: np.ndarray):
    """Per strip diag(1/scale) [D⁻¹, −Wᵀ diag(scale)], of the strips after it as far as one reaches back to it."""
    for i, (start, stop, _) in enumerate(strips):
        later = [j for j in range(i + 1, len(strips)) if strips[j][2] <= start]
        ahead = strips[later[-1]][1] if later else stop
        tile = np.zeros((stop - start, ahead - start))
        tile[:, : stop - start] = inverses[i]
        for j in later:
            a, b, back = strips[j]
            tile[:, a - start : b - start] = -down[j][:, start - back : stop - back].T * scale[a:b]
        tile /= scale[start:stop, None]
        yield tile


def inverted(block: np.ndarray) -> np.ndarray:
    """The inverse of a symmetric positive definite matrix, in its room."""
    # seen from Fortran its upper triangle is the lower one
    _, fault = lapack.dpotrf(block.T, lower=1, overwrite_a=1)
    if fault:
        raise np.linalg.LinAlgError("the block is not positive definite")
    lapack.dpotri(block.T, lower=1, overwrite_c=1)
    return mirrored(block, out=block)
