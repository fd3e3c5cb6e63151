"""Exactly k groups, whatever number a method ended with."""

import numpy as np

from ..errors import InputError
from .dendrogram import cut_merges
from .linkage import agglomerate, grid_of, linkage
from .relabel import relabel
from .sums import Columns, Square

DIGITS = 12  # of heights in different trees: what is equal but for the order of summation is equal


def exactly(k, labels, S, counts=None):
    """labels (q,) with exactly k groups: untouched (renumbered) if it has k, else `merge_to` or `split_to`. S is a
    (q, q) array, dense or sparse, or `Columns`."""
    found = len(np.unique(labels))
    if found > k:
        return merge_to(labels, k, S, counts)
    if found < k:
        return split_to(labels, k, S, counts)
    return relabel(labels)


def merge_to(labels, k, S, counts=None):
    """Merge groups until k are left, always the two with the greatest average similarity.

    Group similarity is Σ counts_p counts_q S_pq / (n_a n_b); ties as in `linkage`, groups numbered by first appearance.
    """
    labels = relabel(labels)
    groups = labels.max() + 1
    _check(k, groups, "merge", "groups")
    counts = np.ones(len(labels)) if counts is None else np.asarray(counts, dtype=float)
    member = np.zeros((len(labels), groups))
    member[np.arange(len(labels)), labels] = counts
    sums = member.T @ (S @ member)
    sizes = np.bincount(labels, weights=counts)
    grid = grid_of(sums / np.outer(sizes, sizes))
    merges, _, _ = agglomerate(Square(sums, "average"), sizes, "average", grid)
    return relabel(cut_merges(merges, k)[labels])


def split_to(labels, k, S, counts=None):
    """Split groups until there are k, always where the two parts are least similar on average.

    Every group gets its own average-linkage tree (of its own submatrix); splitting undoes the highest merge that still
    stands in any of the trees. Ties, to 12 digits: the group that appears first.
    """
    labels = relabel(labels)
    q, groups = len(labels), labels.max() + 1
    _check(k, q, "split", "distinct rows")
    counts = np.ones(q) if counts is None else np.asarray(counts, dtype=float)
    trees, inside, heights, owner = [], [], [], []
    for group in range(groups):
        rows = np.flatnonzero(labels == group)
        tree = linkage(_among(S, rows), counts[rows])
        inside.append(rows)
        trees.append(tree)
        heights.append(np.round(tree.heights[::-1], DIGITS))
        owner.append(np.full(len(rows) - 1, group))
    highest = np.argsort(-np.concatenate(heights), kind="stable")[: k - groups]
    cuts = np.bincount(np.concatenate(owner)[highest], minlength=groups)
    split = np.empty(q, dtype=np.intp)
    for group in np.flatnonzero(np.bincount(labels)):
        split[inside[group]] = q * group + trees[group].cut(1 + cuts[group])
    return relabel(split)


def _among(S, rows):
    """S of some rows alone."""
    if isinstance(S, Columns):
        return S.among(rows)
    block = S[np.ix_(rows, rows)]
    return block.toarray() if hasattr(block, "toarray") else block


def _check(k, most, verb, what):
    if not 1 <= k <= most:
        raise InputError(f"Cannot {verb} into k = {k} groups: k must be between 1 and {most}, the number of {what}.")
