"""A large sparse symmetric graph by its entries above the diagonal alone, and the Laplacian of a part of it: what is
applied to vectors need not be written twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class Halved:
    """The symmetric matrix upper + upperᵀ + diagonal·I."""

    upper: sp.csr_array  # (q, q) nothing on or below the diagonal
    diagonal: float

    @property
    def shape(self) -> tuple[int, int]:
        return self.upper.shape

    def __matmul__(self, X: np.ndarray) -> np.ndarray:
        found = self.upper @ X
        found += self.upper.T @ X
        found += self.diagonal * X
        return found

    def among(self, rows: np.ndarray) -> sp.csr_array:
        """Of some rows alone, whole."""
        half = self.upper[rows][:, rows]
        return sp.csr_array(half + half.T + sp.diags_array(np.full(len(rows), self.diagonal)))


@dataclass(frozen=True, eq=False)
class PartLaplacian:
    """diag(d) − R S R among some rows of a halved S, R = diag(root): products with it, and nothing that is copied."""

    S: Halved
    rows: np.ndarray
    root: np.ndarray
    d: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows)

    def diagonal(self) -> np.ndarray:
        return self.d - self.S.diagonal * self.root**2

    def __matmul__(self, X: np.ndarray) -> np.ndarray:
        whole = np.zeros((self.S.shape[0], X.shape[1]))
        whole[self.rows] = self.root[:, None] * X
        return self.d[:, None] * X - self.root[:, None] * (self.S @ whole)[self.rows]
