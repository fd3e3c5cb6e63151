"""JSON: a list of records, one record per line, an object of columns, or a list of lists."""

from __future__ import annotations

import json
from dataclasses import replace

from ...numbers import counted
from ..choices import Choices, missing_texts
from ..coded import cells_of
from ..column import classify
from ..file import File
from ..guess.header import column_names, find_header
from ..limits import OBJECT_CELLS, check_cells, check_columns, check_size, megabytes
from ..progress import tell
from ..table import Table, doubtful, refuse_endless_texts
from ..wording import fault, numbered, shown
from .encoding import as_utf8
from .json_text import SHAPE, called, parsed

MOST_BYTES = 256 * 2**20  # a JSON text takes many times its size in memory


def read_json(source: File, choices: Choices, max_cells: int) -> Table:
    file = source.name
    if len(source.data) > MOST_BYTES:
        raise fault(file, f"JSON of more than {megabytes(MOST_BYTES)} is not read", "save the table as CSV or Parquet")
    data, encoding, _ = as_utf8(file, source.data, choices.encoding)
    # said of values before one is made of them: a list of nothing but brackets takes thirty times its size
    check_cells(file, data.count(b","), 2 * OBJECT_CELLS)
    max_cells = min(max_cells, OBJECT_CELLS)
    tell("reading the records")
    content = parsed(file, data.decode("utf-8", "replace"))
    used = replace(choices, encoding=encoding)
    if isinstance(content, dict):
        return _from_columns(file, content, used, max_cells)
    if not isinstance(content, list):
        raise fault(file, f"it holds a single {called(content)}, not a table", SHAPE)
    if not content:
        raise fault(file, "it holds an empty list", "add the records")
    first = content[0]
    if isinstance(first, dict):
        return _from_records(file, content, used, max_cells)
    if isinstance(first, list):
        return _from_lists(file, content, choices, used, max_cells)
    raise fault(file, f"it is a list of {called(first)}s, not of records", SHAPE)


def _from_records(file, records, used, max_cells) -> Table:
    names = list(records[0])
    known = set(names)
    check_size(file, len(records), max(1, len(names)), max_cells)
    without = 0
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise fault(
                file, f"{shown(json.dumps(record))} is no record like the first", SHAPE, number, row_word="record"
            )
        if extra := next((key for key in record if key not in known), None):
            raise fault(
                file, f"there is an entry {shown(extra)} that the first record does not have",
                "give every record the same entries", number, row_word="record",
            )  # fmt: skip
        without += len(record) < len(names)
    notes = [f"{counted(without, 'record lacks', 'records lack')} entries that the others have."] if without else []
    return _table(file, names, [[record.get(key) for record in records] for key in names], used, notes)


def _from_columns(file, content, used, max_cells) -> Table:
    if {"columns", "data"} <= set(content) and isinstance(content["data"], list):
        names = [str(name) for name in content["columns"]] if isinstance(content["columns"], list) else []
        column_names(file, names, 1)
        rows = _even(file, content["data"], len(names))
        return _table(file, names, [[row[j] for row in rows] for j in range(len(names))], used, [])
    columns = {key: _column(value) for key, value in content.items()}
    odd = next((key for key, column in columns.items() if column is None), None)
    if odd is not None:
        if all(column is None for column in columns.values()):
            raise fault(file, "it holds one record only", SHAPE)
        raise fault(file, f"entry {shown(odd)} is a {called(content[odd])}, not a column", SHAPE)
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        short, long = min(lengths, key=lengths.get), max(lengths, key=lengths.get)
        raise fault(
            file,
            f"column {shown(short)} has {counted(lengths[short], 'value')} but {shown(long)} has {lengths[long]:,}",
            "give all columns the same length",
        )
    check_size(file, max(lengths.values(), default=0), max(1, len(columns)), max_cells)
    return _table(file, list(columns), list(columns.values()), used, [])


def _column(value) -> list | None:
    """A list, or an object from row numbers to values as pandas writes it."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and list(value) == [str(i) for i in range(len(value))]:
        return list(value.values())
    return None


def _from_lists(file, rows, choices, used, max_cells) -> Table:
    rows = _even(file, rows, len(rows[0]))
    check_size(file, len(rows), max(1, len(rows[0])), max_cells)
    _refuse_nested(file, numbered(len(rows[0])), [list(column) for column in zip(*rows, strict=True)], "row")
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows[:400]]
    header, why = find_header(texts[0], texts[1:], ".", missing_texts(choices))
    if choices.header is not None:
        header, why = choices.header, "as chosen"
    names, unnamed = column_names(file, texts[0], 1) if header else (numbered(len(rows[0])), frozenset())
    body = rows[1:] if header else rows
    table = _table(file, names, [[row[j] for row in body] for j in range(len(names))], replace(used, header=header), [])
    because = (f"{'The first row is a header' if header else 'There is no header'}: {why}.",)
    return replace(table, because=because, has_header=header, unnamed=unnamed, rows=1 + header, row_word="row")


def _even(file, rows, width):
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list):
            raise fault(file, f"{shown(json.dumps(row))} is no list like the first row", SHAPE, row=number)
        if len(row) != width:
            raise fault(
                file, f"there are {counted(len(row), 'cell')} where {width:,} are expected",
                "give every row the same number of cells", row=number,
            )  # fmt: skip
    return rows


def _refuse_nested(file, names, columns, row_word) -> None:
    for name, column in zip(names, columns, strict=True):
        for i, cell in enumerate(column) if {dict, list} & set(map(type, column)) else ():
            if isinstance(cell, (dict, list)):
                raise fault(
                    file, f"{shown(json.dumps(cell))} is a {called(cell)}, not a number or text",
                    "write one number or text per entry", i + 1, name, row_word,
                )  # fmt: skip


def _table(file, names, columns, used, notes) -> Table:
    _refuse_nested(file, names, columns, "record")
    tidy = [str(name).strip() or f"column {j + 1}" for j, name in enumerate(names)]
    if len(set(tidy)) < len(tidy):
        raise fault(file, "two columns have the same name", "give every column a name of its own")
    if not tidy:
        raise fault(file, "the records are empty", SHAPE)
    check_columns(file, len(tidy))
    missing = missing_texts(used)
    judged = tuple(
        classify(name, cells_of([str(c) if isinstance(c, bool) else c for c in column]), missing)
        for name, column in zip(tidy, columns, strict=True)
    )
    letters = {(i, j): "" if columns[j][i] is None else str(columns[j][i]) for i, j in doubtful(judged)}
    table = Table(
        file, "json", judged, len(columns[0]), used, row_word="record", letters=letters, notes=tuple(notes)
    )  # fmt: skip
    refuse_endless_texts(file, judged, table.row_of)
    return table
