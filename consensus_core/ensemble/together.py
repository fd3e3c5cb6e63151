"""The pairs of microclusters that some base clustering puts together, and which ones do: a bit per base clustering.

Most pairs are never together and stay at nothing in many methods; what is left is a list of pairs p < q. Which base
clusterings put a pair together is a bit mask, cut into planes of a few bits, so that a sum over them is a look-up per
plane instead of a loop over the base clusterings, and a sum over pairs for each base clustering is a histogram.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from .ensemble import MISSING, Ensemble

PLANE = 11  # most bits in a plane: its table of 2¹¹ numbers stays in the first cache
BLOCK = 1 << 15  # pairs handled together: their temporaries stay in the second cache
_TILE = 1 << 18  # pairs looked at together while the list is made


@dataclass(frozen=True, eq=False)
class Block:
    """Some consecutive rows and their pairs, small enough to be worked on in cache."""

    rows: slice
    pairs: slice
    first: np.ndarray  # (P of the block,) the lower row of each pair
    second: np.ndarray  # the higher one
    together: list[np.ndarray]  # masks: base clusterings that put the pair together
    seen: list[np.ndarray] | None  # masks: those with a label for both; None: all of them
    bits: tuple[int, ...]

    @property
    def apart(self) -> list[np.ndarray]:
        """Masks: base clusterings that have a label for both and keep them apart."""
        return self.apart_at(slice(None))

    def apart_at(self, some) -> list[np.ndarray]:
        """The same for some of the block's pairs."""
        every = [seen[some] for seen in self.seen] if self.seen else [(1 << bits) - 1 for bits in self.bits]
        return [mask[some] ^ seen for mask, seen in zip(self.together, every, strict=True)]

    def total(self, tables: list[np.ndarray]) -> np.ndarray | float:
        """The sum over all base clusterings that have a label for both."""
        return look_up(tables, self.seen) if self.seen else sum(float(table[-1]) for table in tables)

    def squared_distances(self, Y: np.ndarray, some=slice(None)) -> np.ndarray:
        """‖y_p − y_q‖² of (some of) the block's pairs, from one product of the rows (q, c) of Y."""
        start = self.rows.start
        near, far = Y[self.rows], Y[start:]
        size, far_size = np.einsum("pa,pa->p", near, near), np.einsum("pa,pa->p", far, far)
        left = np.column_stack([-2 * near, size, np.ones(len(near))])
        right = np.column_stack([far, np.ones(len(far)), far_size])
        at = (self.first[some] - start) * len(far)
        at += self.second[some]
        at -= start
        return np.maximum((left @ right.T).take(at), 0)


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs p < q of rows that at least one base clustering puts together, row by row."""

    starts: np.ndarray  # (q + 1,) where each row's pairs begin
    second: np.ndarray  # (P,) the higher row of each pair
    together: tuple[np.ndarray, ...]  # planes (P,) uint16: the base clusterings that put the pair together
    seen: tuple[np.ndarray, ...]  # planes: those with a label for both; empty when no label is missing
    undisputed: np.ndarray | None  # (P,) where none keeps the pair apart; None: nowhere
    bits: tuple[int, ...]  # base clusterings in each plane

    def __len__(self) -> int:
        return len(self.second)

    @property
    def q(self) -> int:
        return len(self.starts) - 1

    def blocks(self) -> Iterator[Block]:
        """The pairs in blocks of whole rows."""
        start = 0
        while start < self.q:
            stop = int(np.searchsorted(self.starts, self.starts[start] + BLOCK, side="right")) - 1
            stop = min(max(stop, start + 1), self.q)
            pairs = slice(int(self.starts[start]), int(self.starts[stop]))
            if pairs.stop > pairs.start:
                yield Block(
                    rows=slice(start, stop),
                    pairs=pairs,
                    first=np.repeat(np.arange(start, stop), np.diff(self.starts[start : stop + 1])),
                    second=self.second[pairs].astype(np.intp),
                    together=[plane[pairs].astype(np.intp) for plane in self.together],
                    seen=[plane[pairs].astype(np.intp) for plane in self.seen] or None,
                    bits=self.bits,
                )
            start = stop

    def tables(self, values: np.ndarray) -> list[np.ndarray]:
        """One table per plane: the sum of `values` (m,) over the base clusterings in each mask."""
        ends = np.cumsum(self.bits)
        return [subset_sums(values[end - bits : end]) for bits, end in zip(self.bits, ends, strict=True)]

    def per_clustering(self, histograms: list[np.ndarray]) -> np.ndarray:
        """(m,): histograms over the masks, one per plane, summed over the masks that contain each base clustering."""
        return np.array(
            [
                histogram[(np.arange(len(histogram)) >> bit & 1).astype(bool)].sum()
                for histogram, bits in zip(histograms, self.bits, strict=True)
                for bit in range(bits)
            ]
        )

    def dense(self, values: np.ndarray, diagonal: float | np.ndarray, elsewhere: float = 0.0) -> np.ndarray:
        """The symmetric (q, q) matrix with these values at the pairs."""
        full = np.full((self.q, self.q), float(elsewhere))
        for block in self.blocks():
            full[block.first, block.second] = values[block.pairs]
        mirror(full)
        np.fill_diagonal(full, diagonal)
        return full

    def sparse(self, values: np.ndarray, diagonal: float) -> scipy.sparse.csr_array:
        """The same, in compressed rows of the values that are not zero."""
        kept = np.flatnonzero(values)
        ends = np.searchsorted(kept, self.starts).astype(np.int32)
        upper = scipy.sparse.csr_array((values[kept], self.second[kept].astype(np.int32), ends), shape=(self.q, self.q))
        return scipy.sparse.csr_array(upper + upper.T + scipy.sparse.diags_array(np.full(self.q, float(diagonal))))

    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """(P,) and (P,): the lower and the higher row of each pair."""
        return np.repeat(np.arange(self.q), np.diff(self.starts)), self.second.astype(np.intp)

    def row(self, p: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The partners of one row, and the values at its pairs."""
        start, stop = int(self.starts[p]), int(self.starts[p + 1])
        below = np.flatnonzero(self.second[:start] == p)
        partners = np.concatenate([np.searchsorted(self.starts, below, side="right") - 1, self.second[start:stop]])
        return partners.astype(np.intp), np.concatenate([values[below], values[start:stop]])

    def find(self, p: int, q: int) -> int:
        """Where the pair of two rows stands in the list, or −1 where no base clustering puts them together."""
        p, q = min(p, q), max(p, q)
        start, stop = int(self.starts[p]), int(self.starts[p + 1])
        at = start + int(np.searchsorted(self.second[start:stop], q))
        return at if p < q and at < stop and self.second[at] == q else -1


