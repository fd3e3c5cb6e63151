"""Which colour other things have when the consensus clusters have theirs: a base cluster that of the consensus cluster
most of its objects have, a true class that of the consensus cluster it shares most objects with."""

from __future__ import annotations

import numpy as np

from ..ensemble import MISSING, Ensemble


def owners(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """(K,): the consensus cluster that most objects of each base cluster have, the lowest number in a tie.

    By the labels that were given, in every picture: a label that a method fills in has the colour of those who had it.
    """
    k, offsets = int(labels.max(initial=0)) + 1, ensemble.offsets
    seen = ensemble.rows != MISSING
    clusters = (ensemble.rows + offsets[:-1])[seen]
    mine = np.broadcast_to(np.asarray(labels)[:, None], seen.shape)[seen]
    weight = np.broadcast_to(ensemble.counts[:, None], seen.shape)[seen]
    votes = np.bincount(clusters * k + mine, weights=weight, minlength=int(offsets[-1]) * k)
    return votes.reshape(-1, k).argmax(axis=1)


def classes(truth: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    """(count,): a colour number for each true class. Classes and clusters that share most objects are paired first,
    each cluster's colour is given once; what is left over takes the colours after the clusters'.

    `truth` and `labels` are over the objects (n,), MISSING where the class is not known.
    """
    k, known = int(labels.max(initial=0)) + 1, truth != MISSING
    shared = np.bincount(truth[known] * k + labels[known], minlength=count * k)[: count * k]
    colour, taken = np.full(count, -1), np.zeros(k, dtype=bool)
    for at in np.argsort(-shared, kind="stable"):
        if not shared[at]:
            break
        name, label = divmod(int(at), k)
        if colour[name] < 0 and not taken[label]:
            colour[name], taken[label] = label, True
    left = np.flatnonzero(colour < 0)
    colour[left] = k + np.arange(len(left))
    return colour
