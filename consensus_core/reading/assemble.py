"""From a table of raw cells to a Reading: who is id, truth, data; labels or features; faults with their places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..ensemble import MISSING
from .cells import Coded
from .choices import MISSING_TEXTS, Choices, missing_texts
from .column import Column, classify
from .labels import label_columns
from .measurements import feature_columns
from .oddities import remarks
from .orientation import ids_of, is_wide, looks_transposed, orientation, swapped
from .recognise import find_ids, find_kind, find_named_truth, find_truth_beside_features
from .result import Reading
from .sentences import listed, shown
from .table import Table, check_size


def assemble(table: Table, choices: Choices) -> Reading:
    columns = _classified(table, choices)
    if table.n == 0:
        raise table.fault(
            "there is a header but no row of data" if table.has_header else "there is no row of data",
            "add the rows, or check that the whole table was saved",
        )
    ids = _pick_ids(table, columns, choices)
    data = [c for c in columns if c is not ids]
    if choices.transposed and not table.oriented:  # truth and kind are asked of the turned table
        return _turned(table, data, ids, choices, "Objects stand in columns: as chosen.")
    truth = _pick_truth(table, data, choices)
    data = [c for c in data if c is not truth]
    kind, why = _kind(table, data, choices)
    if truth is None and table.truth is None and kind == "features" and choices.truth_column is None:
        truth = _pick(table, data, None, "truth", *find_truth_beside_features(data, table.has_header))
        data = [c for c in data if c is not truth]
    if not table.oriented:
        swap, because = orientation(table, kind, data, truth, choices)
        if swap:
            return _turned(table, data, ids, choices, because)
        table.because.append(because)
    _refuse_too_little(table, kind, data, choices)
    build = label_columns if kind == "labels" else feature_columns
    frame, gap = build(table, data, choices)
    return Reading(
        source=table.file,
        kind=kind,
        because=(f"{_KINDS[kind]}: {why}.", *table.because, *_roles(table, columns, ids, truth, choices)),
        frame=frame,
        ids=table.ids if ids is None else ids_of(ids),
        truth=_truth(table, truth, choices),
        truth_name=truth.name if truth is not None else table.truth[0] if table.truth else None,
        notes=(*table.notes, *remarks(frame, kind, ids, complete=kind == "features" and gap is None)),
        choices=_completed(table, choices, kind, ids, truth),
        gap=gap,
    )


_KINDS = {"labels": "These are base labels", "features": "These are features"}


def _classified(table: Table, choices: Choices) -> list[Column]:
    known = [name for name, _ in table.columns]
    for name in choices.drop:
        if name not in known:
            raise table.fault(f"there is no column {shown(name)} to leave out", f"choose among {listed(known)}")
    missing, decimal = missing_texts(choices), table.used.decimal or "."
    columns = []
    for name, cells in table.columns:
        if name in choices.drop:
            continue
        column = classify(name, cells, missing, decimal)
        if column.sort == "empty" and name in table.unnamed:
            table.notes.append(f"The empty column without a name at {shown(name)} was left out.")
            continue
        columns.append(column)
    return columns


def _pick(table, columns, chosen, role, found, why) -> Column | None:
    """The chosen column, or the one found."""
    if chosen == "":
        return None
    if chosen is not None:
        for column in columns:
            if column.name == chosen:
                return column
        names = listed(c.name for c in columns)
        raise table.fault(f"there is no column {shown(chosen)} to take as {role}", f"choose among {names}")
    if not found:
        return None
    table.because.append(f"Column {shown(found)} is taken as {role}: {why}.")
    return next(c for c in columns if c.name == found)


def _pick_ids(table, columns, choices) -> Column | None:
    if table.ids is not None and choices.id_column in (None, table.used.id_column):
        return None
    return _pick(table, columns, choices.id_column, "ids", *find_ids(columns, table.unnamed, table.has_header))


def _pick_truth(table, data, choices) -> Column | None:
    if table.truth is not None and choices.truth_column in (None, table.truth[0]):
        return None
    return _pick(table, data, choices.truth_column, "truth", *find_named_truth(data))


def _kind(table, data, choices) -> tuple[str, str]:
    if choices.kind:
        return choices.kind, "as chosen"
    if table.hint:
        if table.hint[0] != "labels" or not any(c.sort == "fraction" for c in data):
            return table.hint
    if not data:
        return "features", "nothing is left to tell by"
    found = find_kind(data, table.has_header)
    if found[0] == "features" and not table.oriented and choices.transposed is None and is_wide(table, data):
        if looks_transposed(np.column_stack([c.numbers for c in data]))[0]:
            return "labels", "the rows hold whole numbers from 0 or 1 upwards without gaps, as cluster numbers do"
    return found


def _turned(table: Table, data, ids, choices: Choices, because: str) -> Reading:
    """Read it again with rows and columns exchanged; the ids have become names."""
    _refuse_no_data(table, data)
    check_size(table.file, len(data), table.n, max_cells=len(data) * table.n)  # every row becomes a column
    again = replace(choices, transposed=True, drop=(), id_column="")  # ids are the header now, if there is one
    return assemble(swapped(table, data, ids, because), again)


def _refuse_no_data(table, data) -> None:
    if not data:
        raise table.fault(
            "no column of data is left besides ids and truth", "add columns, or choose ids and truth anew"
        )


def _refuse_too_little(table, kind, data, choices) -> None:
    _refuse_no_data(table, data)
    if table.n < 2:
        raise table.fault("there is only one object", "give a table with at least two")
    if len(data) == 1 and kind == "labels":
        raise table.fault(
            f"there is only one column of labels, {shown(data[0].name)}",
            "give at least two base clusterings, or choose another separator",
        )
    if len(table.columns) == 1 and choices.kind is None:
        raise table.fault(
            f"there is only one column, {shown(data[0].name)}",
            "choose another separator, or choose features if one feature is all there is",
        )


def _roles(table, columns, ids, truth, choices):
    """Sentences about ids and truth that _pick has not said."""
    said = " ".join(table.because)
    for role, column, chosen in (("ids", ids, choices.id_column), ("truth", truth, choices.truth_column)):
        beside = table.ids if role == "ids" else table.truth
        if table.swapped and role == "ids" and beside is None:
            yield "The objects have no ids: there is no header above the columns they stand in."
        elif chosen is not None and not (role == "ids" and beside is not None):
            yield f"{shown(chosen) if chosen else 'No column'} is taken as {role}: as chosen."
        elif column is None and beside is None:
            yield f"No column is taken as {role}: none is called so or stands out as one."
        elif column is None and role not in said:
            yield f"The names of the columns are taken as {role}: rows and columns were exchanged."


def _truth(table: Table, column: Column | None, choices: Choices) -> np.ndarray | None:
    """Whole numbers with MISSING, or texts with "" where there is none."""
    if column is None:
        if table.truth is None:
            return None
        name, values = table.truth
        cells = values if values.dtype.kind in "iufb" else Coded.of(list(values))
        column = classify(name, cells, missing_texts(choices))
    if column.sort == "fraction":
        given = column.numbers
        with np.errstate(invalid="ignore"):
            first = int((~np.isnan(given) & ((np.floor(given) != given) | np.isinf(given))).argmax())
        known = column.name if table.truth is None else None
        what = f"{given[first]:g} is not a class, as the truth should hold"
        raise table.fault(what, "choose another truth column, or none", first, known)
    if column.sort in ("whole", "empty"):
        return np.where(column.absent, MISSING, np.nan_to_num(column.numbers, nan=MISSING)).astype(np.int64)
    return column.texts.texts()


def _completed(table: Table, choices: Choices, kind, ids, truth) -> Choices:
    beside = table.truth[0] if table.truth and truth is None else ""
    return replace(
        table.used,
        kind=kind,
        transposed=bool(table.swapped),
        id_column=ids.name if ids is not None else table.used.id_column or "",
        truth_column=truth.name if truth is not None else beside,
        missing=choices.missing if choices.missing is not None else MISSING_TEXTS,
        drop=table.used.drop,
    )
