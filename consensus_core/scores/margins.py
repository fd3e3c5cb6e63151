"""How surely an object belongs where it was put: one definition for every screen, file and estimator.

For an object i and a cluster L, how often they are together:

    s_L(i) = Σ_t objects of L, i itself not counted, that base clustering t puts into i's cluster
             / Σ_t objects of L, i itself not counted, that have a label in t             (t over those that label i)

which is the mean co-association of i with the objects of L where no label is missing. An object's certainty is s of its
own cluster less the greatest s of another one: 1 where it is always with its own and never with others, 0 where another
cluster is as near, below 0 where another is nearer. An object alone in its cluster has s = 1 there. Linear in the
number of microclusters; no matrix of pairs is made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence


@dataclass(frozen=True)
class Certainty:
    """For each microcluster (q,)."""

    own: np.ndarray  # how often an object is together with the others of its cluster
    other: np.ndarray  # and with those of the nearest other cluster; 0 where there is none
    second: np.ndarray  # the label of that cluster; its own where there is no other
    margin: np.ndarray  # own − other, the certainty

    def __iter__(self):
        return iter((self.own, self.other, self.second, self.margin))


def certainty(ensemble: Ensemble, labels: np.ndarray) -> Certainty:
    """Of objects under labels (q,) 0, 1, …, k − 1."""
    ensemble, labels = ensemble.canonical, np.asarray(labels)
    q, k, here = ensemble.q, int(labels.max()) + 1, np.arange(ensemble.q)
    H = incidence(ensemble)
    inside = scipy.sparse.csr_array((ensemble.weights, (here, labels)), (q, k))
    together = H @ (H.T @ inside).toarray()
    observed = (~ensemble.missing).astype(float)
    seen = observed @ (inside.T @ observed).T
    labelled = observed.sum(axis=1)
    together[here, labels] -= labelled
    seen[here, labels] -= labelled
    share = np.divide(together, seen, out=np.zeros((q, k)), where=seen > 0)
    alone = np.bincount(labels, weights=ensemble.weights, minlength=k)[labels] == 1
    own = np.where(alone, 1.0, share[here, labels])
    if k == 1:
        return Certainty(own, np.zeros(q), labels.copy(), own.copy())
    share[here, labels] = -1.0
    second = share.argmax(axis=1)
    other = share[here, second]
    return Certainty(own, other, second, own - other)
