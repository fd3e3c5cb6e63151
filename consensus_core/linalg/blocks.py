"""Systems of equations that fall into blocks: solved block by block, in place, by products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .envelope import COPIED, FEWEST, Envelope, enveloped, inverted
from .paired import Paired
from .tiles import row_tiles

CHUNK = 192  # columns solved together: wide enough for the product's full speed, narrow enough to stay at hand


@dataclass(frozen=True, eq=False)
class BlockInverse:
    """K⁻¹ of a matrix that is block diagonal once its rows are sorted by component.

    rows      one index array per block of two rows or more
    inverses  the inverse of each of these blocks, applied by @: itself, or factors within an envelope
    alone     rows that are blocks by themselves, and 1 / K_pp for each
    """

    rows: tuple[np.ndarray, ...]
    inverses: tuple[np.ndarray | Envelope, ...]
    alone: np.ndarray
    reciprocals: np.ndarray

    @property
    def work(self) -> int:
        """Multiply-adds per column that `solve` is applied to."""
        return sum(inverse.size for inverse in self.inverses)

    def solve(self, R: np.ndarray, counts: np.ndarray) -> float:
        """R becomes X = K⁻¹R. Returns Σ_pq counts_p counts_q X_pq R_pq, which is at hand on the way."""
        width = R.shape[1]
        product = 0.0
        if len(self.alone):
            part = R[self.alone]
            product += float(counts[self.alone] * self.reciprocals @ (part * part @ counts))
            R[self.alone] = part * self.reciprocals[:, None]
        for rows, inverse in zip(self.rows, self.inverses, strict=True):
            mine = slice(rows[0], rows[-1] + 1) if (np.diff(rows) == 1).all() else rows
            for start in range(0, width, CHUNK):
                columns = slice(start, min(start + CHUNK, width))
                right = np.ascontiguousarray(R[mine, columns])  # a copy or the very room, used up either way
                X = inverse @ right
                right *= X
                product += float(counts[mine] @ (right @ counts[columns]))
                R[mine, columns] = X
        return product

    def solve_pairs(self, R: Paired, t: np.ndarray, counts: np.ndarray) -> tuple[Paired, float]:
        """X = (diag(t) − U G Uᵀ)⁻¹ R over pairs of objects, in the room of R, and ⟨X, R⟩ over all of them.

        U is the membership of the objects, n their counts, and this the inverse of K = diag(t) − G diag(n). For
        R = U B Uᵀ + diag(s) the solution is again of this form: s/t on the diagonal, and in place of B
        K⁻¹(B + G diag(s/t)) = K⁻¹(B + diag(s/n)) − diag(s/(n t)).
        """
        B, place = R.B, np.diag_indices(len(t))
        within = B[place]
        extra = R.d - within
        B[place] = solved_within = within + extra / counts
        product = self.solve(B, counts)
        product -= float(counts**2 @ (B[place] * solved_within))
        B[place] -= extra / (counts * t)
        X = Paired(B, B[place] + extra / t)
        return X, product + float(counts * (counts - 1) @ (B[place] * within) + counts @ (X.d * R.d))


def block_inverse(graph: np.ndarray, labels: np.ndarray, diagonal: np.ndarray, counts: np.ndarray) -> BlockInverse:
    """The inverse of K = diag(diagonal) − graph·diag(counts), `labels` naming the components of the symmetric graph.

    K is similar to a symmetric matrix, which must be positive definite (true for Laplacians plus a positive shift).
    """
    counts = counts.astype(float)
    order = np.argsort(labels, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(labels))[:-1])
    alone = np.array([rows[0] for rows in members if len(rows) == 1], dtype=np.intp)
    blocks = [_inverse(graph, rows, diagonal[rows], counts[rows]) for rows in members if len(rows) > 1]
    rows, inverses = zip(*blocks, strict=True) if blocks else ((), ())
    return BlockInverse(rows, inverses, alone, 1 / (diagonal[alone] - graph[alone, alone] * counts[alone]))


def _inverse(graph: np.ndarray, rows: np.ndarray, diagonal: np.ndarray, counts: np.ndarray):
    """The rows of one block, in some order, and its inverse: K N⁻¹ = diag(diagonal / counts) − graph is symmetric."""
    size = len(rows)
    if size > FEWEST and (found := enveloped(graph, rows, diagonal / counts, counts)) is not None:
        return found
    block = np.empty((size, size))  # all in one piece of memory
    for part in row_tiles(size, size, COPIED):
        np.negative(graph[rows[part]][:, rows], out=block[part])
    block.reshape(-1)[:: size + 1] += diagonal / counts
    block = inverted(block)
    block /= counts[:, None]
    return rows, block
