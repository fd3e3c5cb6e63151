"""An order of base clusterings and of their clusters that neither names nor places decide.

By colour refinement. A row of labels has the colour of its count; a cluster is coloured by the colours of its rows, a
base clustering by those of its clusters, a row anew by those of its clusters, until nothing splits any more. What is
still tied then mostly looks the same from either: one of the first tied clusters or base clusterings is then given a
colour of its own, and the refinement goes on, so that all ties are settled in a way that fits together. In small
ensembles every choice is followed to its end; where the ends differ, the least is taken.

Colours are hashes of 64 bits. Base clusterings with few clusters come first, and of a base clustering the large
clusters; colours decide among equals.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from .labels import MISSING

MOST_WORK = 100_000_000  # labels looked at while ties are settled; what is still tied then stays in the order given
SMALL = 20_000  # labels of an ensemble in which what follows from every choice is looked at
LOOKS = 600  # choices followed at most; after them one of those that look alike is taken
AT_ONCE = 1 << 19  # labels that are looked at in one go


@dataclass(frozen=True, eq=False)
class Order:
    """Where the columns of a label table and their codes stand when names and places decide nothing."""

    sequence: np.ndarray  # (m,) the column that stands first, second, …
    ranks: tuple[np.ndarray, ...]  # for each column (k_i,) the place of each code

    def codes(self, rows: np.ndarray) -> np.ndarray:
        """The rows (q, m) with columns and codes in this order."""
        out = np.empty(rows.shape, dtype=np.int32)
        for place, column in enumerate(self.sequence):
            rank = np.append(self.ranks[column], MISSING).astype(np.int32)  # MISSING finds the last entry
            out[:, place] = rank[rows[:, column]]
        return out

    def codes_given(self, codes: np.ndarray) -> np.ndarray:
        """The other way round: rows with columns and codes in this order, as they were given."""
        out = np.empty(codes.shape, dtype=np.int32)
        for place, column in enumerate(self.sequence):
            given = np.append(np.argsort(self.ranks[column]), MISSING).astype(np.int32)
            out[:, column] = given[codes[:, place]]
        return out


def canonical_order(columns: np.ndarray, counts: np.ndarray, k_each: np.ndarray, sizes=None) -> Order:
    """The order of the columns and codes of distinct rows, given as columns (m, q) of codes + 1 (0 is missing), that
    stand for so many objects each. `sizes`: for each column in how many rows it has which code + 1, where known."""
    counts = counts // np.gcd.reduce(counts)  # every object twice is the same ensemble
    colours = _Colours(columns, counts, k_each, sizes)
    colours.refine()
    return colours.settled().order()


@dataclass
class _Work:
    """What settling has taken so far, on whatever way."""

    labels: int = 0
    looks: int = 0


class _Colours:
    """Clusters are numbered through all columns, the missing labels of each column being one of them."""

    def __init__(self, columns, counts, k_each, sizes):
        self.m, self.q = columns.shape
        self.k_each = np.asarray(k_each)
        self.starts = np.concatenate([[0], np.cumsum(self.k_each + 1)])
        self.K = int(self.starts[-1])
        self.owner = np.repeat(np.arange(self.m), self.k_each + 1)
        self.absent = np.zeros(self.K, dtype=bool)
        self.absent[self.starts[:-1]] = True
        self.columns = columns
        self.numbers = (
            columns + self.starts[:-1, None] if columns.size <= AT_ONCE else None
        )  # all at once, or one by one
        self.rows = _mixed(counts.astype(np.uint64))
        self.own = np.zeros(self.K, dtype=np.uint64)  # marks of the clusters and columns that were singled out
        self.own_column = np.zeros(self.m, dtype=np.uint64)
        self.twin = np.zeros(self.m, dtype=bool)  # columns that are the same partition as one before them
        self.work, self.counts = _Work(), counts
        # so many bits of each row's colour that sums over all rows are exact as floats, whatever the order of summation
        self.shift = np.uint64(64 - min(32, 53 - self.q.bit_length()))
        if sizes is not None and counts.min() == counts.max():
            self.sizes = np.concatenate(sizes) * int(counts[0])
        else:
            self.sizes = self._sums(counts.astype(float)).astype(np.int64)

    def _sums(self, values: np.ndarray) -> np.ndarray:
        """(K,) the sum over the rows in each cluster."""
        self.work.labels += self.q * self.m
        if self.numbers is not None:
            return np.bincount(self.numbers.ravel(), weights=np.tile(values, self.m), minlength=self.K)
        parts = zip(self.columns, self.k_each, strict=True)
        return np.concatenate([np.bincount(column, weights=values, minlength=k + 1) for column, k in parts])

    def refine(self):
        """Until neither clusters nor base clusterings split any more."""
        if self.numbers is None and not self.own.any() and self._told_by_a_few():
            return
        found = -1
        while (several := self._colour_clusters(self._sums(self._hashed(self.rows)))) not in (found, self.K + self.m):
            found = several
            self._colour_rows()

    def _told_by_a_few(self) -> bool:
        """Of a large table: whether the rows of one cluster, chosen by its size, tell all clusters apart; mostly so."""
        self._colour_clusters(np.zeros(self.K))
        _, at, many = np.unique(self.clusters, return_index=True, return_counts=True)
        unlike = at[(many == 1) & ~self.absent[at]]
        if not len(unlike):
            return False
        near = np.abs(self.sizes[unlike] - self.q / 16)
        chosen = unlike[np.lexsort((self.clusters[unlike], near))[0]]
        i = int(self.owner[chosen])
        some = np.flatnonzero(self.columns[i] == chosen - self.starts[i])
        few = _Colours(self.columns[:, some], np.ones(len(some), dtype=np.int64), self.k_each, None)
        few.rows, few.sizes, few.clusters = self.rows[some], self.sizes, self.clusters
        few._colour_rows()
        return self._colour_clusters(few._sums(self._hashed(few.rows))) == self.K + self.m

    def _hashed(self, rows: np.ndarray) -> np.ndarray:
        return (_mixed(rows) >> self.shift).astype(float)

    def _colour_clusters(self, sums: np.ndarray) -> int:
        """From sums over their rows; how many colours clusters and base clusterings have then."""
        colours = _mixed(sums.astype(np.uint64) ^ _mixed(self.sizes.astype(np.uint64))) + self.own
        colours[self.absent] = _mixed(colours[self.absent] + np.uint64(1))
        colours = _mixed(colours)
        columns = np.zeros(self.m, dtype=np.uint64)
        np.add.at(columns, self.owner, colours)
        self.column_colours = _mixed(columns + self.own_column)
        self.clusters = _mixed(colours + self.column_colours[self.owner])
        return len(np.unique(self.clusters)) + len(np.unique(self.column_colours))

    def _colour_rows(self):
        self.work.labels += self.q * self.m
        if self.numbers is not None:
            self.rows += self.clusters[self.numbers].sum(axis=0, dtype=np.uint64)
        else:
            for column, first in zip(self.columns, self.starts, strict=False):
                self.rows += self.clusters[first:].take(column)
        self.rows = _mixed(self.rows)

    def settled(self) -> _Colours:
        """Without ties: of each it is settled which one comes first."""
        colours = self
        while (tied := colours.first_tied()) is not None and colours.work.labels < MOST_WORK:
            ways = {}  # what comes of it in the end -> a choice; choices that come to the same are the same
            for at in tied[1] if colours.columns.size <= SMALL else tied[1][:1]:
                if not ways or colours.work.looks < LOOKS:
                    one = colours._with_one_singled_out(tied[0], at)
                    ways.setdefault(one._one_way()._form() if len(tied[1]) > 1 else b"", one)
            if len(ways) > 1:
                return min((one.settled() for one in ways.values()), key=_Colours._form)
            colours = next(iter(ways.values()))
        return colours

    def _one_way(self) -> _Colours:
        """Without ties, the first choice taken each time; where choices are looked at at all."""
        colours = self
        while colours.columns.size <= SMALL and colours.work.looks < LOOKS:
            if (tied := colours.first_tied()) is None:
                break
            colours = colours._with_one_singled_out(tied[0], tied[1][0])
        return colours

    def _with_one_singled_out(self, kind: str, at: int) -> _Colours:
        one = copy.copy(self)
        one.rows, one.own, one.own_column = self.rows.copy(), self.own.copy(), self.own_column.copy()
        one.twin = self.twin.copy()
        marks = one.own_column if kind == "column" else one.own
        marks[at : at + 1] = _mixed(marks[at : at + 1])
        one.work.looks += 1
        one.refine()
        return one

    def _form(self) -> bytes:
        """The whole ensemble in this order: equal for two orders that differ in names only."""
        if self.columns.size > SMALL:
            return b""
        whole = np.column_stack([self.order().codes(self.columns.T.astype(np.int64) - 1), self.counts])
        return whole[np.lexsort(whole.T)].tobytes()

    def first_tied(self) -> tuple[str, np.ndarray] | None:
        """Base clusterings or clusters that look alike: ("column", those) or ("cluster", those)."""
        alone = np.flatnonzero(~self.twin)
        if (tied := _least_repeated(self.column_colours[alone])) is not None:
            alike = alone[self.column_colours[alone] == self.column_colours[alone[tied]]]
            twins = [i for i in alike[1:] if self._same_partition(alike[0], i)]
            self.twin[twins] = True
            rest = alike[~self.twin[alike]]
            return ("column", rest) if len(rest) > 1 else self.first_tied()
        here = np.flatnonzero(~self.twin[self.owner])
        tied = _least_repeated(self.clusters[here])  # those of two base clusterings differ by the colours of these
        return None if tied is None else ("cluster", here[self.clusters[here] == self.clusters[here[tied]]])

    def _same_partition(self, i: int, j: int) -> bool:
        """Whether two columns differ in names only. Then either may come first, and nothing else changes."""
        pairs = self.columns[i].astype(np.int64) * (int(self.k_each[j]) + 1) + self.columns[j]
        self.work.labels += self.q
        present = np.bincount(pairs, minlength=1) > 0
        both_missing = bool(present[0])
        return int(present.sum()) == int(self.k_each[i]) + both_missing and self.k_each[i] == self.k_each[j]

    def order(self) -> Order:
        sequence = np.lexsort((self.column_colours, self.k_each))
        ranks = []
        for i in range(self.m):
            part = slice(self.starts[i] + 1, self.starts[i + 1])
            rank = np.empty(part.stop - part.start, dtype=np.intp)
            rank[np.lexsort((self.clusters[part], -self.sizes[part]))] = np.arange(len(rank))
            ranks.append(rank)
        return Order(sequence, tuple(ranks))


def _least_repeated(colours: np.ndarray) -> int | None:
    """One of those that share the least colour that is shared; None where all differ."""
    _, first, counts = np.unique(colours, return_index=True, return_counts=True)
    shared = np.flatnonzero(counts > 1)
    return int(first[shared[0]]) if len(shared) else None


def _mixed(x: np.ndarray) -> np.ndarray:
    """A 64-bit hash of each number (splitmix64)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x
