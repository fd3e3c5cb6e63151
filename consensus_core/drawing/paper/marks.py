"""The marks a sheet may hold, in millimetres from its top left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .style import Style


@dataclass(frozen=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    line: float = 0.2


@dataclass(frozen=True, eq=False)
class Line:
    """A path through points (count, 2); NaN lifts the pen."""

    points: np.ndarray
    stroke: str
    line: float = 0.25
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Text:
    x: float
    y: float  # of the line it stands on
    text: str
    size: float  # points
    anchor: str = "start"  # "start", "middle" or "end"
    turned: float = 0.0  # degrees, clockwise
    bold: bool = False
    italic: bool = False
    fill: str = ""


@dataclass(frozen=True, eq=False)
class Image:
    x: float
    y: float
    width: float
    height: float
    pixels: np.ndarray  # (rows, columns, 3) bytes


@dataclass(frozen=True, eq=False)
class Dots:
    places: np.ndarray  # (count, 2)
    radius: float
    fill: str


Mark = Rect | Line | Text | Image | Dots


class Marked(Protocol):
    """What can be written: marks on so many millimetres."""

    style: Style
    width: float
    height: float
    says: str

    @property
    def marks(self) -> Sequence[Mark]: ...
