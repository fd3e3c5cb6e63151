"""How surely an object belongs where it was put."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from ..drawing.orders import _incidence
from ..ensemble import Ensemble


def support(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """(q, k): the mean, over the base clusterings, of the share of an object's cluster that has each consensus label.

    1 in one column: in every base clustering the object is among objects of that consensus cluster only.
    """
    H = _incidence(ensemble)
    k = int(labels.max()) + 1
    inside = scipy.sparse.csr_array((ensemble.counts.astype(float), (np.arange(ensemble.q), labels)), (ensemble.q, k))
    made_of = (H.T @ inside).toarray()
    made_of /= np.maximum(made_of.sum(axis=1, keepdims=True), 1.0)
    return (H @ made_of) / np.maximum(H.sum(axis=1), 1.0)[:, None]
