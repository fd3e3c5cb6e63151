"""From label tables to distinct rows, fast and exact: no n x m sort, and hash collisions are caught."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .errors import InputError

MISSING = -1
_BLOCK = 4096  # rows packed at a time, so that a block stays in cache
_WORD = 2**62  # a key of several columns must stay below this
_RANGE = 2**31  # integers spread wider than this are renumbered first


def read_only(array) -> np.ndarray:
    array = np.array(array) if getattr(array, "flags", None) is None or array.flags.writeable else array
    array.flags.writeable = False
    return array


def encoded(table) -> tuple[np.ndarray, list[str]]:
    """Labels as integers that sort like the labels (n, m), with MISSING where there is none, and the names found.

    A table of integers is handed through as it is.
    """
    if hasattr(table, "to_pandas"):  # Arrow and Polars
        table = table.to_pandas()
    if isinstance(table, pd.Series):
        table = table.to_frame("clustering 1" if table.name is None else table.name)
    if isinstance(table, pd.DataFrame):
        names = [str(name) for name in table.columns]
        columns = [_plain(table.iloc[:, j]) for j in range(table.shape[1])]
        # integers of some widths have no common integer type, and floats would lose their last digits
        if table.size and all(c.dtype.kind in "iu" for c in columns) and np.result_type(*columns).kind in "iu":
            return _narrow(np.column_stack(columns), names), names
    else:
        table = _array(table)
        names = [f"clustering {j + 1}" for j in range(table.shape[1])]
        if table.size and table.dtype.kind in "iub":
            return _narrow(table.view(np.int8) if table.dtype.kind == "b" else table, names), names
        columns = list(table.T)
    if not columns:
        raise InputError("The label table has no column: at least one base clustering is needed.")
    if len(columns[0]) == 0:
        raise InputError("The label table has no row: at least one object is needed.")
    return _numbered(columns, names), names


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


def _narrow(table: np.ndarray, names: list[str]) -> np.ndarray:
    """Integers as they are, unless they are so large or spread so widely that keys of them would not fit."""
    high, low = table.max(axis=0).astype(object), table.min(axis=0).astype(object)
    narrow = max(high - low) < _RANGE and max(high) < 2**63
    return table if narrow else _numbered(list(table.T), names)


def _numbered(columns: list[np.ndarray], names: list[str]) -> np.ndarray:
    table = np.empty((len(columns[0]), len(columns)), dtype=np.int32, order="F")
    for j, (column, name) in enumerate(zip(columns, names, strict=True)):
        table[:, j] = _codes(column, name)
    return table


def _codes(values: np.ndarray, name: str) -> np.ndarray:
    """One column's labels as 0 .. k − 1 in ascending order, numbers before text; MISSING where there is none."""
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
    return rank[codes]


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


