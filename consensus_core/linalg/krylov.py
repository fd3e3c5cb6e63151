"""A few smallest eigenvectors of one large connected Laplacian: block Krylov steps with its inverse."""

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import splu

GUARD = 4  # columns carried beyond those asked for: they set the speed, and catch eigenvalues that coincide
BLOCKS = 6  # blocks in the basis before it is folded back to its best vectors
STEPS = 40
TRIAL = 6  # steps after which it must be plain that the wanted eigenvalues lie apart from the bulk


def smallest_by_inversion(M, k, null, start=None):
    """The k smallest eigenpairs of M orthogonal to its known null vector; None where it did not converge.

    M is symmetric, positive semidefinite with  M null = 0, sparse or dense. (M + σI) is factored once, σ being 1e-8 of
    M's greatest diagonal entry; each step adds (M + σI)⁻¹ times the last block to an orthonormal basis, in which M is
    diagonalised. A block, not a vector, since consensus graphs have coinciding eigenvalues, of which a single vector
    sees one. Ends when every residual is 1e-10 of the distance to the next eigenvalue, or at rounding. Gives up early
    where the wanted eigenvalues lie in the bulk of the spectrum (no clusters yet): inversion does not help there.

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
    eps = np.finfo(float).eps
    last = np.inf
    for step in range(STEPS):
        values, vectors = scipy.linalg.eigh(_symmetric(Q.T @ MQ), check_finite=False)
        X = Q @ vectors[:, :width]
        MX = MQ @ vectors[:, :width]
        if not np.isfinite(values).all():
            return None
        residual = np.linalg.norm(MX[:, :k] - X[:, :k] * values[:k], axis=0).max()
        gap = values[k] - values[k - 1]
        stalled = residual < 1e-13 * greatest and residual > 0.5 * last
        if residual <= max(1e-10 * gap, 4 * eps * greatest) or stalled:
            return values[:k], X[:, :k]
        if step == TRIAL and values[k - 1] > 0.4 * greatest:
            return None
        last = residual
        if Q.shape[1] >= BLOCKS * width:
            Q, MQ = X, MX
            latest = X
        else:
            latest = Q[:, -width:] if Q.shape[1] > width else X
        new = _orthonormal_to(np.column_stack([null, Q]), solve(latest))
        Q = np.column_stack([Q, new])
        MQ = np.column_stack([MQ, M @ new])
    return None


def _inverse(M, shift):
    """A function that applies (M + shift·I)⁻¹, or None where M is not positive semidefinite enough to be factored."""
    size = M.shape[0]
    try:
        if sp.issparse(M):
            options = {"SymmetricMode": True}
            factor = splu(
                sp.csc_array(M + shift * sp.eye_array(size)),
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options=options,
            )
            return factor.solve
        shifted = M.copy(order="F")
        shifted[np.diag_indices(size)] += shift
        factor = scipy.linalg.cho_factor(shifted, lower=True, overwrite_a=True, check_finite=False)
        return lambda block: scipy.linalg.cho_solve(factor, block, check_finite=False)
    except (np.linalg.LinAlgError, RuntimeError):
        return None


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
