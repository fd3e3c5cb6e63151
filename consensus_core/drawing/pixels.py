"""Arrays to pictures: objects in a chosen order and in true proportion, reduced to what a screen shows, packed small.

A microcluster of 30 objects takes 30 times the room of a single one. Where several objects share a pixel, the pixel
is the mean over their pairs. Codes 0 … 254 stand for values; 255 is "no value". They stand evenly between the least
and the greatest value; where a few entries lie far outside of all others, most codes stand evenly among the others
(`inner`).
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
FAR = 0.002  # share of the entries that may lie outside of the inner range
_TOP, _TAIL = 254, 27  # the greatest code; how many of them lie on each side outside of the inner range
_LOOK = 20_000  # entries looked at to find the inner range


@dataclass(frozen=True, eq=False)
class Picture:
    """A packed picture: zlib over one byte per pixel, row by row. Logarithms (of ten) where `log`."""

    rows: int
    cols: int
    low: float
    high: float
    inner: tuple[float, float]
    log: bool
    data: bytes
    kind = "u1"

    def codes(self) -> np.ndarray:
        return np.frombuffer(zlib.decompress(self.data), dtype=np.uint8).reshape(self.rows, self.cols)

    def values(self) -> np.ndarray:
        """What the codes stand for: within half a code of what was packed."""
        codes = self.codes()
        values, places = knots(self.low, self.high, self.inner)
        values = np.interp(codes, places, values)
        values = 10**values if self.log else values
        return np.where(codes == NOTHING, np.nan, values)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A picture that is drawn from its numbers: weights, coordinates, labels."""

    kind: str  # "f4" or "i2"
    rows: int
    cols: int
    low: float
    high: float
    data: bytes  # zlib
    colours: np.ndarray | None = None  # (K,) of labels: the colour number of each base cluster
    dims: int = 0  # of places: how many coordinates these were made of
    log = False

    @property
    def inner(self) -> tuple[float, float]:
        return self.low, self.high

    def values(self) -> np.ndarray:
        return np.frombuffer(zlib.decompress(self.data), dtype=f"<{self.kind}").reshape(self.rows, self.cols)


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


def pack(values: np.ndarray, log: bool = False) -> Picture:
    values = np.atleast_2d(np.asarray(values, dtype=float))
    absent = ~np.isfinite(values)
    gaps = bool(absent.any())
    if log:
        positive = values[(values > 0) & ~absent]
        floor = float(positive.min()) if positive.size else 1.0
        values = np.log10(np.maximum(np.where(absent, floor, values), floor))
    low, high, inner = ranges(values[~absent] if gaps else values)
    if inner == (low, high):
        scaled = (values - low) / (high - low) * _TOP if high > low else np.zeros_like(values)
    else:
        scaled = np.interp(values, *knots(low, high, inner))
    with np.errstate(invalid="ignore"):
        codes = np.clip(np.nan_to_num(scaled) + 0.5, 0, _TOP).astype(np.uint8)
    if gaps:
        codes[absent] = NOTHING
    return Picture(*codes.shape, low, high, inner, log, zlib.compress(codes.tobytes(), 1))


def pack_numbers(values: np.ndarray, dims: int = 0) -> Numbers:
    values = np.atleast_2d(np.ascontiguousarray(values, dtype="<f4"))
    low, high, _ = ranges(values[np.isfinite(values)])
    return Numbers("f4", *values.shape, low, high, zlib.compress(values.tobytes(), 1), dims=dims)


def pack_labels(values: np.ndarray, colours: np.ndarray) -> Numbers:
    values = np.ascontiguousarray(values, dtype="<i2")
    top = float(values.max(initial=0))
    return Numbers("i2", *values.shape, 0.0, top, zlib.compress(values.tobytes(), 1), colours)


def ranges(values: np.ndarray) -> tuple[float, float, tuple[float, float]]:
    """The least and the greatest of finite values, and the range of all but a few: the same on each side unless these
    few lie further outside than half of that range."""
    if not values.size:
        return 0.0, 0.0, (0.0, 0.0)
    low, high = float(values.min()), float(values.max())
    some = values.ravel()[:: values.size // _LOOK | 1]  # an odd stride: not always the same columns
    a, b = (float(x) for x in np.quantile(some, (FAR, 1 - FAR), method="nearest"))
    far = (b - a) / 2 or np.inf
    return low, high, (a if a - low > far else low, b if high - b > far else high)


def knots(low: float, high: float, inner: tuple[float, float]) -> tuple[list[float], list[float]]:
    """Values and the codes that stand for them; straight lines between."""
    values, places = [inner[0], inner[1]], [0.0, float(_TOP)]
    if low < inner[0]:
        values, places = [low, *values], [0.0, float(_TAIL), places[-1]]
    if high > inner[1]:
        values, places = [*values, high], [*places[:-1], float(_TOP - _TAIL), float(_TOP)]
    return values, places
