"""Starts by chance that neither the order of objects nor how often each stands there decides."""

import numpy as np


def different_rows(ensemble, k, rng):
    """(k,) microclusters with different labels, each drawn as often as it has objects.

    A number between 0 and 1 points into the objects as they stand by their labels, so that writing every object twice,
    or every microcluster as its objects, draws the same labels.
    """
    mass, drawn = ensemble.counts.copy(), []
    for at in rng.random(k):
        p = int(np.searchsorted(np.cumsum(mass), int(at * mass.sum()), side="right"))
        drawn.append(p)
        mass[(ensemble.rows == ensemble.rows[p]).all(axis=1)] = 0
    return np.array(drawn)
