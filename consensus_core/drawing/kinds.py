"""Kind of quantity -> which card of the live view draws it, how its picture is packed, how its standing figure is made.

The only place in Python that a new kind of quantity needs, beside its declaration. Methods are never named here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ensemble.incidence import cluster_names
from ..linalg.paired import Paired
from ..method import Embedding, Incidence, Labels, Matrix, Quantity, Scalar, Weights
from . import plots
from .arrangement import Arrangement
from .owners import owners
from .pixels import Numbers, Picture, pack, pack_labels, pack_numbers, reduced
from .places import flattened
from .scales import Scale, reach_of, scale_of

Window = tuple[tuple[int, int], ...] | None  # the objects in view along each side


@dataclass(frozen=True)
class Look:
    """What a standing figure is made with besides its value."""

    title: str = ""
    ids: np.ndarray | None = None  # (n,) in the order of the table
    dark: bool = False
    scale: Scale | None = None  # of the colours; by default the picture's own


@dataclass(frozen=True)
class Kind:
    card: str  # the name under which a card of live/view/cards is registered
    packed: Callable[[Quantity, Any, Arrangement, Window], Picture | Numbers] | None
    figure: Callable[[Quantity, Any, Arrangement, Look], Any]
    difference: Callable[[Quantity, Any, Any, Arrangement], Picture | Numbers] | None = None  # the second − the first


def kind_of(quantity: Quantity) -> Kind:
    """Weights over two axes are drawn as a matrix."""
    return KINDS[Matrix if quantity.kind is Weights and len(quantity.axes) == 2 else quantity.kind]


# --- matrices and incidences -----------------------------------------------------------------------------------------


def _pixels(quantity, value, arranged, window=None):
    windows = window or (None,) * len(quantity.axes)
    sides = [
        arranged.axis(side, length, part)
        for side, length, part in zip(quantity.axes, _shape(value), windows, strict=True)
    ]
    return reduced(value, *sides), sides


def _pack_matrix(quantity, value, arranged, window=None) -> Picture:
    return pack(_pixels(quantity, value, arranged, window)[0], quantity.log)


def _matrix_difference(quantity, one, other, arranged) -> Picture:
    return pack(_pixels(quantity, other, arranged)[0] - _pixels(quantity, one, arranged)[0])


def _matrix_figure(quantity, value, arranged, look):
    picture, sides = _pixels(quantity, value, arranged)
    scale = look.scale or scale_of(quantity, reach_of(pack(picture, quantity.log)))
    names = [_names(side, axis, arranged, look.ids) for side, axis in zip(quantity.axes, sides, strict=True)]
    things = [axis.shares.shape[1] for axis in sides]
    return plots.matrix(
        picture, look.title, scale, quantity.diverging, quantity.log, names[0], names[1], look.dark, things
    )


# --- numbers: weights, coordinates, labels ---------------------------------------------------------------------------


def _pack_weights(quantity, value, arranged, window=None) -> Numbers:
    return pack_numbers(_pixels(quantity, np.asarray(value, dtype=float), arranged)[0][None, :])


def _weights_difference(quantity, one, other, arranged) -> Numbers:
    return _pack_weights(quantity, np.asarray(other, dtype=float) - np.asarray(one, dtype=float), arranged)


def _weights_figure(quantity, value, arranged, look):
    heights, (axis,) = _pixels(quantity, np.asarray(value, dtype=float), arranged)
    return plots.bars(heights, _names(quantity.axes[0], axis, arranged, look.ids), look.title, look.dark)


def _pack_places(quantity, value, arranged, window=None) -> Numbers:
    places = np.asarray(value, dtype=float)
    return pack_numbers(flattened(places), dims=places.shape[1])


def _places_figure(quantity, value, arranged, look):
    ensemble, places = arranged.ensemble, flattened(np.asarray(value, dtype=float))
    if quantity.axes[0] != "object":
        mine = owners(ensemble, arranged.labels) if quantity.axes[0] == "hyperedge" else np.zeros(len(places), int)
        return plots.points(places, mine, None, look.title, look.dark)
    names = plots.named(ensemble.n, look.ids)
    return plots.points(ensemble.expand(places), ensemble.expand(arranged.labels), names, look.title, look.dark)


def _pack_labels(quantity, value, arranged, window=None) -> Numbers:
    return pack_labels(np.asarray(value), owners(arranged.ensemble, arranged.labels))


def _labels_figure(quantity, value, arranged, look):
    ensemble = arranged.ensemble
    colours = owners(ensemble, arranged.labels)
    columns = plots.Columns(
        ensemble.expand(np.asarray(value))[arranged.rows], ensemble.names, np.split(colours, ensemble.offsets[1:-1])
    )
    return plots.tracks(columns, plots.named(ensemble.n, look.ids)[arranged.rows], look.title, look.dark)


def _scalar_figure(quantity, value, arranged, look):
    return plots.curves({quantity.letter: [float(value)]}, look.title, quantity.log, dark=look.dark)


KINDS: dict[type, Kind] = {
    Matrix: Kind("matrix", _pack_matrix, _matrix_figure, _matrix_difference),
    Incidence: Kind("matrix", _pack_matrix, _matrix_figure, _matrix_difference),
    Embedding: Kind("points", _pack_places, _places_figure),
    Labels: Kind("tracks", _pack_labels, _labels_figure),
    Weights: Kind("bars", _pack_weights, _weights_figure, _weights_difference),
    Scalar: Kind("curve", None, _scalar_figure),
}


def drawn(method) -> tuple[Quantity, ...]:
    """What has a picture of its own; scalars are curves."""
    return tuple(q for q in method.quantities() if kind_of(q).packed is not None)


def curves(method) -> tuple[Quantity, ...]:
    return tuple(q for q in method.quantities() if kind_of(q).packed is None)


def _shape(value) -> tuple[int, ...]:
    return value.B.shape if isinstance(value, Paired) else value.shape


def _names(side: str, axis, arranged: Arrangement, ids) -> np.ndarray:
    """What each pixel along a side is called: by the first and the last of the things that share it."""
    ensemble, count = arranged.ensemble, axis.shares.shape[1]
    if side == "object":
        things = plots.named(ensemble.n, ids)[arranged.rows]
    else:
        known = {"clustering": ensemble.names, "hyperedge": cluster_names(ensemble)}.get(side, ())
        things = np.array(known if len(known) == count else range(1, count + 1)).astype(str)
        things = things[axis.sources]
    if axis.pixels == count:
        return things
    ends = np.linspace(0, count, axis.pixels + 1)
    return np.array(
        [f"{things[int(a)]} … {things[min(int(np.ceil(b)), count) - 1]}" for a, b in itertools.pairwise(ends)]
    )
