"""Matrices of pairs of objects by their singular values, each row and column standing for several equal objects.

Over n objects such a matrix is U X Uᵀ with U their membership; it has the singular values of C^½ X C^½ for
C = diag(counts), and its directions are constant on equal objects.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg


class Directions(NamedTuple):
    """X = left diag(sigma) rightᵀ; columns orthonormal in the counts-weighted product; signs are of no account."""

    left: np.ndarray  # (q, q)
    sigma: np.ndarray  # (q,) descending
    right: np.ndarray  # (q, q)

    def with_values(self, values: np.ndarray) -> np.ndarray:
        """The same directions with other values."""
        some = np.flatnonzero(values)
        return (self.left[:, some] * values[some]) @ self.right[:, some].T


def directions(X, counts) -> Directions:
    """Of a symmetric X by its eigenvectors, which takes a third of the time."""
    root = np.sqrt(counts)
    whole = root[:, None] * X * root
    if (X == X.T).all():
        values, V = scipy.linalg.eigh(whole, driver="evd", check_finite=False)
        order = np.argsort(-np.abs(values), kind="stable")
        values, V = values[order], V[:, order] / root[:, None]
        return Directions(V, np.abs(values), V * np.where(values < 0, -1.0, 1.0))
    U, sigma, Vt = _svd(whole)
    return Directions(U / root[:, None], sigma, Vt.T / root[:, None])


def singular_values(X, counts) -> np.ndarray:
    """(q,) descending, without their directions."""
    root = np.sqrt(counts)
    return scipy.linalg.svdvals(root[:, None] * X * root, check_finite=False)


def shrunk_values(X, by, counts) -> tuple[np.ndarray, np.ndarray]:
    """The J nearest to X when its singular values cost `by` each: they are lowered by it, and none is below 0. And
    those of its singular values that are not 0. (argmin by ‖J‖_* + ½ ‖J − X‖² over all objects.)"""
    found = directions(X, counts)
    kept = np.maximum(found.sigma - by, 0.0)
    return found.with_values(kept), kept[kept > 0]


def shrunk_columns(X, by, counts) -> np.ndarray:
    """The E nearest to X when the length of a column costs `by`: each is shortened by it, and gone where it is not as
    long. (argmin by Σ_j ‖E_·j‖ + ½ ‖E − X‖² over all objects.)"""
    length = np.sqrt(counts @ X**2)
    return X * np.divide(np.maximum(length - by, 0.0), length, out=np.zeros_like(length), where=length > 0)


def shrunk_entries(X, by) -> np.ndarray:
    """The E nearest to X when the size of an entry costs `by`: each is brought nearer to 0 by it."""
    return np.sign(X) * np.maximum(np.abs(X) - by, 0.0)


def _svd(X):
    """LAPACK's quick driver fails on some badly scaled matrices; then the slow one is asked."""
    try:
        return scipy.linalg.svd(X, check_finite=False)
    except np.linalg.LinAlgError:
        return scipy.linalg.svd(X, check_finite=False, lapack_driver="gesvd")
