"""MATLAB 7.3 files and plain HDF5: the arrays at the top, without following links out of the file."""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from ..file import File
from ..limits import (
    ALWAYS_FINE,
    LONGEST_TEXT,
    OBJECT_CELLS,
    allowed_growth,
    bomb,
    check_cells,
    check_parts,
    endless,
)
from ..wording import fault, shown
from .stored import Stored

_AGAIN = "save it again, or send the whole file"
_SAVE = "save a plain matrix of numbers"
_MOST_LETTERS = 4 * ALWAYS_FINE


def mat73_arrays(source: File, max_bytes: int) -> list[Stored]:
    import h5py

    try:
        top = h5py.File(h5py.h5f.open_file_image(source.data))
        check_parts(source.name, len(top))
        limit = allowed_growth(len(source.data), max_bytes)
        found = [_entry(source, top, name, limit) for name in list(top) if not str(name).startswith("#")]
    except InputError:
        raise
    except Exception:  # h5py raises many kinds for damaged files
        raise fault(source.name, "this MATLAB 7.3 (HDF5) file is damaged or cut off", _AGAIN) from None
    return found


def _entry(source: File, top, name: str, limit: int) -> Stored:
    import h5py

    if not isinstance(top.get(name, getlink=True), h5py.HardLink):
        return Stored(name, (), "", None, "a link to somewhere else", "save the array itself")
    item = top[name]
    if isinstance(item, h5py.Group):
        return _group(source, item, name, limit)
    if not _inside(top, name):
        return Stored(name, (), "", None, "kept outside this file", "save the array itself")
    cls = item.attrs.get("MATLAB_class", b"")
    cls = cls.decode("latin-1") if isinstance(cls, bytes) else str(cls)
    by_matlab = bool(cls)  # which marks its arrays so, and counts down the columns first
    shape = tuple(item.shape or ())
    shape = shape[::-1] if by_matlab else shape
    if "MATLAB_empty" in item.attrs:
        return Stored(name, (0, 0), "f")
    why_not = _why_not(item, cls)
    if why_not:
        return Stored(name, shape, "", None, why_not, _SAVE)
    if item.size * item.dtype.itemsize > limit:
        raise bomb(source.name, limit)

    def load():
        try:
            if item.dtype.kind == "O":
                return _texts(source, item, limit)
            values = item[()].T if by_matlab else item[()]
        except InputError:
            raise
        except Exception:
            raise fault(source.name, f"array {shown(name)} in it is damaged", _AGAIN) from None
        return _lines(source.name, values) if cls == "char" else values

    if cls == "char":
        return Stored(name, shape[:1], "U", load)
    return Stored(name, shape, "U" if item.dtype.kind == "O" else item.dtype.kind, load)


def _inside(top, name: str) -> bool:
    """A data set that lies in this very file."""
    import h5py

    hard = isinstance(top.get(name, getlink=True), h5py.HardLink)
    return hard and isinstance(top[name], h5py.Dataset) and not top[name].external and not top[name].is_virtual


def _lines(file: str, values: np.ndarray) -> np.ndarray:
    """A matrix of characters: one text per row."""
    check_cells(file, values.size, OBJECT_CELLS)
    rows = np.empty(len(values), dtype=object)
    rows[:] = ["".join(map(chr, row)).strip() for row in values]
    return rows


def _texts(source: File, item, limit: int) -> np.ndarray:
    """Texts of any length, a few at a time: many entries may point to the same long one."""
    check_cells(source.name, item.size, OBJECT_CELLS)
    found, total, at = np.empty(item.size, dtype=object), 0, 0
    width = item.size // max(1, item.shape[0])
    at_once = max(1, ALWAYS_FINE // max(1, len(source.data) * width))  # rows: no text is longer than the file
    for first in range(0, item.shape[0], at_once):
        for text in np.ravel(item[first : first + at_once]):
            found[at] = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
            if len(found[at]) > LONGEST_TEXT:
                raise endless(source.name, len(found[at]), at + 1, item.name.strip("/"))
            total, at = total + len(found[at]), at + 1
        if total > min(limit, _MOST_LETTERS):
            raise bomb(source.name, min(limit, _MOST_LETTERS))
    return found.reshape(item.shape)


def _group(source: File, item, name: str, limit: int) -> Stored:
    if "MATLAB_sparse" not in item.attrs:
        return Stored(name, (), "", None, "a struct or group", "save its fields as arrays of their own")
    if not all(_inside(item, part) for part in ("jc", "ir", "data") if part in item):
        return Stored(name, (), "", None, "kept outside this file", "save the array itself")
    rows, columns = int(item.attrs["MATLAB_sparse"]), len(item["jc"]) - 1
    entries = sum(item[part].size for part in ("jc", "ir", "data") if part in item)

    def load():
        if 8 * max(rows * columns, entries) > limit:
            raise bomb(source.name, limit)
        full = np.zeros((rows, columns))
        if "data" in item:
            begins = np.asarray(item["jc"][()], dtype=np.int64)
            places = np.asarray(item["ir"][()], dtype=np.int64), np.repeat(np.arange(columns), np.diff(begins))
            full[places] = item["data"][()]
        return full

    return Stored(name, (rows, columns), "f", load, note="was sparse and is read with its zeros")


def _why_not(item, cls) -> str:
    import h5py

    if cls == "cell" or h5py.check_ref_dtype(item.dtype) is not None:
        return "a cell array (or an object)"
    if item.dtype.names:
        return "of complex numbers" if set(item.dtype.names) in ({"real", "imag"}, {"r", "i"}) else "a compound"
    if item.dtype.kind == "c":
        return "of complex numbers"
    if item.dtype.kind == "O" and h5py.check_string_dtype(item.dtype) is None:
        return "of objects"
    if item.dtype.kind not in "iufbSO" or item.dtype.subdtype:
        return f"of the kind {item.dtype}"
    return ""
