"""Spectral base clusterings with a Gaussian kernel, as the SPCE paper makes them (its Section IV-C).

    A_ij = exp(−‖x_i − x_j‖² / 2σ²),    σ = d · factor,    d = mean distance over all pairs

then the k smallest eigenvectors of the normalised Laplacian, rows to unit length, k-means (Ng, Jordan, Weiss 2002).
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform

from ..errors import Cancelled
from ..linalg import smallest_eigenvectors, unit_rows
from .kmeans import kmeans

FACTORS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0)
NO_EDGE = 1e-12  # weaker affinities cannot be told from rounding in the spectrum; they count as no edge


def pair_distances(X) -> np.ndarray:
    """All distances in units of their mean, squared: (n, n)."""
    distance = pdist(X)
    distance /= distance.mean()
    distance *= distance
    return squareform(distance, checks=False)


def embedding(squared, factor, k) -> np.ndarray:
    """(n, k) rows of unit length, from squared distances in units of the mean distance.

    A narrow kernel may leave more than k separate pieces. Then every orthonormal basis of their indicators solves the
    eigenproblem and a library's choice would be accident: the k greatest pieces are taken, the rest lie at the origin.
    """
    affinity = squared * (-0.5 / factor**2)
    np.exp(affinity, out=affinity)
    affinity[affinity < NO_EDGE] = 0.0
    _, vectors = smallest_eigenvectors(affinity, k, normalised=True)
    return unit_rows(vectors)


def spectral(squared, factor, k, rng, stopped=lambda: False) -> np.ndarray:
    """Labels (n,) from squared distances in units of the mean distance."""
    if stopped():
        raise Cancelled
    rows = embedding(squared, factor, k)
    # rounded, so that objects of one piece are equal and not two of them are drawn as first centres
    return kmeans(np.round(rows, 10), k, rng, stopped)
