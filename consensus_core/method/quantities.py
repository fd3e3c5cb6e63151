"""What a state shows, and as what kind of picture.

A state declares its kept arrays as annotated fields, a method its derived ones as functions of ensemble and state:

    S: Matrix = shown("S", "consensus matrix", equation="(10)", span=(0, 1))

    @derived("E", "noise", equation="(11)", diverging=True)
    def E(self, ensemble, state) -> Matrix: ...

Views draw kinds, never methods. Arrays over objects have one entry per microcluster (q, not n).
"""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import dataclass
from typing import Any, NamedTuple


class Matrix:
    """Pairs, q x q over microclusters unless `axes` says otherwise: an array, scipy sparse, or
    `linalg.paired.Paired`."""

    axes = ("object", "object")


class Incidence:
    """Objects against hyperedges (clusters of the base clusterings): (q, K)."""

    axes = ("object", "hyperedge")


class Embedding:
    """Coordinates of the objects: (q, d)."""

    axes = ("object", "coordinate")


class Labels:
    """A label per object and base clustering, drawn as a track plot: (q, m) ints, MISSING where there is none."""

    axes = ("object", "clustering")


class Weights:
    """One number per object, base clustering, hyperedge or rank (say which in `axes`)."""

    axes = ("object",)


class Scalar:
    """One number; its course over the iterations is a curve."""

    axes = ()


KINDS = (Matrix, Incidence, Embedding, Labels, Weights, Scalar)


class Axis(NamedTuple):
    """What stands along a side of a picture, and the letters by which sentences name one of them."""

    plural: str
    letters: str


AXES = {
    "object": Axis("objects", "ij"),
    "clustering": Axis("base clusterings", "tu"),
    "hyperedge": Axis("clusters of the base clusterings", "el"),
    "cluster": Axis("clusters wanted", "cd"),
    "coordinate": Axis("coordinates", "ab"),
    "rank": Axis("rank", "rs"),
}


@dataclass(frozen=True)
class Also:
    """A further drawing of a quantity: the card that makes it, what it shows, and what is drawn into it besides."""

    card: str  # of drawing.further
    meaning: str
    others: tuple[str, ...] = ()  # names of quantities of the same method


@dataclass(frozen=True)
class Quantity:
    """One thing to show: its kind, the paper's letter, what it means, and which equation gives it."""

    name: str
    kind: type
    letter: str
    meaning: str
    equation: str = ""
    axes: tuple[str, ...] = ()
    span: tuple[float, float] | None = None  # fixed ends of the colour scale; None: taken from the values
    diverging: bool = False  # zero is the middle of the colour scale
    log: bool = False  # best seen on a logarithmic axis
    derived: bool = False  # a function of ensemble and state rather than a kept field
    minor: bool = False  # shown on demand only
    also: tuple[Also, ...] = ()


def shown(letter, meaning, equation="", **declaration):
    """A state's field that is drawn: the annotation says as what kind."""
    default = {"default": declaration.pop("default")} if "default" in declaration else {}
    declared = {"letter": letter, "meaning": meaning, "equation": equation, **declaration}
    return dataclasses.field(metadata={"quantity": declared}, **default)


def derived(letter, meaning, equation="", **declaration):
    """A method's function (ensemble, state) -> array that is drawn like a field."""

    def mark(function):
        function.quantity = {"letter": letter, "meaning": meaning, "equation": equation, **declaration}
        return function

    return mark


def quantities_of(method_class) -> tuple[Quantity, ...]:
    """Everything a method shows: its state's fields first, then its derived quantities, in the order written."""
    found = []
    state_class = method_class.State
    hints = typing.get_type_hints(state_class)
    for field in dataclasses.fields(state_class):
        if "quantity" in field.metadata:
            found.append(_quantity(field.name, hints[field.name], field.metadata["quantity"], derived=False))
    names = [name for cls in reversed(method_class.__mro__) for name in vars(cls)]
    for name in dict.fromkeys(names):
        function = getattr(method_class, name)
        if hasattr(function, "quantity"):
            hint = typing.get_type_hints(function)["return"]
            found.append(_quantity(name, hint, function.quantity, derived=True))
    return tuple(found)


def _quantity(name: str, kind: Any, declaration: dict, derived: bool) -> Quantity:
    if kind not in KINDS:
        raise TypeError(f"{name} must be annotated with one of {[k.__name__ for k in KINDS]}, got {kind!r}")
    quantity = Quantity(name=name, kind=kind, derived=derived, **{"axes": kind.axes, **declaration})
    if unknown := [axis for axis in quantity.axes if axis not in AXES]:
        raise TypeError(f"{name}: there is no axis {unknown[0]!r}; there are {', '.join(AXES)}.")
    return quantity
