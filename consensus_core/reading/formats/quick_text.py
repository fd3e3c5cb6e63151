"""Large plain text files by pandas' own parallel reader; at the least doubt the thorough reader takes over.

pandas fills short rows with nothing and guesses each column's type. Both are caught: a short row always lacks its last
cell, and a column that began as numbers must end as numbers (with a NUL byte in it, it does not).
"""

from __future__ import annotations

import codecs
import mmap
import os
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from ...errors import InputError
from ..choices import Choices
from ..coded import PANDAS_2, ArrowTexts
from ..file import SAMPLE, File
from ..guess.layout import Layout, find_layout
from ..limits import check_size
from .rows import refuse_endless_rows
from .text_types import null_texts, sample_types

LARGE = 8 * 2**20


def read_quickly(source: File, choices: Choices, max_cells: int) -> tuple[Layout, list, int] | None:
    """(layout, columns, number of rows), or None where the file is not plain enough to be sure."""
    if source.size < LARGE or not _plain(source.head, choices):
        return None
    try:
        layout = find_layout(source.name, source.head.decode("utf-8", "ignore"), False, choices)
    except InputError:
        return None  # the thorough reader says it, with the whole file at hand
    width = len(layout.names)
    rows = source.size / max(1, len(source.head) / max(1, len(layout.sample)))
    if any(len(row) != width for row in layout.cells) or rows * width > 1.2 * max_cells:
        return None
    nulls = null_texts(choices, layout.decimal)
    types = sample_types(layout, nulls)
    try:
        with _on_disk(source) as path, warnings.catch_warnings():
            warnings.simplefilter("error")
            with open(path, "rb") as raw, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as bytes_on_disk:
                refuse_endless_rows(source.name, bytes_on_disk)
                if PANDAS_2 and bytes_on_disk.find(b"\0") >= 0:  # it would read on as if there were none
                    return None
            frame = pd.read_csv(
                path,
                sep=r"\s+" if layout.separator == " " else layout.separator,
                decimal=layout.decimal,
                header=None,
                names=list(range(width)),
                skiprows=layout.skipped or None,
                dtype=dict.fromkeys(_doubtful(layout, types), "str") or None,
                keep_default_na=False,
                na_values=sorted(nulls),
                encoding="utf-8",
            )
    except (ValueError, TypeError, OverflowError, Warning, MemoryError, OSError):  # ParserError is a ValueError
        return None
    check_size(source.name, len(frame), width, max_cells)
    return _columns(frame, layout, types)


def _doubtful(layout: Layout, types) -> list[int]:
    """Columns of text that might be taken for something else: 007, yes and no. Others come out as text by themselves,
    twice as fast as when it is asked for; where a later part of the file changes that, pandas warns or the type shows
    it."""

    def doubtful(cell: str) -> bool:
        return bool(cell) and (not cell[0].isalpha() or cell.lower() in ("true", "false"))

    rows, texts = layout.cells, [j for j, kind in enumerate(types) if kind == pa.string()]
    return [j for j in texts if any(doubtful(row[j].strip()) for row in rows)]


@contextmanager
def _on_disk(source: File):
    """The parallel reader takes files only: what was uploaded is laid down for it, in memory where the system can."""
    if source.path is not None:
        yield source.path
        return
    if hasattr(os, "memfd_create"):
        with open(os.memfd_create("upload"), "wb") as place:
            place.write(source.data)
            place.flush()
            yield Path(f"/proc/self/fd/{place.fileno()}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upload"
        path.write_bytes(source.data)
        yield path


def _plain(head: bytes, choices: Choices) -> bool:
    if choices.encoding and codecs.lookup(choices.encoding).name not in ("utf-8", "ascii"):
        return False
    if b'"' in head or b"\0" in head or head.startswith(codecs.BOM_UTF8) or b"\r" in head.replace(b"\r\n", b""):
        return False
    try:
        head[: SAMPLE - 4].decode("utf-8")
        return True
    except UnicodeDecodeError as trouble:
        return trouble.start > SAMPLE - 8


def _columns(frame: pd.DataFrame, layout: Layout, types) -> tuple[Layout, list, int] | None:
    if not isinstance(frame.index, pd.RangeIndex) or list(frame.columns) != list(range(len(types))):
        return None
    if frame.iloc[:, -1].hasnans:
        return None  # an empty last cell, or a row that is too short: the thorough reader can tell
    columns = []
    for j, (name, kind) in enumerate(zip(layout.names, types, strict=True)):
        series = frame[j]
        if kind == pa.string():
            text = _text(series)
            if text is None or any(0 in np.frombuffer(buffer, dtype=np.uint8) for buffer in _texts(text)):
                return None
            columns.append((name, ArrowTexts(text)))
        elif series.dtype.kind in "if":
            columns.append((name, np.asarray(series)))
        else:
            return None
    return layout, columns, len(frame)


def _text(series: pd.Series) -> pa.Array | pa.ChunkedArray | None:
    if series.dtype == "str":
        return pa.array(series.array)
    try:  # before pandas 3 texts are objects, and so is what is not all text
        return pa.array(series.to_numpy(), pa.string(), from_pandas=True) if series.dtype == object else None
    except pa.ArrowException:
        return None


def _texts(column) -> list[pa.Buffer]:
    """Where the letters of all texts stand, one after another."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [chunk.buffers()[2] for chunk in chunks if chunk.buffers()[2] is not None]
