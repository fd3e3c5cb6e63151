"""Co-association in which a cluster counts by how far the ensemble agrees with it."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import contingency
from .coassociation import shares, together


def entropies(ensemble: Ensemble) -> np.ndarray:
    """(K,): how much each cluster is torn by the whole ensemble, −Σ_i Σ_j p log₂ p with p = |C ∩ C_j⁽ⁱ⁾| / |C|.

    Shares are taken among the members that have a label in base clustering i.
    """
    shared = contingency(ensemble).tocoo()
    owner = np.repeat(np.arange(ensemble.m), ensemble.k_each)
    observed = np.zeros((shared.shape[0], ensemble.m))  # members of each cluster with a label in each base clustering
    np.add.at(observed, (shared.row, owner[shared.col]), shared.data)
    p = shared.data / observed[shared.row, owner[shared.col]]
    return np.bincount(shared.row, weights=-p * np.log2(p), minlength=shared.shape[0])


def cluster_indices(ensemble: Ensemble, theta: float = 0.4) -> np.ndarray:
    """(K,): the ensemble-driven cluster index ECI = exp(−entropy / (θ m)) of Huang, Wang and Lai (2018), in (0, 1]."""
    return np.exp(-entropies(ensemble) / (theta * ensemble.m))


def local_weighting(ensemble: Ensemble, theta: float = 0.4) -> np.ndarray:
    """(q, q): the locally weighted co-association, Σ_i ECI(C⁽ⁱ⁾) [together] / m: clusters count with their index.

    With missing labels the mean is over the base clusterings that have a label for both, 0 where there is none.
    """
    return shares(ensemble, together(ensemble, cluster_indices(ensemble, theta)))
