"""The two ways in: read a file, or list the arrays and sheets one could choose from it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError
from .arrays import table_of
from .assemble import assemble
from .choices import Choices, check_choices
from .columnar import read_columnar
from .excel import Workbook, read_excel
from .matlab5 import mat5_arrays
from .matlab73 import mat73_arrays
from .numpy_files import npy_arrays, npz_arrays
from .records import read_json
from .result import NamedArray, Reading
from .sentences import fault, too_large
from .sniff import contradiction, sniff
from .source import Source, gunzipped, take, tidy
from .stored import Stored
from .table import Table
from .text import read_text
from .zipped import Archive

MAX_BYTES = 2**30
MAX_CELLS = 100_000_000


def read(
    source: str | Path | bytes | BinaryIO,
    name: str | None = None,
    choices: Choices = Choices(),  # noqa: B008  frozen
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
) -> Reading:
    """Read a file of features or of base labels, find out what is what and say why."""
    with _only_sentences(source, name):
        content = take(source, name, max_bytes)
        check_choices(choices, content.name)
        content, form, archive, remarks = _opened(content, max_bytes)
        table = _table(content, form, archive, choices, max_bytes, max_cells)
        table.because.extend(remarks)
        return assemble(table, choices)


def arrays(
    source: str | Path | bytes | BinaryIO, name: str | None = None, max_bytes: int = MAX_BYTES
) -> list[NamedArray]:
    """The named arrays or sheets of a file, so that one can be chosen; none for files that hold one table."""
    with _only_sentences(source, name):
        content, form, archive, _ = _opened(take(source, name, max_bytes), max_bytes)
        if form == "xlsx":
            book = Workbook(content, archive)
            return [NamedArray(title, book.shape(title, MAX_CELLS), "sheet") for title in book.sheets]
        stored = _stored(content, form, archive, max_bytes) if form in ("npy", "npz", "mat5", "mat73") else []
        return [
            NamedArray(a.name, a.shape, a.kind, not a.why_not and len(a.shape) in (1, 2), a.why_not) for a in stored
        ]


@contextmanager
def _only_sentences(source, name):
    """Whatever a damaged file makes a library raise leaves here as a sentence."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise too_large(_called(source, name), "it does not fit into memory", "give fewer rows or columns") from None
    except RecursionError:
        raise fault(_called(source, name), "it is nested far too deep", "save a plain table") from None
    except Exception as trouble:
        raise fault(
            _called(source, name),
            f"the file is damaged in a way nobody foresaw ({type(trouble).__name__})",
            "save it again, or in another format such as CSV",
        ) from trouble


def _called(source, name) -> str:
    return tidy(name or (source if isinstance(source, (str, Path)) else getattr(source, "name", None)) or "data")


def _opened(content: Source, max_bytes: int) -> tuple[Source, str, Archive | None, list[str]]:
    """(unpacked content, its form, its entries if it is a ZIP container, remarks)."""
    form = sniff(content)
    remarks = []
    if form == "gzip":
        content = gunzipped(content, max_bytes)
        form = sniff(content)
        if form == "gzip":
            raise fault(content.name, "it is packed twice", "unpack it and give the table alone")
        remarks.append("The file is packed with gzip and was unpacked.")
    archive = None
    if form == "zip":
        archive = Archive(content, max_bytes)
        form = archive.kind()
    if said := contradiction(content.name, form):
        remarks.append(said)
    return content, form, archive, remarks


def _table(content, form, archive, choices, max_bytes, max_cells) -> Table:
    if form == "text":
        return read_text(content, choices, max_cells)
    if form == "json":
        return read_json(content, choices, max_cells)
    if form == "xlsx":
        return read_excel(content, archive, choices, max_cells)
    if form in ("parquet", "feather"):
        return read_columnar(content, form, choices, max_bytes, max_cells)
    return table_of(content.name, _stored(content, form, archive, max_bytes), choices, max_cells)


def _stored(content, form, archive, max_bytes) -> list[Stored]:
    if form == "npy":
        return npy_arrays(content)
    if form == "npz":
        return npz_arrays(content, archive)
    return mat5_arrays(content, max_bytes) if form == "mat5" else mat73_arrays(content, max_bytes)
