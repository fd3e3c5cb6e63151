"""Classic methods once more, on all objects, straight from their papers: slow, plain, no microclusters."""

from __future__ import annotations

import numpy as np


def indicator(table) -> np.ndarray:
    """(n, R): which object is in which cluster; clusters numbered through, column by column, by label."""
    return np.column_stack([column == label for column in table.T for label in np.unique(column)]).astype(float)


def jaccard(H) -> np.ndarray:
    """|a ∩ b| / |a ∪ b| of all clusters, 0 on the diagonal."""
    R = H.shape[1]
    J = np.zeros((R, R))
    for a in range(R):
        for b in range(R):
            both, either = (H[:, a] * H[:, b]).sum(), np.maximum(H[:, a], H[:, b]).sum()
            J[a, b] = 0 if a == b else both / either
    return J


def cosine_of_ways(J, steps) -> np.ndarray:
    """Cosines of the trajectories themselves, written out."""
    reach = J.sum(axis=1, keepdims=True)
    P = J / np.where(reach > 0, reach, 1)
    ways, power = [], np.eye(len(J))
    for _ in range(steps):
        power = power @ P
        ways.append(power)
    ways = np.hstack(ways)
    length = np.linalg.norm(ways, axis=1)
    Z = ways @ ways.T / np.where(np.outer(length, length) > 0, np.outer(length, length), 1)
    np.fill_diagonal(Z, 1)
    return Z


def enhanced(table, Z) -> np.ndarray:
    """(n, n): the mean over the base clusterings of Z between the clusters of two objects."""
    starts = np.cumsum([0, *(len(np.unique(column)) for column in table.T)])
    B = np.zeros((len(table),) * 2)
    for column, start in zip(table.T, starts, strict=False):
        c = start + np.unique(column, return_inverse=True)[1]
        B += Z[np.ix_(c, c)]
    return B / table.shape[1]


def unit(X) -> np.ndarray:
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(length > 0, length, 1)


def bipartite_places(G, k) -> tuple[np.ndarray, np.ndarray]:
    """(σ of the whole graph of objects and clusters, unit rows of the objects), G (n, R) the edges between them."""
    n, R = G.shape
    graph = np.block([[np.zeros((n, n)), G], [G.T, np.zeros((R, R))]])
    root = np.sqrt(graph.sum(axis=1))
    values, vectors = np.linalg.eigh(graph / root / root[:, None])
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k] / root[:, None]
    return values**2, unit(vectors[:n] * values)


def trajectories(rows, counts, elite, steps) -> np.ndarray:
    """PTS between distinct label rows, walkers followed step by step."""
    q = len(rows)
    A = (rows[:, None] == rows[None]).mean(axis=2)
    np.fill_diagonal(A, 0)
    w = np.zeros((q, q))
    for p in range(q):
        least = np.sort(A[p])[::-1][elite - 1]
        for r in np.flatnonzero(A[p] >= least):
            w[p, r] = w[r, p] = A[p, r]
    P = w * counts
    for p in np.flatnonzero(P.sum(axis=1) == 0):
        P[p, p] = 1
    P /= P.sum(axis=1, keepdims=True)
    ways, at = [], np.eye(q)
    for _ in range(steps):
        at = at @ P
        ways.append(at)
    ways = unit(np.hstack(ways))
    return ways @ ways.T


def rows_of_all(table):
    """The n x n co-association, one row per object."""
    seen = (table[:, None] >= 0) & (table[None] >= 0)
    return ((table[:, None] == table[None]) & seen).sum(axis=2) / np.maximum(seen.sum(axis=2), 1)
