"""The nearest orthonormal matrix, and signs for columns that are only known up to sign."""

import numpy as np
import scipy.linalg

DUST = 1e-12  # share of the longest row below which a row is rounding


def polar_factor(M):
    """The (semi-)orthonormal matrix nearest to M: argmax tr(QᵀM) over QᵀQ = I (QQᵀ = I where M is wider than tall).

    With M = UΣVᵀ it is UVᵀ: Procrustes' answer, for rectangular matrices too. Where M lacks rank every completion is
    equally near; then the completion nearest to the identity pattern (ones at (i, i)) is taken, which is the limit of
    the polar factor of M + εI for ε → 0; where that too leaves directions open, the next pattern is the fixed matrix
    cos((i + 1)(j + 1)). So the answer never depends on how LAPACK chose a basis of the null space.
    """
    M = np.asarray(M, dtype=float)
    if M.shape[0] < M.shape[1]:
        return polar_factor(M.T).T
    Q, missing = _ranked_polar(M, scale=None)
    i, j = np.indices(M.shape)
    for pattern in (np.eye(*M.shape), np.cos((i + 1.0) * (j + 1.0))):
        if missing is None:
            break
        # Of the pattern, what is left outside the columns and rows already settled.
        rest = (pattern - Q @ (Q.T @ pattern)) @ missing
        Q_rest, still = _ranked_polar(rest, scale=1.0)
        Q = Q + Q_rest @ missing.T
        missing = None if still is None else missing @ still
    return Q


def _ranked_polar(M, scale):
    """Polar factor on the row space of a tall M, and a basis (columns) of its null space or None."""
    U, sigma, Vt = scipy.linalg.svd(M, full_matrices=False)
    scale = (sigma[0] if sigma.size else 0.0) if scale is None else scale
    rank = int((sigma > max(M.shape) * np.finfo(float).eps * scale).sum())
    return U[:, :rank] @ Vt[:rank], Vt[rank:].T if rank < M.shape[1] else None


def unit_rows(X):
    """Rows brought to unit length. A row of zeros stays, and what is one but for rounding beside the longest becomes
    one: its direction would be the processor's."""
    length = np.linalg.norm(X, axis=1, keepdims=True)
    sound = length > DUST * length.max(initial=0.0)
    return np.where(sound, X / np.where(sound, length, 1), 0.0)


def canonical_signs(V, counts=None):
    """V with the sign of each column chosen so that Σ_p counts_p v_p³ > 0: the longer tail points upwards.

    The third moment does not depend on the order of the rows, nor on whether equal objects are written once with a
    count or several times. A column whose values are spread symmetrically about zero has no third moment (up to
    rounding); no rule blind to the order of rows can decide there, so its first entry that is not tiny becomes
    positive. A zero column stays.
    """
    V = np.asarray(V, dtype=float)
    counts = np.ones(len(V)) if counts is None else np.asarray(counts, dtype=float)
    size = np.abs(V).max(axis=0, initial=0.0)
    unit = V / np.where(size > 0, size, 1)  # so that cubes neither vanish nor overflow
    moment = counts @ unit**3
    symmetric = np.abs(moment) <= 1e-8 * (counts @ np.abs(unit) ** 3)
    first = np.argmax(np.abs(unit) > 1e-6, axis=0) if len(V) else np.zeros(V.shape[1], dtype=int)
    decisive = np.where(symmetric, np.take_along_axis(unit, first[None], axis=0)[0] if len(V) else 0.0, moment)
    return V * np.where(decisive < 0, -1.0, 1.0)


def ranged_polar(M, counts=None):
    """The partial isometry nearest to M: UVᵀ over the directions in which M has something, nothing elsewhere.

    With M = UΣVᵀ, directions with a singular value of at most 1e-10 of the greatest are left out: there any choice is
    as near, and LAPACK would make one. With counts the columns are orthonormal over the objects rows stand for.
    """
    root = 1.0 if counts is None else np.sqrt(counts)[:, None]
    if not np.any(M):
        return np.zeros(np.shape(M))
    U, sigma, Vt = scipy.linalg.svd(root * M, full_matrices=False)
    kept = sigma > 1e-10 * sigma[0]
    return (U[:, kept] @ Vt[kept]) / root
