"""Several blocks that together fit a matrix: H ≈ Σ_i α_i Z_i R_i with α on the simplex and each R_i orthonormal.

The Z_i are indicator matrices: a row is in at most one column of each. Everything follows from the small products
shared = ZᵀWZ (K, K) and drawn = ZᵀWH (K, c), Z being the blocks side by side and W = diag(weights of the rows); in R
(K, c) the R_i stand one below the other, the i-th at offsets[i] .. offsets[i + 1]. `together=False` leaves out the
terms between blocks: every block is to fit H by itself.
"""

import numpy as np

from .orthonormal import polar_factor
from .programs import simplex_qp


def weights_program(shared, drawn, R, offsets, together=True):
    """G (m, m) and f (m,): ‖H − Σ α_i Z_i R_i‖²_W is αᵀGα − 2fᵀα and a constant."""
    m, each = len(offsets) - 1, np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    G = np.zeros((m, m))
    for j in range(m):
        part = slice(offsets[j], offsets[j + 1])
        G[:, j] = np.bincount(each, weights=((shared[:, part] @ R[part]) * R).sum(axis=1), minlength=m)
    f = np.bincount(each, weights=(drawn * R).sum(axis=1), minlength=m)
    return (G + G.T) / 2 if together else np.diag(np.diag(G)), f


def best_weights(shared, drawn, R, offsets, together=True):
    """α (m,) on the simplex; 0 for blocks without columns."""
    G, f = weights_program(shared, drawn, R, offsets, together)
    alive, alpha = np.diff(offsets) > 0, np.zeros(len(f))
    alpha[alive] = simplex_qp(2 * G[np.ix_(alive, alive)], -2 * f[alive])
    return alpha


def turned_in_turn(shared, drawn, alpha, R, offsets, order, together=True):
    """R with one block after the other turned to what the rest leaves of H; no block makes the fit worse."""
    R, mass = R.copy(), np.diag(shared)
    weighted = alpha.repeat(np.diff(offsets))[:, None] * R
    for i in order:
        part = slice(offsets[i], offsets[i + 1])
        if part.start < part.stop:
            T = drawn[part]
            if together:
                T = T - shared[part] @ weighted + mass[part, None] * weighted[part]
            R[part] = polar_factor(T + inertia(mass[part], alpha[i], R[part]))
            weighted[part] = alpha[i] * R[part]
    return R


def inertia(mass, weight, R):
    """What keeps a turn a descent where R_i has more rows than columns, so that its rows differ in length."""
    return weight * (mass.max() - mass)[:, None] * R if R.shape[0] > R.shape[1] else 0.0
