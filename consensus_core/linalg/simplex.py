"""The nearest point of the simplex, for many rows at once and with repeated entries."""

import numpy as np

from .tiles import row_tiles

BLOCK = 1 << 16  # entries handled together: half a megabyte stays in the processor's second cache


def project_simplex(V, counts=None, near=None):
    """Project every row of V onto {x : x ≥ 0, Σ_p counts_p x_p = 1}.

    Row by row it solves  min_x Σ_p counts_p (x_p − v_p)²,  which is the projection of the vector in which v_p stands
    counts_p times, written once per distinct entry. The answer is x_p = max(v_p − τ, 0) with τ the root of

        f(τ) = Σ_p counts_p max(v_p − τ, 0) − 1,

    convex, decreasing and piecewise linear: Newton's method started left of the root walks to it without overshooting
    and ends after finitely many steps (Michelot 1986). No sort; entries tied at the threshold get exactly zero.

    V          (r, q) or (q,)
    counts     (q,) positive; default all ones
    near       a number, or one per row (r,), near the τ sought: only makes it faster
    returns    an array of the shape of V
    """
    V = np.asarray(V, dtype=float)
    rows = np.atleast_2d(V)
    q = rows.shape[1]
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    X = np.empty_like(rows)
    near = None if near is None else np.broadcast_to(np.asarray(near, dtype=float), len(rows))
    for part in row_tiles(len(rows), q, BLOCK):
        _project(rows[part], counts, X[part], None if near is None else near[part])
    return X.reshape(V.shape)


def shares_of_roots(d, floor=0.0):
    """x_i = √d_i / Σ_j √d_j, where Σ_i d_i / x_i is least on the simplex; no root below `floor` times the greatest."""
    roots = np.sqrt(d)
    roots = np.maximum(roots, floor * roots.max())
    return roots / roots.sum()


def _project(V, counts, X, near):
    """The projection of a few rows, written into X."""
    # Measured from each row's greatest entry, the entries that stay positive are small numbers: nothing cancels.
    greatest = V.max(axis=1)
    np.subtract(V, greatest[:, None], out=X)
    tau = (X - 1 / counts).max(axis=1)  # left of the root, as no entry may have more than all
    if near is None:
        tau = np.maximum(tau, (X @ counts - 1) / counts.sum())
    else:
        # one step of Newton's method from anywhere ends left of the root
        guess = np.minimum(near - greatest, -np.finfo(float).tiny)
        f, slope = _excess(X, guess, counts)
        tau = np.maximum(tau, guess + f / slope)
    rows, busy = X, None
    while True:
        start = tau if busy is None else tau[busy]
        f, slope = _excess(rows, start, counts)
        moved = start + np.maximum(f, 0) / slope
        walking = np.flatnonzero(moved > start)
        if busy is None:
            tau = moved
        else:
            tau[busy] = moved
        if not walking.size:
            break
        if walking.size <= len(rows) // 2:
            rows, busy = rows[walking], walking if busy is None else busy[walking]
    X -= tau[:, None]
    np.maximum(X, 0, out=X)


def _excess(X, tau, counts):
    """f(τ) and −f′(τ) for every row."""
    gap = np.subtract(X, tau[:, None])
    positive = gap > 0
    np.maximum(gap, 0, out=gap)
    return gap @ counts - 1, positive @ counts
