"""Where random walks go: the likeness of all ways of a walker, without writing them down."""

import numpy as np

from .tiles import symmetrise


def walked(Q, steps):
    """Σ_{t=1}^{steps} Qᵗ(Qᵗ)ᵀ, by doubling: S_2a = S_a + Qᵃ S_a (Qᵃ)ᵀ and S_a+1 = S_1 + Q S_a Qᵀ."""
    first = Q @ Q.T
    S, power, done = first, Q, 1
    for bit in bin(steps)[3:]:
        S = S + power @ S @ power.T
        done *= 2
        if bit == "1":
            S = first + Q @ S @ Q.T
            done += 1
        if done < steps:
            power = power @ power if bit == "0" else power @ power @ Q
    return symmetrise(S)


def cosines(S):
    """S_ab / √(S_aa S_bb), at most 1, in the place of S; 1 on the diagonal, and 0 beside it where S_aa = 0."""
    length = np.sqrt(S.diagonal())
    length[length == 0] = 1.0
    for row, own in zip(S, length, strict=True):
        row /= own * length  # one product, so that the answer is symmetric to the last digit
    np.fill_diagonal(S, 1.0)
    return np.minimum(S, 1.0, out=S)


def trajectory(Q, start, steps):
    """(steps, size): where a walker that begins at `start` is after 1, 2, … steps."""
    at, way = np.eye(1, len(Q), start)[0], []
    for _ in range(steps):
        at = at @ Q
        way.append(at)
    return np.array(way)
