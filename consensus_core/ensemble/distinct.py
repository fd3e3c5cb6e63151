"""From integer label tables to distinct rows, fast and exact: no n x m sort, and hash collisions are caught."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .labels import MISSING, _codes
from .order import Order, canonical_order

_BLOCK = 8192  # rows packed at a time, so that a block stays in cache
_WORD = 2**62  # a key of several columns must stay below this


@dataclass(frozen=True, eq=False)
class Distinct:
    """The distinct rows of a label table, in an order that neither the names of clusters nor places decide."""

    rows: np.ndarray  # (q, m) codes 0 … k − 1 in ascending order of the label, MISSING where there is none
    counts: np.ndarray  # (q,)
    member_of: np.ndarray  # (n,)
    values: tuple[np.ndarray, ...]  # for each column (k_i,) the integer that each code stands for
    order: Order


def distinct_rows(table: np.ndarray, weights: np.ndarray | None = None) -> Distinct:
    """Of an integer table (n, m); `weights` (n,): how many objects each row of it stands for, one by default."""
    low, high = _ends(table)
    radix = [int(most) - int(least) + 1 for most, least in zip(high, low, strict=True)]
    groups = _columns_of_words(radix)
    words = _packed(table, low, radix, groups)
    member_of, first = _grouped(words)
    columns, values, sizes = _unpacked([word[first] for word in words], low, radix, groups)
    del words
    counts = np.bincount(member_of, minlength=len(first))
    if weights is not None:
        counts = np.zeros(len(first), dtype=np.int64)
        np.add.at(counts, member_of, weights)
    order = canonical_order(columns, counts, np.array([len(found) for found in values]), sizes)
    sequence, place = _sorted(columns, order)
    return Distinct(_as_rows(columns, sequence), counts[sequence], place[member_of], values, order)


def counted_rows(table: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(distinct rows of an integer table, how many objects have each), in an order that only their labels decide."""
    low, high = _ends(table)
    radix = [int(most) - int(least) + 1 for most, least in zip(high, low, strict=True)]
    words = _packed(table, low, radix, _columns_of_words(radix))
    member_of, first = _grouped(words)
    # sums of whole numbers are exact in floats up to 2⁵³, more objects than an ensemble may have
    return table[first], np.bincount(member_of, weights=weights).astype(np.int64)


