"""What the base clusterings say of two objects."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from .labels import MISSING


@dataclass(frozen=True, eq=False)
class Pair:
    """Two objects i and j of an ensemble; `p` and `q` are their microclusters."""

    ensemble: object
    i: int
    j: int
    p: int
    q: int

    @property
    def itself(self) -> bool:
        """One object, twice."""
        return self.i == self.j

    @property
    def alike(self) -> bool:
        """The same object, or two with the same label everywhere."""
        return self.p == self.q

    @functools.cached_property
    def seen(self) -> np.ndarray:
        """(m,) True where both have a label."""
        return (self.ensemble.rows[self.p] != MISSING) & (self.ensemble.rows[self.q] != MISSING)

    @functools.cached_property
    def together(self) -> np.ndarray:
        """(m,) True where both have the same label."""
        return self.seen & (self.ensemble.rows[self.p] == self.ensemble.rows[self.q])

    @functools.cached_property
    def apart(self) -> np.ndarray:
        """(m,) True where they have different labels."""
        return self.seen & ~self.together

    @property
    def count(self) -> int:
        """How many base clusterings put them together."""
        return int(self.together.sum())

    @property
    def seen_count(self) -> int:
        """How many base clusterings have a label for both."""
        return int(self.seen.sum())

    @property
    def certain(self) -> bool:
        """Nobody disagrees: always together or never, and the same object anyway."""
        return self.alike or self.count in (0, self.seen_count)

    @property
    def unseen(self) -> bool:
        """No base clustering has a label for both."""
        return not self.seen.any()
