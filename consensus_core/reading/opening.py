"""From a file to a table of judged columns: what it is, how it is packed, which reader knows it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError
from .choices import Choices, check_choices
from .file import File, take, tidy
from .formats.archive import Archive, gunzipped
from .formats.arrays import read_arrays
from .formats.columnar import read_columnar
from .formats.excel import read_excel
from .formats.json import read_json
from .formats.matlab5 import mat5_arrays
from .formats.matlab73 import mat73_arrays
from .formats.numpy import npy_arrays, npz_arrays
from .formats.sniff import contradiction, sniff
from .formats.stored import Stored
from .formats.text import read_text
from .limits import MAX_BYTES, MAX_CELLS
from .table import Table
from .wording import fault, too_large

Given = str | Path | bytes | BinaryIO


def opened(
    source: Given,
    name: str | None = None,
    choices: Choices = Choices(),  # noqa: B008  frozen
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
) -> Table:
    """The columns of a file, each judged by itself. What is wrong with the file is one sentence (InputError), which
    carries what had been seen until then: `seen`, the columns with their first cells, and `parts`."""
    with _only_sentences(source, name):
        content = take(source, name, max_bytes)
        check_choices(choices, content.name)
        content, form, archive, remarks = _unpacked(content, max_bytes)
        table = _table(content, form, archive, choices, max_bytes, max_cells)
        return replace(table, because=(*table.because, *remarks))


@contextmanager
def _only_sentences(source, name):
    """Whatever a damaged file makes a library raise leaves here as a sentence."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise too_large(called(source, name), "it does not fit into memory", "give fewer rows or columns") from None
    except RecursionError:
        raise fault(called(source, name), "it is nested far too deep", "save a plain table") from None
    except Exception as trouble:
        raise fault(
            called(source, name),
            f"the file is damaged in a way nobody foresaw ({type(trouble).__name__})",
            "save it again, or in another format such as CSV",
        ) from trouble


def called(source, name) -> str:
    """The name by which sentences call the file."""
    return tidy(name or (source if isinstance(source, (str, Path)) else getattr(source, "name", None)) or "data")


def _unpacked(content: File, max_bytes: int) -> tuple[File, str, Archive | None, list[str]]:
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
    return read_arrays(content.name, form, _stored(content, form, archive, max_bytes), choices, max_cells)


def _stored(content, form, archive, max_bytes) -> list[Stored]:
    if form == "npy":
        return npy_arrays(content)
    if form == "npz":
        return npz_arrays(content, archive)
    return mat5_arrays(content, max_bytes) if form == "mat5" else mat73_arrays(content, max_bytes)
