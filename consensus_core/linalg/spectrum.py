"""The smallest eigenvectors of a consensus graph's Laplacian, on distinct rows with counts."""

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from .graph import components
from .orthonormal import canonical_signs


def smallest_eigenvectors(S, k, counts=None, warm=None, normalised=False):
    """The k smallest eigenpairs of the Laplacian of S, each row of S standing for counts[p] equal objects.

    For the n objects L = D − A with A_ij = S[p(i), p(j)] and D its row sums. Vectors that are equal within each
    distinct row, y, solve with C = diag(counts), d_p = Σ_q counts_q S_pq

        (diag(d) − C^½ S C^½) u = μ u,     y = C^-½ u,                                  unnormalised
        (I − (C/d)^½ S (C/d)^½) u = μ u,   y = C^-½ u,                                  normalised

    and are orthonormal in the counts-weighted product: Σ_p counts_p y_pa y_pb = [a = b]. An object with d = 0 is a
    component of its own (μ = 0).

    Connected components give eigenvalue 0 and need no eigenproblem: their normalised indicators come first, ordered by
    number of objects, greatest first (ties: the lower first row). With more than k components the k greatest are taken.
    Other columns have their signs by `canonical_signs`.

    S          (q, q) symmetric, non-negative, dense or sparse
    warm       (q, k') an approximation, e.g. the previous answer: only speeds things up
    returns    values (k,) ascending, vectors (q, k)
    """
    q = S.shape[0]
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    if not 1 <= k <= q:
        raise ValueError(f"smallest_eigenvectors: k must be between 1 and the number of rows {q}, got {k}")
    degree = np.asarray(S @ counts, dtype=float).reshape(-1)
    _, member = components(S)
    return _by_components(S, k, counts, degree, member, warm, normalised)


def _by_components(S, k, counts, degree, member, warm, normalised):
    """Indicators of the components, then the smallest of what each component adds."""
    q = S.shape[0]
    mass = np.bincount(member, weights=counts)
    order = np.lexsort((np.arange(len(mass)), -mass))
    values = np.zeros(k)
    Y = np.zeros((q, k))
    weight = degree if normalised else np.ones(q)
    for column, component in enumerate(order[:k]):
        inside = member == component
        root = np.sqrt(weight[inside]) if weight[inside].any() else np.ones(inside.sum())
        Y[inside, column] = root / np.sqrt((counts[inside] * root**2).sum())
    wanted = k - len(order)
    if wanted <= 0:
        return values, Y
    found_values, found = [], []
    for component in order:
        inside = np.flatnonzero(member == component)
        if len(inside) == 1:
            continue
        M = _laplacian(S, inside, counts, degree, normalised)
        mu, U = _smallest_dense(M, min(wanted + 1, len(inside)))
        found_values.append(mu[1:])
        found.append((inside, U[:, 1:]))
    every = np.concatenate(found_values)
    chosen = np.argsort(every, kind="stable")[:wanted]
    values[len(order) :] = every[chosen]
    owner = np.repeat(np.arange(len(found)), [len(v) for v in found_values])
    place = np.concatenate([np.arange(len(v)) for v in found_values])
    for column, index in enumerate(chosen, start=len(order)):
        inside, U = found[owner[index]]
        Y[inside, column] = U[:, place[index]] / np.sqrt(counts[inside])
    Y[:, len(order) :] = canonical_signs(Y[:, len(order) :], counts)
    return values, Y


def _laplacian(S, inside, counts, degree, normalised):
    """The symmetric matrix of one component, dense."""
    block = S[np.ix_(inside, inside)] if len(inside) < S.shape[0] else S
    block = block.toarray() if sp.issparse(block) else block
    root = np.sqrt(counts[inside] / degree[inside]) if normalised else np.sqrt(counts[inside])
    M = -(root[:, None] * block * root)
    M[np.diag_indices_from(M)] += 1.0 if normalised else degree[inside]
    return M


def _smallest_dense(M, k):
    """k smallest eigenpairs by LAPACK; its subset driver fails on some degenerate spectra, then the full one."""
    try:
        values, U = scipy.linalg.eigh(M, subset_by_index=(0, k - 1), driver="evr", check_finite=False)
        if values.shape == (k,) and np.isfinite(values).all() and _orthonormal(U):
            return values, U
    except np.linalg.LinAlgError:
        pass
    values, U = scipy.linalg.eigh(M, driver="evd", check_finite=False)
    return values[:k], U[:, :k]


def _orthonormal(U):
    return U.size == 0 or (np.isfinite(U).all() and np.abs(U.T @ U - np.eye(U.shape[1])).max() < 1e-10)