def mirror(full: np.ndarray) -> None:
    """Copy the upper triangle of a square matrix onto the lower, in tiles that stay in cache."""
    q, tile = len(full), 256
    below = np.tril_indices(tile, -1)
    for a in range(0, q, tile):
        for b in range(a + tile, q, tile):
            full[b : b + tile, a : a + tile] = full[a : a + tile, b : b + tile].T
        corner = full[a : a + tile, a : a + tile]
        i, j = below if len(corner) == tile else np.tril_indices(len(corner), -1)
        corner[i, j] = corner[j, i]


def look_up(tables: list[np.ndarray], masks: list[np.ndarray]) -> np.ndarray:
    """For each mask the sum of its planes' table entries."""
    total = tables[0].take(masks[0])
    for table, mask in zip(tables[1:], masks[1:], strict=True):
        total += table.take(mask)
    return total


def subset_sums(values: np.ndarray) -> np.ndarray:
    """(2^b,): entry s is the sum of the values whose bits are set in s."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


_lists: weakref.WeakKeyDictionary[Ensemble, Pairs] = weakref.WeakKeyDictionary()


def pairs_of(ensemble: Ensemble) -> Pairs:
    """The list of an ensemble, made once and kept as long as the ensemble lives."""
    found = _lists.get(ensemble)
    if found is None:
        found = _lists[ensemble] = _listed(ensemble)
    return found


def _listed(ensemble: Ensemble) -> Pairs:
    rows, q, m = ensemble.rows, ensemble.q, ensemble.m
    planes = -(-m // PLANE)
    bits = tuple(int(size) for size in np.diff(np.linspace(0, m, planes + 1).astype(int)))
    small = np.uint8 if rows.max() < 255 else np.uint16 if rows.max() < 65535 else np.uint32
    # a missing label wraps round to the greatest code; `observed` keeps two of them from counting as together
    codes = np.ascontiguousarray(rows.astype(np.int64).T.astype(small))
    observed = None if not ensemble.has_missing else np.ascontiguousarray(~ensemble.missing.T)
    index = np.uint16 if q <= 1 << 16 else np.int32
    lengths = np.zeros(q, dtype=np.int64)
    second, together, seen = [], [[] for _ in bits], [[] for _ in bits]
    start = 0
    while start < q:
        stop = min(q, start + max(1, _TILE // (q - start)))
        own = _masks(codes, observed, bits, start, stop)
        linked = own[0] != 0
        for plane in own[1:]:
            linked |= plane != 0
        linked &= np.arange(start, q) > np.arange(start, stop)[:, None]
        lengths[start:stop] = linked.sum(axis=1)
        at = np.flatnonzero(linked)
        second.append((at % (q - start) + start).astype(index))
        for kept, plane in zip(together, own, strict=True):
            kept.append(plane.ravel()[at])
        if observed is not None:
            for kept, plane in zip(seen, _masks(None, observed, bits, start, stop), strict=True):
                kept.append(plane.ravel()[at])
        start = stop
    arrays = [np.concatenate(second)]
    arrays += [np.concatenate(kept) for kept in together]
    arrays += [np.concatenate(kept) for kept in seen if observed is not None]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    first_planes, seen_planes = tuple(arrays[1 : 1 + planes]), tuple(arrays[1 + planes :])
    undisputed = np.ones(len(arrays[0]), dtype=bool)
    for size, plane, every in zip(bits, first_planes, seen_planes or [None] * planes, strict=True):
        undisputed &= plane == (np.uint16((1 << size) - 1) if every is None else every)
    for array in (starts, undisputed, *arrays):
        array.flags.writeable = False
    return Pairs(starts, arrays[0], first_planes, seen_planes, undisputed if undisputed.any() else None, bits)


def _masks(codes, observed, bits, start, stop) -> list[np.ndarray]:
    """Planes of the rows start … stop against all rows from start on; codes None: where both have a label."""
    q = (observed if codes is None else codes).shape[1]
    planes, i = [], 0
    for size in bits:
        plane = np.zeros((stop - start, q - start), dtype=np.uint16)
        term = np.empty_like(plane)
        for bit in range(size):
            if codes is None:
                same = observed[i, start:stop, None] & observed[i, None, start:]
            else:
                same = codes[i, start:stop, None] == codes[i, None, start:]
                if observed is not None:
                    same &= observed[i, start:stop, None]
            np.multiply(same, np.uint16(1 << bit), out=term)
            plane |= term
            i += 1
        planes.append(plane)
    return planes


def together_pairs(ensemble: Ensemble, sample: int = 64) -> int:
    """About how many pairs the list will have, before it is made: the share among those of some evenly spaced rows."""
    q, rows = ensemble.q, ensemble.rows
    some = rows[np.unique(np.linspace(0, q - 1, min(sample, q)).astype(int))]
    linked = np.zeros((len(some), q), dtype=bool)
    for one, other in zip(some.T, rows.T, strict=True):
        linked |= (one[:, None] == other) & (other != MISSING)
    return int((linked.sum() / len(some) - 1) * q / 2) + 1 if linked.any() else 1
