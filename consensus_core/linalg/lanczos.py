"""A few smallest eigenvectors of one large connected Laplacian from products with it alone, where no factor fits."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

TOLERANCE = 1e-10  # of an eigenvalue: residual at which its vector is found
MOST = 300  # restarts before it is given up
BEYOND = 2.0  # of the greatest diagonal entry: where vectors that are known are moved, far above the wanted ones
SAME = 1e-8  # of the greatest wanted eigenvalue: another as near to it is its twin


def smallest_by_products(M, k: int, null: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The k smallest eigenpairs of M orthogonal to its known null vector; None where it did not converge.

    As `krylov.smallest_by_inversion`, by implicitly restarted Lanczos steps (ARPACK). A Lanczos space of one start
    vector holds one vector of each eigenvalue, and consensus graphs have eigenvalues that coincide. So with the found
    ones moved away the smallest of what is left is looked for again, until it is none of the wanted: then none was
    passed over.
    """
    found = _lanczos(M, k, null[:, None])
    if found is None:
        return None
    values, vectors = found
    while len(values) < M.shape[0] - 1:
        other = _lanczos(M, 1, np.column_stack([null, vectors]))
        if other is None:
            return None
        value, vector = other
        if value[0] >= values[k - 1] * (1 - SAME):
            break
        values, vectors = np.append(values, value), np.column_stack([vectors, vector])
        order = np.argsort(values, kind="stable")
        values, vectors = values[order], vectors[:, order]
    return values[:k], np.linalg.qr(vectors[:, :k])[0] if len(values) > k else vectors


def _lanczos(M, k: int, known: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The k smallest eigenpairs, ascending, of M with the known orthonormal vectors moved far above them."""
    size, beyond = M.shape[0], BEYOND * M.diagonal().max()

    def product(x: np.ndarray) -> np.ndarray:
        x = x.reshape(-1, 1)
        return (M @ x + known @ (beyond * (known.T @ x))).ravel()

    start = np.random.default_rng(0).standard_normal(size)
    width = min(size, 2 * k + 40)
    try:
        values, vectors = eigsh(
            LinearOperator(M.shape, matvec=product, dtype=float), k, which="SA", ncv=width, tol=TOLERANCE,
            maxiter=MOST, v0=start - known @ (known.T @ start),
        )  # fmt: skip
    except ArpackError:  # ArpackNoConvergence is one
        return None
    order = np.argsort(values)
    return values[order], vectors[:, order]
