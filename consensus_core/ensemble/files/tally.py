"""How often each label row occurs: of a piece, and of pieces together. Linear in distinct rows, never in objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ..distinct import counted_rows
from ..labels import MISSING, MISSING_TEXTS
from .batches import batches
from .pieces import Files, Piece

PENDING = 1 << 20  # rows that wait before they are counted together with those before
MANY = 1 << 16  # labels of one column, from which on it may be a column of ids
_MISSING = frozenset(text.lower() for text in MISSING_TEXTS)


@dataclass(eq=False)
class Tally:
    """Distinct rows of codes, how many objects have each, and for each column the labels that the codes stand for."""

    labels: list[list]  # for each column the label of 0, 1, …
    rows: np.ndarray  # (q, m) int32, MISSING where there is none
    counts: np.ndarray  # (q,) int64

    @property
    def n(self) -> int:
        return int(self.counts.sum())


def tally(piece: Piece, files: Files) -> Tally:
    codes = [Codes(name, piece.name) for name in files.columns]
    rows, counts = np.empty((0, len(codes)), np.int32), np.empty(0, np.int64)
    waiting: list[np.ndarray] = []
    for at, batch in batches(piece, files):
        table = np.empty((batch.num_rows, len(codes)), np.int32, order="F")
        for j, (code, column) in enumerate(zip(codes, batch.columns, strict=False)):
            table[:, j] = code.of(column, at)
        waiting.append(table)
        if sum(map(len, waiting)) >= max(PENDING, len(rows)):
            rows, counts, waiting = *_together(rows, counts, waiting), []
    if waiting:
        rows, counts = _together(rows, counts, waiting)
    return Tally([list(code.found) for code in codes], rows, counts)


def _together(rows, counts, waiting) -> tuple[np.ndarray, np.ndarray]:
    every = np.concatenate([rows, *waiting])
    weights = np.concatenate([counts, np.ones(len(every) - len(rows), np.int64)])
    return counted_rows(every, weights)


def merged(one: Tally, other: Tally) -> Tally:
    labels, places = [], []
    for ours, theirs in zip(one.labels, other.labels, strict=True):
        known = {label: code for code, label in enumerate(ours)}
        places.append([known.setdefault(label, len(known)) for label in theirs])
        labels.append(list(known))
    rows = np.concatenate([one.rows, _renumbered(other.rows, places)])
    return Tally(labels, *counted_rows(rows, np.concatenate([one.counts, other.counts])))


def _renumbered(rows: np.ndarray, places: list[list[int]]) -> np.ndarray:
    new = np.empty_like(rows)
    for j, place in enumerate(places):
        new[:, j] = np.array([*place, MISSING], dtype=np.int32)[rows[:, j]]  # MISSING finds the last entry
    return new


def with_numbers(found: Tally) -> Tally:
    """Columns of texts that are all numbers are numbers: "1", "01" and "1.0" are one label, as in a table in memory."""
    labels, places = [], []
    for column in found.labels:
        values, known = _numbers(column), {}
        places.append([_place(value, known) for value in (column if values is None else values)])
        labels.append(list(known))
    if all(len(a) == len(b) for a, b in zip(labels, found.labels, strict=True)):
        return Tally(labels, found.rows, found.counts)
    return Tally(labels, *counted_rows(_renumbered(found.rows, places), found.counts))


def _place(value, known: dict) -> int:
    return MISSING if _says_nothing(value) else known.setdefault(value, len(known))


def _numbers(column: list) -> list | None:
    """The numbers that texts stand for; None where one of them is none."""
    values = [number_of(label) if isinstance(label, str) else None for label in column]
    return None if None in values else values


def number_of(label: str) -> int | float | None:
    """With all its digits where it is whole."""
    try:
        value = int(label) if label.lstrip("+-").isdecimal() else float(label)
    except (TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None


class Codes:
    """The labels of a column of a piece, numbered as they come; with `known` labels, only these."""

    def __init__(self, name: str, file: str, known: dict | None = None):
        self.name, self.file, self.fixed = name, file, known is not None
        self.found: dict = {} if known is None else known

    def of(self, column, at: int) -> np.ndarray:
        """Arrow array -> (rows,) codes, MISSING where there is no label. `at`: rows of the file before it."""
        import pyarrow as pa

        if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
            raise InputError(f"{self.file}, column {self.name!r}: labels must be numbers or texts, not {column.type}.")
        column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        values = [self._code(value, column, at) for value in column.dictionary.to_pylist()]
        place = np.array([*values, MISSING], dtype=np.int32)
        return place[column.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]

    def _code(self, value, column, at: int) -> int:
        if _says_nothing(value):
            return MISSING
        if isinstance(value, float) and not np.isfinite(value):
            raise InputError(f"{self.file}, column {self.name!r}, behind row {at:,}: infinity is not a label.")
        value = value.strip() if isinstance(value, str) else value
        if self.fixed:
            if value not in self.found:
                raise InputError(f"{self.file}, column {self.name!r}: {value!r} was not there when it was counted. "
                                 "Count the files again.")  # fmt: skip
            return self.found[value]
        code = self.found.setdefault(value, len(self.found))
        if code >= MANY:
            raise InputError(
                f"{self.file}: column {self.name!r} has more than {MANY:,} different values. If it names the objects, "
                f"say ids={self.name!r}; else leave it out of `columns`."
            )
        return code


def _says_nothing(value) -> bool:
    if value is None or value != value:
        return True
    if isinstance(value, str):
        return value.strip().lower() in _MISSING
    return not isinstance(value, bool) and value == MISSING
