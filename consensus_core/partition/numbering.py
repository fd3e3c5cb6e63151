"""Which cluster has which number: one rule for every screen, file and script.

A cluster's number follows from the ensemble and the partition alone: clusters are matched, as many objects as possible
keeping their place, to the cut of one tree that is the ensemble's own (average linkage of the co-association), whose
cuts are numbered so that splitting a cluster leaves all other numbers as they are. So a group keeps its number, and its
colour, from iteration to iteration, from one setting and method to the next, and on everybody's screen.
"""

from __future__ import annotations

import weakref

import numpy as np
import scipy.sparse
from scipy.optimize import linear_sum_assignment

from ..ensemble import Ensemble
from ..ensemble.incidence import indicators
from ..similarity import coassociation
from .linkage import linkage
from .relabel import relabel

MOST = 1000  # microclusters in the tree: those that stand for most objects; the others go where these are


def numbered(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """The partition labels (q,) with clusters numbered 0, 1, … by the rule; it does not matter how they were before."""
    labels = relabel(labels)
    k = int(labels.max()) + 1
    slots = reference(ensemble).cut(k)
    shared = np.zeros((k, k))
    seen = slots >= 0
    np.add.at(shared, (labels[seen], slots[seen]), ensemble.weights[seen])
    # among equals the cluster that comes first takes the first place
    shared += 1e-9 * np.outer(np.arange(k, 0, -1), np.arange(k, 0, -1)) / k**2
    old, new = linear_sum_assignment(shared, maximize=True)
    name = np.empty(k, dtype=np.intp)
    name[old] = new
    return name[labels]


def column_of(ensemble: Ensemble, own: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """(k,) for each cluster, as it is numbered, which of a method's own k columns it is; `own` (q,) says who is in
    which, `labels` the partition it has come to, in which columns may be split and empty ones filled."""
    inside = np.zeros((k, k))
    np.add.at(inside, (numbered(ensemble, labels), own), ensemble.weights)
    return linear_sum_assignment(inside, maximize=True)[1]


class Reference:
    """The tree of an ensemble, and its cuts with nested numbers."""

    def __init__(self, ensemble: Ensemble):
        self.ensemble = ensemble = ensemble.canonical
        order = np.argsort(-ensemble.counts, kind="stable")[:MOST]
        self.chosen = np.sort(order)
        part = Ensemble(ensemble.rows[self.chosen], ensemble.counts[self.chosen], None, ensemble.names)
        self.tree = linkage(coassociation(part), part.counts, overwrite=True)
        self._cuts: dict[int, np.ndarray] = {}

    def cut(self, k: int) -> np.ndarray:
        """(q,) the place of each microcluster when there are k clusters; −1 where nothing places it."""
        k = min(k, self.tree.leaves)
        if k not in self._cuts:
            labels = self._nested(k)
            self._cuts[k] = labels if len(labels) == self.ensemble.q else self._spread(labels, k)
        return self._cuts[k]

    def _nested(self, k: int) -> np.ndarray:
        """Labels of the leaves of the tree: where a cluster is split, its larger part keeps the number."""
        tree, leaves = self.tree, self.tree.leaves
        size = np.concatenate([self.ensemble.counts[self.chosen], tree.sizes])
        number = np.full(2 * leaves - 1, -1, dtype=np.intp)
        number[-1] = 0
        for t in range(leaves - 2, -1, -1):
            a, b = tree.merges[t]
            if size[b] > size[a]:
                a, b = b, a
            number[a] = number[b] = number[leaves + t]
            split = leaves - 1 - t  # clusters there are before this merge is undone
            if split < k:
                number[b] = split
        return number[:leaves]

    def _spread(self, labels: np.ndarray, k: int) -> np.ndarray:
        """The others go where most of the clusters they are in are."""
        ensemble, q = self.ensemble, self.ensemble.q
        H = indicators(ensemble.rows, ensemble.offsets)
        inside = scipy.sparse.csr_array((ensemble.weights[self.chosen], (self.chosen, labels)), (q, k))
        made_of = (H.T @ inside).toarray()
        made_of /= np.maximum(made_of.sum(axis=1, keepdims=True), 1.0)
        votes = H @ made_of
        found = np.where(votes.max(axis=1) > 0, votes.argmax(axis=1), -1)
        found[self.chosen] = labels
        return found


_known: weakref.WeakKeyDictionary[Ensemble, Reference] = weakref.WeakKeyDictionary()


def reference(ensemble: Ensemble) -> Reference:
    """Made once, and kept as long as the ensemble lives."""
    found = _known.get(ensemble)
    if found is None:
        found = _known[ensemble] = Reference(ensemble)
    return found
