"""The Laplacian of a graph ZZᵀ that is never formed: few columns stand for all pairs of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse as sp


@dataclass(frozen=True, eq=False)
class GramLaplacian:
    """M = diag(degree) − ZZᵀ with Z (q, K) sparse, K far below q: applied, and inverted, by way of the columns."""

    Z: sp.csr_array
    degree: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.degree), len(self.degree)

    def diagonal(self) -> np.ndarray:
        return self.degree - self.Z.multiply(self.Z).sum(axis=1)

    def __matmul__(self, X: np.ndarray) -> np.ndarray:
        return self.degree[:, None] * X - self.Z @ (self.Z.T @ X)

    def inverse(self, shift: float) -> Callable[[np.ndarray], np.ndarray]:
        """(M + shift·I)⁻¹ = E + EZ (I − ZᵀEZ)⁻¹ ZᵀE with E = diag(1 / (degree + shift)): only K x K is factored.

        LinAlgError where M + shift·I is not positive definite.
        """
        E = 1 / (self.degree + shift)
        EZ = sp.csr_array(self.Z.multiply(E[:, None]))
        inner = -(self.Z.T @ EZ).toarray()
        inner[np.diag_indices_from(inner)] += 1
        factor = scipy.linalg.cho_factor(inner, lower=True, overwrite_a=True, check_finite=False)
        ZtE = sp.csr_array(EZ.T)

        def solve(block: np.ndarray) -> np.ndarray:
            return E[:, None] * block + EZ @ scipy.linalg.cho_solve(factor, ZtE @ block, check_finite=False)

        return solve
