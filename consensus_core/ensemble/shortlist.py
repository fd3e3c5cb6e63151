"""The few pairs that a threshold can let through while the weights of the base clusterings do not go far."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..linalg.pool import Room
from .together import BLOCK, Block, Distances, Pairs

MARGINS = 0.5, 0.8  # of the threshold: pairs below it are left out; the second where the first leaves too many in
EXACT = 1 - 1e-9  # of what the margin allows: whoever reaches the threshold to rounding is in
FEWEST = 2 * BLOCK  # pairs below which all of them are as soon looked at
KEPT = 1 << 20  # pairs up to which a list stays laid out in blocks from step to step


@dataclass(frozen=True, eq=False)
class ShortList:
    """Of a list of pairs those that may have T·W ≥ bar·√s, T the say of who puts a pair together, s of all who see it.

    at       (L,) their places in the list; None: all pairs
    weights  (m,) the say of each base clustering when it was made
    rest     (m,) how far each base clustering is from the pairs left out, none of them linked
    gaps     whether labels are missing
    margin   the share of the threshold below which pairs were left out
    """

    at: np.ndarray | None
    weights: np.ndarray
    rest: np.ndarray
    gaps: bool
    margin: float = 0.0

    def holds(self, weights: np.ndarray) -> bool:
        """Whether no pair left out can have come to the threshold: T has grown by less than √s and the margin allow."""
        if self.at is None:
            return True
        growth = weights / self.weights
        total = growth.min() if self.gaps else weights.sum() / self.weights.sum()  # each pair has an s of its own
        return bool(self.margin * growth.max() < EXACT * math.sqrt(total))

    def blocks(self, pairs: Pairs, W: np.ndarray) -> Iterable[tuple[Block, np.ndarray]]:
        """Its pairs, block by block, with the W they have as long as it holds."""
        found = _laid_out.get(self)
        if found is None:
            few, trust = pairs if self.at is None else pairs.some(self.at), self.values(W)
            found = ((block, trust[block.pairs]) for block in few.blocks())
            if len(few) <= KEPT:
                _laid_out.clear()  # the latest alone
                _laid_out[self] = found = list(found)
        return found

    def length(self, pairs: Pairs) -> int:
        return len(pairs if self.at is None else self.at)

    def values(self, values: np.ndarray) -> np.ndarray:
        """Of (P,) values those at its pairs."""
        return values if self.at is None else values[self.at]

    def full(self, values: np.ndarray, near: ShortList | None, old: np.ndarray, room: Room) -> tuple[np.ndarray, float]:
        """(P,) with these values, nothing at the pairs left out; and the greatest change since the old ones, which
        were made so with the list `near`."""
        same, before = self is near, room.taken(old)
        if self.at is None:
            return values, _farthest(values, old)
        found = room.array(len(old))
        found.fill(0.0)
        found[self.at] = values
        room.keep(values, found)
        if same:
            return found, _farthest(values, self.values(old) if before is None else before)
        return found, _farthest(found, old)


def _farthest(one: np.ndarray, other: np.ndarray) -> float:
    """The greatest difference of two entries, without an array of all of them."""
    return max((float(np.abs(a - b).max()) for a, b in zip(_parts(one), _parts(other), strict=True)), default=0.0)


def _parts(values: np.ndarray) -> Iterable[np.ndarray]:
    return (values[start : start + BLOCK] for start in range(0, len(values), BLOCK))


_laid_out: weakref.WeakKeyDictionary[ShortList, list[tuple[Block, np.ndarray]]] = weakref.WeakKeyDictionary()


def shortened(old: ShortList | None, pairs: Pairs, weights: np.ndarray, W: np.ndarray, bar: float) -> ShortList:
    """The old one where it was made with this W and holds; else a new one. All pairs where they are few, or most of
    them would be on it."""
    if old is not None and old.holds(weights):
        return old
    gaps = bool(pairs.seen)
    if len(pairs) > FEWEST:
        for margin in MARGINS:
            found = _within(margin, pairs, weights, W, bar)
            if found is not None:
                return ShortList(found[0], weights, found[1], gaps, margin)
    return ShortList(None, weights, np.zeros(len(weights)), gaps)


def _within(margin: float, pairs: Pairs, weights: np.ndarray, W: np.ndarray, bar: float):
    """The places of the pairs that come so near to the threshold, and `rest`; None where they are most of all."""
    tables, found, many, rest = pairs.planes.tables(weights), [], 0, Distances(pairs)
    for block in pairs.blocks():
        trust = W[block.pairs].copy()
        near = block.say(tables) * trust >= margin * bar * np.sqrt(block.total(tables))
        near[block.undisputed] = True
        at = block.pairs.start + np.flatnonzero(near)
        found.append(at.astype(np.int32) if len(pairs) < 2**31 else at)
        many += len(at)
        if 2 * many > len(pairs):
            return None
        trust[near] = 0.0
        rest.add(block, np.zeros(len(trust)), trust)
    return np.concatenate(found), rest.total()
