"""Dirichlet distributions: what they expect of logarithms of shares, and Newton's steps to the one that fits such."""

from collections.abc import Iterator

import numpy as np
from scipy.special import digamma, gammaln, polygamma

SETTLED = 1e-3  # share of α by which Newton's step must move it to be followed by another


def expected_logs(gamma: np.ndarray) -> np.ndarray:
    """E ln θ_l = ψ(γ_l) − ψ(Σγ) for θ ~ Dirichlet(γ), along the last axis."""
    return digamma(gamma) - digamma(gamma.sum(axis=-1, keepdims=True))


def log_norm(alpha: np.ndarray) -> np.ndarray:
    """ln Γ(Σα) − Σ ln Γ(α), along the last axis."""
    return gammaln(alpha.sum(axis=-1)) - gammaln(alpha).sum(axis=-1)


def newton_steps(alpha: np.ndarray, said: np.ndarray, n: float) -> Iterator[tuple[np.ndarray, tuple]]:
    """α on its way up Σ_l (α_l − 1) said_l + n (ln Γ(Σα) − Σ ln Γ(α)), `said` being the sum of n expected logarithms.

    After every step α, and what the step was made of: the slope g, the bend h of each α alone, what all have in common
    c, and the share of α − (g − c) / h that was taken, so that every α stays above 0.
    """
    yield alpha, ()
    while len(alpha) > 1:  # a single share is 1, whatever α
        g = said + n * (digamma(alpha.sum()) - digamma(alpha))
        h, z = -n * polygamma(1, alpha), n * polygamma(1, alpha.sum())
        c = (g / h).sum() / (1 / z + (1 / h).sum())
        move, share = (g - c) / h, 1.0
        while (alpha - share * move <= 0).any():
            share /= 2
        old, alpha = alpha, alpha - share * move
        yield alpha, (g, h, c, share)
        if np.abs(alpha - old).sum() <= SETTLED * old.sum():
            return
