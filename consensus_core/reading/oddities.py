"""Things worth a remark that are no faults."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..ensemble import MISSING
from .column import Column
from .sentences import counted, listed

_WEIGHED = 2_000_000  # cells up to which equal rows and columns are looked for


def remarks(frame: pd.DataFrame, kind: str, ids: Column | None, complete: bool = False):
    absent = None if complete else _absent(frame, kind)
    constant = [name for name in frame.columns if _constant(frame[name])]
    if constant:
        meaning = "so they separate nothing" if kind == "features" else "so they put all objects together"
        yield f"{counted(len(constant), 'column holds', 'columns hold')} one value only, {meaning}: {listed(constant)}."
    if absent is not None:
        total, rows = int(absent.sum()), int(absent.all(axis=1).sum())
        what = "label" if kind == "labels" else "number"
        some = [name for name, gaps in zip(frame.columns, absent.any(axis=0), strict=True) if gaps]
        where = "" if len(some) == frame.shape[1] else f", in {listed(some)}"
        yield f"{counted(total, f'{what} is', f'{what}s are')} missing ({total / absent.size:.1%} of the cells){where}."
        if rows:
            first = int(absent.all(axis=1).argmax()) + 1
            yield f"{counted(rows, 'object has', 'objects have')} no {what} at all (the first is object {first:,})."
    if frame.size <= _WEIGHED:
        yield from _equal_columns(frame)
        if kind == "features" and (again := int(frame.duplicated().sum())):
            yield f"{counted(again, 'object repeats', 'objects repeat')} an earlier one in every feature."
    if ids is not None and not ids.all_differ and (again := len(ids) - ids.distinct - int(ids.absent.sum())):
        yield f"{counted(again, 'id occurs', 'ids occur')} more than once in column {ids.name!r}."


def _absent(frame, kind) -> np.ndarray | None:
    """(n, m) where there is nothing; None where everything is there."""
    masks = {name: _gone(frame[name], kind) for name in frame.columns}
    if not any(mask is not None for mask in masks.values()):
        return None
    nothing = np.zeros(len(frame), dtype=bool)
    return np.column_stack([nothing if mask is None else mask for mask in masks.values()])


def _gone(column: pd.Series, kind) -> np.ndarray | None:
    values = column.to_numpy() if column.dtype.kind in "if" else column.isna().to_numpy()
    if column.dtype.kind == "i":
        return values == MISSING if kind == "labels" and values.min() <= MISSING and (values == MISSING).any() else None
    if column.dtype.kind == "f":
        with np.errstate(all="ignore"):
            if np.isfinite(values.sum()):
                return None
        values = np.isnan(values)
    return values if values.any() else None


def _constant(column: pd.Series) -> bool:
    if column.dtype.kind in "if":
        values = column.to_numpy()
        return bool((values[:1000] == values[0]).all() and (values == values[0]).all()) and not (
            column.dtype.kind == "i" and values[0] == MISSING
        )
    return column.nunique(dropna=False) == 1


def _equal_columns(frame):
    seen: dict[int, str] = {}
    same = []
    for name in frame.columns:
        content = pd.util.hash_array(frame[name].to_numpy()).tobytes()
        if (key := hash(content)) in seen:
            same.append((seen[key], name))
        seen.setdefault(key, name)
    for first, second in same[:5]:
        yield f"Columns {first!r} and {second!r} are equal."
    if len(same) > 5:
        yield f"{len(same) - 5:,} more columns are equal to an earlier one."
