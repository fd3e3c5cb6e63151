"""What is drawn, before it is written: marks on a sheet of so many millimetres."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .marks import Line, Mark, Text
from .style import Style
from .writing import svg


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
        return svg(self)

    def _repr_svg_(self) -> str:
        """A notebook shows it."""
        return self.svg()


def text_width(text: str, size: float) -> float:
    """Millimetres a text takes, nearly: for finding room, not for setting type."""
    wide = sum(0.35 if sign in "iljtf.,:;'|! ()[]" else 0.9 if sign in "mwMW%" else 1.0 if ord(sign) > 0x2E7F else 0.62
               for sign in text)  # fmt: skip
    return wide * size * 25.4 / 72
