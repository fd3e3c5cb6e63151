"""Matrices with orthonormal columns: the nearest one, and a quadratic minimised over them; rows with counts."""

import numpy as np
import scipy.linalg

from .orthonormal import polar_factor

GRAM_IS_SAFE = 1e-6  # least over greatest eigenvalue of the Gram matrix above which it loses no digits that matter


def orthonormaliser(M, counts, spare):
    """(A, B), both (k, k): Q = M A + spare B is the matrix nearest to M (q, k) with Σ_p counts_p Q_pᵀ Q_p = I.

    Where M lacks rank the nearest one is not unique; the missing directions are then taken from the columns of `spare`
    (q, k), as near to it as can be. B is zero where M has full rank. As Q's rows are the rows of M and `spare` times
    small matrices, one entry can be recomputed without the others.
    """
    k = M.shape[1]
    gram = M.T @ (counts[:, None] * M)
    values, vectors = np.linalg.eigh(gram)
    if values[0] > GRAM_IS_SAFE * values[-1]:
        return (vectors / np.sqrt(values)) @ vectors.T, np.zeros((k, k))
    root = np.sqrt(counts)[:, None]
    U, sigma, Vt = scipy.linalg.svd(root * M, full_matrices=False)
    rank = int((sigma > 1e-12 * sigma[0]).sum()) if sigma[0] > 0 else 0
    inverse = Vt[:rank].T / sigma[:rank]
    A = inverse @ Vt[:rank]
    if rank == k:
        return A, np.zeros((k, k))
    overlap = U[:, :rank].T @ (root * spare)
    rest = root * spare - U[:, :rank] @ overlap
    lost = Vt[rank:].T
    _, size, Wt = scipy.linalg.svd(rest, full_matrices=False)
    chosen = Wt[: k - rank].T / size[: k - rank]  # rest @ chosen: orthonormal, outside the range of M
    B = chosen @ polar_factor((rest @ chosen).T @ (rest @ lost)) @ lost.T
    return A - inverse @ overlap @ B, B


def stiefel_minimum(C, d, H, counts, radius=1.0, tol=1e-8, most=50):
    """A stationary H of  Σ_p counts_p (d_p ‖H_p‖² − 2 H_p·C_p)  over  Σ_p counts_p H_pᵀ H_p = radius² I.

    H ← radius · polar(C + (max d − D) H). As D ≤ max d, the linear function at the old H lies above the quadratic one
    and touches it there: the value never rises, and no step length is to be chosen. Ends when no entry moves by more
    than tol times the greatest, or after `most` steps.

    Returns H and the turns (A, B) of every step: H_new = (C + (max d − D) H) A + H B.
    """
    slack = (d.max() - d)[:, None]
    turns = []
    for _ in range(most):
        M = C + slack * H
        A, B = (radius * turn for turn in orthonormaliser(M, counts, H))
        new = M @ A
        if B.any():
            new += H @ B
        turns.append((A, B))
        moved = np.abs(new - H).max()
        H = new
        if moved <= tol * np.abs(H).max():
            break
    return H, tuple(turns)
