"""Gaussian mixtures by expectation and maximisation, started from k-means.

    max over weights π, means μ, covariances Σ:   Σ_i log Σ_j π_j N(x_i; μ_j, Σ_j)

The label of an object is its likeliest component. The steps are those of scikit-learn's GaussianMixture (a test holds
us to it); stopping before convergence is no event here, for a base clustering may be weak, and it can be cancelled.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from ..errors import Cancelled
from .kmeans import kmeans

SHAPES = ("diagonal", "full")


def mixture(X, k, rng, stopped=lambda: False, shape="diagonal", max_iter=100, tol=1e-3) -> np.ndarray:
    """Labels (n,): the likeliest of k components. Stops when the mean log likelihood gains less than tol."""
    X = X - X.mean(axis=0)
    start = kmeans(X, k, rng, stopped)
    return expectation_maximisation(X, start, stopped, shape, max_iter, tol)


def expectation_maximisation(X, labels, stopped=lambda: False, shape="diagonal", max_iter=100, tol=1e-3) -> np.ndarray:
    """EM started from a partition."""
    ridge = 1e-6 * X.var(axis=0).mean()  # keeps a component that has shrunk to a point from a zero variance
    belonging = np.eye(labels.max() + 1)[labels]
    gained = -np.inf
    for _ in range(max_iter):
        if stopped():
            raise Cancelled
        size = belonging.sum(axis=0) + 10 * np.finfo(float).eps
        means = belonging.T @ X / size[:, None]
        joint = (_diagonal if shape == "diagonal" else _full)(X, belonging, size, means, ridge)
        joint += np.log(size / size.sum())  # log π_j N(x_i; …), then in place: memory for n k numbers twice, not more
        top = joint.max(axis=1, keepdims=True)
        belonging = np.exp(np.subtract(joint, top, out=joint), out=joint)
        total = belonging.sum(axis=1, keepdims=True)
        belonging /= total
        likelihood = (np.log(total) + top).mean()
        if abs(likelihood - gained) < tol:
            break
        gained = likelihood
    return belonging.argmax(axis=1)


def _diagonal(X, belonging, size, means, ridge):
    variance = belonging.T @ X**2 / size[:, None] - means**2
    variance = np.maximum(variance, 0) + ridge
    precision = 1 / variance
    closeness = X @ (2 * means * precision).T
    closeness -= X**2 @ precision.T
    closeness -= (means**2 * precision).sum(axis=1) + np.log(variance).sum(axis=1) + X.shape[1] * np.log(2 * np.pi)
    closeness *= 0.5
    return closeness


def _full(X, belonging, size, means, ridge):
    n, p = X.shape
    log_density = np.empty((n, len(means)))
    for j, mean in enumerate(means):
        away = X - mean
        covariance = (belonging[:, j] * away.T) @ away / size[j]
        covariance.flat[:: p + 1] += ridge
        root = np.linalg.cholesky(covariance)
        whitened = solve_triangular(root, away.T, lower=True)
        log_determinant = 2 * np.log(np.diag(root)).sum()
        log_density[:, j] = -0.5 * (p * np.log(2 * np.pi) + log_determinant + (whitened**2).sum(axis=0))
    return log_density
