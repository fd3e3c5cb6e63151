"""Quadratic programs in a box whose matrix has no positive entry off its diagonal: pulls towards each other."""

import numpy as np

ROUNDS = 60  # sets of bounds tried before going coordinate by coordinate
SWEEPS = 5000
SETTLED = 1e-14


def m_matrix_box(Q, b, x):
    """argmin ½ xᵀQx + bᵀx over 0 ≤ x ≤ 1, for a symmetric Q with Q_ab ≤ 0 (a ≠ b) and dominant diagonal, from x.

    The entries that a step down the diagonal would push out of the box are put on their bound, the others solve
    Q_FF x_F = −b_F − Q_FB x_B; until the same entries stand on the same bounds, which then is the answer. Few sets are
    tried from a start near it. Should they go round in a circle, coordinates are minimised in turn.
    """
    diagonal, seen = Q.diagonal(), None
    for _ in range(ROUNDS):
        aim = x - (Q @ x + b) / diagonal
        where = (aim >= 1).astype(np.int8) - (aim <= 0)
        if seen is not None and (where == seen).all():
            return x
        seen, free = where, np.flatnonzero(where == 0)
        x = (where > 0).astype(float)
        if len(free):
            x[free] = np.linalg.solve(Q[np.ix_(free, free)], -b[free] - Q[free] @ x)
    x = np.clip(x, 0.0, 1.0)
    for _ in range(SWEEPS):
        before = x.copy()
        for a in range(len(x)):
            x[a] = min(max(x[a] - (Q[a] @ x + b[a]) / diagonal[a], 0.0), 1.0)
        if np.abs(x - before).max() <= SETTLED:
            break
    return x
