"""Columns of base labels: whole numbers or texts, with missing ones marked; every other cell is a fault."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..ensemble import MISSING
from .choices import Choices, missing_texts
from .column import Column
from .grid import as_number, is_number
from .table import Table

_LEAVE = "leave the cell empty for a missing label, or choose this text as one that means missing"


def label_columns(table: Table, data: list[Column], choices: Choices) -> tuple[pd.DataFrame, None]:
    decimal = table.used.decimal or "."
    absent = {as_number(text, decimal) for text in missing_texts(choices) if is_number(text, decimal)}
    return pd.DataFrame({c.name: _labels(table, c, absent) for c in data}, copy=False), None


def _labels(table: Table, column: Column, absent: set[float]):
    if column.sort == "mixed":
        why = column.odd_why
        what = table.stood(column.odd, column.name, column.texts.at(column.odd))
        if why.startswith("not a number"):
            raise table.fault(
                f"{what} is not a label like the whole numbers around it", _LEAVE, column.odd, column.name
            )
        raise table.fault(f"{what} is not a label but {why}", _repair(why), column.odd, column.name)
    if column.sort == "fraction":
        given = column.numbers
        with np.errstate(invalid="ignore"):
            first = int((~np.isnan(given) & ((np.floor(given) != given) | (np.abs(given) > 2.0**53))).argmax())
        what = table.stood(first, column.name, f"{given[first]:g}")
        raise table.fault(
            f"{what} is not a label", "write labels as whole numbers or texts, or read the file as features",
            first, column.name,
        )  # fmt: skip
    if column.sort == "text":
        gone = [text in map(_text, absent) for text in column.texts.values]
        values = np.array(
            [np.nan if out else text for text, out in zip(column.texts.values, gone, strict=True)] + [np.nan],
            dtype=object,
        )
        return pd.array(values[column.texts.codes], dtype="str")
    return _numbers(column, absent)


def _numbers(column: Column, absent: set[float]):
    """int64 with MISSING. Where −1 was chosen to be a label of its own, texts: MISSING would swallow it."""
    numbers = column.numbers
    if numbers.dtype.kind == "i":
        plain = [value for value in absent if value != MISSING and value.is_integer()]
        minus_one_is_label = float(MISSING) not in absent and bool((numbers == MISSING).any())
        if not plain and not minus_one_is_label:
            return numbers
    gone = np.isnan(numbers) | np.isin(numbers, list(absent))
    whole = np.where(gone, MISSING, np.nan_to_num(numbers)).astype(np.int64)
    if bool(((whole == MISSING) & ~gone).any()):
        texts = whole.astype(str).astype(object)
        texts[gone] = np.nan
        return pd.array(texts, dtype="str")
    return whole


def _text(value: float) -> str:
    return str(int(value)) if value.is_integer() else str(value)


def _repair(why: str) -> str:
    if "formula" in why or "spreadsheet" in why:
        return "save the sheet with its computed values"
    return "write labels as whole numbers or texts"
