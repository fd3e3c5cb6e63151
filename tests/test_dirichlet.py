"""Dirichlet distributions: logarithms of shares against draws, and α against the maximum another solver finds."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import dirichlet

from consensus_core.linalg.dirichlet import expected_logs, log_norm, newton_steps


def test_what_is_expected_is_what_draws_have():
    gamma = np.array([0.7, 2.0, 5.5])
    draws = np.log(np.random.default_rng(0).dirichlet(gamma, size=200_000))
    assert expected_logs(gamma) == pytest.approx(draws.mean(axis=0), abs=4 * draws.std() / np.sqrt(len(draws)))


def test_the_norm_is_scipys():
    alpha, theta = np.array([[0.7, 2.0, 5.5], [3.0, 1.0, 1.0]]), np.array([0.2, 0.3, 0.5])
    ours = log_norm(alpha) + ((alpha - 1) * np.log(theta)).sum(axis=1)
    assert ours == pytest.approx([dirichlet.logpdf(theta, one) for one in alpha])


@pytest.mark.parametrize("seed", range(5))
def test_newton_ends_at_the_greatest_likelihood(seed):
    rng = np.random.default_rng(seed)
    said = np.log(rng.dirichlet(rng.uniform(0.5, 6, size=4), size=60)).sum(axis=0)
    *way, (alpha, _) = newton_steps(np.full(4, 1.0), said, 60.0)
    value = lambda a: -float((a - 1) @ said + 60 * log_norm(a))  # noqa: E731
    theirs = minimize(lambda x: value(np.exp(x)), np.zeros(4), method="BFGS")
    assert alpha == pytest.approx(np.exp(theirs.x), rel=5e-3) and len(way) < 20
    assert value(alpha) == pytest.approx(theirs.fun, abs=1e-3)


def test_of_a_single_share_nothing_is_learned():
    assert len(list(newton_steps(np.array([2.0]), np.zeros(1), 5.0))) == 1
