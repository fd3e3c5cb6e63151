"""From a judged column to what its role needs: labels, numbers, classes. Whatever does not fit is a fault with its
place."""

from __future__ import annotations

import numpy as np

from ..ensemble.labels import MISSING
from ..numbers import counted
from .choices import Choices, missing_texts
from .coded import Coded
from .column import Column
from .guess.header import as_number, is_number
from .table import Table, first_fraction

_LEAVE = "leave the cell empty for a missing label, or choose this text as one that means missing"
_OUT = "leave the column out, or choose it as ids or truth"


def numbers_for_missing(table: Table, choices: Choices) -> set[float]:
    """The numbers that stand for a missing label, such as −1."""
    decimal = table.used.decimal or "."
    return {as_number(text, decimal) for text in missing_texts(choices) if is_number(text, decimal)}


def labels(table: Table, column: Column, absent: set[float]) -> np.ndarray | Coded:
    """Whole numbers with MISSING, or coded texts."""
    if column.sort == "mixed":
        why = column.odd_why
        what = table.stood(column.odd, column)
        if why.startswith("not a number"):
            raise table.fault(
                f"{what} is not a label like the whole numbers around it", _LEAVE, column.odd, column.name
            )
        raise table.fault(f"{what} is not a label but {why}", _repair(why), column.odd, column.name)
    if column.sort == "fraction":
        first = first_fraction(column.numbers)
        what = table.stood(first, column)
        do = "write labels as whole numbers or texts, or read the file as features"
        raise table.fault(f"{what} is not a label", do, first, column.name)
    if column.sort == "text":
        return _without(column.texts, {_text(value) for value in absent})
    return _whole(column, absent)


def _without(texts: Coded, gone: set[str]) -> Coded:
    """The same with the texts that mean missing taken for nothing."""
    if not any(text in gone for text in texts.values):
        return texts
    kept = [text for text in texts.values if text not in gone]
    number = {text: code for code, text in enumerate(kept)}
    recode = np.array([number.get(text, -1) for text in texts.values] + [-1], dtype=np.int64)
    return Coded(recode[texts.codes], kept)


def _whole(column: Column, absent: set[float]) -> np.ndarray | Coded:
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
        texts[gone] = None
        return Coded.of(texts)
    return whole


def _text(value: float) -> str:
    return str(int(value)) if value.is_integer() else str(value)


def _repair(why: str) -> str:
    if "formula" in why or "spreadsheet" in why:
        return "save the sheet with its computed values"
    return "write labels as whole numbers or texts"


def measurements(table: Table, column: Column) -> np.ndarray:
    """Numbers, NaN where there is none. Text and infinities are faults."""
    if column.sort == "mixed":
        what = table.stood(column.odd, column)
        do = "write a number, or leave out the row or the column"
        if "spreadsheet" in column.odd_why or "formula" in column.odd_why:
            do = "save the sheet with its computed values"
        raise table.fault(f"{what} is {column.odd_why}", do, column.odd, column.name)
    if column.sort == "text":
        first = int((~column.absent).argmax())
        what = table.stood(first, column)
        raise table.fault(f"{what} is text, but features are numbers", _OUT, first, column.name)
    if not column.complete and np.isinf(column.numbers).any():
        first = int(np.isinf(column.numbers).argmax())
        what = table.stood(first, column)
        raise table.fault(f"{what} is infinite", "write a finite number, or leave the row out", first, column.name)
    return column.numbers


def first_gap(table: Table, columns: list[Column]) -> tuple[str, str]:
    """(the sentence about the first missing number, row by row; its column), both "" where none is missing."""
    gaps = [(int(c.absent.argmax()), j) for j, c in enumerate(columns) if not c.complete and c.absent.any()]
    if not gaps:
        return "", ""
    i, j = min(gaps)
    total = sum(int(c.absent.sum()) for c in columns)
    what = table.stood(i, columns[j])
    what = "there is no number (the cell is empty)" if what == "''" else f"{what} is no number but means missing"
    also = f", and {counted(total - 1, 'more cell')} like it" if total > 1 else ""
    do = "fill it in, or leave out the row or the column"
    return str(table.fault(what + also, do, i, columns[j].name)), columns[j].name


def classes(table: Table, column: Column) -> np.ndarray:
    """Whole numbers with MISSING, or texts with "" where there is none."""
    if column.sort == "fraction":
        first = first_fraction(column.numbers)
        what = f"{column.numbers[first]:g} is not a class, as the truth should hold"
        raise table.fault(what, "choose another truth column, or none", first, column.name)
    if column.sort in ("whole", "empty"):
        return np.where(column.absent, MISSING, np.nan_to_num(column.numbers, nan=MISSING)).astype(np.int64)
    return column.texts.texts()


def beside(column: Column) -> np.ndarray:
    """Whatever it holds: numbers with NaN, or texts."""
    if column.sort in ("text", "mixed"):
        return column.texts.texts()
    return column.numbers
