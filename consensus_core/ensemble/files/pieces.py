"""Which files there are, what is in them, and the pieces in which they are read."""

from __future__ import annotations

import csv
import glob
import gzip
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from ...numbers import counted
from .models import Models

ROWS = 4_000_000  # a piece of a Parquet file holds about so many
KINDS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".csv.gz": "csv"}


@dataclass(frozen=True)
class Piece:
    """What one process reads at a time: some row groups of a Parquet file, or a whole CSV file."""

    number: int
    path: str
    kind: str
    groups: tuple[int, ...] = ()
    first: int = 0  # rows of the file before it
    rows: int | None = None  # None: not known before it is read

    @property
    def name(self) -> str:
        return Path(self.path).name


@dataclass(frozen=True)
class Files:
    """A label table that lies in several files."""

    pieces: tuple[Piece, ...]
    columns: tuple[str, ...]  # the base clusterings
    ids: str | None  # the column that names the objects
    stamp: str  # of the files as they were found: names, sizes, times
    models: Models | None = None  # what base clusterings follow from, where they are no columns

    @property
    def paths(self) -> list[str]:
        return list(dict.fromkeys(piece.path for piece in self.pieces))

    @property
    def rows(self) -> int | None:
        """All objects, where the files say so before they are read."""
        known = [piece.rows for piece in self.pieces]
        return None if None in known else sum(known)


def find_files(where, columns: Sequence[str] | None = None, ids: str | None = None) -> Files:
    """`where`: a file, a folder, a glob, or a list of files. Without `columns`, every column but `ids` is a base
    clustering."""
    paths = _paths(where)
    kinds = {_kind(path) for path in paths}
    if len(kinds) > 1:
        raise InputError(
            f"{where}: some files are CSV and some are Parquet; name those of one kind, such as *.parquet."
        )
    heads = {path: _names(path) for path in paths}
    chosen = _columns(heads, columns, ids)
    pieces = [piece for path in paths for piece in (_parts(path) if kinds == {"parquet"} else [Piece(0, path, "csv")])]
    if not pieces:
        raise InputError(f"{where}: there is not a single row in {counted(len(paths), 'file')}.")
    numbered = tuple(Piece(at, *_rest(piece)) for at, piece in enumerate(pieces))
    return Files(numbered, tuple(chosen), ids, stamp_of(paths))


def _rest(piece: Piece) -> tuple:
    return piece.path, piece.kind, piece.groups, piece.first, piece.rows


def _paths(where) -> list[str]:
    if isinstance(where, (str, os.PathLike)):
        text = os.fspath(where)
        if os.path.isdir(text):
            found = [os.path.join(text, name) for name in os.listdir(text) if _ending(name) and name[0] not in "._"]
        else:
            found = [text] if os.path.exists(text) else glob.glob(text, recursive=True)
    elif isinstance(where, Iterable):
        found = [os.fspath(one) for one in where]
    else:
        raise InputError(
            f"A file, a folder, a pattern like 'runs/*.parquet' or a list of files is needed, not {where!r}."
        )
    if absent := [path for path in found if not os.path.isfile(path)]:
        raise InputError(f"{absent[0]}: there is no such file.")
    if not found:
        raise InputError(f"{where}: no Parquet or CSV file is there.")
    if strange := [path for path in found if not _ending(path)]:
        raise InputError(f"{strange[0]}: files must end in {', '.join(KINDS)}.")
    return sorted(os.path.abspath(path) for path in found)


def _ending(path: str) -> str:
    return next((ending for ending in KINDS if path.lower().endswith(ending)), "")


def _kind(path: str) -> str:
    return KINDS[_ending(path)]


def _names(path: str) -> list[str]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        if _kind(path) == "parquet":
            return parquet.read_schema(path).names
        with opened(path) as file:
            return next(csv.reader(file), [])
    except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError, csv.Error) as fault:
        raise InputError(f"{Path(path).name} cannot be read: {_first_line(fault)}") from None


def opened(path: str, errors: str = "strict"):
    """A CSV file as text, packed or not."""
    return (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="", encoding="utf-8-sig", errors=errors)


def _columns(heads: dict[str, list[str]], columns, ids: str | None) -> list[str]:
    first, names = next(iter(heads.items()))
    chosen = [name for name in names if name != ids] if columns is None else list(columns)
    if not chosen:
        raise InputError(f"{Path(first).name}: there is no column beside {ids!r}; a base clustering is needed.")
    wanted = [*chosen, *([ids] if ids else [])]
    for path, names in heads.items():
        if lost := [name for name in wanted if name not in names]:
            there = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            raise InputError(f"{Path(path).name} has no column {lost[0]!r}; it has {there}.")
        if twice := [name for name in wanted if names.count(name) > 1]:
            raise InputError(f"{Path(path).name}: two columns are called {twice[0]!r}.")
    return chosen


def _parts(path: str) -> list[Piece]:
    from pyarrow import parquet

    about, parts, groups, first, rows = parquet.read_metadata(path), [], [], 0, 0
    for group in range(about.num_row_groups):
        groups.append(group)
        rows += about.row_group(group).num_rows
        if rows >= ROWS or group == about.num_row_groups - 1:
            if rows:
                parts.append(Piece(0, path, "parquet", tuple(groups), first, rows))
            groups, first, rows = [], first + rows, 0
    return parts


def stamp_of(paths: Iterable[str]) -> str:
    """Changes when a file is another one, or was written to."""
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        about = os.stat(path)
        digest.update(f"{path}\0{about.st_size}\0{about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _first_line(fault: Exception) -> str:
    return str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__