def _ends(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest label of each column, from one pass over the table."""
    blocks = [table[start : start + _BLOCK] for start in range(0, len(table), _BLOCK)]
    ends = [(block.min(axis=0), block.max(axis=0)) for block in blocks]
    return np.min([low for low, _ in ends], axis=0).astype(np.int64), np.max([high for _, high in ends], axis=0)


def _sorted(columns: np.ndarray, order: Order) -> tuple[np.ndarray, np.ndarray]:
    """Which row comes first, second, …, and the place of each: by their codes in the order given, column by column."""
    radix = [len(order.ranks[i]) + 1 for i in order.sequence]
    ranks = [np.concatenate([[0], order.ranks[i] + 1]).astype(np.int64) for i in order.sequence]
    first, *others = _columns_of_words(radix)

    def word(group, some):
        total = np.zeros(columns[0, some].shape, dtype=np.int64)
        for j in group:
            total *= radix[j]
            total += ranks[j].take(columns[order.sequence[j], some])
        return total

    q = columns.shape[1]
    key = np.concatenate([word(first, slice(start, start + _BLOCK)) for start in range(0, q, _BLOCK)])
    sequence = np.argsort(key)
    if others:  # the other columns are looked at only where the first ones tie
        key = key[sequence]
        same = key[1:] == key[:-1]
        tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
        among = sequence[tied]
        sequence[tied] = among[np.lexsort([word(group, among) for group in others[::-1]] + [key[tied]])]
    place = np.empty(q, dtype=np.int32)
    place[sequence] = np.arange(q, dtype=np.int32)
    return sequence, place


def _as_rows(columns: np.ndarray, sequence: np.ndarray) -> np.ndarray:
    """(q, m) codes from columns of codes + 1, in the order of `sequence`."""
    small = np.empty(columns.shape[::-1], dtype=columns.dtype)
    rows = np.empty(small.shape, dtype=np.int32)
    for start in range(0, len(sequence), _BLOCK):
        small[start : start + _BLOCK] = columns[:, start : start + _BLOCK].T
    one = columns.dtype.type(1)
    for start in range(0, len(sequence), _BLOCK):
        some = slice(start, start + _BLOCK)
        np.subtract(small[sequence[some]], one, out=rows[some], dtype=np.int32, casting="unsafe")
    return rows


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


def _unpacked(
    words: list[np.ndarray], low: np.ndarray, radix: list[int], groups: list[list[int]]
) -> tuple[np.ndarray, tuple[np.ndarray, ...], list[np.ndarray]]:
    """Words back to columns (m, q) of codes + 1, where 0 is a missing label; the label of each code; how often each is.

    All labels there are occur in the words. Codes are kept in the smallest integers that hold them: what follows is a
    matter of how much has to be read.
    """
    q, m = len(words[0]), len(radix)
    countable = max(4 * q, 1 << 16)
    most = max(min(size, q) for size in radix) + 1
    columns = np.empty((m, q), dtype=np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32)
    # where the least label is the missing one, what stands in a word is a code + 1 already, if no label is left out
    first = [int(least != MISSING) for least in low]
    wide = {j: np.empty(q, dtype=np.int64) for j, size in enumerate(radix) if size >= min(most, countable) + 1}
    found = [wide.get(j, columns[j]) for j in range(m)]
    for start in range(0, q, _BLOCK):
        some = slice(start, start + _BLOCK)
        for word, group in zip(words, groups, strict=True):
            part = word[some]
            for j in reversed(group):
                rest = part // radix[j]
                part -= rest * radix[j]
                part += first[j]
                found[j][some] = part
                part = rest
    values, sizes = [], []
    for j in range(m):
        columns[j], labels, size = _coded(found[j], int(low[j]) - first[j], radix[j] + first[j], radix[j] > countable)
        values.append(labels)
        sizes.append(size)
    return columns, tuple(values), sizes


def _coded(found: np.ndarray, low: int, size: int, large: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of labels given as what they are above `low`: codes + 1, the labels, how many rows have which (missing first)."""
    if large:
        code, labels = _codes(found + low, "")
        return code + 1, labels, np.bincount(code + 1, minlength=len(labels) + 1)
    many = np.bincount(found, minlength=size)
    present = many > 0
    absent = MISSING - low
    if 0 <= absent < size:
        missing, present[absent] = many[absent], False
    else:
        missing = 0
    labels = np.flatnonzero(present) + low
    sizes = np.concatenate([[missing], many[present]])
    if not present[0] and present[1:].all() and (absent <= 0 or absent >= size):
        return found, labels, sizes
    final = np.cumsum(present)
    if 0 <= absent < size:
        final[absent] = 0
    return final[found], labels, sizes


def _grouped(words: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(group of each object, one object of each group), groups in any order."""
    key = words[0]
    for word in words[1:]:
        key = _mixed(key, word)
    order = np.argsort(key)
    key = key[order]
    starts = np.empty(len(key), dtype=bool)
    starts[0] = True
    np.not_equal(key[1:], key[:-1], out=starts[1:])
    if len(words) > 1:
        again = np.flatnonzero(~starts)  # rows with the hash of the one before
        if any((word[order[again]] != word[order[again - 1]]).any() for word in words):
            return _grouped([*_merged(words[0], words[1]), *words[2:]])  # two different rows shared a hash
    member_of = np.empty(len(key), dtype=np.int32)
    member_of[order] = np.cumsum(starts, dtype=np.int32) - 1
    return member_of, order[starts]


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
