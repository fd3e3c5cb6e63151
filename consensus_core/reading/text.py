"""Text tables: CSV, TSV and their like. Guesses on a sample, then one pass by a compiled reader."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.csv

from .choices import Choices
from .encoding import as_utf8
from .grid import is_number
from .layout import Layout, find_layout
from .sentences import fault
from .source import SAMPLE, Source
from .table import Table, check_size
from .text_quick import read_quickly
from .text_rows import refuse_ragged, refuse_unclosed_quote, text_records
from .text_types import cells_of, null_texts, sample_types

_BLANKS = re.compile(rb"[ \t]+")
_EDGES = re.compile(rb"(?m)^\t|\t(?=\r?$)")
_BAD_VALUE = re.compile(r"In CSV column #(\d+):.*?CSV conversion error to (\w+).*?: invalid value '(.*)'", re.DOTALL)
_MOST_RETRIES = 8


def read_text(source: Source, choices: Choices, max_cells: int) -> Table:
    """The quick reader where the file looks plain and all goes well, else the thorough one, which names every fault."""
    thorough = _Thorough(source, choices, max_cells)
    found = read_quickly(source, choices, max_cells)
    if found is None:
        text = thorough.text
        layout, encoding, why = text.layout, thorough.encoding, thorough.why
        columns, n = text.columns()
    else:
        layout, columns, n = found
        encoding, why = "utf-8", "The encoding is utf-8: nothing in the file contradicts it."
    used = replace(choices, encoding=encoding, separator=layout.separator, decimal=layout.decimal, header=layout.header)
    return Table(
        source.name,
        columns,
        n,
        used,
        row_of=lambda i: thorough.text.row_of(i, n),
        raw=lambda i, j: thorough.text.cell(i, j, n),
        because=[*layout.because, why],
        unnamed=layout.unnamed,
        has_header=layout.header,
    )


class _Thorough:
    """The whole text in UTF-8, prepared when somebody asks for it."""

    def __init__(self, source: Source, choices: Choices, max_cells: int):
        self.source, self.choices, self.max_cells = source, choices, max_cells
        self.encoding = self.why = ""

    @cached_property
    def text(self) -> _Text:
        source = self.source
        data, self.encoding, self.why = as_utf8(source.name, source.data, self.choices.encoding)
        layout = find_layout(source.name, data[:SAMPLE].decode("utf-8", "ignore"), len(data) <= SAMPLE, self.choices)
        if layout.separator == " ":
            data = _single_tabs(data)
        text = _Text(source.name, data, layout, self.choices)
        text.refuse_broken_quotes()
        check_size(source.name, data.count(b"\n") - layout.skipped, len(layout.names), self.max_cells)
        return text


def _single_tabs(data: bytes) -> bytes:
    """Columns lined up with runs of blanks, as one tab each."""
    if b'"' not in data:
        return _EDGES.sub(b"", _BLANKS.sub(b"\t", data))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    for line in data.decode("utf-8").split("\n"):
        try:
            cells = next(csv.reader([re.sub(r"[ \t]+", " ", line.strip())], delimiter=" "), [])
        except csv.Error:
            cells = line.split()
        writer.writerow(cells)
    return out.getvalue().encode("utf-8")


class _Text:
    """One text table being read: its bytes, how it is laid out, and where its rows stand."""

    def __init__(self, file: str, data: bytes, layout: Layout, choices: Choices):
        self.file, self.data, self.layout = file, data, layout
        self.separator = "\t" if layout.separator == " " else layout.separator
        self.quoted = b'"' in data
        self.nulls = null_texts(choices, layout.decimal)
        self.start = _line_start(data, layout.skipped)

    def refuse_broken_quotes(self) -> None:
        if self.quoted:
            refuse_unclosed_quote(self.file, self.data, self.separator)

    def columns(self) -> tuple[list, int]:
        """Every column as numbers where all its cells are numbers, else as texts."""
        types = sample_types(self.layout, self.nulls)
        if self.data.find(b"0x", self.start) >= 0:  # the reader would take 0x10 for the whole number 16
            types = [pa.float64() if kind == pa.int64() else kind for kind in types]
        block = max(1 << 20, 8 * (len(self.data) - self.start) // max(1, self.data.count(b"\n", self.start)))
        for attempt in range(_MOST_RETRIES):
            try:
                found = self._read(types, block)
                break
            except pa.ArrowInvalid as trouble:
                bad = _BAD_VALUE.search(str(trouble))
                if bad is None or attempt == _MOST_RETRIES - 1:
                    refuse_ragged(self.file, self.data, self.separator, len(types), self.layout.skipped)
                    if "straddl" in str(trouble) and block < len(self.data):
                        block = min(len(self.data) + 1, 2**31 - 1)
                        continue
                    raise fault(
                        self.file, "the rows cannot be told apart", "check separators and quotation marks"
                    ) from None
                _widen(types, int(bad[1]), bad[2], bad[3], attempt)
        return [(name, cells_of(found.column(j))) for j, name in enumerate(self.layout.names)], found.num_rows

    def _read(self, types, block) -> pa.Table:
        keys = [str(j) for j in range(len(types))]  # names may be odd, numbers are not
        body = pa.py_buffer(self.data).slice(self.start)
        if not self.data[self.start : self.start + 4096].strip() and not self.data[self.start :].strip():
            return pa.table({key: pa.array([], type=pa.float64()) for key in keys})
        return pyarrow.csv.read_csv(
            pa.BufferReader(body),
            read_options=pyarrow.csv.ReadOptions(column_names=keys, block_size=int(block)),
            parse_options=pyarrow.csv.ParseOptions(delimiter=self.separator, newlines_in_values=self.quoted),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict(zip(keys, types, strict=True)),
                null_values=sorted(self.nulls),
                strings_can_be_null=True,
                decimal_point=self.layout.decimal,
                check_utf8=False,  # known to be UTF-8 since it was decoded
            ),
        )

    @cached_property
    def _rows(self) -> np.ndarray:
        """The file's row of every object; needed only where blank lines or line breaks in cells stand between."""
        skipped = self.layout.skipped
        rows = (row for row, _ in text_records(self.data, self.separator))
        return np.fromiter((row for row in rows if row > skipped), dtype=np.int64)

    @cached_property
    def _lines(self) -> int:
        """Lines below the header; as many as objects if each object is one line and no line is blank."""
        ended = self.data.endswith(b"\n") or len(self.data) == self.start
        return self.data.count(b"\n", self.start) + (not ended)

    def row_of(self, i: int, n: int) -> int:
        """The file's row of object i of n."""
        if self._lines == n and not self.quoted:
            return self.layout.skipped + 1 + i
        return int(self._rows[i]) if i < len(self._rows) else self.layout.skipped + 1 + i

    def cell(self, i: int, j: int, n: int) -> str:
        """What stands in column j of object i, to the letter."""
        wanted = self.row_of(i, n)
        if not self.quoted:
            line = next(islice(io.BytesIO(self.data), wanted - 1, None), b"")
            cells = line.rstrip(b"\r\n").decode("utf-8", "replace").split(self.separator)
            return cells[j] if j < len(cells) else ""
        for row, cells in text_records(self.data, self.separator):
            if row == wanted:
                return cells[j] if j < len(cells) else ""
        return ""


def _line_start(data: bytes, line: int) -> int:
    """Where line number `line` (from 0) begins."""
    place = 0
    for _ in range(line):
        end = data.find(b"\n", place)
        if end < 0:
            return len(data)
        place = end + 1
    return place


def _widen(types, column: int, failed: str, value: str, attempt: int) -> None:
    """A cell deep in the file does not fit the type its column had so far."""
    if attempt >= 4:
        types[:] = [pa.string()] * len(types)
    elif failed == "int64" and is_number(value.strip()) and not value.strip().lstrip("+-").isdigit():
        # probably whole numbers written as floats, or decimals that come late: then in other columns too
        types[:] = [pa.float64() if kind == pa.int64() else kind for kind in types]
    else:
        types[column] = pa.string()
