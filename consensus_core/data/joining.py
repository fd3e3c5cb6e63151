"""Several files about the same objects become one: joined by ids in any order of rows, or row by row where asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ..ensemble import MISSING
from ..errors import InputError
from ..numbers import counted
from ..reading import Reading
from ..reading.coded import Coded
from ..reading.wording import listed

_SOME = 3  # ids that a sentence names


@dataclass(frozen=True, eq=False)
class Match:
    """Which row of a further file belongs to each object of the first."""

    rows: np.ndarray  # (n,), -1 where there is none
    missing: tuple[str, ...] = ()  # ids of the first file that the other lacks
    extra: tuple[str, ...] = ()  # ids of the other that the first lacks
    by: str = "ids"

    @property
    def found(self) -> int:
        return int((self.rows >= 0).sum())

    def said(self, main: str, other: str) -> str:
        n = len(self.rows)
        if self.by == "rows":
            return f"{other} is joined to {main} row by row, as asked: {n:,} of {n:,} objects."
        told = f"{other} is joined to {main} by ids: {self.found:,} of {n:,} objects are in it"
        told += f", {listed(self.missing, _SOME)} {_are(self.missing)} not" if self.missing else ""
        if self.extra:
            told += f"; {counted(len(self.extra), 'id')} only in {other}: {listed(self.extra, _SOME)}"
        return told + "."


def matched(main: Reading, other: Reading, by: str = "ids") -> Match:
    if by == "rows":
        if main.n != other.n:
            raise InputError(
                f"{other.source}: it has {counted(other.n, 'row')}, but {main.source} has {main.n:,}, so they cannot "
                "be joined row by row; give both an id column and join them by it."
            )
        return Match(np.arange(main.n), by="rows")
    here, there = _ids(main, other), _ids(other, main)
    rows = there.get_indexer(here)
    missing, extra = here[rows < 0], there[~there.isin(here)]
    if len(missing) == len(here):
        raise InputError(
            f"{other.source}: none of its ids (such as {listed(there[:_SOME])}) is among those of {main.source} (such "
            f"as {listed(here[:_SOME])}); choose the column that holds the same ids in both."
        )
    return Match(rows, tuple(missing), tuple(extra))


def _ids(reading: Reading, other: Reading) -> pd.Index:
    if reading.ids is None:
        raise InputError(
            f"{reading.source}: it has no ids to join it with {other.source} by; choose its id column, or join both "
            "row by row if their rows are in the same order."
        )
    ids = pd.Index(np.array([str(id).strip() for id in reading.ids.tolist()], dtype=object))
    if not ids.is_unique:
        twice = ids[ids.duplicated()].unique()
        raise InputError(
            f"{reading.source}: {counted(len(twice), 'id occurs', 'ids occur')} more than once ({listed(twice, _SOME)})"
            f", so it cannot be joined with {other.source} by ids; give every object an id of its own."
        )
    return ids


def joined(main: Reading, others: list[tuple[Reading, str]]) -> Reading:
    """The first file with what the others add to its objects: (what was read, how it is joined) for each."""
    for other, by in others:
        if other.fault:
            raise InputError(other.fault)
        main = _with(main, other, matched(main, other, by))
    return main


def _with(main: Reading, other: Reading, match: Match) -> Reading:
    because, notes = [*main.because, match.said(main.source, other.source)], [*main.notes, *other.notes]
    labels = main.label_columns | _named_apart(
        {name: _rows_of_labels(values, match.rows) for name, values in other.label_columns.items()},
        main.label_columns,
        other.source,
    )
    features = {name: _rows_of_numbers(values, match.rows) for name, values in other.feature_columns.items()}
    gap = main.gap or (other.gap if features else "")
    if features and match.found < main.n:
        count = counted(main.n - match.found, "object")
        gap = gap or (
            f"{other.source}: {count} of {main.source} {'has' if main.n - match.found == 1 else 'have'} no features in "
            f"it ({listed(match.missing, _SOME)}); add them, or leave the features of {other.source} out."
        )
    covariates = {name: _rows_beside(values, match.rows) for name, values in other.covariates.items()}
    truth, truth_name = main.truth, main.truth_name
    if other.truth is not None:
        aligned = _rows_of_truth(other.truth, match.rows)
        if truth is None:
            truth, truth_name = aligned, other.truth_name
        else:
            covariates[other.truth_name] = aligned
            notes.append(
                f"Both {main.source} and {other.source} hold a truth: that of {main.source} is used, "
                f"“{other.truth_name}” of {other.source} is kept beside."
            )
    return replace(
        main,
        kind="labels" if labels else main.kind,
        because=tuple(because),
        notes=tuple(notes),
        label_columns=labels,
        feature_columns=main.feature_columns | _named_apart(features, main.feature_columns, other.source),
        covariates=main.covariates | _named_apart(covariates, main.covariates, other.source),
        truth=truth,
        truth_name=truth_name,
        gap=gap,
    )


def _named_apart(columns: dict, taken: dict, file: str) -> dict:
    """A name that is taken gets its file's name behind it."""
    found = {}
    for name, values in columns.items():
        wanted = f"{name} ({file})" if name in taken else name
        while wanted in taken or wanted in found:
            wanted += " again"
        found[wanted] = values
    return found


def _rows_of_labels(values, rows: np.ndarray):
    if isinstance(values, Coded):
        return Coded(np.where(rows >= 0, values.codes[rows], -1), values.values)
    return np.where(rows >= 0, values[rows], MISSING)


def _rows_of_numbers(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    if (rows >= 0).all():
        return values[rows]
    return np.where(rows >= 0, values[rows].astype(np.float64), np.nan)


def _rows_of_truth(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.where(rows >= 0, values[rows], "" if values.dtype == object else MISSING)


def _rows_beside(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.where(rows >= 0, values[rows], "") if values.dtype == object else _rows_of_numbers(values, rows)


def _are(names) -> str:
    return "is" if len(names) == 1 else "are"
