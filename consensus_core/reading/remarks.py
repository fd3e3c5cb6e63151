"""Things worth a remark that are no faults."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..ensemble.labels import MISSING
from ..numbers import counted
from .coded import Coded
from .column import Column
from .wording import listed

_WEIGHED = 2_000_000  # cells up to which equal rows and columns are looked for


def remarks(data: dict, kind: str, n: int, ids: Column | None, complete: bool = False) -> Iterator[str]:
    """About columns of labels (whole numbers with MISSING, or coded texts) or of numbers (NaN where there is none)."""
    gaps = (
        {} if complete else {name: gone for name, values in data.items() if (gone := _gone(values, kind)) is not None}
    )
    constant = [name for name, values in data.items() if _constant(values, kind)]
    if constant:
        meaning = "so they separate nothing" if kind == "features" else "so they put all objects together"
        yield f"{counted(len(constant), 'column holds', 'columns hold')} one value only, {meaning}: {listed(constant)}."
    if gaps:
        total, what = sum(int(gone.sum()) for gone in gaps.values()), "label" if kind == "labels" else "number"
        where = "" if len(gaps) == len(data) else f", in {listed(gaps)}"
        share = total / (n * len(data))
        yield f"{counted(total, f'{what} is', f'{what}s are')} missing ({share:.1%} of the cells){where}."
        without = np.logical_and.reduce(list(gaps.values())) if len(gaps) == len(data) else np.zeros(1, dtype=bool)
        if rows := int(without.sum()):
            first = int(without.argmax()) + 1
            yield f"{counted(rows, 'object has', 'objects have')} no {what} at all (the first is object {first:,})."
    if n * len(data) <= _WEIGHED:
        yield from _equal_columns(data)
        if kind == "features" and (again := int(pd.DataFrame(data, copy=False).duplicated().sum())):
            yield f"{counted(again, 'object repeats', 'objects repeat')} an earlier one in every feature."
    if ids is not None and not ids.all_differ and (again := len(ids) - ids.distinct - int(ids.absent.sum())):
        yield f"{counted(again, 'id occurs', 'ids occur')} more than once in column {ids.name!r}."


def _gone(values, kind) -> np.ndarray | None:
    """(n,) where there is nothing; None where everything is there."""
    if isinstance(values, Coded):
        gone = values.codes < 0
    elif values.dtype.kind == "i":
        if kind != "labels" or values.min() > MISSING:
            return None
        gone = values == MISSING
    else:
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):
                return None
        gone = np.isnan(values)
    return gone if gone.any() else None


def _constant(values, kind) -> bool:
    if isinstance(values, Coded):
        return bool((values.codes == values.codes[0]).all()) and values.codes[0] >= 0
    same = bool((values[:1000] == values[0]).all() and (values == values[0]).all())
    return same and not (kind == "labels" and values[0] == MISSING)


def _equal_columns(data: dict) -> Iterator[str]:
    seen: dict[tuple, str] = {}
    same = []
    for name, values in data.items():
        codes, texts = (values.codes, tuple(values.values)) if isinstance(values, Coded) else (values, ())
        key = (codes.dtype.kind, np.ascontiguousarray(codes).tobytes(), texts)
        if key in seen:
            same.append((seen[key], name))
        seen.setdefault(key, name)
    for first, second in same[:5]:
        yield f"Columns {first!r} and {second!r} are equal."
    if len(same) > 5:
        yield f"{len(same) - 5:,} more columns are equal to an earlier one."
