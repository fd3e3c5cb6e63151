"""A tree of merges over distinct rows, and what can be read off it."""

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .relabel import relabel

SAME = 1e-12  # heights as close as this, beside the greatest, are one: so much rounding moves them


def cut_merges(merges, k):
    """The cluster (q,) each leaf is in when the last k − 1 merges are undone, by the merge that made it."""
    q = len(merges) + 1
    top = list(range(2 * q - 1))
    pairs = merges.tolist()
    for t in range(q - k - 1, -1, -1):
        a, b = pairs[t]
        top[a] = top[b] = top[q + t]
    return np.array(top[:q], dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """q leaves and q − 1 merges, lowest first.

    merges   (q − 1, 2)  the two clusters merged: 0 … q − 1 are the leaves, q + t is the cluster made by merge t
    heights  (q − 1,)    distance at which they merged, never falling
    sizes    (q − 1,)    objects (not rows) in the cluster made
    within   (q,)        distance of two objects of the same leaf: the height at which leaves of the n-object tree form
    """

    merges: np.ndarray
    heights: np.ndarray
    sizes: np.ndarray
    within: np.ndarray

    def __post_init__(self):
        for array in (self.merges, self.heights, self.sizes, self.within):
            array.flags.writeable = False

    def __reduce__(self):
        # built anew when unpickled, so that its arrays are read-only there too
        return Dendrogram, (self.merges, self.heights, self.sizes, self.within)

    @property
    def leaves(self):
        return len(self.merges) + 1

    def cut(self, k):
        """Labels (q,) of exactly k clusters, the last k − 1 merges undone; numbered by first appearance."""
        q = self.leaves
        if not 1 <= k <= q:
            raise InputError(
                f"Cannot cut into k = {k} clusters: k must be between 1 and {q}, the number of distinct rows."
            )
        return relabel(cut_merges(self.merges, k))

    def cut_at(self, height):
        """Labels (q,) of the clusters that stand when everything up to this height is merged."""
        return self.cut(self.leaves - int(np.searchsorted(self.heights, height, side="right")))

    def keeps_alike(self, counts):
        """Whether the objects of one leaf merge with each other before any does with others: then it is the tree of all
        n objects. Elsewhere theirs would part some that are alike, and the order of the file would say which."""
        leaf = self.merges < self.leaves
        first = np.full(self.leaves, np.inf)
        first[self.merges[leaf]] = self.heights[np.nonzero(leaf)[0]]
        close = SAME * max(1.0, float(np.abs(self.within).max(initial=0.0)))
        return not ((first < self.within - close) & (np.asarray(counts) > 1)).any()

    def lifetimes(self):
        """(q − 1,): over what range of heights the cut has k = 2, …, q clusters (the last from height 0)."""
        return np.diff(self.heights, prepend=self.heights.min(initial=0.0))[::-1]

    def leaf_order(self):
        """The leaves (q,) from left to right so that no branches cross; in a merge the first cluster is left."""
        q = self.leaves
        width = np.ones(2 * q - 1, dtype=np.intp)
        for t, (a, b) in enumerate(self.merges):
            width[q + t] = width[a] + width[b]
        start = np.zeros(2 * q - 1, dtype=np.intp)
        for t in range(q - 2, -1, -1):
            a, b = self.merges[t]
            start[a] = start[q + t]
            start[b] = start[q + t] + width[a]
        order = np.empty(q, dtype=np.intp)
        order[start[:q]] = np.arange(q)
        return order

    def scipy(self, counts=None):
        """The tree of all n objects in scipy's form Z (n − 1, 4), objects standing leaf by leaf.

        Objects of one leaf merge first, at that leaf's `within`; a merge above never stands lower than what it merges.
        Without counts: the tree of the q leaves themselves.
        """
        q = self.leaves
        counts = np.ones(q, dtype=np.intp) if counts is None else np.asarray(counts, dtype=np.intp)
        n = int(counts.sum())
        first = np.cumsum(counts) - counts
        inner = int((counts - 1).sum())
        # Every merge as (left, right, height, size), made-cluster t being n + t, in an order where parts come first.
        Z = np.empty((n - 1, 4))
        name = np.empty(2 * q - 1, dtype=np.intp)
        name[:q] = first
        many = np.repeat(np.arange(q), counts - 1)
        if inner:
            nth = np.arange(inner) - np.repeat(np.cumsum(counts - 1) - (counts - 1), counts - 1)
            made = n + np.arange(inner)
            Z[:inner, 0] = np.where(nth == 0, first[many], made - 1)
            Z[:inner, 1] = first[many] + nth + 1
            Z[:inner, 2] = self.within[many]
            Z[:inner, 3] = nth + 2
            name[many] = made  # the last one written stays
        name[q:] = n + inner + np.arange(q - 1)
        Z[inner:, :2] = name[self.merges]
        Z[inner:, 2] = self.heights
        sizes = np.concatenate([counts, np.zeros(q - 1, dtype=np.intp)])
        floor = np.concatenate([np.where(counts > 1, self.within, -np.inf), np.zeros(q - 1)])
        for t, (a, b) in enumerate(self.merges):
            sizes[q + t] = sizes[a] + sizes[b]
            floor[q + t] = max(self.heights[t], floor[a], floor[b])
        Z[inner:, 2] = floor[q:]
        Z[inner:, 3] = sizes[q:]
        order = np.argsort(Z[:, 2], kind="stable")
        place = np.arange(2 * n - 1)
        place[n + order] = n + np.arange(n - 1)
        Z = Z[order]
        Z[:, :2] = np.sort(place[Z[:, :2].astype(np.intp)], axis=1)
        return Z
