"""Many matrices of two columns, whose singular values are lowered at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class TwoColumns:
    """For each row i of two matrices T₁, T₂: of the matrix [T₁_i, T₂_i], r x 2. Everything is (rows, 1)."""

    big: np.ndarray  # its singular values
    small: np.ndarray
    xx: np.ndarray  # [T₁_i, T₂_i] times [[xx, xy], [xy*, yy]] has its singular values lowered
    xy: np.ndarray
    yy: np.ndarray

    def first(self, T1: np.ndarray, T2: np.ndarray) -> np.ndarray:
        return self.xx * T1 + np.conj(self.xy) * T2

    def second(self, T1: np.ndarray, T2: np.ndarray) -> np.ndarray:
        return self.xy * T1 + self.yy * T2


def two_columns(T1: np.ndarray, T2: np.ndarray, counts: np.ndarray, tau: float) -> TwoColumns:
    """Singular values σ ↦ max(σ − tau, 0); entry j of a row stands for counts[j] equal ones. Complex or real.

    With a, b the squared lengths and c the inner product, σ² = (a + b)/2 ± √((a − b)²/4 + |c|²), and the lowered matrix
    is [T₁_i, T₂_i] V diag(1 − tau/σ) Vᴴ, V the eigenvectors of [[a, c], [c*, b]].
    """
    a, b = ((np.einsum("ij,ij,j->i", np.conj(T), T, counts).real)[:, None] for T in (T1, T2))
    c = np.einsum("ij,ij,j->i", np.conj(T1), T2, counts)[:, None]
    half = np.sqrt((a - b) ** 2 / 4 + np.abs(c) ** 2)
    big, small = np.sqrt((a + b) / 2 + half), np.sqrt(np.maximum((a + b) / 2 - half, 0.0))
    left = [np.maximum(1 - tau / np.where(s > 0, s, np.inf), 0.0) * (s > 0) for s in (big, small)]
    apart = np.where(half > 0, (left[0] - left[1]) / np.where(half > 0, 2 * half, 1.0), 0.0)
    mean = (left[0] + left[1]) / 2
    return TwoColumns(big, small, mean + apart * (a - b) / 2, apart * c, mean - apart * (a - b) / 2)
