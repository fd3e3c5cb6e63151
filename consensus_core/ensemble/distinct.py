"""From integer label tables to distinct rows, fast and exact: no n x m sort, and hash collisions are caught."""

from __future__ import annotations

import numpy as np

from .labels import MISSING, _codes

_BLOCK = 4096  # rows packed at a time, so that a block stays in cache
_WORD = 2**62  # a key of several columns must stay below this


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
