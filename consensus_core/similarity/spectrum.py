"""Eigenvectors of the plain co-association, by way of the clusters."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..linalg import bipartite_components
from ..linalg.spectrum import smallest_of_gram


def coassociation_spectrum(ensemble: Ensemble, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(σ (k,), Y (q, k), degrees (q,)): the k smallest eigenpairs of the Laplacian of Ŝ, as `smallest_eigenvectors`.

    Ŝ = HHᵀ / m where every label is there, H saying who is in which cluster. None where one is missing, where Ŝ falls
    apart, or where Ŝ itself is the better way.
    """
    if ensemble.has_missing:
        return None
    H = incidence(ensemble)
    return smallest_of_gram(H / np.sqrt(ensemble.m), k, ensemble.weights) if bipartite_components(H)[0] == 1 else None
