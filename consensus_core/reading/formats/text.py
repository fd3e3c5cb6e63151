"""Text tables: CSV, TSV and their like. Guesses on a sample, then one pass by a compiled reader."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property

import pyarrow as pa
import pyarrow.csv

from ...errors import InputError
from ..choices import ID, Choices, missing_texts
from ..column import classify
from ..file import SAMPLE, File
from ..guess.header import is_number
from ..guess.layout import Layout, find_layout
from ..limits import LONGEST_ROW, MOST_COLUMNS, check_size
from ..progress import tell
from ..table import HEAD, Table, doubtful, refuse_endless_texts
from ..wording import fault
from .encoding import as_utf8
from .quick_text import read_quickly
from .rows import Rows, refuse_endless_rows, single_tabs
from .text_types import cells_of, null_texts, sample_types

_BAD_VALUE = re.compile(r"In CSV column #(\d+):.*?CSV conversion error to (\w+).*?: invalid value '(.*)'", re.DOTALL)
_MOST_RETRIES = 8
_FIRST_LINES = 4  # which a sample holds whole, however long they are


def read_text(source: File, choices: Choices, max_cells: int) -> Table:
    """The quick reader where the file looks plain and all goes well, else the thorough one, which names every fault."""
    tell("reading the rows")
    thorough = _Thorough(source, choices, max_cells)
    found = read_quickly(source, choices, max_cells)
    if found is None:
        layout, encoding, why = thorough.layout, thorough.encoding, thorough.why
        try:
            cells, n = thorough.text.columns()
        except InputError as trouble:
            trouble.seen = [(name, [row[j] for row in layout.cells[:HEAD] if j < len(row)])
                            for j, name in enumerate(layout.names)]  # fmt: skip
            raise
    else:
        layout, cells, n = found
        encoding, why = "utf-8", "The encoding is utf-8: nothing in the file contradicts it."
    tell("looking at the columns")
    missing = missing_texts(choices)
    columns = tuple(classify(name, each, missing, layout.decimal) for name, each in cells)
    rows, letters = _places(layout, columns, n, thorough)
    table = Table(
        source.name,
        "text",
        columns,
        n,
        replace(choices, encoding=encoding, separator=layout.separator, decimal=layout.decimal, header=layout.header),
        rows=rows,
        letters=letters,
        because=(*layout.because, why),
        unnamed=layout.unnamed,
        has_header=layout.header,
        presets={layout.names[0]: (ID, "the header has no cell above it, as R writes row names")}
        if layout.row_names
        else {},
    )
    refuse_endless_texts(source.name, columns, table.row_of)
    return table


def _places(layout: Layout, columns, n: int, thorough: _Thorough):
    """(the file's rows, what stands in doubtful cells); the whole text is looked through only where it has to be."""
    doubts, sample = set(doubtful(columns)), layout.sample
    near = {(i, j) for i, j in doubts if i < len(sample) and j < len(sample[i][1])}
    letters = {(i, j): sample[i][1][j].strip() for i, j in near}
    regular = all(line == layout.skipped + i for i, (line, _) in enumerate(sample))
    if regular and doubts == near and n > MOST_COLUMNS:
        return layout.skipped + 1, letters
    rows = thorough.text.rows
    return rows.numbers(n), letters | rows.letters(doubts - near)


def beginning(data: bytes) -> tuple[bytes, bool]:
    """(a sample that holds the first lines whole, is it everything)."""
    end = 0
    for _ in range(_FIRST_LINES):
        end = data.find(b"\n", end) + 1 or len(data)
    end = max(SAMPLE, end)
    return data[:end], end >= len(data)


class _Thorough:
    """The whole text in UTF-8, prepared when somebody asks for it."""

    def __init__(self, source: File, choices: Choices, max_cells: int):
        self.source, self.choices, self.max_cells = source, choices, max_cells

    @cached_property
    def _decoded(self) -> tuple[bytes, str, str]:
        found = as_utf8(self.source.name, self.source.data, self.choices.encoding)
        refuse_endless_rows(self.source.name, found[0])
        return found

    @property
    def encoding(self) -> str:
        return self._decoded[1]

    @property
    def why(self) -> str:
        return self._decoded[2]

    @cached_property
    def layout(self) -> Layout:
        sample, whole = beginning(self._decoded[0])
        return find_layout(self.source.name, sample.decode("utf-8", "ignore"), whole, self.choices)

    @cached_property
    def text(self) -> _Text:
        data, layout = self._decoded[0], self.layout
        if layout.separator == " ":
            data = single_tabs(data)
        text = _Text(self.source.name, data, layout, self.choices)
        text.rows.refuse_unclosed_quote()
        check_size(self.source.name, data.count(b"\n") - layout.skipped, len(layout.names), self.max_cells)
        return text


class _Text:
    """One text table being read: its bytes, how it is laid out, and where its rows stand."""

    def __init__(self, file: str, data: bytes, layout: Layout, choices: Choices):
        self.file, self.data, self.layout = file, data, layout
        self.separator = "\t" if layout.separator == " " else layout.separator
        self.nulls = null_texts(choices, layout.decimal)
        self.start = _line_start(data, layout.skipped)
        self.rows = Rows(file, data, self.separator, self.start, layout.skipped)

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
                    self.rows.refuse_ragged(len(types))
                    if "straddl" in str(trouble) and block < 2 * LONGEST_ROW:
                        block = 2 * LONGEST_ROW
                        continue
                    self.rows.refuse_endless()
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
            parse_options=pyarrow.csv.ParseOptions(delimiter=self.separator, newlines_in_values=self.rows.quoted),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict(zip(keys, types, strict=True)),
                null_values=sorted(self.nulls),
                strings_can_be_null=True,
                decimal_point=self.layout.decimal,
                check_utf8=False,  # known to be UTF-8 since it was decoded
            ),
        )


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
