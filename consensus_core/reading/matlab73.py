"""MATLAB 7.3 files and plain HDF5: the arrays at the top, without following links out of the file."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from .sentences import fault
from .source import Source, allowed_growth, bomb
from .stored import Stored

_AGAIN = "save it again, or send the whole file"
_SAVE = "save a plain matrix of numbers"


def mat73_arrays(source: Source, max_bytes: int) -> list[Stored]:
    import h5py

    try:
        top = h5py.File(h5py.h5f.open_file_image(source.data))
        limit = allowed_growth(len(source.data), max_bytes)
        found = [_entry(source.name, top, name, limit) for name in list(top) if not str(name).startswith("#")]
    except InputError:
        raise
    except Exception:  # h5py raises many kinds for damaged files
        raise fault(source.name, "this MATLAB 7.3 (HDF5) file is damaged or cut off", _AGAIN) from None
    return found


def _entry(file, top, name, limit) -> Stored:
    import h5py

    if not isinstance(top.get(name, getlink=True), h5py.HardLink):
        return Stored(name, (), "", None, "a link to somewhere else", "save the array itself")
    item = top[name]
    if isinstance(item, h5py.Group):
        return _group(item, name)
    if not isinstance(item, h5py.Dataset) or item.external or item.is_virtual:
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
        raise bomb(file, limit)

    def load():
        try:
            values = item[()]
        except Exception:
            raise fault(file, f"array '{name}' in it is damaged", _AGAIN) from None
        values = values.T if by_matlab else values
        if cls == "char":
            return np.array(["".join(map(chr, row)).strip() for row in values], dtype=str)
        if values.dtype.kind == "O":
            return np.array([x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x) for x in values.flat])
        return values

    if cls == "char":
        return Stored(name, shape[:1], "U", load)
    return Stored(name, shape, "U" if item.dtype.kind == "O" else item.dtype.kind, load)


def _group(item, name) -> Stored:
    if "MATLAB_sparse" in item.attrs:
        rows, columns = int(item.attrs["MATLAB_sparse"]), len(item["jc"]) - 1
        return Stored(
            name,
            (rows, columns),
            "f",
            lambda: _dense(item, rows, columns),
            note="was sparse and is read with its zeros",
        )
    return Stored(name, (), "", None, "a struct or group", "save its fields as arrays of their own")


def _dense(item, rows, columns) -> np.ndarray:
    full = np.zeros((rows, columns))
    if "data" in item:
        begins = np.asarray(item["jc"][()], dtype=np.int64)
        full[np.asarray(item["ir"][()], dtype=np.int64), np.repeat(np.arange(columns), np.diff(begins))] = item["data"][
            ()
        ]
    return full


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
