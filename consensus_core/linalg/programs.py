"""Small convex quadratic programs on the simplex and in a box, solved to rounding by an active set."""

import numpy as np
import scipy.linalg

from .simplex import project_simplex

EPS = np.finfo(float).eps


def simplex_qp(Q, b):
    """argmin ½ xᵀQx + bᵀx over x ≥ 0, Σ x = 1, for a symmetric positive semidefinite Q (m, m)."""
    Q, b = np.asarray(Q, dtype=float), np.asarray(b, dtype=float)
    m = len(b)
    x = _projected_gradient(Q, b, np.full(m, 1 / m), project_simplex)
    return _active_set(Q, b, np.zeros(m), np.full(m, np.inf), x, sum_is_fixed=True)


def box_qp(Q, b, low=0.0, high=1.0):
    """argmin ½ xᵀQx + bᵀx over low ≤ x ≤ high (numbers or vectors), for a symmetric positive semidefinite Q (m, m)."""
    Q, b = np.asarray(Q, dtype=float), np.asarray(b, dtype=float)
    low = np.broadcast_to(np.asarray(low, dtype=float), b.shape)
    high = np.broadcast_to(np.asarray(high, dtype=float), b.shape)
    if (low > high).any():
        raise ValueError("box_qp: low must not exceed high")
    x = _projected_gradient(Q, b, np.clip(np.zeros_like(b), low, high), lambda v: np.clip(v, low, high))
    return _active_set(Q, b, low, high, x, sum_is_fixed=False)


def _projected_gradient(Q, b, x, project, steps=200, calm=4):
    """A start near the answer: accelerated projected gradient with restarts, until the face stays the same."""
    lipschitz = np.abs(Q).sum(axis=1).max(initial=0.0) or np.abs(b).max(initial=0.0) or 1.0
    ahead, momentum, same = x, 1.0, 0
    inside = np.zeros(len(b), dtype=bool)
    for _ in range(steps):
        aim = ahead - (Q @ ahead + b) / lipschitz
        new = project(aim)
        if (ahead - new) @ (new - x) > 0:
            momentum = 1.0
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / faster * (new - x)
        momentum, x = faster, new
        were, inside = inside, new > new.min()
        same = same + 1 if (were == inside).all() else 0
        if same == calm:
            break
    return x


def _active_set(Q, b, low, high, x, sum_is_fixed):
    """Primal active set from a feasible x: Newton inside the face, then free the entry whose bound pushes most wrongly.

    The multiplier of Σ x = 1 is the mean gradient over the free entries. After 10 m rounds the lowest index is freed
    (Bland's rule), so that it cannot cycle.
    """
    m = len(b)
    x = x.copy()
    free = (x > low) & (x < high)
    at_minimum = False
    for visit in range(100 * m + 100):
        gradient = Q @ x + b
        level = gradient[free].mean() if sum_is_fixed else 0.0
        residual = gradient - level
        tolerance = 8 * m * EPS * (np.abs(Q) @ np.abs(x) + np.abs(b)).max(initial=0.0)
        if not at_minimum and np.abs(residual[free]).max(initial=0.0) > tolerance:
            step, endless = _newton_step(Q[np.ix_(free, free)], gradient[free], sum_is_fixed, tolerance)
            at_minimum = _walk(x, free, step, endless, low, high)
            continue
        wrong = np.where(free | (low == high), 0.0, np.where(x <= low, -residual, residual))
        if wrong.max(initial=0.0) <= tolerance:
            break
        free[np.argmax(wrong if visit < 10 * m else wrong > tolerance)] = True
        at_minimum = False
    if sum_is_fixed:
        x /= x.sum()
    return x


def _newton_step(H, g, sum_is_fixed, tolerance):
    """(step, False) to the minimum inside a face, or (direction, True) where it falls for ever."""
    if sum_is_fixed:
        # Coordinates along {Σ step = 0}: a Householder reflection that takes (1, …, 1) to the first axis.
        v = np.full(len(g), 1 / np.sqrt(len(g)))
        v[0] += 1
        v /= np.linalg.norm(v)
        H = H - 2 * np.outer(v, v @ H)
        H = (H - 2 * np.outer(H @ v, v))[1:, 1:]
        g = (g - 2 * v * (v @ g))[1:]
    step, endless = _unconstrained_step(H, g, tolerance)
    if sum_is_fixed:
        step = np.concatenate([[0.0], step])
        step = step - 2 * v * (v @ step)
    return step, endless


def _unconstrained_step(H, g, tolerance):
    try:
        factor = scipy.linalg.cho_factor(H, check_finite=False)
        pivots = np.diagonal(factor[0])
        if pivots.min(initial=np.inf) ** 2 > 1e-12 * np.diagonal(H).max(initial=0.0):
            return -scipy.linalg.cho_solve(factor, g, check_finite=False), False
    except np.linalg.LinAlgError:
        pass
    values, vectors = scipy.linalg.eigh(H)
    along = vectors.T @ g
    flat = values <= len(g) * EPS * max(values[-1], 0.0)
    falling = flat & (np.abs(along) > tolerance)
    if falling.any():
        return -vectors[:, falling] @ along[falling], True
    return -(vectors[:, ~flat] @ (along[~flat] / values[~flat])), False


def _walk(x, free, step, endless, low, high):
    """Move x along step within the free entries up to the first bound; True if the whole step was taken."""
    index = np.flatnonzero(free)
    moving = step != 0
    room = np.where(step > 0, high[index] - x[index], x[index] - low[index])
    lengths = np.full(len(index), np.inf)
    lengths[moving] = room[moving] / np.abs(step[moving])
    first = lengths.min()
    if endless and not np.isfinite(first):
        raise ValueError("box_qp: the program is unbounded below; give finite bounds")
    if first >= 1 and not endless:
        x[index] += step
        return True
    x[index] += first * step
    met = lengths <= first
    x[index[met]] = np.where(step[met] > 0, high[index[met]], low[index[met]])
    free[index[met]] = False
    return False
