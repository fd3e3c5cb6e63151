"""What clusters have in common while they merge, for `linkage`: a matrix, or the columns it is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

_BLOCK = 64  # rows looked through together


class Square:
    """A (q, q) array, used up: sums of similarities for average linkage, else the least or the greatest."""

    def __init__(self, W, how):
        self.W, self._joining = W, {"average": np.add, "complete": np.minimum, "single": np.maximum}[how]

    def row(self, a):
        return self.W[a]

    def of(self, a, b):
        return self.W[a, b]

    def join(self, a, b):
        """b becomes part of a."""
        joined = self.W[a]
        self._joining(joined, self.W[b], out=joined)
        joined[a] = -np.inf
        self.W[:, a] = joined

    def nearest(self, sizes, average, grid):
        """Every row's greatest similarity and where it is, the lowest where several are as great; asked first."""
        q = len(self.W)
        self.W[np.diag_indices(q)] = -np.inf
        best, near = np.empty(q), np.empty(q, dtype=np.intp)
        for first in range(0, q, _BLOCK):
            some = slice(first, first + _BLOCK)
            rows = self.W[some] / (sizes[some, None] * sizes) if average else self.W[some]
            if grid:
                rows = np.rint(rows * grid)
            near[some] = rows.argmax(axis=1)
            best[some] = rows[np.arange(len(rows)), near[some]]
        return best, near


@dataclass(frozen=True, eq=False)
class Columns:
    """S = H diag(weights) Hᵀ / scale, H (q, K) of zeros and ones, that is never formed."""

    H: scipy.sparse.csr_array
    weights: np.ndarray  # (K,)
    scale: float

    @property
    def rows(self) -> int:
        return self.H.shape[0]

    @property
    def own(self) -> np.ndarray:
        """(q,) the diagonal, times the scale."""
        return self.H @ self.weights

    def __matmul__(self, X):
        return self.H @ (self.weights[:, None] * (self.H.T @ X)) / self.scale

    def among(self, rows):
        return Columns(self.H[rows], self.weights, self.scale)


class Factored:
    """Sums of S over the objects of two clusters, from its `Columns`: by how many of each are in which column,
    Σ_c weights_c N_ac N_bc.

    Columns of rows that were merged away are left out as soon as they are half of all: the more rows a cluster is made
    of, the more columns it has to do with, and the fewer clusters there are.
    """

    def __init__(self, S, sizes):
        self.q, self.weights = S.rows, S.weights
        self.N = np.ascontiguousarray(S.H.toarray().T * sizes)  # (K, places): objects of each cluster in each column
        self.alive = np.arange(self.q)  # the cluster at each place
        self.place = self.alive.copy()  # where in N a cluster is
        self.there = np.ones(self.q, dtype=bool)  # at each place: not yet part of another

    def row(self, a):
        mine = self.N[:, self.place[a]]
        some = np.flatnonzero(mine)
        row = np.full(self.q, -np.inf)
        row[self.alive] = (self.weights[some] * mine[some]) @ self.N[some]
        row[a] = -np.inf
        return row

    def of(self, a, b):
        one, other = self.N[:, self.place[a]], self.N[:, self.place[b]]
        return float((self.weights * one) @ other)

    def join(self, a, b):
        self.N[:, self.place[a]] += self.N[:, self.place[b]]
        self.there[self.place[b]] = False
        if 2 * np.count_nonzero(self.there) < len(self.there):
            self.N, self.alive = np.ascontiguousarray(self.N[:, self.there]), self.alive[self.there]
            self.there = np.ones(len(self.alive), dtype=bool)
            self.place[self.alive] = np.arange(len(self.alive))

    def nearest(self, sizes, average, grid):
        """As `Square.nearest`."""
        best, near = np.empty(self.q), np.empty(self.q, dtype=np.intp)
        for a in range(self.q):
            row = self.row(a) / (sizes[a] * sizes)
            if grid:
                row = np.rint(row * grid)
            near[a] = row.argmax()
            best[a] = row[near[a]]
        return best, near
