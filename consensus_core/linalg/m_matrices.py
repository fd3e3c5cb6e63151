"""Quadratic programs in a box whose matrix has no positive entry off its diagonal: pulls towards each other."""

import numpy as np
from scipy.linalg import lapack

ROUNDS = 60  # sets of bounds tried before going coordinate by coordinate
SWEEPS = 5000
SETTLED = 1e-14


def m_matrix_boxes(A, w, diagonal, b, x):
    """For every row p the argmin of ½ yᵀQ_p y + b_pᵀy over 0 ≤ y ≤ 1, from x_p; all but A are (rows, K).

    Q_p = diag(diagonal_p) − diag(w_p) A diag(w_p), with A ≥ 0 symmetric, 0 on its diagonal, w ≥ 0, and each diagonal
    entry more than the others of its row together. Where w is 0 nothing is asked, and x stays.

    The entries that a step down the diagonal would push out of the box are put on their bound, the others solve
    Q_FF y_F = −b_F − Q_FB y_B; until the same entries stand on the same bounds, which then is the answer. Few sets are
    tried from a start near it. Should they go round in a circle, coordinates are minimised in turn.
    """
    x, asked = x.copy(), w > 0
    divisor, seen, moving = np.where(asked, diagonal, 1.0), np.full(x.shape, 2, dtype=np.int8), np.arange(len(x))
    for _ in range(ROUNDS):
        y, mine, ask = x[moving], w[moving], asked[moving]
        slope = diagonal[moving] * y - mine * ((mine * y) @ A) + b[moving]
        aim = y - slope / divisor[moving]
        where = np.where(ask, (aim >= 1).astype(np.int8) - (aim <= 0), 0).astype(np.int8)
        other = (where != seen[moving]).any(axis=1)
        moving, where = moving[other], where[other]
        if not len(moving):
            return x
        seen[moving] = where
        mine, top = w[moving], where > 0
        pulled = mine * ((mine * top) @ A) - b[moving]
        x[moving] = np.where(asked[moving], top, x[moving])
        for p, bound, right in zip(moving, where, pulled, strict=True):
            if len(free := np.flatnonzero(asked[p] & (bound == 0))):
                x[p, free] = _solved(_matrix(A, w[p], diagonal[p], free), right[free])
    for p in moving:
        some = np.flatnonzero(asked[p])
        x[p, some] = _in_turn(_matrix(A, w[p], diagonal[p], some), b[p, some], np.clip(x[p, some], 0.0, 1.0))
    return x


def _matrix(A, w, diagonal, some):
    """Q of some entries."""
    Q = A[np.ix_(some, some)]
    Q *= -w[some, None]
    Q *= w[some]
    Q[np.diag_indices(len(some))] = diagonal[some]
    return Q


def _solved(Q, right):
    _, x, failed = lapack.dposv(Q.T, right)  # symmetric: the other way round LAPACK has it as it likes it
    return np.linalg.solve(Q, right) if failed else x


def _in_turn(Q, b, x):
    diagonal = Q.diagonal()
    for _ in range(SWEEPS):
        before = x.copy()
        for a in range(len(x)):
            x[a] = min(max(x[a] - (Q[a] @ x + b[a]) / diagonal[a], 0.0), 1.0)
        if np.abs(x - before).max() <= SETTLED:
            break
    return x
