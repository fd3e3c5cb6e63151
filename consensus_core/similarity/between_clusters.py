"""How alike the clusters of an ensemble are, and what that says of objects."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import contingency
from ..linalg.trajectories import cosines, walked
from .coassociation import shares


def jaccard(ensemble: Ensemble) -> np.ndarray:
    """J (K, K): |C ∩ C′| / |C ∪ C′| in objects; 0 for a cluster and itself, and within one base clustering."""
    shared = contingency(ensemble).toarray()
    sizes = shared.diagonal().copy()
    np.fill_diagonal(shared, 0.0)
    return shared / (sizes[:, None] + sizes - shared)


def steps_between(J: np.ndarray) -> np.ndarray:
    """P = J with rows that add up to 1: how a walker goes from cluster to cluster. It never stays; rows of 0 stay 0."""
    reach = J.sum(axis=1, keepdims=True)
    return J / np.where(reach > 0, reach, 1.0)


def likeness_of_walks(J: np.ndarray, steps: int) -> np.ndarray:
    """Z (K, K): the cosine of the ways of walkers from two clusters, after 1 … `steps` steps one after the other."""
    return cosines(walked(steps_between(J), steps))


def propagated(ensemble: Ensemble, Z: np.ndarray) -> np.ndarray:
    """(q, q): for each pair the mean, over the base clusterings with a label for both, of Z between their clusters.

    With Z = identity it is the co-association. A pair that no base clustering has seen together gets 0.
    """
    sums = np.zeros((ensemble.q, ensemble.q))
    for rows, first, end in zip(ensemble.rows.T, ensemble.offsets, ensemble.offsets[1:], strict=False):
        alike = np.zeros((end - first + 1, end - first + 1))  # −1, a missing label, finds the zeros at the end
        alike[:-1, :-1] = Z[first:end, first:end]
        of_clusters = alike[:, rows]
        for p, code in enumerate(rows):
            sums[p] += of_clusters[code]
    return np.minimum(shares(ensemble, sums), 1.0)
