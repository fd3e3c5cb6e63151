"""A few smallest eigenvectors of one large connected Laplacian: block Krylov steps with its inverse."""

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from .gram import GramLaplacian

GUARD = 4  # columns carried beyond those asked for: they set the speed, and catch eigenvalues that coincide
BLOCKS = 6  # blocks in the basis before it is folded back to its best vectors
ROUNDING = 1e-14  # of the greatest diagonal entry: where residuals stop falling
TRIAL = 6  # steps before the speed of convergence is judged


def smallest_by_inversion(M, k, null, start=None):
    """The k smallest eigenpairs of M orthogonal to its known null vector; None where it did not converge.

    M is symmetric, positive semidefinite with  M null = 0: sparse, dense, or a GramLaplacian. (M + σI) is factored
    once, σ being 1e-8 of M's greatest diagonal entry; each step adds (M + σI)⁻¹ times the last block to an orthonormal
    basis, in which M is diagonalised. A block, not a vector, since consensus graphs have coinciding eigenvalues, of
    which a single vector sees one. Ends when every residual is 1e-10 of the distance to the next eigenvalue, or at
    rounding. Gives up as soon as the speed so far says that LAPACK would be sooner: inversion does not help where the
    wanted eigenvalues lie in the bulk of the spectrum, as before any clusters have formed.

    start      (size, any) columns believed near the answer; the rest is filled with fixed random numbers
    """
    size = M.shape[0]
    width = k + GUARD
    greatest = M.diagonal().max()
    solve = _inverse(M, 1e-8 * greatest)
    if solve is None:
        return None
    null = null / np.linalg.norm(null)
    block = np.random.default_rng(0).standard_normal((size, width))
    if start is not None:
        start = start - np.outer(null, null @ start)
        told = np.flatnonzero(np.linalg.norm(start, axis=0) > 1e-6)[:width]  # the others repeat the null vector
        block[:, : len(told)] = start[:, told]
    block = solve(block - np.outer(null, null @ block))
    Q = _orthonormal_to(null[:, None], block)
    MQ = M @ Q
    affordable = max(10, size // (4 * width)) if isinstance(M, np.ndarray) else 60  # steps in the time LAPACK takes
    residuals = []
    while len(residuals) < affordable:
        values, vectors = scipy.linalg.eigh(_symmetric(Q.T @ MQ), check_finite=False)
        X = Q @ vectors[:, :k]
        residual = np.linalg.norm(MQ @ vectors[:, :k] - X * values[:k], axis=0).max()
        if not np.isfinite(residual):
            return None
        wanted = max(1e-10 * (values[k] - values[k - 1]), ROUNDING * greatest)
        stalled = bool(residuals) and 0.5 * residuals[-1] < residual < 30 * ROUNDING * greatest
        if residual <= wanted or stalled:
            return values[:k], X
        residuals.append(residual)
        if len(residuals) > TRIAL and len(residuals) + _steps_to_come(residuals, wanted) > affordable:
            return None
        if Q.shape[1] >= BLOCKS * width:
            Q, MQ = Q @ vectors[:, :width], MQ @ vectors[:, :width]
        new = _orthonormal_to(np.column_stack([null, Q]), solve(Q[:, -width:]))
        Q = np.column_stack([Q, new])
        MQ = np.column_stack([MQ, M @ new])
    return None


def _steps_to_come(residuals, wanted):
    """How many steps more, at the mean speed of the last four."""
    speed = np.log(residuals[-5] / residuals[-1]) / 4
    return np.log(residuals[-1] / wanted) / speed if speed > 0 else np.inf


def _inverse(M, shift):
    """A function that applies (M + shift·I)⁻¹, or None where M is not positive semidefinite enough to be factored."""
    size = M.shape[0]
    try:
        if isinstance(M, GramLaplacian):
            return M.inverse(shift)
        if sp.issparse(M):
            options = {"SymmetricMode": True}
            factor = splu(
                with_diagonal(M, np.full(size, shift)).T,  # symmetric: compressed rows are compressed columns
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options=options,
            )
            return factor.solve
        shifted = M.T.copy(order="F")  # M is symmetric: the copy that needs no turning of a C-ordered one
        shifted[np.diag_indices(size)] += shift
        factor = scipy.linalg.cho_factor(shifted, lower=True, overwrite_a=True, check_finite=False)
        return lambda block: scipy.linalg.cho_solve(factor, block, check_finite=False)
    except (np.linalg.LinAlgError, RuntimeError):
        return None


def with_diagonal(A, values, overwrite=False):
    """A + diag(values) for compressed rows: by its entries (or in their place) where all on the diagonal are stored."""
    at = np.flatnonzero(A.indices == np.repeat(np.arange(A.shape[0], dtype=A.indices.dtype), np.diff(A.indptr)))
    if len(at) != A.shape[0] or not A.has_canonical_format:
        return sp.csr_array(A + sp.diags_array(values))
    data = A.data if overwrite else A.data.copy()
    data[at] += values
    return sp.csr_array((data, A.indices, A.indptr), shape=A.shape)


def _orthonormal_to(Q, block):
    """An orthonormal basis of what block adds to the orthonormal columns of Q (projected twice: once is not enough)."""
    length = np.linalg.norm(block, axis=0)
    block = block / np.where(length > 0, length, 1)
    block = block - Q @ (Q.T @ block)
    block, _ = scipy.linalg.qr(block, mode="economic", check_finite=False)
    block = block - Q @ (Q.T @ block)
    block, _ = scipy.linalg.qr(block, mode="economic", check_finite=False)
    return block


def _symmetric(H):
    return (H + H.T) / 2
