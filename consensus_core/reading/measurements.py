"""Columns of features: numbers. Text and infinities are faults, missing numbers are remembered with their place."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .choices import Choices
from .column import Column
from .sentences import counted
from .table import Table

_OUT = "leave the column out, or choose it as ids or truth"


def feature_columns(table: Table, data: list[Column], choices: Choices) -> tuple[pd.DataFrame, str | None]:
    for column in data:
        _refuse_odd(table, column)
    return pd.DataFrame({c.name: c.numbers for c in data}, copy=False), _first_gap(table, data)


def _refuse_odd(table: Table, column: Column) -> None:
    if column.sort == "mixed":
        what = table.stood(column.odd, column.name, column.texts.at(column.odd))
        do = "write a number, or leave out the row or the column"
        if "spreadsheet" in column.odd_why or "formula" in column.odd_why:
            do = "save the sheet with its computed values"
        raise table.fault(f"{what} is {column.odd_why}", do, column.odd, column.name)
    if column.sort == "text":
        first = int((column.texts.codes >= 0).argmax())
        what = table.stood(first, column.name, column.texts.at(first))
        raise table.fault(f"{what} is text, but features are numbers", _OUT, first, column.name)
    if not column.complete and np.isinf(column.numbers).any():
        first = int(np.isinf(column.numbers).argmax())
        what = table.stood(first, column.name, f"{column.numbers[first]:g}")
        raise table.fault(f"{what} is infinite", "write a finite number, or leave the row out", first, column.name)


def _first_gap(table: Table, data: list[Column]) -> str | None:
    """The sentence about the first missing number, row by row."""
    gaps = [(int(c.absent.argmax()), j) for j, c in enumerate(data) if not c.complete and c.absent.any()]
    if not gaps:
        return None
    i, j = min(gaps)
    total = sum(int(c.absent.sum()) for c in data)
    what = table.stood(i, data[j].name, "")
    what = "there is no number (the cell is empty)" if what == "''" else f"{what} is no number but means missing"
    also = f", and {counted(total - 1, 'more cell')} like it" if total > 1 else ""
    sentence = table.fault(what + also, "fill it in, or leave out the row or the column", i, data[j].name)
    return str(sentence)
