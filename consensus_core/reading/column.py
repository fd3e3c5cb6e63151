"""What is in a column: whole numbers, fractions, text, nothing, or a mixture that is a fault."""

from __future__ import annotations

import datetime
import decimal as decimals
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from .coded import Cells, Coded
from .guess.header import as_number, is_number
from .wording import shown

_FEW = 10_000  # values that tell at once of most columns
_EXACT = 2.0**53  # whole numbers up to here are exact as floats


@dataclass(frozen=True)
class Column:
    name: str
    sort: str  # "whole", "fraction", "text", "mixed" (numbers and text) or "empty"
    numbers: np.ndarray | None  # (n,) int64 or float64, NaN where there is none; None for text
    texts: Coded | None  # tidied texts, missing as -1; None for plain numbers
    odd: int | None = None  # the first object whose cell does not fit, for "mixed"
    odd_why: str = ""  # what is wrong with it

    def __len__(self) -> int:
        return len(self.texts if self.numbers is None else self.numbers)

    def cell(self, i: int) -> str:
        """What stands there, as a text; "" where there is nothing."""
        if self.texts is not None:
            return str(self.texts.at(i))
        number = self.numbers[i].item()
        if isinstance(number, float) and number.is_integer() and abs(number) < _EXACT:
            number = int(number)
        return "" if number != number else str(number)

    def names(self) -> np.ndarray:
        """(n,) as names of objects: whole numbers, or texts as they stand."""
        if self.texts is not None:
            return self.texts.texts()
        if self.numbers.dtype.kind == "i":
            return self.numbers
        return np.array([self.cell(i) for i in range(len(self))], dtype=object)

    @cached_property
    def complete(self) -> bool:
        """Nothing is missing, and nothing infinite. One pass, as a sum of finite numbers is finite."""
        if self.numbers is None or self.sort == "mixed":
            return self.sort == "text" and not self.texts.absent.any()
        if self.numbers.dtype.kind == "i":
            return True
        with np.errstate(all="ignore"):
            return bool(np.isfinite(self.numbers.sum()) or np.isfinite(self.numbers).all())

    @cached_property
    def all_differ(self) -> bool:
        """No value occurs twice and none is missing. The first rows often settle it."""
        if self.sort in ("text", "mixed"):
            return len(self) > 1 and self.texts.all_differ
        few = self.numbers[:1000]
        return len(self) > 1 and len(np.unique(few)) == len(few) and self.distinct == len(self)

    @cached_property
    def gap_free(self) -> bool:
        """Whole numbers from 0 or 1 upwards without a gap, repeated, as cluster numbers are."""
        return self.sort == "whole" and labels_without_gap(self.numbers)

    @cached_property
    def absent(self) -> np.ndarray:
        """(n,) where there is nothing."""
        if self.numbers is not None and self.sort != "mixed":
            return np.isnan(self.numbers) if self.numbers.dtype.kind == "f" else np.zeros(len(self), dtype=bool)
        return self.texts.absent

    @cached_property
    def distinct(self) -> int:
        """How many different values there are, missing ones aside."""
        if self.sort in ("text", "mixed"):
            return self.texts.distinct
        if self.sort == "empty":
            return 0
        values = self.numbers if self.numbers.dtype.kind == "i" else self.numbers[~np.isnan(self.numbers)]
        return len(pd.unique(values))


def labels_without_gap(numbers: np.ndarray) -> bool:
    given = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    low = given.min() if len(given) else 0
    if low == -1:
        given = given[given != -1]
        low = given.min() if len(given) else 0
    if len(given) < 2 or low not in (0, 1):
        return False
    high = given.max()
    if not 2 <= high - low + 1 < len(given):
        return False
    if numbers.dtype.kind == "f" and (np.floor(given) != given).any():
        return False
    few = np.bincount(given[:_FEW].astype(np.int64))[int(low) :]
    if len(few) == high - low + 1 and (few > 0).all():
        return True  # the first rows show every number between the lowest and the highest of all
    return bool((np.bincount(given.astype(np.int64, copy=False))[int(low) :] > 0).all())


def classify(name: str, cells: Cells, missing: frozenset[str], decimal: str = ".") -> Column:
    if isinstance(cells, Coded):
        if cells.surely_text(missing):
            return Column(name, "text", None, cells)
        return _from_values(name, cells, missing, decimal)
    if cells.dtype.kind == "b":
        return Column(name, "whole", cells.astype(np.int64), None)
    if cells.dtype.kind == "u" and len(cells) and cells.max() > np.iinfo(np.int64).max:
        return _from_values(name, Coded.of([str(x) for x in cells]), missing, decimal)
    if cells.dtype.kind in "iu":
        return Column(name, "whole", cells.astype(np.int64, copy=False), None)
    numbers = cells.astype(np.float64, copy=False)
    return _from_floats(name, numbers, None)


