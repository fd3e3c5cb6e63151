"""The nearest point of the simplex, for many rows at once and with repeated entries."""

import numpy as np

BLOCK = 1 << 16  # entries handled together: half a megabyte stays in the processor's second cache


def project_simplex(V, counts=None):
    """Project every row of V onto {x : x ≥ 0, Σ_p counts_p x_p = 1}.

    Row by row it solves  min_x Σ_p counts_p (x_p − v_p)²,  which is the projection of the vector in which v_p stands
    counts_p times, written once per distinct entry. The answer is x_p = max(v_p − τ, 0) with τ the root of

        f(τ) = Σ_p counts_p max(v_p − τ, 0) − 1,

    convex, decreasing and piecewise linear: Newton's method started left of the root walks to it without overshooting
    and ends after finitely many steps (Michelot 1986). No sort; entries tied at the threshold get exactly zero.

    V          (r, q) or (q,)
    counts     (q,) positive; default all ones
    returns    an array of the shape of V
    """
    V = np.asarray(V, dtype=float)
    rows = np.atleast_2d(V)
    q = rows.shape[1]
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    X = np.empty_like(rows)
    height = max(1, BLOCK // q)
    for start in range(0, len(rows), height):
        _project(rows[start : start + height], counts, X[start : start + height])
    return X.reshape(V.shape)


def _project(V, counts, X):
    """The projection of a few rows, written into X."""
    # Measured from each row's greatest entry, the entries that stay positive are small numbers: nothing cancels.
    np.subtract(V, V.max(axis=1, keepdims=True), out=X)
    tau = np.maximum((X @ counts - 1) / counts.sum(), (X - 1 / counts).max(axis=1))  # two bounds left of the root
    busy = np.arange(len(X))
    while busy.size:
        gap = X[busy] - tau[busy, None]
        f = np.maximum(gap, 0) @ counts - 1
        slope = (gap > 0) @ counts
        step = np.where(f > 0, f / slope, 0)
        moved = tau[busy] + step
        walking = moved > tau[busy]
        tau[busy] = moved
        busy = busy[walking]
    np.maximum(X - tau[:, None], 0, out=X)
