"""What a kept value is made of, as JSON: tagged lists, with numbers in the place of arrays.

Scalars stand for themselves. ["t", …] is a tuple, ["l", …] a list, ["d", keys, values] a dict, ["f", "nan"] a float
JSON does not know, ["a", 3] an array, ["x", 3] a NumPy number, ["s", …] a compressed matrix, ["u", …] an array of
texts, ["m", …] one of mixed scalars, ["o", name, fields] a value of a known class, ["n", name] one without fields.
Long lists of one kind are turned on their side, so that a run of a thousand moments is a dozen arrays: ["F", 3] and
["I", 3] are floats and whole numbers, ["O", count, name, fields] values of one class, ["D", count, keys, columns] dicts
with the same keys.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse

from .arrays import Arrays, Damaged, Unkeepable
from .fitting import fields_of, fits

DEEPEST = 40
LARGEST = 1 << 200  # whole numbers beyond are not kept: reading them back takes for ever
STRETCHED = 1 << 20  # rows a list without columns may have
LONG = 4  # from so many on, a list of one kind is turned on its side
COMPRESSED = {
    kind.__name__: kind
    for kind in (
        scipy.sparse.csr_array,
        scipy.sparse.csc_array,
        scipy.sparse.csr_matrix,
        scipy.sparse.csc_matrix,
    )
}
_SCALARS = (type(None), bool, int, float, str)
_KINDS = "n", "b", "i", "f", "s"  # of the scalars in a mixed array, in the order of _SCALARS


class Writer:
    def __init__(self, types: Mapping[str, type], arrays: Arrays):
        self._names = {cls: name for name, cls in types.items()}
        self._arrays = arrays

    def written(self, value: Any, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise Unkeepable("it is nested too deeply")
        kind = type(value)
        if kind in (type(None), bool, str):
            return value
        if kind is int:
            if abs(value) >= LARGEST:
                raise Unkeepable("a whole number without end")
            return value
        if kind is float:
            return value if math.isfinite(value) else ["f", repr(value)]
        if kind in (tuple, list):
            return self._list(value, depth) if kind is list else ["t", *(self.written(x, depth + 1) for x in value)]
        if kind is dict:
            return ["d", self.written(list(value), depth + 1), self.written(list(value.values()), depth + 1)]
        if kind is np.ndarray:
            return self._array(value)
        if isinstance(value, np.generic) and value.dtype.kind in "biufcmM":
            return ["x", self._arrays.add(np.asarray(value))]
        if kind.__name__ in COMPRESSED and kind is COMPRESSED[kind.__name__]:
            parts = [self._arrays.add(part) for part in (value.data, value.indices, value.indptr)]
            return ["s", kind.__name__, list(map(int, value.shape)), *parts]
        if kind in self._names:
            return self._known(value, depth)
        raise Unkeepable(f"a {kind.__module__}.{kind.__qualname__}")

    def _known(self, value: Any, depth: int) -> list:
        name, fields = self._names[type(value)], fields_of(type(value))
        if not fields:
            return ["n", name]
        return ["o", name, {field: self.written(getattr(value, field), depth + 1) for field in fields}]

    def _list(self, value: list, depth: int) -> list:
        kinds = set(map(type, value)) if len(value) >= LONG else set()
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is float:
            return ["F", self._arrays.add(np.array(value))]
        if kind is int and all(-(1 << 63) <= x < 1 << 63 for x in value):
            return ["I", self._arrays.add(np.array(value, dtype=np.int64))]
        if kind is dict and all(list(x) == list(value[0]) for x in value):
            columns = [self._list([x[key] for x in value], depth + 1) for key in value[0]]
            return ["D", len(value), self.written(list(value[0]), depth + 1), columns]
        if kind in self._names and (fields := fields_of(kind)):
            columns = {field: self._list([getattr(x, field) for x in value], depth + 1) for field in fields}
            return ["O", len(value), self._names[kind], columns]
        return ["l", *(self.written(x, depth + 1) for x in value)]

    def _array(self, value: np.ndarray) -> list:
        if value.dtype.kind == "U":
            width = value.dtype.itemsize // 4
            return ["u", list(value.shape), width, *self._texts(np.ravel(value).tolist())]
        if value.dtype.kind != "O":
            return ["a", self._arrays.add(value)]
        flat = [x.item() if isinstance(x, np.generic) else x for x in np.ravel(value).tolist()]
        try:
            kinds = np.array([_SCALARS.index(type(x)) for x in flat], dtype=np.uint8)
        except ValueError:
            strange = next(type(x) for x in flat if type(x) not in _SCALARS)
            raise Unkeepable(f"an array with a {strange.__name__} in it") from None
        texts = [x if type(x) is str else repr(x) for x in flat]
        return ["m", list(value.shape), self._arrays.add(kinds), *self._texts(texts)]

    def _texts(self, texts: list[str]) -> list[int]:
        """All in one, and how long each is."""
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        content = np.frombuffer("".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)
        return [self._arrays.add(content), self._arrays.add(lengths)]


class Reader:
    def __init__(self, types: Mapping[str, type], arrays):
        self._types, self._arrays = types, arrays

    def read(self, said: Any, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise Damaged("nested too deeply")
        if type(said) is not list:
            if type(said) not in _SCALARS or (type(said) is int and abs(said) >= LARGEST):
                raise Damaged("a value that is never written")
            return said
        tag, *rest = said
        match tag:
            case "t":
                return tuple(self.read(x, depth + 1) for x in rest)
            case "l":
                return [self.read(x, depth + 1) for x in rest]
            case "d":
                keys, values = (self.read(part, depth + 1) for part in rest)
                return dict(zip(keys, values, strict=True))
            case "f":
                return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[rest[0]]
            case "a" | "x":
                array = self._arrays[rest[0]]
                return array if tag == "a" else array[()]
            case "F" | "I":
                self._arrays.spend(32 * self._arrays[rest[0]].size)
                return self._arrays[rest[0]].tolist()
            case "s":
                return self._compressed(*rest)
            case "u" | "m":
                return self._texts(tag, *rest)
            case "n" | "o":
                name, fields = rest[0], rest[1] if tag == "o" else {}
                return self._made(name, {field: self.read(x, depth + 1) for field, x in fields.items()})
            case "D" | "O":
                return self._columns(tag, *rest, depth=depth + 1)
        raise Damaged("an unknown mark")

    def _columns(self, tag: str, count: int, what, columns, depth: int) -> list:
        keys = self.read(what, depth) if tag == "D" else list(columns)
        columns = [self.read(x, depth) for x in (columns if tag == "D" else columns.values())]
        if len(keys) != len(columns) or not all(type(x) is list and len(x) == count for x in columns):
            raise Damaged("columns of different lengths")
        if count > STRETCHED and not columns:
            raise Damaged("a list of nothing")
        rows = zip(*columns, strict=True) if columns else [()] * count
        if tag == "D":
            return [dict(zip(keys, row, strict=True)) for row in rows]
        return [self._made(what, dict(zip(keys, row, strict=True))) for row in rows]

    def _made(self, name: str, fields: dict) -> Any:
        """A value of a known class, built as anybody would, once its fields are what the class declares."""
        cls = self._types[name]
        declared = fields_of(cls)
        if fields.keys() != declared.keys():
            raise Damaged(f"{name} has other fields today")
        for field, value in fields.items():
            if not fits(value, declared[field], self._types):
                raise Damaged(f"{name}.{field} is of another type")
        return cls(**fields)

    def _compressed(self, kind: str, shape: list, *parts: int):
        data, indices, indptr = (self._arrays[part] for part in parts)
        if indices.dtype.kind != "i" or indptr.dtype.kind != "i":
            raise Damaged("indices that are none")
        value = COMPRESSED[kind]((data, indices, indptr), shape=tuple(shape), copy=False)
        value.check_format(full_check=True)  # compiled code believes the indices
        for part in (value.data, value.indices, value.indptr):
            part.flags.writeable = False
        return value

    def _texts(self, tag: str, shape: list, what, content: int, lengths: int) -> np.ndarray:
        ends = np.cumsum(self._arrays[lengths]).tolist()
        self._arrays.spend(100 * len(ends) + 4 * self._arrays[content].size)
        together = self._arrays[content].tobytes().decode("utf-8", "surrogatepass")
        count = math.prod(shape)
        if len(ends) != count or (ends[-1] if ends else 0) != len(together) or (self._arrays[lengths] < 0).any():
            raise Damaged("texts of other lengths")
        texts = [together[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        if tag == "u":
            self._arrays.spend(4 * what * count)
            array = np.array(texts, dtype=f"<U{max(what, 1)}")
        else:
            array = np.empty(count, dtype=object)
            array[:] = [_scalar(_KINDS[at], text) for at, text in zip(self._arrays[what].tolist(), texts, strict=True)]
        array = array.reshape(shape)
        array.flags.writeable = False
        return array


def _scalar(kind: str, text: str):
    match kind:
        case "n":
            return None
        case "b":
            return {"True": True, "False": False}[text]
        case "i":
            if len(text) > 70:
                raise Damaged("a whole number without end")
            return int(text)
        case "f":
            return float(text)
    return text
