"""A file as it was understood."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..errors import InputError
from .choices import Choices


@dataclass(frozen=True)
class Reading:
    source: str  # the file's name
    kind: str  # "features" or "labels"
    because: tuple[str, ...]  # one sentence for each guess
    frame: pd.DataFrame  # the columns that are data, n rows in the file's order; missing labels are MISSING or NaN
    ids: np.ndarray | None  # (n,)
    truth: np.ndarray | None  # (n,)
    truth_name: str | None
    notes: tuple[str, ...]  # odd things that are no faults
    choices: Choices  # what was finally used
    gap: str | None = field(default=None, repr=False)  # the sentence about the first missing feature

    @property
    def n(self) -> int:
        return len(self.frame)

    def ensemble(self):
        """The label table as an Ensemble, with names and truth."""
        from ..ensemble import Ensemble

        if self.kind != "labels":
            raise InputError(
                f"{self.source}: these are features; generate base clusterings from them, or read as labels."
            )
        return Ensemble.from_labels(self.frame, names=list(self.frame.columns), truth=self.truth)

    def features(self) -> np.ndarray:
        """(n, p) float64. A missing feature is refused: nothing is filled in silently."""
        if self.kind != "features":
            raise InputError(
                f"{self.source}: these are base labels, not features; read the file as features if they are."
            )
        if self.gap:
            raise InputError(self.gap)
        return np.column_stack([self.frame[name].to_numpy(dtype=np.float64) for name in self.frame.columns])


@dataclass(frozen=True)
class NamedArray:
    """One of the arrays or sheets of a file, as far as can be said without reading it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    usable: bool = True
    why_not: str = ""
