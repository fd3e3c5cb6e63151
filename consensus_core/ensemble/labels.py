"""From any table of labels to integers that sort like the labels, with MISSING where there is none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..errors import InputError

MISSING = -1
EXACT = 2**53  # objects up to which a sum over them is exact in double precision
MISSING_TEXTS = ("", "NaN", "None", "NA", "n/a", "?", "-1")  # in files of texts, whatever their case
_RANGE = 2**31  # integers spread wider than this are renumbered first


def read_only(array) -> np.ndarray:
    array = np.array(array) if getattr(array, "flags", None) is None or array.flags.writeable else array
    array.flags.writeable = False
    return array


class Encoded(NamedTuple):
    table: np.ndarray  # (n, m) integers that sort like the labels, MISSING where there is none
    names: list[str]  # (m,) as found
    labels: list[np.ndarray] | None  # for each column the label of 0, 1, …; None where the integers are the labels


def encoded(table) -> Encoded:
    """Labels as integers. A table of integers is handed through as it is."""
    if hasattr(table, "to_pandas"):  # Arrow and Polars
        table = table.to_pandas()
    if isinstance(table, pd.Series):
        table = table.to_frame("clustering 1" if table.name is None else table.name)
    if isinstance(table, pd.DataFrame):
        names = [str(name) for name in table.columns]
        columns = [_plain(table.iloc[:, j]) for j in range(table.shape[1])]
        # integers of some widths have no common integer type, and floats would lose their last digits
        if table.size and all(c.dtype.kind in "iu" for c in columns) and np.result_type(*columns).kind in "iu":
            codes, labels = _narrow(np.column_stack(columns), names)
            return Encoded(codes, names, labels)
    else:
        table = _array(table)
        names = [f"clustering {j + 1}" for j in range(table.shape[1])]
        if table.size and table.dtype.kind in "iub":
            codes, labels = _narrow(table.view(np.int8) if table.dtype.kind == "b" else table, names)
            return Encoded(codes, names, labels)
        columns = list(table.T)
    if not columns:
        raise InputError("The label table has no column: at least one base clustering is needed.")
    if len(columns[0]) == 0:
        raise InputError("The label table has no row: at least one object is needed.")
    codes, labels = _numbered(columns, names)
    return Encoded(codes, names, labels)


def _array(table) -> np.ndarray:
    given = table
    if isinstance(table, np.ma.MaskedArray):
        table = without_masked(table)
    if isinstance(table, (list, tuple)):
        try:
            table = np.array(table, dtype=object)
        except ValueError:
            raise _not_a_table("rows that do not fit together") from None
        table = _whole(table)
    table = np.asarray(table)
    if table.ndim == 1 and not any(np.iterable(x) and not isinstance(x, (str, bytes)) for x in _objects(table)):
        table = table[:, None]
    if table.ndim != 2:
        raise _not_a_table(
            f"an array of shape {table.shape}" if table.ndim else f"something of type {type(given).__name__}"
        )
    return table


def _not_a_table(got: str) -> InputError:
    return InputError(
        f"A label table has one row per object and one column per base clustering, all of one length; got {got}."
    )


def without_masked(array: np.ma.MaskedArray) -> np.ndarray:
    """What is behind a mask is not there: None."""
    return (
        np.where(np.ma.getmaskarray(array), None, array.data.astype(object)) if np.ma.is_masked(array) else array.data
    )


def _objects(table: np.ndarray):
    return table.flat if table.dtype == object else ()


def _whole(table: np.ndarray) -> np.ndarray:
    """Python's whole numbers as integers where they fit; anything else stays as it is, to the last digit."""
    if table.size and all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in table.flat):
        try:
            return table.astype(np.int64)
        except OverflowError:
            return table
    return table


def _plain(column: pd.Series) -> np.ndarray:
    extended = isinstance(column.dtype, pd.api.extensions.ExtensionDtype)
    return column.to_numpy(dtype=object) if extended else column.to_numpy()


def _is_number(x) -> bool:
    return isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, bool)


def _narrow(table: np.ndarray, names: list[str]) -> tuple[np.ndarray, list[np.ndarray] | None]:
    """Integers as they are, unless they are so large or spread so widely that keys of them would not fit."""
    high, low = table.max(axis=0).astype(object), table.min(axis=0).astype(object)
    narrow = max(high - low) < _RANGE and max(high) < 2**63
    return (table, None) if narrow else _numbered(list(table.T), names)


def _numbered(columns: list[np.ndarray], names: list[str]) -> tuple[np.ndarray, list[np.ndarray]]:
    table = np.empty((len(columns[0]), len(columns)), dtype=np.int32, order="F")
    labels = []
    for j, (column, name) in enumerate(zip(columns, names, strict=True)):
        table[:, j], found = _codes(column, name)
        labels.append(found)
    return table, labels


def _codes(values: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """One column's labels as 0 .. k − 1 in ascending order, numbers before text; MISSING where there is none. And the
    labels (k,)."""
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise InputError(f"{name}, row {int(np.isinf(values).argmax()) + 1}: an infinite number is not a label.")
    if values.dtype.kind not in "iufbOUST":
        raise InputError(f"{name}: labels must be whole numbers, text or floats, not {values.dtype}.")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind in "OUST":
        codes, labels = _factorized(values.astype(object), name)
        absent = np.array([_says_nothing(x) for x in labels], dtype=bool)
        order = sorted(range(len(labels)), key=lambda i: _rank(labels[i]))
    else:
        codes, labels = pd.factorize(values)
        absent = labels == MISSING
        order = np.argsort(labels, kind="stable")
    rank = np.full(len(labels) + 1, MISSING, dtype=np.int32)  # the last entry is for factorize's own −1
    kept = [i for i in order if not absent[i]]
    rank[kept] = np.arange(len(kept), dtype=np.int32)
    return rank[codes], np.asarray(labels)[kept]


def _factorized(values: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        codes, labels = pd.factorize(values)
    except TypeError:
        raise InputError(f"{name}: a label must be one number or one text, not a list of them.") from None
    for code, label in enumerate(labels):
        if isinstance(label, (float, np.floating)) and np.isinf(label):
            at = int((codes == code).argmax()) + 1
            raise InputError(f"{name}, row {at}: an infinite number is not a label.")
    return codes, labels


def _says_nothing(x) -> bool:
    return not x.strip() if isinstance(x, (str, bytes)) else bool(_is_number(x) and x == MISSING)


def _rank(x) -> tuple:
    if isinstance(x, str):
        return (1, x)
    return (0, x) if _is_number(x) else (2, repr(x))
