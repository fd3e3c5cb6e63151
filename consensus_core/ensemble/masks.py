"""Who puts two rows of labels together: a bit for each base clustering, and sums over them without a loop.

The bits of a pair are cut into planes of a few. The sum of some values over the base clusterings in a mask is then one
look-up per plane, and sums over many pairs, for every base clustering, are one histogram per plane. `together` builds
on this for the pairs that are ever together, `walks` for random walks over all of them.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from .ensemble import Ensemble

Made = TypeVar("Made")


@dataclass(frozen=True)
class Planes:
    """How the bits of m base clusterings are cut: `bits[p]` of them stand in plane p."""

    bits: tuple[int, ...]
    alike: tuple[int, ...] = ()  # for each base clustering the first with the same labels; empty where all differ

    @classmethod
    def of(cls, m: int, most: int, alike: tuple[int, ...] = ()) -> Planes:
        """As few planes as can be, none with more than `most` bits, all about as wide."""
        return cls(tuple(np.diff(np.linspace(0, m, -(-m // most) + 1).astype(int)).tolist()), alike)

    @property
    def full(self) -> tuple[int, ...]:
        """The mask of each plane in which every bit is set."""
        return tuple((1 << bits) - 1 for bits in self.bits)

    def tables(self, values: np.ndarray) -> list[np.ndarray]:
        """Per plane (…, 2^bits): for each mask the sum of `values` (…, m) over the base clusterings in it."""
        return [subset_sums(part) for part in np.split(values, np.cumsum(self.bits)[:-1], axis=-1)]

    def histograms(self, masks: list[np.ndarray], values: np.ndarray, rows: int | None = None) -> list[np.ndarray]:
        """Per plane (2^bits,): the sum of `values` over the pairs with each mask; with `rows` one of each row, and
        masks as `in_rows` has them."""
        found = []
        for mask, bits in zip(masks, self.bits, strict=True):
            histogram = np.bincount(mask.ravel(), values.ravel(), minlength=(rows or 1) << bits)
            found.append(histogram if rows is None else histogram.reshape(rows, -1))
        return found

    def in_rows(self, masks: list[np.ndarray]) -> list[np.ndarray]:
        """Where the masks (r, c) of rows stand in tables (r, 2^bits) of which each row has its own, laid flat."""
        row = np.arange(len(masks[0]))[:, None]
        return [mask + (row << bits) for mask, bits in zip(masks, self.bits, strict=True)]

    def per_clustering(self, histograms: list[np.ndarray]) -> np.ndarray:
        """(…, m): histograms over masks (…, 2^bits), summed over the masks that contain each base clustering.

        The order of a sum depends on the bit; base clusterings with the same labels get the same to the last bit.
        """
        parts = [histogram @ members(bits) for histogram, bits in zip(histograms, self.bits, strict=True)]
        found = np.concatenate(parts, axis=-1)
        return found[..., list(self.alike)] if self.alike else found


@functools.cache
def members(bits: int) -> np.ndarray:
    """(2^bits, bits): 1 where a bit is set in a mask."""
    found = (np.arange(1 << bits)[:, None] >> np.arange(bits) & 1).astype(float)
    found.flags.writeable = False
    return found


def look_up(tables: list[np.ndarray], masks: list[np.ndarray]) -> np.ndarray:
    """For each mask the sum of its planes' table entries."""
    total = None
    for table, mask in zip(tables, masks, strict=True):
        found = table.take(mask)
        total = found if total is None else np.add(total, found, out=total)
    return total


def subset_sums(values: np.ndarray) -> np.ndarray:
    """(…, 2^b) from (…, b): entry s is the sum of the values whose bits are set in s."""
    sums = np.zeros((*values.shape[:-1], 1 << values.shape[-1]))
    for bit in range(values.shape[-1]):
        half = 1 << bit
        np.add(sums[..., :half], values[..., bit, None], out=sums[..., half : 2 * half])
    return sums


@dataclass(frozen=True, eq=False)
class Votes:
    """The labels of an ensemble, laid out for comparing many rows at once."""

    codes: np.ndarray  # (m, q) in the smallest integers that hold them
    observed: np.ndarray | None  # (m, q) where there is a label; None: everywhere
    planes: Planes

    @classmethod
    def of(cls, ensemble: Ensemble, most: int) -> Votes:
        """With at most so many bits in a plane."""
        rows = ensemble.rows
        # a missing label wraps round to the greatest code; `observed` keeps two of them from counting as together
        small = np.uint8 if rows.max() < 255 else np.uint16 if rows.max() < 65535 else np.uint32
        codes = np.ascontiguousarray(rows.astype(np.int64).T.astype(small))
        observed = np.ascontiguousarray(~ensemble.missing.T) if ensemble.has_missing else None
        first: dict[bytes, int] = {}
        alike = tuple(first.setdefault(column.tobytes(), k) for k, column in enumerate(codes))
        return cls(codes, observed, Planes.of(ensemble.m, most, alike if len(first) < len(alike) else ()))

    def together(self, rows: slice, columns: slice = slice(None)) -> list[np.ndarray]:
        """Per plane (r, c) uint16: a bit is set where its base clustering puts row and column together."""
        if self.observed is None:
            return self._masks(lambda k: self.codes[k, rows, None] == self.codes[k, None, columns])
        return self._masks(
            lambda k: (self.codes[k, rows, None] == self.codes[k, None, columns]) & self.observed[k, rows, None]
        )

    def seen(self, rows: slice, columns: slice = slice(None)) -> list[np.ndarray]:
        """The same where it has a label for both. With labels missing only: elsewhere all bits are set."""
        return self._masks(lambda k: self.observed[k, rows, None] & self.observed[k, None, columns])

    def _masks(self, holds: Callable[[int], np.ndarray]) -> list[np.ndarray]:
        masks, k = [], 0
        for bits in self.planes.bits:
            mask = None
            for bit in range(bits):
                term = np.multiply(holds(k), np.uint16(1 << bit))
                mask = term if mask is None else np.bitwise_or(mask, term, out=mask)
                k += 1
            masks.append(mask)
        return masks


def once(make: Callable[[Ensemble], Made]) -> Callable[[Ensemble], Made]:
    """`make` for each ensemble once; what it made is kept as long as the ensemble lives, and for those equal to it."""
    known: weakref.WeakKeyDictionary[Ensemble, Made] = weakref.WeakKeyDictionary()

    def made(ensemble: Ensemble) -> Made:
        found = known.get(ensemble)
        if found is None:
            found = known[ensemble] = make(ensemble)
        return found

    made.__doc__ = make.__doc__
    return made


def latest(make: Callable[[Ensemble, int], Made]) -> Callable[[Ensemble, int], Made]:
    """As `once`, of a number besides: what was made for the number asked for last is kept."""
    known: weakref.WeakKeyDictionary[Ensemble, tuple[int, Made]] = weakref.WeakKeyDictionary()

    @functools.wraps(make)
    def made(ensemble: Ensemble, k: int) -> Made:
        number, found = known.get(ensemble, (None, None))
        if number != k:
            found = make(ensemble, k)
            known[ensemble] = k, found
        return found

    return made
