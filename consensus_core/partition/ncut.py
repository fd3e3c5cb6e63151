"""Places from the leading eigenvectors of a graph."""

import numpy as np

from ..linalg import canonical_signs, smallest_eigenvectors
from ..linalg.spectrum import settled_ties, smallest_by_lapack


def ncut(W, columns, offset=0.0):
    """(values (c,), V (size, c)): W V = diag(d) V diag(values), the greatest values, 1 the most; d the row sums of W.

    Vᵀ diag(d) V = I, parts of a graph in several first, signs by `canonical_signs`. With an `offset` (Cour, Yu & Shi's
    program has ½) every thing is tied to itself by so much more, W + offset·I, and counts by twice as much more,
    d + 2·offset; columns are then as long as the root of their size, as that program has them.
    """
    columns = min(columns, len(W))
    if not columns:
        return np.zeros(1), np.zeros((0, 1))
    d = W.sum(axis=1) + 2 * offset
    if not offset:
        values, V = smallest_eigenvectors(W, columns, normalised=True)
        parts = int((values == 0).sum())  # they come first, as they are
        V[:, parts:] = settled_ties(1 - values[parts:], V[:, parts:])
        return 1 - values, V / np.sqrt(d)[:, None]
    root = np.sqrt(d)
    M = (W + offset * np.eye(len(W))) / root / root[:, None]
    values, V = smallest_by_lapack(-M, columns)
    V = settled_ties(-values, V) / root[:, None]
    return -values, canonical_signs(V * np.sqrt(len(W)) / np.linalg.norm(V, axis=0))