def distinct_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows of codes in lexicographic order, counts, row of each object) of an integer table."""
    low = table.min(axis=0).astype(np.int64)
    radix = [int(high) - int(least) + 1 for high, least in zip(table.max(axis=0), low, strict=True)]
    groups = _columns_of_words(radix)
    words = _packed(table, low, radix, groups)
    member_of, first = _grouped(words)
    rows = _unpacked([word[first] for word in words], low, radix, groups)
    # packed words sort like rows of labels, and codes like labels: unless some label is below the missing one
    if (low < MISSING).any():
        order = np.lexsort(rows.T[::-1])
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        rows, member_of = rows[order], place[member_of]
    return rows, np.bincount(member_of, minlength=len(rows)), member_of


def _columns_of_words(radix: list[int]) -> list[list[int]]:
    """Which columns share a 62-bit word."""
    groups, span = [[]], 1
    for j, size in enumerate(radix):
        if span * size >= _WORD:
            groups.append([])
            span = 1
        groups[-1].append(j)
        span *= size
    return groups


def _packed(table: np.ndarray, low: np.ndarray, radix: list[int], groups: list[list[int]]) -> list[np.ndarray]:
    """The columns of each row in as few words as possible, exactly; words compare like rows."""
    words = [np.zeros(len(table), dtype=np.int64) for _ in groups]
    for start in range(0, len(table), _BLOCK):
        block = np.ascontiguousarray(table[start : start + _BLOCK].T, dtype=np.int64)
        for word, group in zip(words, groups, strict=True):
            part = word[start : start + _BLOCK]
            for j in group:
                part *= radix[j]
                part += block[j]
                part -= low[j]
    return words


def _unpacked(words: list[np.ndarray], low: np.ndarray, radix: list[int], groups: list[list[int]]) -> np.ndarray:
    """Words back to rows of codes 0 .. k − 1 (MISSING where there is none). All labels there are occur in them."""
    q, m = len(words[0]), len(radix)
    rows = np.empty((q, m), dtype=np.int32)
    countable = max(4 * q, 1 << 16)
    seen = [np.zeros(size, dtype=bool) if size <= countable else None for size in radix]
    offset = np.array([-1 if least == MISSING else 0 for least in low], dtype=np.int32)
    digits = np.empty((m, _BLOCK), dtype=np.int32)
    for start in range(0, q, _BLOCK):
        size = min(_BLOCK, q - start)
        for word, group in zip(words, groups, strict=True):
            part = word[start : start + size]
            for j in reversed(group):
                rest = part // radix[j]
                digits[j, :size] = part - rest * radix[j]
                part = rest
                if seen[j] is not None:
                    seen[j][digits[j, :size]] = True
        rows[start : start + size] = digits[:, :size].T
    rows += offset
    for j, present in enumerate(seen):
        if present is None:
            rows[:, j] = _codes(rows[:, j] + low[j] - offset[j], "")
        elif low[j] < MISSING or not present[-offset[j] :].all():
            if low[j] <= MISSING < low[j] + radix[j]:
                present[MISSING - low[j]] = False
            final = np.cumsum(present, dtype=np.int32) - 1
            if low[j] <= MISSING < low[j] + radix[j]:
                final[MISSING - low[j]] = MISSING
            rows[:, j] = final[rows[:, j] - offset[j]]
    return rows


def _grouped(words: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(group of each object, one object of each group), groups in the order of the words."""
    key = words[0]
    for word in words[1:]:
        key = _mixed(key, word)
    order = np.argsort(key)
    key = key[order]
    starts = np.empty(len(key), dtype=bool)
    starts[0] = True
    np.not_equal(key[1:], key[:-1], out=starts[1:])
    group = np.cumsum(starts, dtype=np.int32) - 1
    one = order[starts]
    if len(words) > 1 and any((word[order] != word[one][group]).any() for word in words):
        return _grouped([*_merged(words[0], words[1]), *words[2:]])  # two different rows shared a hash
    sequence = _lexicographic([word[one] for word in words])
    rank = np.empty(len(one), dtype=np.int32)
    rank[sequence] = np.arange(len(one), dtype=np.int32)
    member_of = np.empty(len(key), dtype=np.int32)
    member_of[order] = rank[group]
    return member_of, one[sequence]


def _lexicographic(words: list[np.ndarray]) -> np.ndarray:
    """np.lexsort, first word first, for words that seldom tie: the rest is looked at only where the first ties."""
    order = np.argsort(words[0])
    if len(words) == 1:
        return order
    first = words[0][order]
    same = first[1:] == first[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):
        among = order[tied]
        order[tied] = among[np.lexsort([word[among] for word in words[::-1]])]
    return order


def _mixed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A 64-bit hash of two words."""
    key = a.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    key ^= key >> np.uint64(29)
    key += b.view(np.uint64)
    key *= np.uint64(0xBF58476D1CE4E5B9)
    key ^= key >> np.uint64(32)
    return key.view(np.int64)


def _merged(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """One exact word in the place of two: pairs of ranks."""
    ranks = [np.unique(word, return_inverse=True)[1].astype(np.int64) for word in (a, b)]
    return [ranks[0] * (int(ranks[1].max()) + 1) + ranks[1]]


def nearest_labels(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Missing labels replaced by the commonest label among the rows that agree best on the labels both have.

    Agreement is the share of co-observed base clusterings in which two rows have the same label. Of equally common
    labels the lowest is taken; a row that shares no observed base clustering with any other takes the commonest label.
    """
    filled = rows.copy()
    q, m = rows.shape
    # column by column in small integers, eight bits where they do: comparing is most of the work
    columns = np.ascontiguousarray(rows.T, dtype=np.int8 if rows.max(initial=0) <= 127 else np.int32)
    observed = columns != MISSING
    count = np.uint8 if m <= 255 else np.uint32
    shares = np.arange(m + 1)[:, None] / np.maximum(np.arange(m + 1), 1)  # [same, seen]: their ranks compare like them
    rank = np.unique(shares, return_inverse=True)[1].reshape(shares.shape).astype(np.int32)
    for p in np.flatnonzero(~observed.all(axis=0)):
        seen, same = np.zeros(q, dtype=count), np.zeros(q, dtype=count)
        for j in np.flatnonzero(observed[:, p]):
            seen += observed[j]
            same += columns[j] == columns[j, p]
        agreement = rank[same, seen]
        for j in np.flatnonzero(~observed[:, p]):
            near = np.where(observed[j], agreement, -1)
            best = np.flatnonzero(near == near.max())
            filled[p, j] = np.bincount(columns[j, best], weights=counts[best]).argmax()
    return filled
