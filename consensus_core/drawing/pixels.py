"""Arrays to pictures: objects in a chosen order and in true proportion, reduced to what a screen shows, packed small.

A microcluster of 30 objects takes 30 times the room of a single one. Where several objects share a pixel, the pixel
is the mean over their pairs. Codes 0 … 254 stand evenly between the ends of the scale; 255 is "no value".
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..linalg.paired import Paired
from .orders import member_of

PIXELS = 400
NOTHING = 255
_TOP = 254


@dataclass(frozen=True, eq=False)
class Picture:
    """A packed picture: zlib over one byte per pixel, row by row."""

    rows: int
    cols: int
    low: float
    high: float
    log: bool
    data: bytes

    def codes(self) -> np.ndarray:
        return np.frombuffer(zlib.decompress(self.data), dtype=np.uint8).reshape(self.rows, self.cols)

    def values(self) -> np.ndarray:
        """What the codes stand for: within half a 254th of the scale of what was packed."""
        codes = self.codes()
        values = self.low + codes / _TOP * (self.high - self.low)
        values = 10**values if self.log else values
        return np.where(codes == NOTHING, np.nan, values)


@dataclass(frozen=True, eq=False)
class Axis:
    """How the things along one side of a picture become its pixels.

    mix      (pixels, sources) rows sum to 1: which sources a pixel is the mean of
    only     (pixels,) the one source of each pixel, where each has but one
    shares   (pixels, things) the same before objects became microclusters
    sources  (things,) the source of each thing, in the order seen
    """

    mix: scipy.sparse.csr_array
    only: np.ndarray | None
    shares: scipy.sparse.csr_array
    sources: np.ndarray

    @property
    def pixels(self) -> int:
        return self.mix.shape[0]

    @classmethod
    def of_objects(cls, ensemble: Ensemble, order: np.ndarray, pixels=PIXELS, window=None) -> Axis:
        """Objects in an order, each as wide as any other."""
        first, last = window or (0, len(order))
        shares = _shares(first, last, len(order), pixels)
        return cls._mixing(shares, member_of(ensemble)[order], ensemble.q)

    @classmethod
    def of_things(cls, length: int, pixels=PIXELS, window=None, order=None) -> Axis:
        """Anything else, as it comes or in an order of its own."""
        first, last = window or (0, length)
        sources = np.arange(length) if order is None else order
        return cls._mixing(_shares(first, last, length, pixels), sources, length)

    @classmethod
    def _mixing(cls, shares, sources, length) -> Axis:
        content = shares.data.copy(), sources[shares.indices], shares.indptr.copy()  # summing up works in place
        mix = scipy.sparse.csr_array(content, (shares.shape[0], length))
        mix.sum_duplicates()
        single = bool((np.diff(mix.indptr) == 1).all())
        return cls(mix, mix.indices.astype(np.intp) if single else None, shares, sources)


def _shares(first: int, last: int, length: int, pixels: int) -> scipy.sparse.csr_array:
    """(pixels, length): the share of each pixel that each thing covers. Never more pixels than things."""
    seen = last - first
    if seen <= pixels:
        return scipy.sparse.csr_array((np.ones(seen), np.arange(first, last), np.arange(seen + 1)), (seen, length))
    edges = np.arange(pixels + 1) * (seen / pixels)
    things = np.arange(seen)
    left = np.minimum((things * (pixels / seen)).astype(np.intp), pixels - 1)
    over = np.maximum(things + 1 - edges[left + 1], 0.0)
    spill = over > 1e-9
    pixel = np.concatenate([left, left[spill] + 1])
    thing = np.concatenate([things, things[spill]])
    share = np.concatenate([1.0 - over, over[spill]]) * (pixels / seen)
    inside = pixel < pixels
    return scipy.sparse.csr_array((share[inside], (pixel[inside], thing[inside] + first)), (pixels, length))


def reduced(value, rows: Axis, cols: Axis | None = None) -> np.ndarray:
    """(pixels, pixels) or (pixels,): the mean of what lies under each pixel."""
    if isinstance(value, Paired):
        return _reduced_pairs(value, rows, cols)
    if scipy.sparse.issparse(value):
        if cols is None:
            return np.asarray(rows.mix @ value)
        return np.asarray((rows.mix @ value.tocsr() @ cols.mix.T).todense())
    value = np.asarray(value)
    if cols is None:
        return value[rows.only] if rows.only is not None else rows.mix @ value
    if rows.only is not None and cols.only is not None:
        return value[rows.only[:, None], cols.only]
    across = value[rows.only] if rows.only is not None else rows.mix @ value
    return across[:, cols.only] if cols.only is not None else (cols.mix @ across.T).T


def _reduced_pairs(value: Paired, rows: Axis, cols: Axis) -> np.ndarray:
    """As if every object had its own row and column: an object's pair with itself holds d instead of B."""
    picture = reduced(value.B, rows, cols)
    own = value.d - np.diagonal(value.B)
    weighted = rows.shares.multiply(own[rows.sources][None, :]).tocsr()
    return picture + np.asarray((weighted @ cols.shares.T).todense())


def pack(values: np.ndarray, span=None, diverging=False, log=False) -> Picture:
    """Codes between the ends of `span`, or of what the values reach."""
    values = np.atleast_2d(np.asarray(values, dtype=float))
    absent = ~np.isfinite(values)
    if log:
        positive = values[(values > 0) & ~absent]
        floor = float(positive.min()) if positive.size else 1.0
        values = np.log10(np.maximum(np.where(absent, floor, values), floor))
        span = tuple(np.log10(np.maximum(span, floor))) if span is not None else None
    if span is None:
        sound = values if not absent.any() else values[~absent]
        low, high = (float(sound.min()), float(sound.max())) if sound.size else (0.0, 0.0)
        if diverging:
            low, high = -max(abs(low), abs(high)), max(abs(low), abs(high))
    else:
        low, high = map(float, span)
    scaled = (values - low) / (high - low) * _TOP if high > low else np.zeros_like(values)
    with np.errstate(invalid="ignore"):
        codes = np.clip(np.nan_to_num(scaled) + 0.5, 0, _TOP).astype(np.uint8)
    if absent.any():
        codes[absent] = NOTHING
    return Picture(*codes.shape, low, high, log, zlib.compress(codes.tobytes(), 1))
