"""The arrays of a kept value, one behind the other: packed where it pays, equal ones once, sizes known beforehand."""

from __future__ import annotations

import hashlib
import math
import re
import zlib
from typing import Any

import numpy as np

SAMPLE = 1 << 16  # bytes by which it is judged whether packing pays
WORTH = 0.9  # packed to less than this share
_PLAIN = re.compile(r"\|b1|\|i1|\|u1|[<>][iu][248]|[<>]f[248]|[<>]c(8|16)|[<>][mM]8\[(\d*\w+)\]")
_NARROW = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)


class Unkeepable(TypeError):
    """A value holds something that is not kept."""


class Damaged(ValueError):
    """Bytes that do not stand for a value: damaged, of an older form, or made by somebody else."""


def packed(data) -> bytes:
    return zlib.compress(data, 1)


def inflated(data, size: int) -> bytes:
    """Exactly `size` bytes; no more memory is taken, whatever the packed bytes would unfold to."""
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(data, size) if size else b""
    if len(content) != size or (unpacking.unconsumed_tail and unpacking.decompress(unpacking.unconsumed_tail, 1)):
        raise Damaged("a packed part has another size than it says")
    return content


class Arrays:
    """`table` says of each array [type, shape, order, type as stored, place, bytes, packed]."""

    def __init__(self):
        self.table: list[list] = []
        self._raw: list[Any] = []  # as they will be stored, not yet packed
        self._known: dict[tuple, int] = {}

    def add(self, array: np.ndarray) -> int:
        """The number by which the array is found again."""
        if type(array) is not np.ndarray or not _PLAIN.fullmatch(array.dtype.str):
            raise Unkeepable(f"an array of {array.dtype} ({type(array).__name__})")
        column = array.flags.f_contiguous and not array.flags.c_contiguous
        flat = np.ravel(array, order="F" if column else "C")  # in the order in which it lies: sums depend on it
        stored = _narrowed(flat)
        data = np.ascontiguousarray(stored).view(np.uint8).data
        key = (array.dtype.str, array.shape, column, hashlib.blake2b(data, digest_size=16).digest())
        if key not in self._known:
            self._known[key] = len(self.table)
            self.table.append([array.dtype.str, list(array.shape), "F" if column else "C", stored.dtype.str])
            self._raw.append(data)
        return self._known[key]

    def content(self, ratio: int, generous: int) -> list:
        """The bytes of all; the table then says where each lies.

        Arrays that would unfold to more than a reader believes (all zeros, say) are left unpacked.
        """
        parts = [_smaller(data) for data in self._raw]
        raw, small = sum(len(data) for data in self._raw), sum(map(len, parts))
        if raw > max(generous, ratio * small):
            parts = self._raw
        at = 0
        for row, data, part in zip(self.table, self._raw, parts, strict=True):
            row += [at, len(part), part is not data]
            at += len(part)
        return parts

    @classmethod
    def behind(cls, content: memoryview, table: list, most: int) -> _Stored:
        """The arrays that follow a structure, sizes checked before any is unpacked."""
        total = 0
        for kind, shape, order, stored, at, size, small in table:
            texts = all(isinstance(text, str) and _PLAIN.fullmatch(text) for text in (kind, stored))
            numbers = all(type(number) is int and number >= 0 for number in (*shape, at, size))
            if not texts or not numbers or order not in ("C", "F") or type(small) is not bool or len(shape) > 8:
                raise Damaged("an array is none")
            count = math.prod(shape)
            total += count * max(np.dtype(kind).itemsize, np.dtype(stored).itemsize)
            wrong = not small and size != count * np.dtype(stored).itemsize
            if at + size > len(content) or wrong or total > most or not np.can_cast(stored, kind, "safe"):
                raise Damaged("the arrays are larger than the file can hold")
        return _Stored(content, table, most)


class _Stored:
    """Read one by one, each once."""

    def __init__(self, content: memoryview, table: list, left: int):
        self._content, self._table, self._left = content, table, left
        self._read: dict[int, np.ndarray] = {}

    def spend(self, size: int) -> None:
        """Memory the reader is about to take for lists and texts made of arrays: one may be asked for many times."""
        self._left -= size
        if self._left < 0:
            raise Damaged("its lists are larger than the file can hold")

    def __getitem__(self, number: int) -> np.ndarray:
        if number not in self._read:
            self._read[number] = self._unpacked(number)
        return self._read[number]

    def _unpacked(self, number: int) -> np.ndarray:
        if type(number) is not int or number < 0:
            raise Damaged("an array that is not there")
        kind, shape, order, stored, at, size, small = self._table[number]
        data = self._content[at : at + size]
        if small:
            data = inflated(data, math.prod(shape) * np.dtype(stored).itemsize)
        flat = np.frombuffer(data, dtype=stored).astype(kind, copy=True)  # a copy: the file may go
        if kind == "|b1" and flat.view(np.uint8).max(initial=0) > 1:
            raise Damaged("a truth value that is neither")
        array = flat.reshape(shape, order=order)
        array.flags.writeable = False
        return array


def _narrowed(flat: np.ndarray) -> np.ndarray:
    """Whole numbers in the smallest type that holds them all."""
    if flat.dtype.kind not in "iu" or flat.dtype.itemsize == 1 or not flat.size:
        return flat
    low, high = int(flat.min()), int(flat.max())
    for kind in _NARROW:
        limits = np.iinfo(kind)
        smaller = np.dtype(kind).itemsize < flat.dtype.itemsize
        if smaller and limits.min <= low and high <= limits.max and np.can_cast(kind, flat.dtype, "safe"):
            return flat.astype(kind)
    return flat


def _smaller(data):
    if len(data) > SAMPLE and len(packed(data[:SAMPLE])) > WORTH * SAMPLE:
        return data
    small = packed(data)
    return small if len(small) < WORTH * len(data) else data
