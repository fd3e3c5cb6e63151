"""The published protocol's draws of base clusterings."""

from __future__ import annotations

import os

import numpy as np
from sklearn.metrics import adjusted_rand_score

from consensus_core import Ensemble, solve
from consensus_core.scores import acc, nmi


def paper_draws(columns=100, size=20, repeats=20):
    """The very draws of the EC-CMS paper: rng(1), then randperm(100) twenty times."""
    stream = np.random.RandomState(1)
    return [np.argsort(stream.random_sample(columns))[:size] for _ in range(repeats)]


def some_of(names):
    """The first of several pools; all of them with QUORUM_POOLS=all."""
    return list(names) if os.environ.get("QUORUM_POOLS") == "all" else list(names)[:1]


def lexicographic(members) -> np.ndarray:
    """(n,) which of the distinct rows, in the order of their numbers, each object has: the rows of golden files."""
    return np.unique(members, axis=0, return_inverse=True)[1].reshape(-1)


def ari_over_draws(method, pool, of=20):
    """Mean and deviation of the adjusted Rand index over the first of these draws; `pool`: labels and truth."""
    members, truth = pool
    found = [solve(method, Ensemble.from_labels(members[:, draw])).labels for draw in paper_draws()[:of]]
    scores = [adjusted_rand_score(truth, labels) for labels in found]
    return np.mean(scores), np.std(scores, ddof=1)


def over_lung(method, pool):
    """((ACC, NMI by the greater entropy), their deviations) over the ten subsets of SPCE's and TRCE's tables."""
    members, truth = pool("Lung")
    ten = [solve(method, Ensemble.from_labels(members[:, 20 * i : 20 * i + 20])).labels for i in range(10)]
    found = [(acc(labels, truth), nmi(labels, truth, average="max")) for labels in ten]
    return np.mean(found, axis=0), np.std(found, axis=0, ddof=1)
