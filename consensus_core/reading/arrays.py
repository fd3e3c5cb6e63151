"""Files that hold named arrays (NPY, NPZ, MAT): which one is the table, which the truth, which the ids."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .array_roles import beside_of, turn
from .cells import Cells, Coded
from .choices import Choices
from .recognise import FEATURE_ARRAYS, LABEL_ARRAYS
from .sentences import fault, listed, shown
from .stored import Stored
from .table import Table, check_cells, check_size, numbered


def table_of(file: str, arrays: list[Stored], choices: Choices, max_cells: int) -> Table:
    main, hint, why = _choose(file, arrays, choices)
    used = replace(choices, variable=main.name)
    because = [why] if why else []
    if main.kind == "V":
        return _from_fields(file, main, used, because, max_cells)
    if main.is_vector and choices.variable is None:
        return _from_vectors(file, main, arrays, replace(choices, variable=None), max_cells)
    if main.size == 0:
        raise fault(file, f"array {shown(main.name)} is empty", "save a table with rows and columns")
    values = _loaded(file, main, max_cells)
    if values.ndim == 1:
        values = values[:, None]
    others = [a for a in arrays if a is not main and not a.why_not and a.is_vector and a.size > 1]
    swap, because_swap = turn(values, main, others, choices, hint)
    values = values.T if swap else values
    check_size(file, *values.shape, max_cells)
    names = numbered(values.shape[1])
    columns = [(name, _cells(values[:, j])) for j, name in enumerate(names)]
    beside = beside_of(file, others, len(values), names, choices)
    if "ids" in beside:
        used = replace(used, id_column=next(name for name, role, _ in beside["why"] if role == "ids"))
    told = [f"Array {shown(name)} is taken as {role}: {reason}." for name, role, reason in beside.pop("why")]
    return Table(
        file,
        columns,
        len(values),
        used,
        notes=[f"Array {shown(main.name)} {main.note}."] if main.note else [],
        because=[*because, because_swap, *told],
        has_header=False,
        hint=hint,
        swapped=swap,
        oriented=True,
        **beside,
    )


def _choose(file, arrays, choices) -> tuple[Stored, tuple[str, str] | None, str]:
    if not arrays:
        raise fault(file, "there is no array in it", "save the table again")
    if choices.variable is not None:
        main = next((a for a in arrays if a.name == choices.variable), None)
        if main is None:
            names = listed(a.name for a in arrays)
            raise fault(file, f"there is no array {shown(choices.variable)}", f"choose among {names}")
        _refuse_unusable(file, main)
        return main, _hint(main.name), f"Array {shown(main.name)} is read: as chosen."
    usable = [a for a in arrays if not a.why_not]
    tables = [a for a in usable if a.is_table or a.kind == "V"]
    if not tables:
        if len(usable) > 1 and len(_vectors(usable)) > 1:
            return _vectors(usable)[0], None, ""
        bad = next((a for a in arrays if a.why_not), None)
        _refuse_unusable(file, bad or arrays[0])
    if len(tables) == 1:
        only = tables[0]
        why = f"Array {shown(only.name)} is read: it is the only table in the file." if len(arrays) > 1 else ""
        return only, _hint(only.name), why
    labels = [a for a in tables if (_hint(a.name) or [""])[0] == "labels"]
    features = [a for a in tables if (_hint(a.name) or [""])[0] == "features"]
    wanted = features if choices.kind == "features" else labels if choices.kind == "labels" else labels or features
    if len(wanted) == 1:
        return wanted[0], _hint(wanted[0].name), f"Array {shown(wanted[0].name)} is read: its name says what it holds."
    raise fault(
        file,
        f"there are {len(tables)} tables, {', '.join(a.described() for a in tables[:6])}",
        "choose one by its name (variable)",
    )


def _refuse_unusable(file, array) -> None:
    if array.why_not:
        raise fault(file, f"array {shown(array.name)} is {array.why_not}", array.do)
    if len(array.shape) > 2:
        shape = " x ".join(map(str, array.shape))
        raise fault(
            file,
            f"array {shown(array.name)} has {len(array.shape)} dimensions ({shape})",
            "save it with two: one row per object, one column per base clustering or feature",
        )
    if not array.shape:
        raise fault(file, f"array {shown(array.name)} is a single value", "save a table with rows and columns")
    if array.size == 0:
        raise fault(file, f"array {shown(array.name)} is empty", "save a table with rows and columns")
    if array.is_vector:
        raise fault(
            file,
            f"array {shown(array.name)} is one column only ({' x '.join(map(str, array.shape))})",
            "give at least two base clusterings or features, one column each",
        )


def _hint(name: str) -> tuple[str, str] | None:
    if LABEL_ARRAYS.fullmatch(name):
        return "labels", f"the array is called {shown(name)}"
    if FEATURE_ARRAYS.fullmatch(name):
        return "features", f"the array is called {shown(name)}"
    return None


def _vectors(usable) -> list[Stored]:
    """The vectors of the commonest length: each may be a column."""
    lengths = [a.size for a in usable if a.is_vector and a.size > 1]
    if not lengths:
        return []
    common = max(set(lengths), key=lambda length: (lengths.count(length), length))
    return [a for a in usable if a.is_vector and a.size == common]


def _from_vectors(file, main, arrays, choices, max_cells) -> Table:
    vectors = _vectors([a for a in arrays if not a.why_not])
    check_size(file, main.size, len(vectors), max_cells)
    columns = [(a.name, _cells(_loaded(file, a, max_cells).ravel())) for a in vectors]
    why = f"Each of the {len(vectors)} arrays of length {main.size:,} is read as a column."
    return Table(file, columns, main.size, choices, because=[why])


def _from_fields(file, main, used, because, max_cells) -> Table:
    """A structured array: one column per field."""
    check_cells(file, main.size, max_cells)
    values = main.load().ravel()
    columns = []
    for name in values.dtype.names:
        field = values[name]
        if field.ndim != 1 or field.dtype.kind not in "iufbUSMm":
            raise fault(file, f"field {shown(name)} is {field.dtype}, not a column", "save plain numbers or texts")
        columns.append((name, _cells(field)))
    return Table(file, columns, len(values), used, because=because)


def _loaded(file, array: Stored, max_cells) -> np.ndarray:
    check_cells(file, array.size, max_cells)
    values = array.load()
    if values.dtype.kind not in "iufbUS":
        raise fault(file, f"array {shown(array.name)} holds {values.dtype}", "save numbers or texts")
    return values


def _cells(values: np.ndarray) -> Cells:
    if values.dtype.kind in "iufb":
        return values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "replace")
    return Coded.of(
        [x.item() if hasattr(x, "item") else x for x in values] if values.dtype.kind in "U" else list(values)
    )
