"""The root of a sum of reciprocals, for many rows at once."""

import numpy as np

STEPS = 100  # never needed; a dozen is much


def reciprocal_root(H, G):
    """θ (r,) with  Σ_j H_ij / (G_ij + θ_i) = 1  in every row, for H ≥ 0, G ≥ 0 and G_ij = 0 < H_ij for some j.

    It is the multiplier of  min_x −Σ_j H_ij log x_j + Σ_j G_ij x_j  on the simplex, whose answer is x = H / (G + θ).

    With f(θ) the sum, 1/f is concave and increasing, so Newton's method for 1/f(θ) = 1 never steps beyond the root
    from its left, and one step from anywhere lands left of it. It is exact where all G are equal. Lower bounds to start
    from: max_j (H_ij − G_ij), as no term may exceed 1, and Σ_j H_ij (1 − G_ij / Σ_j H_ij), by convexity of 1/(g + θ).
    """
    mass = H.sum(axis=1)
    theta = np.maximum((H - G).max(axis=1), mass - np.einsum("ij,ij->i", H, G) / mass)
    part = np.empty_like(H)
    for _ in range(STEPS):
        np.add(G, theta[:, None], out=part)
        np.reciprocal(part, out=part)
        slope = np.einsum("ij,ij,ij->i", H, part, part)
        f = np.einsum("ij,ij->i", H, part)
        moved = theta + f * (f - 1) / slope
        done = moved <= theta * (1 + 4e-16)
        theta = np.where(done, theta, moved)
        if done.all():
            break
    return theta
