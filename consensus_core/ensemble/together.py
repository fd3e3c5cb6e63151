"""The pairs of microclusters that some base clustering puts together, and which ones do.

Most pairs are never together and stay at nothing in many methods; what is left is a list of pairs p < q, with the bit
masks (`masks`) of the base clusterings that put each together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from ..linalg import is_huge, mirrored, squared_distances
from ..linalg.upper import Upper
from .ensemble import Ensemble
from .labels import MISSING
from .masks import Planes, Votes, look_up, once

PLANE = 11  # most bits in a plane: its table of 2¹¹ numbers stays in the first cache
BLOCK = 1 << 15  # pairs handled together: their temporaries stay in the second cache
THIN = 8  # times as many pairs of a block's rows as are asked for: then each is measured by itself
LISTED = 1 << 18  # pairs looked at together while the list is made


@dataclass(frozen=True, eq=False)
class Block:
    """Some consecutive rows and their pairs, small enough to be worked on in cache."""

    rows: slice
    pairs: slice
    first: np.ndarray  # (P of the block,) the lower row of each pair
    second: np.ndarray  # the higher one
    together: list[np.ndarray]  # masks: base clusterings that put the pair together
    seen: list[np.ndarray] | None  # masks: those with a label for both; None: all of them
    undisputed: np.ndarray | slice  # where none keeps the pair apart
    planes: Planes
    counts: np.ndarray  # (q,) objects in each row

    @property
    def apart(self) -> list[np.ndarray]:
        """Masks: base clusterings that have a label for both and keep them apart."""
        return self.apart_at(slice(None))

    def apart_at(self, some) -> list[np.ndarray]:
        """The same for some of the block's pairs."""
        every = [seen[some] for seen in self.seen] if self.seen else self.planes.full
        return [mask[some] ^ seen for mask, seen in zip(self.together, every, strict=True)]

    @functools.cached_property
    def couples(self) -> np.ndarray:
        """How many pairs of objects each pair of rows stands for."""
        return self.counts[self.first] * self.counts[self.second]

    def say(self, tables: list[np.ndarray]) -> np.ndarray:
        """The sum over the base clusterings that put each pair together."""
        return look_up(tables, self.together)

    def total(self, tables: list[np.ndarray]) -> np.ndarray | float:
        """The sum over all base clusterings that have a label for both."""
        return look_up(tables, self.seen) if self.seen else sum(float(table[-1]) for table in tables)

    def disagreement(self, tables: list[np.ndarray], S: np.ndarray) -> np.ndarray:
        """The sum of (S − [together])² over those with a label for both, without differences that cancel."""
        return self.say(tables) * (1 - S) ** 2 + look_up(tables, self.apart) * S**2

    def squared_distances(self, Y: np.ndarray, some=slice(None)) -> np.ndarray:
        """‖y_p − y_q‖² of (some of) the block's pairs, of rows (q, c) of Y: where they are many, from one product."""
        start = self.rows.start
        p, q = self.first[some], self.second[some]
        if len(p) * THIN < (self.rows.stop - start) * (len(Y) - start):
            apart = Y.take(p, axis=0)
            apart -= Y.take(q, axis=0)
            return np.einsum("pc,pc->p", apart, apart)
        found = squared_distances(Y[self.rows], Y[start:])
        at = (p - start) * found.shape[1]
        at += q
        at -= start
        return np.maximum(found.take(at), 0)


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs p < q of rows that at least one base clustering puts together, row by row."""

    starts: np.ndarray  # (q + 1,) where each row's pairs begin
    second: np.ndarray  # (P,) the higher row of each pair
    together: tuple[np.ndarray, ...]  # masks (P,) uint16: the base clusterings that put the pair together
    seen: tuple[np.ndarray, ...]  # masks: those with a label for both; empty when no label is missing
    undisputed: np.ndarray | None  # (P,) where none keeps the pair apart; None: nowhere
    planes: Planes
    counts: np.ndarray  # (q,) objects in each row

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
                    together=[mask[pairs].astype(np.intp) for mask in self.together],
                    seen=[mask[pairs].astype(np.intp) for mask in self.seen] or None,
                    undisputed=slice(0) if self.undisputed is None else self.undisputed[pairs],
                    planes=self.planes,
                    counts=self.counts,
                )
            start = stop

    def some(self, at: np.ndarray) -> Pairs:
        """Those at these places of the list, ascending."""
        together, seen = (tuple(mask[at] for mask in masks) for masks in (self.together, self.seen))
        undisputed = None if self.undisputed is None else self.undisputed[at]
        starts = np.searchsorted(at, self.starts.astype(at.dtype))
        return Pairs(starts, self.second[at], together, seen, undisputed, self.planes, self.counts)

    # --- values at the pairs ----------------------------------------------------------------------------------

    def at_all(self, of: Callable[[Block], np.ndarray]) -> np.ndarray:
        """(P,) what `of` gives for each block."""
        values = np.empty(len(self))
        for block in self.blocks():
            values[block.pairs] = of(block)
        return values

    def disagreement(self, weights: np.ndarray, S: np.ndarray) -> np.ndarray:
        """(P,) the sum of weights_i (S − [together])² over the base clusterings i with a label for both."""
        tables = self.planes.tables(weights)
        return self.at_all(lambda block: block.disagreement(tables, S[block.pairs]))

    def share(self) -> np.ndarray:
        """(P,) together / seen: the share of base clusterings that put each pair together."""
        together, seen = (
            sum(np.bitwise_count(mask).astype(float) for mask in masks) for masks in (self.together, self.seen)
        )
        return together / (seen if self.seen else sum(self.planes.bits))

    # --- as matrices ------------------------------------------------------------------------------------------

    def matrix(
        self, values: np.ndarray, diagonal: float | np.ndarray, elsewhere: float = 0.0
    ) -> np.ndarray | scipy.sparse.csr_array:
        """The symmetric (q, q) matrix with these values at the pairs; of many rows without its zeros."""
        if is_huge(self.q) and not elsewhere:
            return self.linked(values).sparse(diagonal)
        full = np.full((self.q, self.q), float(elsewhere))
        for block in self.blocks():
            full[block.first, block.second] = values[block.pairs]
        mirrored(full, out=full)
        np.fill_diagonal(full, diagonal)
        return full

    def linked(self, values: np.ndarray, at: np.ndarray | None = None) -> Upper:
        """The matrix of these values, nothing elsewhere: at all pairs, or at those at these places of the list."""
        kept = np.flatnonzero(values)
        values, kept = values[kept], kept if at is None else at[kept]
        ends = np.searchsorted(kept, self.starts.astype(kept.dtype)).astype(np.int32)
        return Upper(ends, self.second[kept].astype(np.int32), values)

    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """(P,) and (P,): the lower and the higher row of each pair."""
        return np.repeat(np.arange(self.q), np.diff(self.starts)), self.second.astype(np.intp)

    def partners(self, p: int) -> np.ndarray:
        """The rows that stand in a pair with row p."""
        below = np.flatnonzero(self.second[: self.starts[p]] == p)
        before = np.searchsorted(self.starts, below, side="right") - 1
        return np.concatenate([before, self.second[self.starts[p] : self.starts[p + 1]]]).astype(np.intp)


class Distances:
    """How far each base clustering is from S: Σ W² (S − [together])² over ordered pairs of objects, block by block."""

    def __init__(self, pairs: Pairs):
        self.planes = pairs.planes
        self.links_total = float(pairs.counts @ pairs.counts)  # ordered pairs of objects with S > 0, self-pairs too
        self.together = [np.zeros(full + 1) for full in pairs.planes.full]
        self.apart = [np.zeros(full + 1) for full in pairs.planes.full]

    @classmethod
    def of(cls, pairs: Pairs, S: np.ndarray, W: np.ndarray) -> Distances:
        """From S and W (P,) at all pairs."""
        found = cls(pairs)
        for block in pairs.blocks():
            found.add(block, S[block.pairs], W[block.pairs])
        return found

    def add(self, block: Block, S: np.ndarray, W: np.ndarray) -> None:
        """The pairs of a block, with their S and W."""
        couples, at = block.couples, np.flatnonzero(S)
        self.links_total += float(2 * couples[at].sum())
        far = couples * W
        far *= W
        linked, weight = S[at], far[at]
        far[at] = weight * (1 - linked) ** 2
        near = weight * linked**2
        for mine, masks, values in ((self.together, block.together, far), (self.apart, block.apart_at(at), near)):
            for total, histogram in zip(mine, self.planes.histograms(masks, values), strict=True):
                total += histogram

    def total(self) -> np.ndarray:
        """(m,)"""
        return 2 * (self.planes.per_clustering(self.together) + self.planes.per_clustering(self.apart))


@once
def pairs_of(ensemble: Ensemble) -> Pairs:
    """The list of an ensemble."""
    votes, q = Votes.of(ensemble, PLANE), ensemble.q
    parts = [_listed(votes, rows, q) for rows in _tall_tiles(q)]
    lengths, second, undisputed = (np.concatenate(column) for column in list(zip(*parts, strict=True))[:3])
    together, seen = (
        tuple(np.concatenate(masks) for masks in zip(*(part[which] for part in parts), strict=True)) for which in (3, 4)
    )
    starts = np.concatenate([[0], np.cumsum(lengths)])
    for array in (starts, second, undisputed, *together, *seen):
        array.flags.writeable = False
    doubtless = undisputed if undisputed.any() else None
    return Pairs(starts, second, together, seen, doubtless, votes.planes, ensemble.weights)


def _tall_tiles(q: int) -> Iterator[slice]:
    """Consecutive rows, the more at a time the fewer rows come after them."""
    start = 0
    while start < q:
        stop = min(q, start + max(1, LISTED // (q - start)))
        yield slice(start, stop)
        start = stop


def _listed(votes: Votes, rows: slice, q: int) -> tuple:
    """Of some rows: how many pairs each has with rows after it, their ends, who disputes none, masks of both kinds."""
    columns = slice(rows.start, q)
    together = votes.together(rows, columns)
    seen = [] if votes.observed is None else votes.seen(rows, columns)
    linked = together[0] != 0
    for mask in together[1:]:
        linked |= mask != 0
    linked &= np.arange(rows.start, q) > np.arange(rows.start, rows.stop)[:, None]
    at = np.flatnonzero(linked)
    second = (at % (q - rows.start) + rows.start).astype(np.uint16 if q <= 1 << 16 else np.int32)
    together, seen = ([mask.ravel()[at] for mask in masks] for masks in (together, seen))
    undisputed = np.ones(len(at), dtype=bool)
    for mask, every in zip(together, seen or votes.planes.full, strict=True):
        undisputed &= mask == every
    return linked.sum(axis=1), second, undisputed, together, seen


def together_pairs(ensemble: Ensemble, sample: int = 64) -> int:
    """About how many pairs the list will have, before it is made: the share among those of some evenly spaced rows."""
    q, rows = ensemble.q, ensemble.rows
    some = rows[np.unique(np.linspace(0, q - 1, min(sample, q)).astype(int))]
    linked = np.zeros((len(some), q), dtype=bool)
    for one, other in zip(some.T, rows.T, strict=True):
        linked |= (one[:, None] == other) & (other != MISSING)
    return int((linked.sum() / len(some) - 1) * q / 2) + 1 if linked.any() else 1
