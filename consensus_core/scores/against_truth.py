"""Labels held to a truth. Equal to scikit-learn's where it has the score."""

import math

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from .crossing import cross

AVERAGES = {"arithmetic": lambda a, b: (a + b) / 2, "geometric": lambda a, b: np.sqrt(a * b), "max": max}


def ari(labels, truth, counts=None):
    """Adjusted Rand index (Hubert & Arabie 1985): 1 for the same partition, 0 expected of chance."""
    return _ari(cross(labels, truth, counts))


def nmi(labels, truth, counts=None, average="arithmetic"):
    """Normalised mutual information: I(labels; truth) over the arithmetic or geometric mean or max of the entropies."""
    if average not in AVERAGES:
        raise ValueError(f"nmi: average must be one of {', '.join(AVERAGES)}, got {average!r}")
    return _nmi(cross(labels, truth, counts), average)


def acc(labels, truth, counts=None):
    """Accuracy: the greatest share of objects that a one-to-one naming of clusters by classes gets right."""
    return _acc(cross(labels, truth, counts))


def f1(labels, truth, counts=None):
    """Pairwise F: harmonic mean of precision and recall over pairs of objects put together."""
    return _f1(cross(labels, truth, counts))


def purity(labels, truth, counts=None):
    """Share of objects that belong to the commonest class of their cluster."""
    return _purity(cross(labels, truth, counts))


def all_scores(labels, truth, counts=None):
    """Every score at once, from one crossing; `scored` and `left_out` count objects with and without both labels.

    Where no object has both, nothing is known: every score is NaN (alone, they follow scikit-learn, which says 1).
    """
    crossing = cross(labels, truth, counts)
    found = {
        "ari": _ari(crossing),
        "nmi": _nmi(crossing, "arithmetic"),
        "nmi_geometric": _nmi(crossing, "geometric"),
        "nmi_max": _nmi(crossing, "max"),
        "acc": _acc(crossing),
        "f1": _f1(crossing),
        "purity": _purity(crossing),
    }
    if not crossing.n:
        found = dict.fromkeys(found, math.nan)
    return {**found, "scored": int(crossing.n), "left_out": crossing.left_out}


def _pairs(crossing):
    """Ordered pairs of objects: together in both, in the labels only, in the truth only, in neither (exact ints)."""
    both = _sum_of_squares(crossing.shared)
    rows, cols, n = _sum_of_squares(crossing.rows), _sum_of_squares(crossing.cols), int(crossing.n)
    return both - n, rows - both, cols - both, n * n - rows - cols + both


def _sum_of_squares(numbers):
    whole = numbers.astype(np.int64)
    return int((whole * whole).sum())


def _ari(crossing):
    together, labels_only, truth_only, neither = _pairs(crossing)
    if labels_only == 0 and truth_only == 0:
        return 1.0
    above = 2 * (together * neither - labels_only * truth_only)
    below = (together + labels_only) * (labels_only + neither) + (together + truth_only) * (truth_only + neither)
    return above / below


def _f1(crossing):
    together, labels_only, truth_only, _ = _pairs(crossing)
    every = 2 * together + labels_only + truth_only
    return 2 * together / every if every else 1.0


def _nmi(crossing, average):
    rows, cols, n = crossing.rows, crossing.cols, crossing.n
    if len(rows) <= 1 and len(cols) <= 1:
        return 1.0
    p = crossing.shared / n
    information = float((p * (np.log(p) - np.log(rows / n)[crossing.row] - np.log(cols / n)[crossing.col])).sum())
    if information <= np.finfo(float).eps:
        return 0.0
    return information / float(AVERAGES[average](entropy(rows), entropy(cols)))


def entropy(sizes):
    """Of a partition with clusters of these sizes, in nats."""
    p = sizes / sizes.sum()
    return float(-(p * np.log(p)).sum())


def _acc(crossing):
    """Hungarian assignment on the cells that are not empty; a cluster may stay unnamed (its own spare column)."""
    k, classes = len(crossing.rows), len(crossing.cols)
    if k == 0:
        return 1.0
    worst = crossing.shared.max() + 1
    cost = sp.csr_array(
        (
            np.concatenate([worst - crossing.shared, np.full(k, worst)]),
            (
                np.concatenate([crossing.row, np.arange(k)]),
                np.concatenate([crossing.col, classes + np.arange(k)]),
            ),
        ),
        shape=(k, classes + k),
    )
    chosen = min_weight_full_bipartite_matching(cost)
    return float((worst - cost[chosen]).sum() / crossing.n)


def _purity(crossing):
    if not len(crossing.shared):
        return 1.0
    best = np.zeros(len(crossing.rows))
    np.maximum.at(best, crossing.row, crossing.shared)
    return float(best.sum() / crossing.n)
