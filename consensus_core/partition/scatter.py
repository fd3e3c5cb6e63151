"""More groups where an embedding shows them: in linear time, without any matrix of pairs."""

import numpy as np

from .relabel import relabel


def split_scattered(labels, k, X, counts=None):
    """labels (q,) split until there are k groups; rows X (q, d) stand for counts objects each.

    The group with the greatest scatter (Σ counts ‖x − mean‖²) is cut in two at its mean, across its longest axis; a
    group of equal rows gives up its first row. Groups are numbered by first appearance. With k groups or more, nothing
    is split.
    """
    labels = relabel(labels)
    counts = np.ones(len(labels)) if counts is None else np.asarray(counts, dtype=float)
    groups = labels.max() + 1
    scatter = [_scatter(X, counts, np.flatnonzero(labels == group)) for group in range(groups)]
    while groups < k:
        torn = int(np.argmax(scatter))
        rows = np.flatnonzero(labels == torn)
        away = X[rows] - counts[rows] @ X[rows] / counts[rows].sum()
        _, axes = np.linalg.eigh(away.T @ (counts[rows, None] * away))
        along = away @ axes[:, -1]
        side = (along > 0) != (along[0] > 0)  # the first row stays
        if not side.any():
            side = np.arange(len(rows)) > 0
        labels[rows[side]] = groups
        for group, part in ((torn, rows[~side]), (groups, rows[side])):
            found = _scatter(X, counts, part)
            scatter[group : group + 1] = [found]
        groups += 1
    return relabel(labels)


def _scatter(X, counts, rows):
    """Below zero where there is but one row and nothing to split."""
    if len(rows) == 1:
        return -1.0
    away = X[rows] - counts[rows] @ X[rows] / counts[rows].sum()
    return float(counts[rows] @ (away**2).sum(axis=1))
