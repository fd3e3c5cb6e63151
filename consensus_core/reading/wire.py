"""A table as it passes from the process that reads to the one that asked: JSON, and raw arrays behind it.

Nothing a file could have shaped is ever run: the JSON holds texts and numbers, arrays are numbers of a few types whose
lengths are checked, texts are bytes that must be UTF-8.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from .choices import Choices
from .coded import ArrowTexts, Coded
from .column import Column
from .table import Part, Table, Turn

_TYPES = ("|i1", "|u1", "<i2", "<i4", "<i8", "<f8")
_NARROW = (np.int8, np.int16, np.int32)


class Damaged(ValueError):
    """What came is no table."""


class _Writer:
    def __init__(self):
        self.buffers: list = []

    def array(self, array: np.ndarray | None) -> list | None:
        """[its type, its length]; whole numbers in as few bytes as hold them."""
        if array is None:
            return None
        if array.dtype.kind == "i" and len(array):
            low, high = int(array.min()), int(array.max())
            kind = next((k for k in _NARROW if np.iinfo(k).min <= low and high <= np.iinfo(k).max), np.int64)
            array = array.astype(kind, copy=False)
        array = np.ascontiguousarray(array)
        self.buffers.append(array.view(np.uint8).data if len(array) else b"")
        return [array.dtype.str.replace(">", "<"), len(array)]

    def texts(self, texts: Coded | None) -> dict | None:
        if texts is None:
            return None
        if isinstance(texts, ArrowTexts):
            return {"codes": None, "values": self._strings(texts.column)}
        return {"codes": self.array(texts.codes), "values": self._strings(pa.array(texts.values, pa.large_string()))}

    def _strings(self, array: pa.LargeStringArray) -> list:
        """Where each begins, all letters, and where there is none."""
        array = pa.concat_arrays([array]) if array.offset else array
        absent = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
        _, offsets, letters = array.buffers()
        at = np.frombuffer(offsets, dtype=np.int64)[: len(array) + 1] if len(array) else np.zeros(1, dtype=np.int64)
        letters = np.frombuffer(letters, dtype=np.uint8)[: at[-1]] if letters is not None else np.zeros(0, np.uint8)
        return [self.array(at), self.array(letters), self.array(None if absent is None else absent.view(np.uint8))]


def written(table: Table) -> tuple[bytes, list]:
    """(head, the buffers that follow it)."""
    out = _Writer()
    columns = [
        {
            "name": column.name,
            "sort": column.sort,
            "numbers": out.array(column.numbers),
            "texts": out.texts(column.texts),
            "odd": column.odd,
            "odd_why": column.odd_why,
        }
        for column in table.columns
    ]
    plain = ("file", "form", "n", "row_word", "because", "notes", "has_header", "hint", "presets", "oriented")
    head: dict[str, Any] = {name: getattr(table, name) for name in plain}
    head |= {
        "columns": columns,
        "used": {name: value for name, value in vars(table.used).items() if value is not None},
        "rows": table.rows if isinstance(table.rows, int) else {"array": out.array(table.rows)},
        "letters": [[i, j, text[:1000]] for (i, j), text in table.letters.items()],
        "unnamed": sorted(table.unnamed),
        "parts": [vars(part) for part in table.parts],
        "turn": table.turn and vars(table.turn),
        "sizes": [len(buffer) for buffer in out.buffers],
    }
    return json.dumps(head, separators=(",", ":")).encode(), out.buffers


class _Reader:
    def __init__(self, buffers: list[bytes]):
        self._buffers = iter(buffers)

    def array(self, said) -> np.ndarray | None:
        if said is None:
            return None
        kind, length = said
        buffer = next(self._buffers, None)
        if kind not in _TYPES or buffer is None or len(buffer) != length * np.dtype(kind).itemsize:
            raise Damaged("an array is none")
        array = np.frombuffer(buffer, dtype=kind)
        return array.astype(np.int64) if array.dtype.kind == "i" and array.dtype != np.int64 else array

    def texts(self, said) -> Coded | None:
        if said is None:
            return None
        codes = self.array(said["codes"])
        values = self._strings(said["values"])
        if codes is None:
            return ArrowTexts(values)
        if len(codes) and not -1 <= codes.min() <= codes.max() < len(values):
            raise Damaged("a code stands for nothing")
        return Coded(codes, values.to_pylist())

    def _strings(self, said) -> pa.LargeStringArray:
        at, letters, absent = (self.array(part) for part in said)
        if not len(at) or at[0] != 0 or at[-1] != len(letters) or (np.diff(at) < 0).any():
            raise Damaged("texts without an end")
        if absent is not None and len(absent) != len(at) - 1:
            raise Damaged("texts without a beginning")
        mask = None if absent is None else pa.array(absent == 0).buffers()[1]
        found = pa.LargeStringArray.from_buffers(len(at) - 1, pa.py_buffer(at), pa.py_buffer(letters), mask)
        found.validate(full=True)
        return found


def read_back(head: bytes, buffers: list[bytes]) -> Table:
    """The table; Damaged where it is none."""
    try:
        return _read_back(json.loads(head), _Reader(buffers))
    except Damaged:
        raise
    except Exception as fault:  # whatever strange bytes bring about
        raise Damaged(f"{type(fault).__name__}: {fault}") from fault


def _read_back(head: dict, given: _Reader) -> Table:
    columns = []
    for said in head["columns"]:
        numbers, texts = given.array(said["numbers"]), given.texts(said["texts"])
        column = Column(said["name"], said["sort"], numbers, texts, said["odd"], said["odd_why"])
        if len(column) != head["n"] or (numbers is not None and texts is not None and len(numbers) != len(texts)):
            raise Damaged("a column of another length")
        columns.append(column)
    rows, turn = head["rows"], head["turn"]
    return Table(
        head["file"],
        head["form"],
        tuple(columns),
        head["n"],
        Choices(**{name: tuples(value) for name, value in head["used"].items()}),
        rows=rows if isinstance(rows, int) else given.array(rows["array"]),
        row_word=head["row_word"],
        letters={(i, j): text for i, j, text in head["letters"]},
        because=tuple(head["because"]),
        notes=tuple(head["notes"]),
        unnamed=frozenset(head["unnamed"]),
        has_header=head["has_header"],
        hint=head["hint"] and tuple(head["hint"]),
        presets={name: tuple(told) for name, told in head["presets"].items()},
        parts=tuple(Part(**{**part, "shape": tuple(part["shape"])}) for part in head["parts"]),
        turn=turn and Turn(turn["rows"], tuples(turn["columns"]), tuples(turn["objects"])),
        oriented=head["oriented"],
    )


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value
