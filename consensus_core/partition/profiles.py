"""Groups of objects whose rows of a co-association are alike."""

import numpy as np

from ..ensemble.incidence import incidence
from ..machine import speed
from .spectral import weighted_kmeans


def profiles(ensemble, A):
    """(q, d): rows as far apart as two objects' rows of A over all n objects, with as few columns as that takes.

    Without gaps A √counts = H (Hᵀ √counts) / m over K clusters: distances of rows are those of H L with
    L Lᵀ = HᵀCH / m². With gaps, or with more clusters than rows, the rows of A √counts themselves.
    """
    if ensemble.has_missing or ensemble.K >= ensemble.q:
        return A * np.sqrt(ensemble.weights)
    H = incidence(ensemble)
    values, vectors = np.linalg.eigh((H.T @ H.multiply(ensemble.weights[:, None])).toarray())
    return H @ (vectors * (np.sqrt(np.maximum(values, 0.0)) / ensemble.m))


def grouped_by_profile(ensemble, A, k, starts=10, seed=0):
    """Labels (q,) of k groups: k-means of the objects' rows of A, each a point in n dimensions."""
    return weighted_kmeans(profiles(ensemble, A), k, ensemble.weights, seed=seed, starts=starts)


def seconds_of_grouping(q, width, k, starts):
    """What it takes: the more rows the more steps until nothing moves, each some passes over all coordinates."""
    steps = starts * (10 + q / 35)
    return steps * (2e-4 + q * width * k / speed().products + q * (3 * k + 8 * width) / speed().entries)
