"""Excel workbooks (XLSX), read by their cached values; merged cells and formulas without a value are named."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import replace

from ..errors import InputError
from .cells import Coded
from .choices import Choices, missing_texts
from .grid import column_names, find_header
from .sentences import counted, fault, listed, shown
from .source import Source
from .table import Table, check_cells, check_size, numbered
from .zipped import Archive

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*ref="([A-Z0-9:]{1,24})"')
_FORMULA = re.compile(
    rb'<(?:\w+:)?c [^>]*?r="([A-Z]{1,3}[0-9]{1,7})"[^>]*>\s*<(?:\w+:)?f[ />](.*?)</(?:\w+:)?c>', re.DOTALL
)
_SAVE = "save the workbook again as .xlsx, or as CSV"


class Workbook:
    def __init__(self, source: Source, archive: Archive):
        import openpyxl

        self.file, self._archive = source.name, archive
        for name in archive.names:
            if name.endswith((".xml", ".rels")) and b"<!DOCTYPE" in archive.head(name, 4096):
                raise fault(self.file, "its XML declares entities, as harmful files do", _SAVE)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # remarks on styles and extensions that do not matter here
                self._book = openpyxl.load_workbook(
                    io.BytesIO(source.data), read_only=True, data_only=True, keep_links=False
                )
            self.sheets = [sheet.title for sheet in self._book.worksheets]
        except Exception:  # openpyxl raises whatever a damaged part causes
            raise fault(self.file, "this Excel workbook is damaged", _SAVE) from None
        if not self.sheets:
            raise fault(self.file, "there is no sheet with cells in this workbook", _SAVE)

    def rows(self, title: str, max_cells: int) -> list[list]:
        """Every row up to the last with content, all of one width."""
        found, cells, width = [], 0, 0
        try:
            sheet = self._book[title]
            sheet.reset_dimensions()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for row in sheet.iter_rows(values_only=True):
                    row = list(row)
                    while row and (row[-1] is None or (isinstance(row[-1], str) and not row[-1].strip())):
                        row.pop()
                    cells += max(1, len(row))
                    check_cells(self.file, cells, max_cells)
                    found.append(row)
        except InputError:
            raise
        except Exception:  # openpyxl reads rows as they are asked for, and a damaged sheet ends it in any way there is
            raise fault(self.file, f"sheet {shown(title)} is damaged", _SAVE) from None
        while found and not found[-1]:
            found.pop()
        width = max(map(len, found), default=0)
        check_size(self.file, len(found), max(1, width), max_cells)
        return [row + [None] * (width - len(row)) for row in found]

    def shape(self, title: str, max_cells: int) -> tuple[int, int]:
        rows = self.rows(title, max_cells)
        return len(rows), len(rows[0]) if rows else 0

    def refuse_traps(self, title: str) -> None:
        """Merged cells and formulas that were never computed, found in the sheet's own XML."""
        path = getattr(self._book[title], "_worksheet_path", "").lstrip("/")
        if path not in self._archive.names:
            return
        text = self._archive.read(path)
        if merged := _MERGED.search(text):
            raise fault(
                self.file,
                f"sheet {shown(title)} has merged cells at {merged[1].decode()}",
                "split them, so that every cell stands alone",
            )
        if b"<f" in text or b":f" in text:
            for formula in _FORMULA.finditer(text):
                if not re.search(rb"<(?:\w+:)?v>[^<]", formula[2]):
                    column, row = re.fullmatch(r"([A-Z]+)([0-9]+)", formula[1].decode()).groups()
                    raise fault(
                        self.file,
                        f"the formula in cell {column}{row} of sheet {shown(title)} has no computed value",
                        "open the workbook in Excel and save it, or paste the values",
                        row=int(row),
                    )


def read_excel(source: Source, archive: Archive, choices: Choices, max_cells: int) -> Table:
    book = Workbook(source, archive)
    title, rows, why = _sheet(book, choices, max_cells)
    book.refuse_traps(title)
    begin = next(i for i, row in enumerate(rows) if row)
    blank = [i for i, row in enumerate(rows) if i >= begin and all(cell is None for cell in row)]
    body = [row for i, row in enumerate(rows) if i >= begin and i not in set(blank)]
    places = [i + 1 for i in range(begin, len(rows)) if i not in set(blank)]
    texts = [["" if cell is None else str(cell) for cell in row] for row in body[:400]]
    header, reason = find_header(texts[0], texts[1:], ".", missing_texts(choices))
    if choices.header is not None:
        header, reason = choices.header, "as chosen"
    if header:
        names, unnamed = column_names(source.name, texts[0], places[0])
        body, places = body[1:], places[1:]
    else:
        names, unnamed = numbered(len(body[0])), frozenset()
    check_size(source.name, len(body), len(names), max_cells)
    columns = [(name, Coded.of([_cell(row[j]) for row in body])) for j, name in enumerate(names)]
    return Table(
        source.name,
        columns,
        len(body),
        replace(choices, sheet=title, header=header),
        row_of=lambda i: places[i] if i < len(places) else i + 1,
        raw=lambda i, j: "" if body[i][j] is None else str(body[i][j]),
        because=[why, f"{'The first row is a header' if header else 'There is no header'}: {reason}."],
        notes=[f"{counted(len(blank), 'blank row was', 'blank rows were')} passed over."] if blank else [],
        unnamed=unnamed,
        has_header=header,
    )


def _sheet(book: Workbook, choices, max_cells) -> tuple[str, list, str]:
    if choices.sheet is not None:
        if choices.sheet not in book.sheets:
            raise fault(book.file, f"there is no sheet {shown(choices.sheet)}", f"choose among {listed(book.sheets)}")
        rows = book.rows(choices.sheet, max_cells)
        if not rows:
            raise fault(book.file, f"sheet {shown(choices.sheet)} is empty", f"choose among {listed(book.sheets)}")
        return choices.sheet, rows, f"Sheet {shown(choices.sheet)} is read: as chosen."
    for title in book.sheets:
        rows = book.rows(title, max_cells)
        if rows:
            why = "it is the only one" if len(book.sheets) == 1 else "it is the first that is not empty"
            return title, rows, f"Sheet {shown(title)} is read: {why}."
    raise fault(book.file, "all its sheets are empty", "check that the right workbook was saved")


def _cell(value):
    """Excel knows one kind of number: 3 and 3.0 are the same cell."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return str(value) if isinstance(value, bool) else value
