"""Small convex quadratic programs on the simplex and in a box, solved to rounding by an active set."""

import numpy as np
import scipy.linalg

from .simplex import project_simplex


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


def _projected_gradient(Q, b, x, project, steps=200):
    """A good start that already lies on most of the right bounds: accelerated projected gradient with restarts."""
    lipschitz = np.abs(Q).sum(axis=1).max(initial=0.0)
    if lipschitz == 0:
        lipschitz = np.abs(b).max(initial=0.0) or 1.0
    ahead, momentum = x, 1.0
    for _ in range(steps):
        new = project(ahead - (Q @ ahead + b) / lipschitz)
        if (ahead - new) @ (new - x) > 0:
            momentum = 1.0
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / faster * (new - x)
        momentum = faster
        if np.abs(new - x).max(initial=0.0) < 1e-14:
            return new
        x = new
    return x


def _active_set(Q, b, low, high, x, sum_is_fixed):
    """Primal active set from a feasible x: Newton inside the face, leave it where a multiplier has the wrong sign."""
    m = len(b)
    scale = np.abs(Q).max(initial=0.0) * max(1.0, np.abs(x).max(initial=0.0)) + np.abs(b).max(initial=0.0)
    tolerance = 1e-13 * max(scale, np.finfo(float).tiny) * max(m, 10)
    x = x.copy()
    free = (x > low) & (x < high)
    for visit in range(50 * m + 100):
        gradient = Q @ x + b
        level = gradient[free].mean() if sum_is_fixed and free.any() else 0.0
        if sum_is_fixed and not free.any():
            level = gradient[x > low].max()
        residual = gradient - level
        if np.abs(residual[free]).max(initial=0.0) > tolerance:
            step = _newton_step(Q[np.ix_(free, free)], gradient[free], sum_is_fixed, tolerance)
            if _walk(x, free, step, low, high) or visit % 2 == 0:
                continue
        # On the face x is best: which bound pushes the wrong way? After many visits the lowest index (Bland).
        wrong = np.where(free | (low == high), 0.0, np.where(x <= low, -residual, residual))
        if wrong.max(initial=0.0) <= tolerance:
            break
        free[np.argmax(wrong if visit < 10 * m else wrong > tolerance)] = True
        if sum_is_fixed and free.sum() == 1:
            free[np.argmax(np.where(free, -np.inf, x))] = True
    return x


def _newton_step(H, g, sum_is_fixed, tolerance):
    """The step to the minimum inside a face, or a long one downhill where the face has no minimum."""
    size = len(g)
    if sum_is_fixed:
        # An orthonormal basis of {Σ step = 0} by one Householder reflection, applied instead of formed.
        v = np.full(size, 1 / np.sqrt(size))
        v[0] += 1
        v /= np.linalg.norm(v)
        H = H - 2 * np.outer(v, v @ H)
        H = (H - 2 * np.outer(H @ v, v))[1:, 1:]
        g = (g - 2 * v * (v @ g))[1:]
    try:
        factor = scipy.linalg.cho_factor(H, check_finite=False)
        if np.diag(factor[0]).min(initial=np.inf) ** 2 <= 1e-13 * np.diag(H).max(initial=0.0):
            raise np.linalg.LinAlgError
        step = -scipy.linalg.cho_solve(factor, g, check_finite=False)
    except np.linalg.LinAlgError:
        values, vectors = scipy.linalg.eigh(H)
        along = vectors.T @ g
        flat = values <= 1e-13 * max(values[-1], 0.0)
        falling = flat & (np.abs(along) > tolerance)
        if falling.any():
            step = vectors[:, falling] @ (-along[falling])
            step *= 1e300 / np.abs(step).max()
        else:
            step = -(vectors[:, ~flat] @ (along[~flat] / values[~flat]))
    if sum_is_fixed:
        step = np.concatenate([[0.0], step])
        step = step - 2 * v * (v @ step)
    return step


def _walk(x, free, step, low, high):
    """Move x along step inside the free coordinates up to the first bound; True if anything changed."""
    index = np.flatnonzero(free)
    room = np.where(step > 0, high[index] - x[index], x[index] - low[index])
    with np.errstate(divide="ignore", over="ignore"):
        lengths = np.where(step != 0, room / np.abs(step), np.inf)
    first = lengths.min()
    if first >= 1:
        x[index] += step
        return True
    x[index] += first * step
    hit = index[lengths <= first]
    x[hit] = np.where(step[lengths <= first] > 0, high[hit], low[hit])
    free[hit] = False
    return True
