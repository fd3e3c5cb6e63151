"""Files that hold named arrays (NPY, NPZ, MAT): which one is the table, and what the others are to it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ..choices import ID, OUT, TRUTH, Choices, missing_texts
from ..coded import Cells, Coded
from ..column import Column, classify
from ..guess.orientation import looks_transposed
from ..guess.roles import is_id_name, is_truth_name
from ..limits import LONGEST_TEXT, OBJECT_CELLS, check_cells, check_parts, check_size, endless
from ..table import Table, Turn
from ..wording import fault, listed, numbered, shown
from .stored import Stored

LABEL_ARRAYS = re.compile(
    r"members?|labels?|base_?labels?|base_?(?:clusterings?|partitions?|cls)|bps?|e|pi|ensembles?|idx|cls|clusterings?|"
    r"partitions?|y_?base|votes?",
    re.IGNORECASE,
)
FEATURE_ARRAYS = re.compile(r"x|features?|fea|data|points?|x_?(?:train|data)|samples|embeddings?", re.IGNORECASE)


def read_arrays(file: str, form: str, arrays: list[Stored], choices: Choices, max_cells: int) -> Table:
    check_parts(file, len(arrays))
    try:
        table = _table(file, form, arrays, choices, max_cells)
    except ValueError as trouble:
        trouble.parts = tuple(array.part for array in arrays)
        raise
    return replace(table, parts=tuple(array.part for array in arrays))


def _table(file, form, arrays, choices, max_cells) -> Table:
    main, hint, why = _choose(file, arrays, choices)
    used = replace(choices, variable=main.name)
    because = (why,) if why else ()
    missing = missing_texts(choices)
    if main.kind == "V":
        columns = _fields(file, main, missing, max_cells)
        return Table(file, form, columns, main.size, used, because=because)
    if main.is_vector and choices.variable is None:
        return _from_vectors(file, form, main, arrays, replace(choices, variable=None), missing, max_cells)
    if main.size == 0:
        raise fault(file, f"array {shown(main.name)} is empty", "save a table with rows and columns")
    values = _loaded(file, main, max_cells)
    if values.ndim == 1:
        values = values[:, None]
    others = [a for a in arrays if a is not main and not a.why_not and a.is_vector and a.size > 1]
    swap, because_swap = _turn(values, others, choices, hint)
    values = values.T if swap else values
    n, m = values.shape
    check_size(file, n, m, max_cells)
    names = numbered(m)
    columns = [_column(name, values[:, j], missing) for j, name in enumerate(names)]
    fitting = [a for a in others if a.size == n and a.name not in names]
    columns += [_column(a.name, _loaded(file, a, max_cells).ravel(), missing) for a in fitting]
    return Table(
        file,
        form,
        tuple(columns),
        n,
        used,
        notes=(f"Array {shown(main.name)} {main.note}.",) if main.note else (),
        because=(*because, because_swap),
        has_header=False,
        hint=hint,
        presets=_presets(fitting),
        turn=Turn({name: j for j, name in enumerate(names)}) if swap else None,
        oriented=True,
    )


def _presets(fitting: list[Stored]) -> dict[str, tuple[str, str]]:
    """The arrays beside the table that fit its objects: truth, ids, or something else."""
    found = {a.name: (OUT, "it is an array of its own beside the table") for a in fitting}
    truth = next((a for a in fitting if is_truth_name(a.name)), None)
    why = "it is called so and fits the objects"
    if truth is None and len(fitting) == 1 and fitting[0].kind in "iu" and not is_id_name(fitting[0].name):
        truth, why = fitting[0], "it is the only other array that fits the objects"
    if truth is not None:
        found[truth.name] = (TRUTH, why)
    ids = next((a for a in fitting if a is not truth and is_id_name(a.name)), None)
    if ids is not None:
        found[ids.name] = (ID, "it is called so and fits the objects")
    return found


def _turn(values, others, choices, hint) -> tuple[bool, str]:
    """Whether base clusterings stand in rows. A truth whose length fits only one way settles it."""
    if choices.transposed is not None:
        swap, why = choices.transposed, "as chosen"
    else:
        rows, columns = values.shape
        lengths = {a.size for a in others if is_truth_name(a.name)}
        if rows != columns and columns in lengths and rows not in lengths:
            swap, why = True, "the truth has as many entries as there are columns"
        elif rows in lengths:
            swap, why = False, "the truth has as many entries as there are rows"
        elif choices.kind == "features" or (hint and hint[0] == "features") or values.dtype.kind not in "iufb":
            swap, why = False, "features and texts are read so"
        else:
            swap, why = looks_transposed(values)
    return swap, f"Objects stand in {'columns' if swap else 'rows'}: {why}."


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
        shape = " x ".join(map(str, array.shape[:8]))
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


def _from_vectors(file, form, main, arrays, choices, missing, max_cells) -> Table:
    vectors = _vectors([a for a in arrays if not a.why_not])
    check_size(file, main.size, len(vectors), max_cells)
    columns = tuple(_column(a.name, _loaded(file, a, max_cells).ravel(), missing) for a in vectors)
    why = f"Each of the {len(vectors)} arrays of length {main.size:,} is read as a column."
    return Table(file, form, columns, main.size, choices, because=(why,))


def _fields(file, main, missing, max_cells) -> tuple[Column, ...]:
    """A structured array: one column per field."""
    check_cells(file, main.size, max_cells)
    values = main.load().ravel()
    check_size(file, len(values), len(values.dtype.names), max_cells)
    columns = []
    for name in values.dtype.names:
        field = values[name]
        if field.ndim != 1 or field.dtype.kind not in "iufbUSMm":
            raise fault(file, f"field {shown(name)} is {field.dtype}, not a column", "save plain numbers or texts")
        _check_texts(file, name, field.dtype, field.size)
        columns.append(_column(name, field, missing))
    return tuple(columns)


def _loaded(file, array: Stored, max_cells) -> np.ndarray:
    check_cells(file, array.size, max_cells if array.kind in "iufb" else min(max_cells, OBJECT_CELLS))
    values = array.load()
    if values.dtype.kind not in ("iufbUSO" if array.kind == "U" else "iufbUS"):
        raise fault(file, f"array {shown(array.name)} holds {values.dtype}", "save numbers or texts")
    _check_texts(file, array.name, values.dtype, values.size)
    return values


def _check_texts(file, name, dtype, size) -> None:
    if dtype.kind in "US":
        check_cells(file, size, OBJECT_CELLS)
        letters = dtype.itemsize // (4 if dtype.kind == "U" else 1)
        if letters > LONGEST_TEXT:
            raise endless(file, letters, 1, name)


def _column(name: str, values: np.ndarray, missing) -> Column:
    return classify(name, _cells(values), missing)


def _cells(values: np.ndarray) -> Cells:
    if values.dtype.kind in "iufb":
        return values.astype(values.dtype.newbyteorder("="), copy=False)
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "replace")
    return Coded.of(values.tolist())
