"""What is drawn, before it is written: marks on a sheet of so many millimetres, the origin at the top left."""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(eq=False)
class Sheet:
    style: Style
    width: float  # millimetres
    height: float
    says: str  # what is to be seen, for those who do not see it
    marks: list[Mark] = field(default_factory=list)

    def add(self, *marks: Mark) -> None:
        self.marks.extend(marks)

    def text(self, x, y, text, size=None, **more) -> None:
        self.add(Text(x, y, str(text), size or self.style.size, fill=more.pop("fill", self.style.ink), **more))

    def line(self, points, width=0.25, stroke=None, dash=()) -> None:
        self.add(Line(np.asarray(points, dtype=float), stroke or self.style.ink, width, dash))

    @property
    def texts(self) -> list[str]:
        return [mark.text for mark in self.marks if isinstance(mark, Text)]

    def svg(self) -> str:
        from .writing import svg

        return svg(self)

    def _repr_svg_(self) -> str:
        """A notebook shows it."""
        return self.svg()


def text_width(text: str, size: float) -> float:
    """Millimetres a text takes, nearly: for finding room, not for setting type."""
    wide = sum(0.35 if sign in "iljtf.,:;'|! ()[]" else 0.9 if sign in "mwMW%" else 1.0 if ord(sign) > 0x2E7F else 0.62
               for sign in text)  # fmt: skip
    return wide * size * 25.4 / 72
