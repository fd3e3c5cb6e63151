"""CESHL on n rows, step by step and slowly: what consensus_core.methods.ceshl is held to. Written from the equations.

Everything n x n is formed, and the quasi-Newton method is SciPy's.
"""

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.sparse.csgraph import connected_components


def incidence(table):
    return np.hstack([(column[:, None] == np.unique(column)).astype(float) for column in np.asarray(table).T])


def scores(H, m):
    """(1): the mean of U over all pairs of a cluster."""
    U = H @ H.T / m
    return np.array([U[np.ix_(inside, inside)].mean() for inside in (H > 0).T])


def smoothness(H):
    """I − D^−½ C D^−½ of (4)."""
    C = H.T @ H
    D = C.sum(axis=1)
    return np.eye(len(C)) - C / np.sqrt(np.outer(D, D))


def laplacian(Y, w, normalised=True):
    """(5), or that of the published program."""
    Dv, De = np.diag(Y @ w), np.diag(Y.sum(axis=0))
    A = Y @ np.diag(w) @ np.linalg.inv(De) @ Y.T
    if not normalised:
        return Dv - A
    half = np.linalg.inv(np.sqrt(Dv))
    return np.eye(len(Y)) - half @ A @ half


def objective(Y, H, w, F, rho):
    """(8)."""
    return (((Y - H) @ np.diag(w)) ** 2).sum() + rho * np.trace(F.T @ laplacian(Y, w) @ F)


def slope(Y, H, w, F, rho):
    """(13), term by term as in the text."""
    dv, de = Y @ w, Y.sum(axis=0)
    FF = F @ F.T
    G = FF / np.sqrt(np.outer(dv, dv))
    J = np.ones(Y.shape)
    fit = 2 * (Y - H) * w**2
    edges = J @ np.diag(np.diag(Y.T @ G @ Y @ np.diag(w / de**2)))
    nodes = np.diag(dv**-1.5 * np.diag(Y @ np.diag(w / de) @ Y.T @ np.diag(dv**-0.5) @ FF)) @ J @ np.diag(w)
    return fit + rho * (edges + nodes - 2 * G @ Y @ np.diag(w / de))


def learn(Y, H, w, F, rho, steps=20, memory=5, tol=1e-3):
    """(10) by SciPy's L-BFGS-B."""

    def both(flat):
        Y = flat.reshape(H.shape)
        return objective(Y, H, w, F, rho), slope(Y, H, w, F, rho).ravel()

    found = minimize(
        both, Y.ravel(), jac=True, method="L-BFGS-B", bounds=Bounds(np.zeros(Y.size), np.ones(Y.size)),
        options={"maxcor": memory, "maxiter": steps, "gtol": tol, "ftol": 0},
    )  # fmt: skip
    return found.x.reshape(H.shape)


def rounds(table, k, lam, w, variant="paper", most=100):
    """Algorithm 1: (Y, F, eigenvalues, ρ) after every round, the start first."""
    H = incidence(table)
    Y, rho = H, 100.0
    F = np.linalg.eigh(laplacian(Y, w, variant == "paper"))[1][:, :k]
    yield Y, F, np.linalg.eigvalsh(laplacian(Y, w, variant == "paper"))[: k + 1], rho
    for r in range(most):
        Y = learn(Y, H, w, F, rho)
        values, vectors = np.linalg.eigh(laplacian(Y, w, variant == "paper"))
        done = False
        if values[:k].sum() > 1e-9:
            rho, F = 2 * rho, vectors[:, :k]
        elif values[: k + 1].sum() < 1e-11:
            rho = rho / 2
        else:
            F, done = vectors[:, :k], r > 0
        yield Y, F, values[: k + 1], rho
        if done:
            return


def parts(Y):
    """Components of the bipartite graph, entries above 1e-8."""
    n, k = Y.shape
    graph = np.zeros((n + k, n + k))
    graph[:n, n:] = Y > 1e-8
    _, labels = connected_components(graph, directed=False)
    return np.unique(labels[:n], return_inverse=True)[1]
