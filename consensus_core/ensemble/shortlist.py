"""The few pairs that a threshold can let through while the weights of the base clusterings do not go far."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .together import BLOCK, Distances, Pairs

MARGIN = 0.5  # of the threshold: pairs below it are left out
EXACT = 1 - 1e-9  # of what the margin allows: whoever reaches the threshold to rounding is in
FEWEST = 2 * BLOCK  # pairs below which all of them are as soon looked at


@dataclass(frozen=True, eq=False)
class ShortList:
    """Of a list of pairs those that may have T·W ≥ bar·√s, T the say of who puts a pair together, s of all who see it.

    at       (L,) their places in the list; None: all pairs
    weights  (m,) the say of each base clustering when it was made
    rest     (m,) how far each base clustering is from the pairs left out, none of them linked
    gaps     whether labels are missing
    """

    at: np.ndarray | None
    weights: np.ndarray
    rest: np.ndarray
    gaps: bool

    def holds(self, weights: np.ndarray) -> bool:
        """Whether no pair left out can have come to the threshold: T has grown by less than √s and the margin allow."""
        if self.at is None:
            return True
        growth = weights / self.weights
        total = growth.min() if self.gaps else weights.sum() / self.weights.sum()  # each pair has an s of its own
        return bool(MARGIN * growth.max() < EXACT * math.sqrt(total))

    def pairs(self, pairs: Pairs) -> Pairs:
        return pairs if self.at is None else pairs.some(self.at)

    def values(self, values: np.ndarray) -> np.ndarray:
        """Of (P,) values those at its pairs."""
        return values if self.at is None else values[self.at]

    def full(self, values: np.ndarray, pairs: Pairs) -> np.ndarray:
        """(P,) with nothing at the pairs left out."""
        if self.at is None:
            return values
        found = np.zeros(len(pairs))
        found[self.at] = values
        return found


def shortened(old: ShortList | None, pairs: Pairs, weights: np.ndarray, W: np.ndarray, bar: float) -> ShortList:
    """The old one where it was made with this W and holds; else a new one. All pairs where they are few, or most of
    them would be on it."""
    if old is not None and old.holds(weights):
        return old
    gaps, none = bool(pairs.seen), np.zeros(len(weights))
    if len(pairs) <= FEWEST:
        return ShortList(None, weights, none, gaps)
    tables, found, rest = pairs.planes.tables(weights), [], Distances(pairs)
    for block in pairs.blocks():
        trust = W[block.pairs].copy()
        near = block.say(tables) * trust >= MARGIN * bar * np.sqrt(block.total(tables))
        if pairs.undisputed is not None:
            near |= pairs.undisputed[block.pairs]
        found.append(block.pairs.start + np.flatnonzero(near))
        trust[near] = 0.0
        rest.add(block, np.zeros(len(trust)), trust)
    at = np.concatenate(found)
    if 2 * len(at) > len(pairs):
        return ShortList(None, weights, none, gaps)
    return ShortList(at.astype(np.int32) if len(pairs) < 2**31 else at, weights, rest.total(), gaps)
