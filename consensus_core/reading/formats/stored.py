"""An array in a file that has not been read yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..table import Part
from ..wording import shown


@dataclass(frozen=True)
class Stored:
    name: str
    shape: tuple[int, ...]
    kind: str  # numpy's letter: i u f b U S ... ; "" where it cannot be used
    load: Callable[[], np.ndarray] | None = None
    why_not: str = ""  # what it is, where it cannot be used
    do: str = "save a plain table of numbers"
    note: str = ""  # an oddity that is no fault

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=object)) if self.shape else 1

    @property
    def is_vector(self) -> bool:
        return len(self.shape) == 1 or (len(self.shape) == 2 and 1 in self.shape)

    @property
    def is_table(self) -> bool:
        return len(self.shape) == 2 and not self.is_vector

    @property
    def part(self) -> Part:
        usable = not self.why_not and len(self.shape) in (1, 2)
        return Part(self.name, self.shape, self.kind, usable, self.why_not)

    def described(self) -> str:
        return f"{shown(self.name)} ({self.why_not or ' x '.join(map(str, self.shape)) or 'a single number'})"
