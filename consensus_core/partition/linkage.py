"""Hierarchical clustering of distinct rows with counts, with a rule for ties."""

import numpy as np

from ..errors import InputError
from .dendrogram import Dendrogram
from .sums import Columns, Factored, Square

HOW = ("average", "complete", "single")
GRID = 2.0**40  # similarities are compared in parts of the greatest one as small as this: sums that are equal are equal


def linkage(S, counts=None, how="average", scale=1.0, top=1.0, overwrite=False):
    """The dendrogram of a similarity matrix over distinct rows, row p standing for counts[p] equal objects.

    It is the tree of the n objects with similarity S[p(i), p(j)]: rows start as clusters of counts[p] objects, and the
    similarity of clusters a, b is

        average    Σ_{p∈a, q∈b} counts_p counts_q S_pq / (n_a n_b)          complete   the least S_pq
                                                                            single     the greatest S_pq

    Heights are  top − similarity / scale.  S may exceed top·scale (heights are then negative, and right); for a matrix
    of distances D give −D and top=0.

    **Ties.** Of all pairs of clusters with the greatest similarity the pair with the lowest index merges, a cluster's
    index being that of its lowest row: first the lowest a, then the lowest b > a. Averages are quotients of sums that
    add up under merging, so integers stay exact: give co-association *counts* as S and scale=m, and equal averages are
    equal numbers by whatever path they arose. The answer depends on the order of the rows only; where that order is
    canonical (as an Ensemble's), it does not depend on the order of the objects.

    Other similarities are compared to 12 digits, so that averages that are equal but for the order of summation are.

    S          (q, q) symmetric; the diagonal is the similarity of two objects of the same row and only enters `within`;
               or `Columns`, of which it is made (average linkage; their own scale, top 1)
    overwrite  allow S (float64, C order) to be used as the working copy; otherwise one q x q copy is made
    """
    if how not in HOW:
        raise ValueError(f"linkage: how must be one of {', '.join(HOW)}, got {how!r}")
    if isinstance(S, Columns):
        if how != "average" or top != 1.0:
            raise ValueError("linkage: of columns there is average linkage alone, with heights 1 − S")
        return _of_columns(S, np.ones(S.rows) if counts is None else np.array(counts, dtype=float))
    S = np.asarray(S)
    if not np.isfinite(S.sum()):
        raise InputError("The matrix to be cut holds entries that are not finite numbers; a dendrogram needs numbers.")
    sizes = np.ones(len(S)) if counts is None else np.array(counts, dtype=float)
    within = top - np.diagonal(S) / scale
    reusable = overwrite and S.dtype == np.float64 and S.flags.c_contiguous and S.flags.writeable
    W = S if reusable else S.astype(float, order="C")
    if how == "average":
        W *= sizes[:, None]
        W *= sizes
    grid = grid_of(S)  # of S before it is used up, where W is S
    merges, similarities, made = agglomerate(Square(W, how), sizes, how, grid)
    heights = np.maximum.accumulate(top - similarities / scale)  # rounding may lower a merge by one last digit
    return Dendrogram(merges, heights, made, within)


def _of_columns(S, sizes):
    """The same tree from the columns, ties included: with whole weights their sums are whole numbers as a matrix's,
    and others are compared to 12 digits."""
    whole, greatest = bool((S.weights == np.rint(S.weights)).all()), float(S.own.max(initial=0.0))
    grid = 0.0 if whole or not greatest else GRID / greatest
    merges, similarities, made = agglomerate(Factored(S, sizes), sizes, "average", grid)
    heights = np.maximum.accumulate(1.0 - similarities / S.scale)
    return Dendrogram(merges, heights, made, 1.0 - S.own / S.scale)


def grid_of(S):
    """By how much similarities are multiplied before they are compared as whole numbers; 0 where they are exact."""
    greatest = float(max(S.max(initial=0.0), -S.min(initial=0.0)))
    whole = greatest >= 1 and (S[0] == np.rint(S[0])).all() and (S == np.rint(S)).all()
    return 0.0 if whole or greatest == 0 else GRID / greatest


def agglomerate(sums, sizes, how, grid=0.0):
    """Merge until one cluster is left. The sums (`Square`, `Factored`; for "average") and sizes are used up.

    `grid`: similarities are compared in whole parts of 1/grid; 0: as they are.

    Each row knows its nearest neighbour, or, when that neighbour was merged away, a bound: none of the three linkages
    lets a merged cluster be more similar to a third than both parts were. Only the row with the best bound is ever
    looked through again, so nearly all work is adding two rows per merge.
    """
    q = len(sizes)
    merges = np.empty((q - 1, 2), dtype=np.intp)
    similarities = np.empty(q - 1)
    made = np.empty(q - 1, dtype=np.intp)
    name = np.arange(q)
    average = how == "average"
    gone = np.zeros(q)  # −inf where a row was merged away
    best, near = sums.nearest(sizes, average, grid)
    reach = best.copy()  # `best`, but nothing reaches a row that is gone
    stale = np.zeros(q, dtype=bool)

    def look_through(a):
        """The nearest neighbour of a among all clusters, the lowest where several are as near."""
        row = sums.row(a) / (sizes[a] * sizes) if average else sums.row(a).copy()
        if grid:
            row *= grid
            np.rint(row, out=row)
        row += gone
        near[a] = b = row.argmax()
        best[a] = reach[a] = row[b]
        stale[a] = False
        return row

    for t in range(q - 1):
        a = best.argmax()
        while stale[a]:
            look_through(a)
            a = best.argmax()
        b = near[a]
        merges[t] = (name[a], name[b]) if name[a] < name[b] else (name[b], name[a])
        similarities[t] = sums.of(a, b) / (sizes[a] * sizes[b]) if average else sums.of(a, b)
        sizes[a] += sizes[b]
        made[t] = sizes[a]
        name[a] = q + t
        sums.join(a, b)
        gone[b] = best[b] = -np.inf
        reach[b] = np.inf
        row = look_through(a)
        orphaned = near == a
        orphaned |= near == b
        orphaned[a] = False
        stale |= orphaned
        reach[a] = np.inf
        closer = (row >= reach).nonzero()[0]
        reach[a] = best[a]
        if len(closer):
            closer = closer[(row[closer] > best[closer]) | (a < near[closer])]
            near[closer] = a
            best[closer] = reach[closer] = row[closer]
            stale[closer] = False
    return merges, similarities, made
