"""NPY and NPZ, never with pickles: the header is checked before a byte of data is unpacked."""

from __future__ import annotations

import io
import sys

import numpy as np
from numpy.lib import format as npy

from ..file import File
from ..limits import check_parts, megabytes
from ..wording import fault, shown
from .archive import Archive
from .stored import Stored

_MOST_HEADER = 10_000
_NO_OBJECTS = "convert it with array.astype(float) or astype(str) and save it again"


def npy_arrays(source: File) -> list[Stored]:
    name = source.name[:-4] if source.name.lower().endswith(".npy") else source.name
    return [_stored(source.name, name, source.data, lambda: io.BytesIO(source.data), len(source.data))]


def npz_arrays(source: File, archive: Archive) -> list[Stored]:
    check_parts(source.name, len(archive.names))
    found = []
    for entry in archive.names:
        if not entry.endswith(".npy"):
            raise fault(source.name, f"{shown(entry)} in it is no NumPy array", "save it with numpy.savez")
        head = archive.head(entry, 2 * _MOST_HEADER)
        found.append(
            _stored(
                source.name, entry[:-4], head, lambda entry=entry: io.BytesIO(archive.read(entry)), archive.size(entry)
            )
        )
    return found


def _stored(file, name, head, opened, length) -> Stored:
    stream = io.BytesIO(head[: 2 * _MOST_HEADER])
    try:
        version = npy.read_magic(stream)
        read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if read_header is None:
            shape, _, dtype = npy._read_array_header(stream, version, max_header_size=_MOST_HEADER)
        else:
            shape, _, dtype = read_header(stream, max_header_size=_MOST_HEADER)
    except Exception:  # whatever a damaged header may cause
        raise fault(
            file, f"the header of array {shown(name)} is damaged", "save it again with numpy.save or numpy.savez"
        ) from None
    if any(side < 0 for side in shape):
        raise fault(file, f"array {shown(name)} claims the shape {shape}", "save it again with numpy.save")
    why_not, do = _why_not(dtype)
    needed = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if not why_not and needed > length - stream.tell():
        raise fault(
            file,
            f"array {shown(name)} should have {megabytes(needed)} of data, but the file ends too early",
            "save or send it again",
        )

    def load():
        array = np.load(opened(), allow_pickle=False, max_header_size=_MOST_HEADER)
        if not _are_characters(array):
            raise fault(file, f"array {shown(name)} holds characters that do not exist", "save or send it again")
        return array

    return Stored(name, tuple(shape), "" if why_not else dtype.kind, load, why_not, do)


def _are_characters(array: np.ndarray) -> bool:
    """NumPy keeps four bytes for each, and turns whatever they are into text: damage there ends in the interpreter."""
    if array.dtype.names is not None:
        return all(_are_characters(array[name]) for name in array.dtype.names)
    if array.dtype.kind != "U" or not array.size:
        return True
    codes = np.ascontiguousarray(array).reshape(-1).view(array.dtype.byteorder.replace("|", "=") + "u4")
    return int(codes.max()) <= sys.maxunicode


def _why_not(dtype) -> tuple[str, str]:
    if dtype.itemsize == 0:
        return "of texts without a letter", "save the texts again, or numbers"
    if dtype.hasobject:
        return "an array of Python objects (a pickle), which can run programs", _NO_OBJECTS
    if dtype.kind == "c":
        return "of complex numbers", "save real numbers, such as the absolute values"
    if dtype.kind in "mM":
        return "of dates or times", "save numbers"
    if dtype.names is None and dtype.kind not in "iufbUS":
        return f"of raw bytes ({dtype})", "save numbers or texts"
    return "", ""
