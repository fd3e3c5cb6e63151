"""The pictures of a run, packed when first asked for and kept while they fit."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from ..drawing.orders import cluster_order, leaf_rank, ordered
from ..drawing.pixels import Axis, Picture, pack, reduced
from ..drawing.places import flattened
from ..ensemble import MISSING, Ensemble
from ..linalg.paired import Paired
from ..method import Embedding, Incidence, Labels, Matrix, Scalar, Weights
from .moment import truth_codes

BUDGET = 48 << 20


@dataclass(frozen=True, eq=False)
class Numbers:
    """A picture that is drawn from its numbers: weights, coordinates, labels."""

    kind: str  # "f4" or "i2"
    rows: int
    cols: int
    low: float
    high: float
    data: bytes  # zlib


class Film:
    """Objects stand in one of the orders "consensus", "truth", "given", "leaf" or "base:3"."""

    def __init__(self, ensemble: Ensemble, order: str = "consensus", pixels: int = 400):
        self.ensemble, self.order, self.pixels = ensemble, order, pixels
        self.rank = leaf_rank(ensemble)
        self._kept: OrderedDict[tuple, Picture | Numbers | None] = OrderedDict()
        self._bytes = 0
        self._axis: tuple | None = None
        self._latest: dict[str, tuple] = {}
        self._lock = threading.RLock()

    def draw(self, run, moment, step, names) -> None:
        """Packs the pictures somebody looks at, in the thread that computed them."""
        for name in names:
            self._picture(run, name, step, moment.labels, self.order)

    def picture(self, run, name: str, iteration: int, order: str) -> Picture | Numbers | None:
        """The picture of a quantity at an iteration; None where there is nothing to draw yet."""
        key = (run.id, name, iteration, order)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        return self._picture(run, name, run.at(iteration), run.moments[iteration].labels, order)

    def detail(self, run, name: str, iteration: int, order: str, window) -> Picture | None:
        """A part of a picture at its own sharpness; not kept."""
        quantity = run.method.quantity(name)
        value = run.method.value(self.ensemble, run.at(iteration).state, name)
        return None if value is None else self.packed(quantity, value, run.moments[iteration].labels, order, window)

    def has(self, run, name: str, iteration: int, order: str) -> bool:
        return (run.id, name, iteration, order) in self._kept

    def _picture(self, run, name, step, labels, order):
        quantity = run.method.quantity(name)
        value = run.method.value(self.ensemble, step.state, name)
        made = None if value is None else self._packed_once(run, quantity, value, labels, order)
        with self._lock:
            key = (run.id, name, step.iteration, order)
            if key not in self._kept:
                self._kept[key] = made
                self._bytes += _size(made)
            while self._bytes > BUDGET and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._bytes -= _size(gone)
        return made

    def _packed_once(self, run, quantity, value, labels, order):
        """What stays the same from step to step, under the same labels, stays the same picture."""
        same = self._latest.get(quantity.name)
        if same and same[0] == (run.id, order) and np.array_equal(same[2], labels) and _unchanged(same[1], value):
            return same[3]
        made = self.packed(quantity, value, labels, order)
        self._latest[quantity.name] = ((run.id, order), value, labels, made)
        return made

    def packed(self, quantity, value, labels, order, window=None) -> Picture | Numbers:
        """Matrices and incidences as reduced pictures, the rest as their numbers.

        `window`: the objects in view, (first, last) of the rows and of the columns; all of them by default.
        """
        if quantity.kind is Embedding:
            return _numbers(flattened(np.asarray(value, dtype=float)))
        if quantity.kind is Labels:
            return _labels(np.asarray(value))
        sizes = zip(quantity.axes, _shape(value), strict=True)
        seen = window or (None, None)
        sides = [
            self.axis(side, length, labels, order, part) for (side, length), part in zip(sizes, seen, strict=False)
        ]
        if quantity.kind is Weights and len(sides) == 1:
            return _numbers(reduced(np.asarray(value, dtype=float), sides[0])[None, :], quantity.span)
        return pack(reduced(value, *sides), quantity.span, quantity.diverging, quantity.log)

    def axis(self, side: str, length: int, labels, order: str, window=None) -> Axis:
        if side == "hyperedge" and order == "consensus":  # so that what belongs together stands on the diagonal
            return Axis.of_things(length, self.pixels, order=cluster_order(self.ensemble, labels))
        if side != "object":
            return Axis.of_things(length, self.pixels)
        with self._lock:
            known = self._axis
            same = (
                known is not None and known[0] == order and (order != "consensus" or np.array_equal(known[1], labels))
            )
            if same and window is None:
                return known[3]
            rows = known[2] if same else self.row_order(order, labels)
            if window is not None:
                return Axis.of_objects(self.ensemble, rows, self.pixels, window)
            axis = Axis.of_objects(self.ensemble, rows, self.pixels)
            self._axis = (order, labels, rows, axis)
            return axis

    def row_order(self, order: str, labels) -> np.ndarray:
        """(n,): which object stands in each row."""
        if order == "given":
            return np.arange(self.ensemble.n)
        if order == "leaf":
            return ordered(self.ensemble, self.rank)
        if order == "truth" and self.ensemble.truth is not None:
            return ordered(self.ensemble, self.rank, _last_if_missing(truth_codes(self.ensemble)[0]))
        if order.startswith("base:"):
            return ordered(self.ensemble, self.rank, _last_if_missing(self.ensemble.rows[:, int(order[5:])]))
        return ordered(self.ensemble, self.rank, labels)

    def forget(self, run_id: str) -> None:
        with self._lock:
            for key in [key for key in self._kept if key[0] == run_id]:
                self._bytes -= _size(self._kept.pop(key))
            self._latest = {name: kept for name, kept in self._latest.items() if kept[0][0] != run_id}


def drawn(method) -> tuple:
    """What has a picture of its own; scalars are curves."""
    return tuple(q for q in method.quantities() if q.kind in (Matrix, Incidence, Embedding, Labels, Weights))


def _last_if_missing(codes: np.ndarray) -> np.ndarray:
    return np.where(codes == MISSING, codes.max(initial=0) + 1, codes)


def curves(method) -> tuple:
    return tuple(q for q in method.quantities() if q.kind is Scalar)


def _unchanged(before, value) -> bool:
    if before is value:
        return True
    if not isinstance(value, np.ndarray) or not isinstance(before, np.ndarray) or before.shape != value.shape:
        return False
    some = tuple(slice(None, None, max(1, size // 20)) for size in value.shape)  # most changes show at once
    return np.array_equal(before[some], value[some]) and np.array_equal(before, value)


def _shape(value) -> tuple[int, ...]:
    return value.B.shape if isinstance(value, Paired) else value.shape


def _size(picture) -> int:
    return 64 if picture is None else len(picture.data) + 64


def _numbers(values: np.ndarray, span=None) -> Numbers:
    values = np.ascontiguousarray(values, dtype="<f4")
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if span is not None:
        low, high = span
    return Numbers("f4", *values.shape, low, high, zlib.compress(values.tobytes(), 1))


def _labels(values: np.ndarray) -> Numbers:
    values = np.ascontiguousarray(values, dtype="<i2")
    return Numbers("i2", *values.shape, 0, int(values.max(initial=0)), zlib.compress(values.tobytes(), 1))
