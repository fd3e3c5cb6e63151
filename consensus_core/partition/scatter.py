"""More groups where an embedding shows them: in linear time, without any matrix of pairs."""

import numpy as np

from .relabel import relabel
from .spectral import first_of_greatest

SAME = 1e-9  # lengths as near to each other as this are one, whatever basis and order of summation


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
        torn = first_of_greatest(np.array(scatter))
        rows = np.flatnonzero(labels == torn)
        side = _beyond(X[rows], counts[rows])
        labels[rows[side]] = groups
        for group, part in ((torn, rows[~side]), (groups, rows[side])):
            found = _scatter(X, counts, part)
            scatter[group : group + 1] = [found]
        groups += 1
    return relabel(labels)


def _beyond(X, counts):
    """Which rows lie beyond the mean along the longest axis, on the side of the row farthest along it, of equally far
    ones the first. Of axes as long as each other it is the one in whose direction a row lies farthest."""
    away = X - counts @ X / counts.sum()
    lengths, axes = np.linalg.eigh(away.T @ (counts[:, None] * away))
    placed = away @ axes[:, lengths >= lengths[-1] * (1 - SAME)]
    far = first_of_greatest((placed**2).sum(axis=1))
    along = placed @ placed[far]
    if along[far] <= SAME**2 * (X**2).sum(axis=1).max(initial=0.0):
        return np.arange(len(X)) > 0  # they are equal: one by one
    return along > SAME * along[far]


def _scatter(X, counts, rows):
    """Below zero where there is but one row and nothing to split."""
    if len(rows) == 1:
        return -1.0
    away = X[rows] - counts[rows] @ X[rows] / counts[rows].sum()
    return float(counts[rows] @ (away**2).sum(axis=1))
