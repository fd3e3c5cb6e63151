"""The root of a sum of reciprocals, for many rows at once."""

import numpy as np

STEPS = 100  # never needed; a dozen is much
LAST = 1e-10  # relative length of a step after which none is needed


def reciprocal_root(H, G):
    """θ (r,) with  Σ_j H_ij / (G_ij + θ_i) = 1  in every row, for H ≥ 0, G ≥ 0 and G_ij = 0 < H_ij for some j.

    It is the multiplier of  min_x −Σ_j H_ij log x_j + Σ_j G_ij x_j  on the simplex, whose answer is x = H / (G + θ).

    With f(θ) the sum, 1/f is concave and increasing, so Newton's method for 1/f(θ) = 1 never steps beyond the root
    from its left, and one step from anywhere lands left of it. It is exact where all G are equal. Lower bounds to start
    from: max_j (H_ij − G_ij), as no term may exceed 1, and Σ_j H_ij (1 − G_ij / Σ_j H_ij), by convexity of 1/(g + θ).
    """
    mass = H.sum(axis=1)
    part = np.subtract(H, G)
    theta = np.maximum(part.max(axis=1), mass - np.einsum("ij,ij->i", H, G) / mass)
    term = np.empty_like(part)
    for _ in range(STEPS):
        np.add(G, theta[:, None], out=part)
        np.reciprocal(part, out=part)
        np.multiply(H, part, out=term)
        f = term.sum(axis=1)
        step = f * (f - 1) / np.einsum("ij,ij->i", term, part)
        theta += np.maximum(step, 0)
        if (step <= LAST * theta).all():  # the step squares the distance: what is left is rounding
            break
    return theta