def _from_floats(name, numbers, texts) -> Column:
    """Floats: are they whole? Looks at a few first, as most columns of measurements show it at once."""
    sort = "whole" if _whole(numbers[:1000]) and _whole(numbers) else "fraction"
    if sort == "whole":
        absent = np.isnan(numbers)
        if absent.all():
            return Column(name, "empty", numbers, texts)
        if not absent.any():
            numbers = numbers.astype(np.int64)
    return Column(name, sort, numbers, texts)


def _whole(numbers: np.ndarray) -> bool:
    given = numbers[~np.isnan(numbers)]
    return bool((np.abs(given) <= _EXACT).all() and (np.floor(given) == given).all())


def _from_values(name, cells: Coded, missing, decimal) -> Column:
    """Texts and things: each distinct one is judged once."""
    numbers = np.full(len(cells.values) + 1, np.nan)
    tidied: dict[str, int] = {}
    recode = np.full(len(cells.values) + 1, -1, dtype=np.int64)
    wrong: dict[int, str] = {}
    is_text = np.zeros(len(cells.values) + 1, dtype=bool)
    huge = False
    for code, value in enumerate(cells.values):
        text, number, why = _judge(value, missing, decimal)
        if text is None:
            continue
        recode[code] = tidied.setdefault(text, len(tidied))
        if why:
            wrong[code] = why
        if number is None:
            is_text[code] = True
        else:
            numbers[code] = number
            huge = huge or (abs(number) > _EXACT and isinstance(value, (str, int)))
    texts = Coded(recode[cells.codes], list(tidied))
    text_cells, counts = is_text[cells.codes], numbers[cells.codes]
    n_text, n_number = int(text_cells.sum()), int((~np.isnan(counts)).sum())
    if wrong:
        first = int(np.isin(cells.codes, list(wrong)).argmax())
        return Column(name, "mixed", counts, texts, first, wrong[int(cells.codes[first])])
    if n_text == 0 and n_number == 0:
        return Column(name, "empty", counts, texts)
    if n_number == 0 and {text.casefold() for text in texts.values} <= {"true", "false"}:
        yes = np.array([text.casefold() == "true" for text in texts.values] + [np.nan], dtype=float)
        return _from_floats(name, yes[texts.codes], texts)
    if n_text == 0:
        if huge and all(text.lstrip("+-").isdigit() for text in texts.values):
            return Column(name, "text", None, texts)  # whole numbers too long to be exact: ids
        return _from_floats(name, counts, texts)
    if n_number >= n_text:
        first = int(text_cells.argmax())
        return Column(name, "mixed", counts, texts, first, _advice(texts.at(first)))
    return Column(name, "text", None, texts)


def _judge(value, missing, decimal) -> tuple[str | None, float | None, str]:
    """(tidied text or None where missing, its number if it is one, what is wrong with it)."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 1 and text[0] == text[-1] == '"':
            text = text[1:-1].strip()
        if is_number(text, decimal):  # -1 and the like: whether they are missing is asked of labels only
            return text, as_number(text, decimal), ""
        if text.casefold() in missing:
            return None, None, ""
        if text.startswith("=") and len(text) > 1:
            return text, None, "a formula without its value"
        if text.startswith("#") and text.rstrip("!?").isupper() and text[-1:] in "!?A0":
            return text, None, "an error of the spreadsheet"
        return text, None, ""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None, None, ""
    if isinstance(value, (bool, np.bool_)):
        return str(value), float(value), ""
    if isinstance(value, (int, float, np.integer, np.floating, decimals.Decimal)):
        try:
            return str(value), float(value), ""
        except (OverflowError, ValueError, decimals.InvalidOperation):
            return str(value)[:40], None, "too large a number"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, np.datetime64)):
        return str(value), None, "a date or time"
    if isinstance(value, (complex, np.complexfloating)):
        return str(value), None, "a complex number"
    return shown(value).strip("'"), None, f"not a number or text but {type(value).__name__}"


def _advice(text: str) -> str:
    """What the odd text among numbers probably is."""
    bare = text.replace("\u00a0", "").replace("'", "")
    if (text.count(",") and is_number(text.replace(",", ""))) or (bare != text and is_number(bare)):
        return "not a number as written (a thousands mark or decimal comma?)"
    if text.endswith("%") and is_number(text[:-1]):
        return "not a number as written (a per cent sign)"
    if text.lower().startswith("0x"):
        return "not a number as written (hexadecimal)"
    return "not a number"
