"""Which way round a table is: do objects stand in rows or in columns? And turning it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .cells import Coded
from .column import Column
from .recognise import labels_without_gap
from .table import Table, numbered


def orientation(table, kind, data, truth, choices) -> tuple[bool, str]:
    if choices.transposed is not None:
        return False, "Objects stand in rows: as chosen."
    if kind != "labels" or truth is not None or table.truth is not None:
        why = "features are read so" if kind != "labels" else "there is a truth for each row"
        return False, f"Objects stand in rows: {why}."
    if not is_wide(table, data):
        return False, "Objects stand in rows: there are no more columns than rows."
    swap, why = looks_transposed(np.column_stack([c.numbers for c in data]))
    return swap, f"Objects stand in {'columns' if swap else 'rows'}: {why}."


def is_wide(table, data) -> bool:
    """More columns than rows, and whole numbers throughout: base clusterings may stand in rows."""
    return len(data) > table.n and all(c.sort in ("whole", "empty") for c in data)


def looks_transposed(table: np.ndarray) -> tuple[bool, str]:
    """Do base clusterings stand in rows? (r, c) whole numbers, NaN where missing."""
    r, c = table.shape
    if c <= r or r == 0:
        return False, "there are at least as many rows as columns"
    rows = np.mean([labels_without_gap(row) and not _mostly_one_value(row) for row in table[:200]])
    step = max(1, c // 200)
    columns = np.mean([labels_without_gap(column) for column in table.T[::step]])
    if rows > columns + 0.2:
        return True, "there are more columns than rows, and the rows, not the columns, hold labels without gaps"
    if rows >= 0.9 and c >= 3 * r:
        return True, "there are many more columns than rows, and the rows hold labels without gaps"
    return False, "the columns hold labels at least as well as the rows"


def _mostly_one_value(row: np.ndarray) -> bool:
    """Counts of words and the like are mostly zero; clusters are seldom so uneven."""
    given = row[~np.isnan(row)] if row.dtype.kind == "f" else row
    return bool(np.unique(given, return_counts=True)[1].max(initial=0) > 0.7 * len(given))


def swapped(table: Table, data, ids, because) -> Table:
    """Rows and columns exchanged: the ids become names of base clusterings, the header becomes the ids."""
    if all(c.numbers is not None and c.sort != "mixed" for c in data):
        rows = list(np.column_stack([c.numbers for c in data])) if data else []
    else:
        cells = [[_plain(c, i) for c in data] for i in range(table.n)]
        rows = [Coded.of(row) for row in cells]
    names = [str(x) for x in ids_of(ids)] if ids is not None else numbered(table.n)
    if len(set(names)) < len(names):
        names = numbered(table.n)
    places = {name: j for j, (name, _) in enumerate(table.columns)}
    positions = [places[c.name] for c in data]
    raw = table.raw
    return replace(
        table,
        used=replace(table.used, id_column=ids.name if ids is not None else ""),
        columns=list(zip(names, rows, strict=True)),
        n=len(data),
        raw=(lambda i, j: raw(j, positions[i])) if raw else None,
        because=[*table.because, because],
        unnamed=frozenset(),
        has_header=ids is not None,
        ids=np.array([c.name for c in data], dtype=object) if table.has_header else None,
        swapped=True,
        oriented=True,
    )


def _plain(column: Column, i: int):
    if column.texts is not None:
        return column.texts.at(i)
    return column.numbers[i]


def ids_of(column: Column) -> np.ndarray:
    if isinstance(column.cells, Coded):
        return column.cells.texts()
    if column.numbers is not None and column.numbers.dtype.kind == "i":
        return column.numbers
    return np.array([str(x) for x in column.cells], dtype=object)
