"""From label tables to distinct rows, fast and exact: no n x m sort, no hash collisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .errors import InputError

MISSING = -1
_WORD = 2**62  # a key of several columns must stay below this


class Column(NamedTuple):
    """One base clustering over all objects, as small integers that sort like its labels."""

    codes: np.ndarray  # (n,)
    size: int  # codes lie in −1 .. size − 1
    final: (
        np.ndarray | None
    )  # translates codes + 1 to the codes 0 .. k − 1 in ascending order of label; None: they are final


def read_only(array) -> np.ndarray:
    array = np.array(array) if getattr(array, "flags", None) is None or array.flags.writeable else array
    array.flags.writeable = False
    return array


def encode_columns(table) -> tuple[list[Column], list[str]]:
    """Each base clustering as small integers, and the names found. Labels are ordered by value."""
    if isinstance(table, pd.DataFrame):
        columns = [table.iloc[:, j] for j in range(table.shape[1])]
        names = [str(name) for name in table.columns]
    else:
        if isinstance(table, (list, tuple)):
            table = np.array(table, dtype=object)
            table = table.astype(float) if _all_numbers(table) else table
        table = np.asarray(table)
        if table.ndim == 1 and table.dtype != object:
            table = table[:, None]
        if table.ndim != 2:
            raise InputError(
                "A label table has one row per object and one column per base clustering, all of one length; "
                f"got an array of shape {table.shape}."
            )
        columns = [table[:, j] for j in range(table.shape[1])]
        names = [f"clustering {j + 1}" for j in range(table.shape[1])]
    if not columns:
        raise InputError("The label table has no column: at least one base clustering is needed.")
    if len(columns[0]) == 0:
        raise InputError("The label table has no row: at least one object is needed.")
    return [_encode(column, name) for column, name in zip(columns, names, strict=True)], names


def _all_numbers(table: np.ndarray) -> bool:
    return all(x is None or (isinstance(x, (int, float, np.number)) and not isinstance(x, bool)) for x in table.flat)


def _encode(column, name: str) -> Column:
    if isinstance(column, pd.Series):
        values = (
            column.to_numpy(dtype=object)
            if isinstance(column.dtype, pd.api.extensions.ExtensionDtype)
            else column.to_numpy()
        )
    else:
        values = column
    if values.dtype.kind == "b":
        values = values.astype(np.int8)
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low <= max(4 * len(values), 1 << 16):
            return _encode_small(values, low, high)
    elif values.dtype.kind == "f":
        if np.isinf(values).any():
            raise InputError(f"{name}, row {int(np.isinf(values).argmax()) + 1}: an infinite number is not a label.")
    elif values.dtype.kind not in "OUST":
        raise InputError(f"{name}: labels must be whole numbers, text or floats, not {values.dtype}.")
    return _encode_any(values)


def _encode_small(values: np.ndarray, low: int, high: int) -> Column:
    """Integers in a small range: codes are the values less the lowest; −1 gets the code below all."""
    seen = np.zeros(high - low + 1, dtype=bool)
    codes = np.subtract(values, low, dtype=np.int64) if low else values
    seen[codes] = True
    if low <= MISSING <= high:
        if low < MISSING:  # labels below −1 besides: move them all up by one, and −1 to the bottom
            codes = np.where(values == MISSING, -1, codes)
            seen[MISSING - low] = False
        else:
            codes, seen = codes - 1, seen[1:]
    final = np.concatenate([[MISSING], np.where(seen, np.cumsum(seen) - 1, MISSING)]).astype(np.int32)
    return Column(codes, len(seen), final)


def _encode_any(values: np.ndarray) -> Column:
    if values.dtype.kind in "OUST":
        values = values.astype(object)
        codes, labels = pd.factorize(values)
        absent = np.array([(isinstance(x, str) and not x.strip()) or _is_minus_one(x) for x in labels], dtype=bool)
        # numbers before text, each in its own order
        order = sorted(
            range(len(labels)),
            key=lambda i: (isinstance(labels[i], str), labels[i]) if _sortable(labels[i]) else (2, repr(labels[i])),
        )
    else:
        codes, labels = pd.factorize(values)
        absent = labels == MISSING
        order = np.argsort(labels, kind="stable")
    rank = np.full(len(labels) + 1, MISSING, dtype=np.int32)  # the last entry is for codes of −1
    kept = [i for i in order if not absent[i]]
    rank[kept] = np.arange(len(kept), dtype=np.int32)
    return Column(rank[codes], len(kept), None)


def _is_minus_one(x) -> bool:
    return not isinstance(x, str) and _sortable(x) and x == MISSING


def _sortable(x) -> bool:
    return isinstance(x, (str, int, float, np.number))


def distinct_rows(columns: list[Column]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows in lexicographic order, counts, row of each object) by packing columns into exact mixed-radix keys."""
    key, span = None, 1
    for column in columns:
        radix = column.size + 1
        if key is not None and span * radix >= _WORD:
            key, span = _ranked(key)
            if span * radix >= _WORD:
                raise InputError("The label table is too large to be handled.")
        if key is None:
            key = column.codes.astype(np.int64) + 1
        else:
            if not key.flags.owndata:
                key = key.copy()
            key *= radix
            key += column.codes
            key += 1
        span *= radix
    member_of, q, first = _ranked_with_first(key)
    rows = np.empty((q, len(columns)), dtype=np.int32)
    for j, column in enumerate(columns):
        codes = column.codes[first].astype(np.int64)
        rows[:, j] = codes if column.final is None else column.final[codes + 1]
    counts = np.bincount(member_of, minlength=q)
    return rows, counts, member_of


def _ranked(key: np.ndarray) -> tuple[np.ndarray, int]:
    """Keys replaced by their ranks: the same order and equality, in the least range."""
    codes, found = pd.factorize(key)
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.argsort(found)] = np.arange(len(found))
    return rank[codes], len(found)


def _ranked_with_first(key: np.ndarray) -> tuple[np.ndarray, int, np.ndarray]:
    codes, found = pd.factorize(key)
    order = np.argsort(found)
    rank = np.empty(len(found), dtype=np.int32)
    rank[order] = np.arange(len(found), dtype=np.int32)
    first = np.empty(len(found), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(key) - 1, -1, -1)  # the last write wins: the first object of each row
    return rank[codes], len(found), first[order]


def nearest_labels(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Missing labels replaced by the commonest label among the rows that agree best on the labels both have.

    Agreement is the share of co-observed base clusterings in which two rows have the same label. Of equally common
    labels the lowest is taken; a row that shares no observed base clustering with any other takes the commonest label.
    """
    filled = rows.copy()
    observed = rows != MISSING
    for p in np.flatnonzero(~observed.all(axis=1)):
        both = observed & observed[p]
        seen = both.sum(axis=1)
        agreement = np.where(seen > 0, ((rows == rows[p]) & both).sum(axis=1) / np.maximum(seen, 1), 0.0)
        for j in np.flatnonzero(~observed[p]):
            donors = np.flatnonzero(observed[:, j])
            best = donors[agreement[donors] == agreement[donors].max()]
            filled[p, j] = np.bincount(rows[best, j], weights=counts[best]).argmax()
    return filled
