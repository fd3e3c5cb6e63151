"""Eigenvectors of the plain co-association, by way of the clusters."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..ensemble.masks import latest
from ..ensemble.together import pairs_of
from ..linalg import bipartite_components, smallest_eigenvectors
from ..linalg.spectrum import smallest_of_gram

Parts = tuple[int, np.ndarray]  # how many components, and which one each microcluster is in
Spectrum = tuple[np.ndarray, np.ndarray, np.ndarray]  # σ (k,), Y (q, k), degrees (q,)


@latest
def components_and_spectrum(ensemble: Ensemble, k: int) -> tuple[Parts, Spectrum]:
    """Of Ŝ, where SPCE begins, whatever its dials but k: they are found once for the k asked for last."""
    found = coassociation_spectrum(ensemble, k)
    parts: Parts = 1, np.zeros(ensemble.q, dtype=np.intp)
    if found is None:
        pairs, counts = pairs_of(ensemble), ensemble.counts
        S = pairs.linked(pairs.share())
        parts, graph = S.components(), S.graph(k)
        found = (*smallest_eigenvectors(graph, k, counts, found=parts), graph @ counts)
    for array in (parts[1], *found):
        array.flags.writeable = False
    return parts, found


def coassociation_spectrum(ensemble: Ensemble, k: int) -> Spectrum | None:
    """(σ (k,), Y (q, k), degrees (q,)): the k smallest eigenpairs of the Laplacian of Ŝ, as `smallest_eigenvectors`.

    Ŝ = HHᵀ / m where every label is there, H saying who is in which cluster. None where one is missing, where Ŝ falls
    apart, or where Ŝ itself is the better way.
    """
    if ensemble.has_missing:
        return None
    H = incidence(ensemble)
    return smallest_of_gram(H / np.sqrt(ensemble.m), k, ensemble.weights) if bipartite_components(H)[0] == 1 else None
