"""What a page wants seen of a stage, where it is not everything: which pictures, from which place, and what is hidden.

A scene is a value. The view takes up place and pin anew when it hears of another `key`; what it shows and hides it
follows always.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

END = -1


@dataclass(frozen=True)
class Pinned:
    """An entry, numbered from 0."""

    name: str
    where: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A line of an algorithm: formulas in MathML or words, the quantities it sets, and when it is gone through.

    `when`: the scalar that must have moved since the iteration before; "": every time.
    """

    math: tuple[str, ...]
    words: str
    sets: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True)
class Scene:
    key: str
    show: tuple[str, ...] = ()  # quantities and panels, in this order; none: everything
    hide: tuple[str, ...] = ()  # "scores", "labels", "values", "status"
    at: int = END
    until: int | None = None  # no place beyond
    pin: Pinned | None = None
    tap: bool = False  # an entry is asked for: what is pinned is an answer, and nothing is told of it
    large: bool = False  # for a projector
    algorithm: tuple[Line, ...] = ()

    def said(self) -> Mapping:
        return asdict(self)
