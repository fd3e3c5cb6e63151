"""Arrays to pictures: objects in a chosen order and in true proportion, reduced to what a screen shows, packed small.

A microcluster of 30 objects takes 30 times the room of a single one. Where several objects share a pixel, the pixel
is the mean over their pairs. Codes 0 … 254 stand evenly between the ends of the scale; 255 is "no value".
"""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.linalg import svds

from .ensemble import Ensemble
from .partition import linkage
from .quantities import Paired
from .similarity import coassociation, incidence

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


def member_of(ensemble: Ensemble) -> np.ndarray:
    """(n,): the microcluster of each object."""
    return np.repeat(np.arange(ensemble.q), ensemble.counts) if ensemble.member_of is None else ensemble.member_of


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


# --- orders, names and places -------------------------------------------------------------------------------------


def leaf_rank(ensemble: Ensemble, most: int = 4000) -> np.ndarray:
    """(q,): the place of each microcluster along the tree of the co-association; neighbours are alike.

    Beyond `most` microclusters the rows stand as the ensemble keeps them, which is also by likeness, only coarser.
    """
    if not 2 < ensemble.q <= most:
        return np.arange(ensemble.q)
    order = linkage(coassociation(ensemble), ensemble.counts).leaf_order()
    rank = np.empty(ensemble.q, dtype=np.intp)
    rank[order] = np.arange(ensemble.q)
    return rank


def ordered(ensemble: Ensemble, rank: np.ndarray, key: np.ndarray | None = None) -> np.ndarray:
    """(n,): the objects sorted by a key of their own (n,), or of their microclusters (q,), and then by rank."""
    member = member_of(ensemble)
    keys = [np.arange(len(member)), rank[member]]
    if key is not None:
        key = np.asarray(key)
        keys.append(key if len(key) == len(member) else key[member])
    return np.lexsort(keys)


def renamed(labels: np.ndarray, before: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The same clusters under the numbers that keep as many objects as possible at their number of before."""
    size = max(int(labels.max()), int(before.max())) + 1
    shared = np.zeros((size, size))
    np.add.at(shared, (labels, before), counts)
    old, new = linear_sum_assignment(shared, maximize=True)
    name = np.empty(size, dtype=np.intp)
    name[old] = new
    return name[labels]


def largest_first(labels: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The same clusters numbered by size, the largest 0."""
    sizes = np.bincount(labels, weights=counts)
    name = np.empty(len(sizes), dtype=np.intp)
    name[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return name[labels]


def support(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """(q, k): the mean, over the base clusterings, of the share of an object's cluster that has each consensus label.

    1 in one column: in every base clustering the object is among objects of that consensus cluster only.
    """
    H = _incidence(ensemble)
    k = int(labels.max()) + 1
    inside = scipy.sparse.csr_array((ensemble.counts.astype(float), (np.arange(ensemble.q), labels)), (ensemble.q, k))
    made_of = (H.T @ inside).toarray()
    made_of /= np.maximum(made_of.sum(axis=1, keepdims=True), 1.0)
    return (H @ made_of) / np.maximum(H.sum(axis=1), 1.0)[:, None]


@functools.lru_cache(maxsize=8)
def _incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    return incidence(ensemble)


def cluster_order(ensemble: Ensemble, labels: np.ndarray) -> np.ndarray:
    """(K,): the base clusterings' clusters sorted by the consensus cluster that most of their objects have."""
    H = _incidence(ensemble)
    k = int(labels.max()) + 1
    inside = scipy.sparse.csr_array((ensemble.counts.astype(float), (np.arange(ensemble.q), labels)), (ensemble.q, k))
    return np.argsort((H.T @ inside).toarray().argmax(axis=1), kind="stable")


def map_of(ensemble: Ensemble, features: np.ndarray | None = None) -> np.ndarray:
    """(n, 2): a place for every object. Two features as they are, more by their principal components; without
    features the second and third coordinates of the co-association's correspondence analysis."""
    if features is not None:
        X = np.nan_to_num(np.asarray(features, dtype=float))
        if X.shape[1] == 2:
            return X
        X = X - X.mean(axis=0)
        spread = X.std(axis=0)
        X = X / np.where(spread > 0, spread, 1.0)
        if X.shape[1] == 1:
            return np.column_stack([X[:, 0], np.zeros(len(X))])
        U, s, _ = _leading(X, 2)
        return U * s
    H = incidence(ensemble)
    weight = np.sqrt(ensemble.counts)
    sizes = np.maximum(H.T @ ensemble.counts.astype(float), 1.0)
    Z = scipy.sparse.csr_array(H.multiply(weight[:, None]).multiply(1 / np.sqrt(sizes)[None, :]))
    U, s, _ = _leading(Z, 3)
    places = U[:, 1:3] * s[1:3] / weight[:, None]
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros((len(places), 2 - places.shape[1]))])
    return ensemble.expand(places)


def flattened(places: np.ndarray) -> np.ndarray:
    """(q, 2) of (q, d) coordinates: two as they are; of more, each pulls along its own direction around a star.

    Corners of a simplex, which is where clear-cut embeddings send their clusters, stay apart on a star whatever d is;
    no plane through them does that. A coordinate that is the same for all tells nothing and gets no direction.
    """
    spread = places.max(axis=0) - places.min(axis=0)
    telling = places[:, spread > 1e-9 * max(float(spread.max(initial=0.0)), 1e-300)]
    if telling.shape[1] <= 2:
        return np.column_stack([telling, np.zeros((len(places), 2 - telling.shape[1]))])
    angle = 2 * np.pi * np.arange(telling.shape[1]) / telling.shape[1]
    return telling @ np.column_stack([np.cos(angle), np.sin(angle)])


def _leading(X, rank: int):
    """The leading singular triplets, each with its largest entry positive."""
    if min(X.shape) <= max(rank + 1, 64):
        U, s, V = np.linalg.svd(X.toarray() if scipy.sparse.issparse(X) else X, full_matrices=False)
        U, s, V = U[:, :rank], s[:rank], V[:rank]
    else:
        U, s, V = svds(X, k=rank, v0=np.ones(min(X.shape)))
        U, s, V = U[:, ::-1], s[::-1], V[::-1]
    sign = np.sign(U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])])
    return U * np.where(sign == 0, 1, sign), s, V
