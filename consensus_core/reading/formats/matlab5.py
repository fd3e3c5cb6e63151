"""MATLAB files of version 5 (what save writes with -v6 and -v7): plain, sparse and text arrays, nothing that runs.

Read here rather than by a general reader, because every declared length is checked before it is believed: an element
is a tag (type, bytes) and its content; a matrix is made of flags, dimensions, name and values; it may be packed.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from ...errors import InputError
from ..file import File
from ..limits import OBJECT_CELLS, allowed_growth, bomb, check_cells, check_parts
from ..wording import fault, shown
from .stored import Stored

_TYPES = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
    16: "u1",
    17: "u2",
}
_MATRIX, _PACKED = 14, 15
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE = 1, 2, 3, 4, 5
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_ODD = {
    _CELL: ("a cell array", "convert it with cell2mat and save it again"),
    _STRUCT: ("a struct", "save its fields as arrays of their own: save('data.mat', '-struct', 's')"),
    _OBJECT: ("an object", "save a plain matrix of numbers"),
    16: ("a function", "save a plain matrix of numbers"),
    17: ("an object (such as a table or string array)", "save a plain matrix, such as table2array(t)"),
}
_MOST_SIDES = 32
_AGAIN = "save it again in MATLAB, or send the whole file"


def mat5_arrays(source: File, max_bytes: int) -> list[Stored]:
    order = "<" if source.data[126:128] == b"IM" else ">"
    found, names, place, data = [], set(), 128, source.data
    left = limit = allowed_growth(len(data), max_bytes)
    while place + 8 <= len(data):
        kind, length = struct.unpack(order + "II", data[place : place + 8])
        content = data[place + 8 : place + 8 + length]
        if len(content) < length:
            raise fault(source.name, "the file ends in the middle of an array", _AGAIN)
        place += 8 + length
        if kind == _PACKED:
            content = _unpacked(source.name, content, left)
            left -= len(content)
            kind, length = struct.unpack(order + "II", content[:8]) if len(content) >= 8 else (0, 0)
            content = content[8 : 8 + length]
        if kind != _MATRIX:
            raise fault(source.name, f"there is an element of the unknown kind {kind}", _AGAIN)
        try:
            array = _matrix(source.name, _Parts(content, order), limit)
        except (struct.error, ValueError, IndexError, KeyError, TypeError, OverflowError) as trouble:
            if isinstance(trouble, InputError):
                raise
            raise fault(source.name, "one of its arrays is damaged", _AGAIN) from None
        if array is not None:
            if array.name in names:
                raise fault(source.name, f"two arrays are called {shown(array.name)}", _AGAIN)
            names.add(array.name)
            found.append(array)
            check_parts(source.name, len(found))
    return found


def _unpacked(file: str, content: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        out = unpacker.decompress(content, limit + 1)
    except zlib.error:
        raise fault(file, "the packing of an array is damaged", _AGAIN) from None
    if len(out) > limit:
        raise bomb(file, limit)
    if not unpacker.eof:
        raise fault(file, "the packing of an array ends too early", _AGAIN)
    return out


class _Parts:
    """The elements inside a matrix, one after another."""

    def __init__(self, content: bytes, order: str):
        self.content, self.order, self.place = content, order, 0

    def next(self) -> tuple[int, bytes]:
        (first,) = struct.unpack_from(self.order + "I", self.content, self.place)
        if first >> 16:  # a small element: type, length and content in eight bytes
            kind, length, begin = first & 0xFFFF, first >> 16, self.place + 4
            self.place += 8
            if length > 4:
                raise ValueError("small element")
        else:
            kind, length = struct.unpack_from(self.order + "II", self.content, self.place)
            begin = self.place + 8
            self.place = begin + length + (-length % 8)
        data = self.content[begin : begin + length]
        if len(data) < length:
            raise ValueError("short element")
        return kind, data

    def numbers(self) -> np.ndarray:
        kind, data = self.next()
        return np.frombuffer(data, dtype=self.order + _TYPES[kind])


def _matrix(file: str, parts: _Parts, limit: int) -> Stored | None:
    flags = int(parts.numbers()[0])
    cls, is_complex, logical = flags & 0xFF, bool(flags & 0x0800), bool(flags & 0x0200)
    if cls == 17:
        _, name = parts.next()
        what, do = _ODD[17]
        return Stored(name.decode("latin-1"), (1,), "", None, what, do)
    sides = parts.numbers()
    if not 2 <= sides.size <= _MOST_SIDES:
        raise ValueError("sides")
    shape = tuple(int(side) for side in sides)
    _, name = parts.next()
    name = name.decode("latin-1")
    if any(side < 0 for side in shape):
        raise ValueError("shape")
    if not name or name.startswith("__"):
        return None  # MATLAB's own notes
    if cls in _ODD:
        return Stored(name, shape, "", None, *_ODD[cls])
    if is_complex:
        return Stored(name, shape, "", None, "of complex numbers", "save real numbers, such as abs(x)")
    if cls == _SPARSE:
        return Stored(
            name, shape, "f", _sparse(file, parts, shape, limit), note="was sparse and is read with its zeros"
        )
    values = parts.numbers()
    if cls == _CHAR:
        return _text(file, name, shape, values)
    if values.size != np.prod(shape, dtype=object):
        raise ValueError("size")
    wanted = bool if logical else _NUMBERS[cls]
    return Stored(name, shape, np.dtype(wanted).kind, lambda: values.reshape(shape, order="F").astype(wanted))


def _sparse(file: str, parts: _Parts, shape, limit: int):
    """Compressed columns: row numbers, where each column begins, values; made dense when it is small enough."""
    rows, begins = parts.numbers().astype(np.int64), parts.numbers().astype(np.int64)
    values = parts.numbers()
    if begins.size != shape[1] + 1 or (np.diff(begins) < 0).any() or begins[0] != 0 or begins[-1] > len(values):
        raise ValueError("sparse")
    rows, values = rows[: begins[-1]], values[: begins[-1]]
    if len(rows) != begins[-1] or (len(rows) and (rows.min() < 0 or rows.max() >= shape[0])):
        raise ValueError("sparse")

    def load():
        if 8 * shape[0] * shape[1] > limit:
            raise bomb(file, limit)
        full = np.zeros(shape)
        full[rows, np.repeat(np.arange(shape[1]), np.diff(begins))] = values
        return full

    return load


def _text(file, name, shape, values) -> Stored:
    """A matrix of characters: one text per row."""
    if len(shape) != 2 or values.size != shape[0] * shape[1]:
        raise ValueError("text")

    def load():
        check_cells(file, values.size, OBJECT_CELLS)
        rows = np.empty(shape[0], dtype=object)
        rows[:] = ["".join(map(chr, row)).strip() for row in values.reshape(shape, order="F")]
        return rows

    return Stored(name, (shape[0],), "U", load)
