"""A symmetric matrix with a constant diagonal by its entries above it: as a graph, dense or in compressed rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from .graph import linked_components
from .halved import Halved
from .huge import is_huge
from .spectrum import SPARSE_SHARE, is_large
from .tiles import mirrored

SHORT = 20_000  # entries below which the making of sparse matrices takes longer than the search for components
FEW = 0.1  # share of the entries up to which each is as soon written twice as the matrix mirrored


@dataclass(frozen=True, eq=False)
class Upper:
    """The entries p < q that are not zero, row by row."""

    ends: np.ndarray  # (q + 1,) where each row's entries begin
    second: np.ndarray  # (E,) the column of each
    values: np.ndarray  # (E,)

    @property
    def q(self) -> int:
        return len(self.ends) - 1

    def components(self) -> tuple[int, np.ndarray]:
        """As `graph.components`, of the graph of all entries."""
        if len(self.second) < SHORT:
            return self._joined()
        ones = np.ones(len(self.second), dtype=np.int8)
        return linked_components(sp.csr_array((ones, self.second, self.ends), shape=(self.q, self.q)))

    def _joined(self) -> tuple[int, np.ndarray]:
        """By each row's lowest known companion, until no entry joins rows with different ones."""
        rows, first = np.arange(self.q), self.first
        lowest, before = rows.copy(), None
        while before is None or (lowest != before).any():
            before = lowest.copy()
            np.minimum.at(lowest, self.second, lowest[first])
            np.minimum.at(lowest, first, lowest[self.second])
            lowest = lowest[lowest]
        own = lowest == rows
        return int(own.sum()), (np.cumsum(own) - 1)[lowest]

    @property
    def first(self) -> np.ndarray:
        return np.repeat(np.arange(self.q), np.diff(self.ends))

    def spread(self, Y: np.ndarray, counts: np.ndarray) -> float:
        """tr(YᵀLY) = ½ Σ S_pq ‖y_p − y_q‖² over ordered pairs of objects, S this matrix and L its Laplacian."""
        first = self.first
        apart = Y[first] - Y[self.second]
        return float((counts[first] * counts[self.second] * self.values) @ np.einsum("pc,pc->p", apart, apart))

    def dense(self, diagonal: float) -> np.ndarray:
        full, first = np.zeros((self.q, self.q)), self.first
        full[first, self.second] = self.values
        if len(first) < FEW * full.size:
            full[self.second, first] = self.values
        else:
            mirrored(full, out=full)
        full.reshape(-1)[:: self.q + 1] = diagonal
        return full

    def sparse(self, diagonal: float) -> sp.csr_array:
        """In compressed rows."""
        rows = np.arange(self.q, dtype=np.int32)
        ends = self.ends + np.arange(self.q + 1, dtype=np.int32)
        columns, values = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1])
        columns[ends[:-1]], values[ends[:-1]] = rows, diagonal / 2  # first in its row; added to its mirror image
        place = np.repeat(rows, np.diff(self.ends))
        place += np.arange(1, len(self.second) + 1, dtype=np.int32)
        columns[place], values[place] = self.second, self.values
        del place
        half = sp.csr_array((values, columns, ends), shape=(self.q, self.q))
        return sp.csr_array(half + half.T)

    def graph(self, k: int) -> np.ndarray | sp.csr_array | Halved:
        """With 1 on the diagonal, in the form in which its k first eigenvectors are found soonest."""
        if is_huge(self.q):
            return Halved(sp.csr_array((self.values, self.second, self.ends), shape=(self.q, self.q)), 1.0)
        thin = is_large(self.q, k) and 2 * len(self.second) < SPARSE_SHARE * self.q**2
        return (self.sparse if thin else self.dense)(1.0)
