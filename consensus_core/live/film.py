"""The pictures of runs, packed when first asked for and kept while they fit. Knows steps, never runs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from ..drawing.arrangement import Arrangement
from ..drawing.further import packer_of
from ..drawing.kinds import kind_of
from ..drawing.pixels import Numbers, Picture
from ..drawing.scales import Reach, reach_of
from ..ensemble import Ensemble
from ..method import Method, Quantity, Step

BUDGET = 192 << 20  # bytes, for all who look at the same objects


@dataclass(frozen=True)
class Place:
    """Which picture: of which run (or pair of runs), which quantity, at which place of the scrubber, in which order."""

    run: str
    name: str
    at: int
    order: str


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture, and the place where it was drawn first; None where there is nothing to draw yet."""

    picture: Picture | Numbers | None
    first: int


@dataclass(frozen=True, eq=False)
class _Latest:
    order: str
    rows: np.ndarray
    labels: np.ndarray
    value: object
    shot: Shot


class Film:
    def __init__(self, ensemble: Ensemble, budget: int = BUDGET):
        self._ensemble, self._budget = ensemble, budget
        self._kept: OrderedDict[Place, Shot] = OrderedDict()
        self._latest: dict[tuple[str, str], _Latest] = {}
        self._reach: dict[tuple[str, str], Reach] = {}
        self._bytes = 0
        self._lock = threading.RLock()

    def kept(self, place: Place) -> Shot | None:
        """The picture, where it was drawn already and is still here."""
        with self._lock:
            if place in self._kept:
                self._kept.move_to_end(place)
            return self._kept.get(place)

    def draw(self, place: Place, method: Method, step: Step, arranged: Arrangement) -> Shot:
        name, packer = packer_of(place.name)
        quantity, value = method.quantity(name), method.value(self._ensemble, step.state, name)
        return self.draw_value(place, quantity, value, arranged, packer)

    def draw_difference(self, place: Place, quantity: Quantity, values, arranged: Arrangement) -> Shot:
        """The second value minus the first; nothing while one of them is not there."""
        there = all(value is not None for value in values)
        shot = Shot(kind_of(quantity).difference(quantity, *values, arranged) if there else None, place.at)
        self._keep(place, shot)
        return shot

    def draw_value(self, place: Place, quantity: Quantity, value, arranged: Arrangement, packer=None) -> Shot:
        """What stays the same from step to step, in the same order under the same labels, stays the same picture."""
        latest = self._latest.get((place.run, place.name))
        if latest and latest.order == place.order and _alike(latest, value, arranged):
            shot = latest.shot
        elif value is None:
            shot = Shot(None, place.at)
        elif packer is not None:
            shot = Shot(packer(quantity, value, arranged), place.at)
        else:
            shot = Shot(kind_of(quantity).packed(quantity, value, arranged, None), place.at)
        self._latest[place.run, place.name] = _Latest(place.order, arranged.rows, arranged.labels, value, shot)
        self._keep(place, shot)
        return shot

    def detail(self, method: Method, step: Step, name: str, arranged: Arrangement, window):
        """A part of a picture at its own sharpness; not kept."""
        quantity = method.quantity(name)
        value = method.value(self._ensemble, step.state, name)
        return None if value is None else kind_of(quantity).packed(quantity, value, arranged, window)

    def reach(self, run: str, name: str) -> Reach | None:
        """How far all pictures of a quantity drawn so far reach together; None where there are none."""
        return self._reach.get((run, name))

    def forget(self, run: str) -> None:
        with self._lock:
            for place in [place for place in self._kept if place.run == run]:
                self._bytes -= _size(self._kept.pop(place))
            for known in (self._latest, self._reach):
                for key in [key for key in known if key[0] == run]:
                    del known[key]

    def _keep(self, place: Place, shot: Shot) -> None:
        with self._lock:
            if shot.picture is not None:
                key, reach = (place.run, place.name), reach_of(shot.picture)
                self._reach[key] = self._reach[key].with_(reach) if key in self._reach else reach
            if place not in self._kept:
                self._kept[place] = shot
                self._bytes += _size(shot)
            while self._bytes > self._budget and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._bytes -= _size(gone)


def _alike(latest: _Latest, value, arranged: Arrangement) -> bool:
    same_place = latest.rows is arranged.rows or np.array_equal(latest.rows, arranged.rows)
    return same_place and np.array_equal(latest.labels, arranged.labels) and _unchanged(latest.value, value)


def _unchanged(before, value) -> bool:
    if before is value:
        return True
    if not isinstance(value, np.ndarray) or not isinstance(before, np.ndarray) or before.shape != value.shape:
        return False
    some = tuple(slice(None, None, max(1, size // 20)) for size in value.shape)  # most changes show at once
    return np.array_equal(before[some], value[some]) and np.array_equal(before, value)


def _size(shot: Shot) -> int:
    return 64 + (len(shot.picture.data) if shot.picture is not None else 0)
