"""Text tables: CSV, TSV and their like. Guesses on a sample, then one pass by a compiled reader."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.csv

from .choices import Choices, missing_texts
from .encoding import as_utf8
from .grid import WHOLE, is_number
from .layout import Layout, find_layout
from .sentences import fault
from .sniff import SAMPLE
from .source import Source
from .table import Coded, Table, check_size
from .text_rows import refuse_ragged, refuse_unclosed_quote, text_records

_BLANKS = re.compile(rb"[ \t]+")
_EDGES = re.compile(rb"(?m)^\t|\t(?=\r?$)")
_BAD_VALUE = re.compile(r"In CSV column #(\d+):.*?CSV conversion error to (\w+).*?: invalid value '(.*)'", re.DOTALL)
_MOST_RETRIES = 8


def read_text(source: Source, choices: Choices, max_cells: int) -> Table:
    data, encoding, why = as_utf8(source.name, source.data, choices.encoding)
    sample = data[:SAMPLE].decode("utf-8", "ignore")
    layout = find_layout(source.name, sample, len(data) <= SAMPLE, choices)
    if layout.separator == " ":
        data = _single_tabs(data)
    text = _Text(source.name, data, layout, choices)
    text.refuse_broken_quotes()
    check_size(source.name, data.count(b"\n") - layout.skipped, len(layout.names), max_cells)
    columns, n = text.columns()
    used = replace(choices, encoding=encoding, separator=layout.separator, decimal=layout.decimal, header=layout.header)
    return Table(
        source.name,
        columns,
        n,
        used,
        row_of=text.row_of,
        raw=text.cell,
        because=[*layout.because, why],
        unnamed=layout.unnamed,
        has_header=layout.header,
    )


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
        texts = missing_texts(choices) - {text for text in missing_texts(choices) if is_number(text, layout.decimal)}
        self.nulls = frozenset({form for text in texts for form in (text, text.upper(), text.title(), _camel(text))})
        self.start = _line_start(data, layout.skipped)

    def refuse_broken_quotes(self) -> None:
        if self.quoted:
            refuse_unclosed_quote(self.file, self.data, self.separator)

    def columns(self) -> tuple[list, int]:
        """Every column as numbers where all its cells are numbers, else as texts."""
        types = [self._type_of(j) for j in range(len(self.layout.names))]
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
        return [(name, _cells(found.column(j))) for j, name in enumerate(self.layout.names)], found.num_rows

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

    def _type_of(self, j: int):
        """The narrowest type that holds every cell of the sample."""
        kind = pa.int64()
        seen = False
        for row in self.layout.sample[:2000]:
            cell = row[j].strip() if j < len(row) else ""
            if cell in self.nulls:
                continue
            seen = True
            if WHOLE.fullmatch(cell) and (cell[0] != "0" or cell == "0"):
                continue
            if not is_number(cell, self.layout.decimal) or (cell[0] == "0" and cell.isdigit()):
                return pa.string()  # also 007: the noughts of an id must not get lost
            kind = pa.float64()
        return kind if seen else pa.float64()

    @cached_property
    def _rows(self) -> np.ndarray:
        """The file's row of every object; needed only where blank lines or line breaks in cells stand between."""
        skipped = self.layout.skipped
        rows = (row for row, _ in text_records(self.data, self.separator))
        return np.fromiter((row for row in rows if row > skipped), dtype=np.int64)

    def row_of(self, i: int) -> int:
        return int(self._rows[i]) if i < len(self._rows) else self.layout.skipped + 1 + i

    def cell(self, i: int, j: int) -> str:
        wanted = self.row_of(i)
        for row, cells in text_records(self.data, self.separator):
            if row == wanted:
                return cells[j] if j < len(cells) else ""
        return ""


def _camel(text: str) -> str:
    return {"nan": "NaN"}.get(text, text)


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


def _cells(column: pa.ChunkedArray):
    if pa.types.is_string(column.type):
        found = column.dictionary_encode().unify_dictionaries().combine_chunks()
        if isinstance(found, pa.ChunkedArray):
            found = found.chunk(0) if found.num_chunks else pa.array([], type=pa.string()).dictionary_encode()
        codes = found.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return Coded(codes, found.dictionary.to_pylist())
    return column.to_numpy(zero_copy_only=False)
