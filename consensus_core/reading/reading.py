"""A file as it was understood: every column with its role and the reason, what is doubtful, and the values."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from ..ensemble.labels import MISSING
from ..errors import InputError
from .choices import Choices
from .coded import PANDAS_2, Coded
from .findings import FoundColumn, Offer, Suspicion
from .table import Part


@dataclass(frozen=True, eq=False)
class Reading:
    source: str  # the file's name
    form: str = ""  # what it is by its content, a key of formats.sniff.NAMES
    kind: str = ""  # "features" or "labels"; "" where that could not be told
    n: int = 0
    columns: tuple[FoundColumn, ...] = ()  # all of the file, in its order
    because: tuple[str, ...] = ()  # one sentence for each guess
    notes: tuple[str, ...] = ()  # odd things that are no faults
    suspicions: tuple[Suspicion, ...] = ()
    parts: tuple[Part, ...] = ()  # the sheets or arrays the table was chosen from
    choices: Choices = Choices()  # what was finally used
    fault: str = ""  # why it cannot be used
    remedies: tuple[Offer, ...] = ()  # what may mend the fault, or the gap
    gap: str = field(default="", repr=False)  # the sentence about the first missing feature
    ids: np.ndarray | None = None  # (n,)
    id_name: str | None = None
    truth: np.ndarray | None = None  # (n,)
    truth_name: str | None = None
    label_columns: dict[str, np.ndarray | Coded] = field(default_factory=dict, repr=False)
    feature_columns: dict[str, np.ndarray] = field(default_factory=dict, repr=False)
    covariates: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    def names(self, role: str) -> list[str]:
        return [column.name for column in self.columns if column.role == role]

    def ensemble(self):
        """The label table as an Ensemble, with names and truth."""
        from ..ensemble import Ensemble

        self._refuse_fault()
        if self.kind != "labels":
            raise InputError(
                f"{self.source}: these are features; generate base clusterings from them, or read as labels."
            )
        if not self.label_columns:
            raise InputError(
                f"{self.source}: no column is taken for a base clustering; choose “label” as the role of one."
            )
        return Ensemble.from_labels(self.codes, names=list(self.label_columns), truth=self.truth)

    @cached_property
    def codes(self) -> np.ndarray:
        """(n, m) whole numbers that sort like the labels, MISSING where there is none."""
        return np.column_stack([_codes(values) for values in self.label_columns.values()])

    @cached_property
    def label_texts(self) -> dict[str, tuple[str, ...]]:
        """For every base clustering the texts of its labels, in the order of the codes of its Ensemble."""
        return {name: _texts(values) for name, values in self.label_columns.items()}

    def features(self) -> np.ndarray:
        """(n, p) float64. A missing feature is refused: nothing is filled in silently."""
        self._refuse_fault()
        if self.kind != "features":
            raise InputError(
                f"{self.source}: these are base labels, not features; read the file as features if they are."
            )
        return self.measured

    @property
    def measured(self) -> np.ndarray:
        """(n, p) float64: the columns of features, also those beside base labels."""
        if self.gap:
            raise InputError(self.gap)
        columns = [values.astype(np.float64, copy=False) for values in self.feature_columns.values()]
        return np.column_stack(columns) if columns else np.zeros((self.n, 0))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The columns that are data, n rows in the file's order; missing labels are MISSING or NaN."""
        if self.kind == "features":
            return pd.DataFrame(self.feature_columns, copy=False)
        return pd.DataFrame({name: _series(values) for name, values in self.label_columns.items()}, copy=False)

    def _refuse_fault(self) -> None:
        if self.fault:
            raise InputError(self.fault)


def _codes(values: np.ndarray | Coded) -> np.ndarray:
    if not isinstance(values, Coded):
        return values
    order = np.argsort(np.array(values.values, dtype=object), kind="stable")
    rank = np.full(len(values.values) + 1, MISSING, dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[values.codes]


def _texts(values: np.ndarray | Coded) -> tuple[str, ...]:
    if isinstance(values, Coded):
        used = np.flatnonzero(np.bincount(values.codes + 1, minlength=1)[1:])  # a format may know more than occur
        return tuple(sorted(values.values[code] for code in used))
    present = np.unique(values)
    return tuple(str(label) for label in present[present != MISSING].tolist())


def _series(values: np.ndarray | Coded):
    if not isinstance(values, Coded):
        return values
    texts = np.array([*values.values, np.nan], dtype=object)
    found = texts[values.codes]
    if PANDAS_2:  # "str" makes the text "nan" of a missing one there
        return found
    return pd.array(found, dtype="str")
