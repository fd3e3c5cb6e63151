"""Finding rows in a text table: asked only when there is something to say about one.

A quotation mark opens or closes a quotation wherever it stands; only small files are asked as exactly as the reader
takes them, mark by mark.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...numbers import counted
from ..limits import LONGEST_ROW, megabytes
from ..wording import fault, shown, too_large

# a quotation mark that is never closed makes one cell of the rest of the file: it must be found, not cut off
csv.field_size_limit(2**31 - 1)
_BLOCK = 4 * 2**20
_SMALL = 4 * 2**20  # bytes up to which rows are found mark by mark
_NEWLINE, _RETURN, _QUOTE, _TAB, _BLANK = b'\n\r"\t '


class Block(NamedTuple):
    """Some rows that are not blank, one after the other."""

    begins: np.ndarray  # where each begins in the data
    ends: np.ndarray
    cells: np.ndarray  # how many it has
    rows: np.ndarray  # the line of the file it begins in, from 1


class Rows:
    """The rows of a text table: the bytes from `start` on, below `skipped` lines."""

    def __init__(self, file: str, data: bytes, separator: str, start: int, skipped: int):
        self.file, self.data, self.separator, self.start, self.skipped = file, data, separator, start, skipped
        self.quoted = b'"' in data

    @cached_property
    def lines(self) -> int:
        """As many as objects if each object is one line and no line is blank."""
        ended = self.data.endswith(b"\n") or len(self.data) == self.start
        return self.data.count(b"\n", self.start) + (not ended)

    def numbers(self, n: int) -> int | np.ndarray:
        """The file's row of the first of n objects, or of each."""
        if self.lines == n:
            return self.skipped + 1
        found = [block.rows for block in self._blocks()]
        if sum(map(len, found)) != n and self.quoted and len(self.data) < 8 * _SMALL:
            found = [np.array([row for row, _ in self._records()], dtype=np.int64)]
        rows = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
        return rows if len(rows) == n else self.skipped + 1

    def letters(self, places: set[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """What stands in these cells (object, column), to the letter."""
        wanted: dict[int, list[int]] = {}
        for i, j in places:
            wanted.setdefault(i, []).append(j)
        found, last = {}, max(wanted, default=-1)
        for i, cells in self._cells_of(sorted(wanted), last):
            found |= {(i, j): cells[j] for j in wanted[i] if j < len(cells)}
        return found

    def refuse_ragged(self, width: int) -> None:
        """Name the first row that has more or fewer cells than the others."""
        found = self._first_not_of(width)
        if found is not None:
            row, count, text = found
            raise fault(
                self.file,
                f"there {'is' if count == 1 else 'are'} {counted(count, 'cell')} where the other rows have "
                f"{width:,}, it begins with {shown(text)}",
                "give every row the same number of cells, or choose another separator",
                row=row,
            )

    def refuse_endless(self) -> None:
        """Name the first row that is too long because of what stands between quotation marks."""
        for block in self._blocks():
            if (long := block.ends - block.begins > LONGEST_ROW).any():
                raise _endless(self.file, int(block.rows[long.argmax()]))

    def refuse_unclosed_quote(self) -> None:
        """An opening quotation mark that is never closed swallows the rest of the file."""
        if not self.quoted or self.data.count(b'"') % 2 == 0:
            return
        row, text = self._last()
        if "\n" in text:
            raise fault(
                self.file,
                f"a quotation mark is opened and never closed, before {shown(text)}",
                "close or remove it",
                row=row,
            )

    @property
    def _exactly(self) -> bool:
        return self.quoted and len(self.data) <= _SMALL

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """(row of the file, cells) of every row that is not blank, as the reader takes them; slow."""
        text = self.data.decode("utf-8", "replace")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator)
        try:
            while True:
                begins = reader.line_num
                cells = next(reader, None)
                if cells is None:
                    return
                if cells and begins >= self.skipped:
                    yield begins + 1, cells
        except csv.Error:
            return

    def _cells_of(self, wanted: list[int], last: int) -> Iterator[tuple[int, list[str]]]:
        if self._exactly:
            for i, (_, cells) in enumerate(self._records()):
                if i > last:
                    return
                yield i, cells
            return
        before = 0
        for block in self._blocks():
            for i in wanted:
                if 0 <= i - before < len(block.begins):
                    yield i, self._cut(int(block.begins[i - before]), int(block.ends[i - before]))
            before += len(block.begins)
            if before > last:
                return

    def _first_not_of(self, width: int) -> tuple[int, int, str] | None:
        """(row, how many cells it has, how it begins)."""
        if self._exactly:
            odd = ((row, len(cells), self.separator.join(cells)) for row, cells in self._records())
            return next((found for found in odd if found[1] != width), None)
        for block in self._blocks():
            if (odd := block.cells != width).any():
                k = int(odd.argmax())
                begin, end = int(block.begins[k]), min(int(block.ends[k]), int(block.begins[k]) + 1000)
                text = self.data[begin:end].rstrip(b"\r\n").decode("utf-8", "replace")
                return int(block.rows[k]), int(block.cells[k]), text
        return None

    def _last(self) -> tuple[int, str]:
        """(row, its last cell) of the last row."""
        if self._exactly:
            row, cells = self.skipped + 1, [""]
            for row, cells in self._records():  # noqa: B007
                pass
            return row, cells[-1]
        row = self.skipped + 1
        for block in self._blocks():
            row = int(block.rows[-1]) if len(block.rows) else row
        opened = self.data.rfind(b'"') + 1
        text = self.data[opened : opened + 1000].decode("utf-8", "replace")
        return row, text + "\n" * (self.data.find(b"\n", opened) >= 0)

    def _cut(self, begin: int, end: int) -> list[str]:
        text = self.data[begin:end].rstrip(b"\r\n").decode("utf-8", "replace")
        if '"' not in text:
            return text.split(self.separator)
        try:
            return next(csv.reader(io.StringIO(text, newline=""), delimiter=self.separator), [])
        except csv.Error:
            return text.split(self.separator)

    def _blocks(self) -> Iterator[Block]:
        everything = np.frombuffer(self.data, dtype=np.uint8)
        cut_at = ord(self.separator)
        at = begin = self.start
        line = first_line = self.skipped + 1
        cuts, inside = 0, np.uint8(0)  # of the row that goes on from one block into the next
        while at < len(everything):
            part = everything[at : at + _BLOCK]
            newline, cut = part == _NEWLINE, part == cut_at
            ending = newline
            if self.quoted:
                quoted = np.bitwise_xor.accumulate((part == _QUOTE).view(np.uint8)) ^ inside
                inside = quoted[-1]
                ending, cut = newline & (quoted == 0), cut & (quoted == 0)
            ends = np.flatnonzero(ending)
            last = at + len(part) == len(everything)
            if last and (not len(ends) or ends[-1] != len(part) - 1):
                ends = np.append(ends, len(part))  # the last line has no end
            if len(ends):
                so_far = np.searchsorted(np.flatnonzero(cut), ends)
                cells = np.diff(so_far, prepend=-cuts) + 1
                lines = np.searchsorted(np.flatnonzero(newline), ends, side="right")
                begins = np.concatenate([[begin], at + ends[:-1] + 1])
                rows = np.concatenate([[first_line], line + lines[:-1]])
                ends = at + ends
                length = ends - begins
                filled = length > 1
                few = np.flatnonzero(length == 1)
                filled[few] = everything[begins[few]] != _RETURN
                yield Block(begins[filled], ends[filled], cells[filled], rows[filled])
                begin, first_line = int(ends[-1]) + 1, line + int(lines[-1])
                cuts = int(cut.sum() - so_far[-1])
            else:
                cuts += int(cut.sum())
            line += int(newline.sum())
            at += len(part)


def refuse_endless_rows(file: str, data) -> None:
    """A row longer than any honest one is found before it is taken for a cell. `data` has rfind, find and slices."""
    place = 0
    while place + LONGEST_ROW < len(data):
        end = data.rfind(b"\n", place, place + LONGEST_ROW)
        if end < 0:
            raise _endless(file, data[:place].count(b"\n") + 1)
        place = end + 1


def _endless(file: str, row: int):
    return too_large(
        file,
        f"this row is longer than {megabytes(LONGEST_ROW)}",
        "give every object a row of its own, and check the line ends and quotation marks",
        row,
    )


def single_tabs(data: bytes) -> bytes:
    """Columns lined up with runs of blanks, as one tab each; what is quoted stays."""
    everything = np.frombuffer(data, dtype=np.uint8)
    parts, at = [], 0
    while at < len(data):
        end = data.find(b"\n", min(at + _BLOCK, len(data))) + 1 or len(data)
        inside = data.count(b'"', at, end) % 2
        while inside and end < len(data):  # in the middle of a quotation
            close = data.find(b'"', end)
            after = data.find(b"\n", close) + 1 or len(data) if close >= 0 else len(data)
            inside ^= data.count(b'"', end, after) % 2
            end = after
        parts.append(_tabs(everything[at:end]))
        at = end
    return b"".join(parts)


def _tabs(part: np.ndarray) -> bytes:
    blank = (part == _BLANK) | (part == _TAB)
    quotes = part == _QUOTE
    if quotes.any():
        blank &= np.bitwise_xor.accumulate(quotes.view(np.uint8)) == 0
    change = np.diff(blank.view(np.int8), prepend=0, append=0)
    first, after = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    around = np.concatenate([[_NEWLINE], part, [_NEWLINE]])  # around[i + 1] is part[i]
    at_begin = around[first] == _NEWLINE
    at_end = np.isin(around[after + 1], (_NEWLINE, _RETURN))
    inner = after[~at_begin & ~at_end] - 1
    out = part.copy()
    out[inner] = _TAB
    keep = ~blank
    keep[inner] = True
    return out[keep].tobytes()
