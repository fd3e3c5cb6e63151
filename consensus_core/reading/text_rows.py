"""Finding a place in a text table: slow and exact, called only when there is something to say about it."""

from __future__ import annotations

import csv
import io

from .sentences import counted, fault, shown

# a quotation mark that is never closed makes one cell of the rest of the file: it must be found, not cut off
csv.field_size_limit(2**31 - 1)


def text_records(data: bytes, separator: str):
    """(row of the file from 1, cells) of every row that is not blank. A quoted row is where it begins."""
    if b'"' not in data:
        for number, line in enumerate(io.BytesIO(data), 1):
            line = line.rstrip(b"\r\n")
            if line:
                yield number, line.decode("utf-8", "replace").split(separator)
        return
    reader = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""), delimiter=separator)
    try:
        while True:
            begins = reader.line_num
            cells = next(reader, None)
            if cells is None:
                return
            if cells:
                yield begins + 1, cells
    except csv.Error:
        return


def refuse_ragged(file: str, data: bytes, separator: str, width: int, skipped: int) -> None:
    """Name the first row that has more or fewer cells than the others."""
    for row, cells in text_records(data, separator):
        if row > skipped and len(cells) != width:
            raise fault(
                file,
                f"there {'is' if len(cells) == 1 else 'are'} {counted(len(cells), 'cell')} where the other rows have "
                f"{width:,}, it begins with {shown(separator.join(cells))}",
                "give every row the same number of cells, or choose another separator",
                row=row,
            )


def refuse_unclosed_quote(file: str, data: bytes, separator: str) -> None:
    """An opening quotation mark that is never closed swallows the rest of the file."""
    if data.count(b'"') % 2 == 0:
        return
    last = None
    for last in text_records(data, separator):  # noqa: B007
        pass
    if last and any("\n" in cell for cell in last[1][-1:]):
        raise fault(
            file,
            f"a quotation mark is opened and never closed, before {shown(last[1][-1])}",
            "close or remove it",
            row=last[0],
        )
