"""The parts of an Excel workbook (XLSX): its sheets, texts and cells, one XML element at a time.

Read here rather than by a general reader, because a row number or a reference can claim any size: everything is
checked before memory is taken for it, and what would be misread (merged cells, formulas that were never computed) is
noticed on the way.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cached_property
from string import ascii_uppercase
from xml.parsers import expat

from ...errors import InputError
from ..file import File
from ..limits import LONGEST_TEXT, MOST_PARTS, OBJECT_CELLS, check_cells, endless
from ..progress import tell
from ..wording import fault, shown
from .archive import Archive

MOST_ROWS, MOST_WIDTH = 1_048_576, 16_384  # of a sheet, by Excel's own rules
SAVE = "save the workbook again as .xlsx, or as CSV"
_CHUNK = 2**21
_LETTERS = re.compile(r"\$?([A-Za-z]{1,3})\$?")
_ROOT = re.compile(rb"<([^\s<>?!/]+)")  # the first element
_CORNER = re.compile(r"[A-Z]+[0-9]+:([A-Z]{1,3})([0-9]{1,7})")


class _Enough(Exception):
    pass


class Workbook:
    def __init__(self, source: File, archive: Archive):
        self.file, self._archive = source.name, archive
        if any(b"<!DOCTYPE" in archive.head(name, 4096) for name in archive.names if name.endswith((".xml", ".rels"))):
            raise self._harmful()
        self._ids: list[tuple[str, str]] = []  # (title, id of its file)
        self._targets: dict[str, str] = {}
        self._early = False  # dates count from 1904
        self._parse("xl/workbook.xml", self._of_workbook)
        self._parse("xl/_rels/workbook.xml.rels", self._of_relations)
        self._paths = {title: self._path(id) for title, id in self._ids if "chartsheet" not in self._path(id)}
        self.sheets = list(self._paths)
        if not self.sheets:
            raise fault(self.file, "there is no sheet with cells in this workbook", SAVE)
        if len(self.sheets) > MOST_PARTS:
            raise fault(
                self.file,
                f"it has {len(self.sheets):,} sheets, {MOST_PARTS:,} are allowed",
                "save the sheet that holds the table as a workbook of its own",
            )

    def sheet(self, title: str, max_cells: int, glance: tuple[int, int] | None = None) -> Sheet:
        """A sheet's cells; at a `glance` no more than so many rows and cells."""
        found = Sheet(self, title, min(max_cells, OBJECT_CELLS), glance)
        path = self._paths[title]
        if path not in self._archive.names:
            raise self._damaged(f"sheet {shown(title)} is damaged")
        try:
            self._parse(path, *found.handlers(), f"sheet {shown(title)} is damaged")
        except _Enough:
            pass
        found.close()
        return found

    @cached_property
    def strings(self) -> list[str]:
        """The texts that cells refer to by number."""
        found = _Strings(self.file)
        if "xl/sharedStrings.xml" in self._archive.names:
            check_cells(self.file, self._archive.read("xl/sharedStrings.xml").count(b"<si"), OBJECT_CELLS)
            self._parse("xl/sharedStrings.xml", found.begin, found.end, found.text)
        return found.all

    @cached_property
    def date_styles(self) -> frozenset[int]:
        """The numbers of the cell styles that show a number as a date."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

        formats, styles, inside = dict(BUILTIN_FORMATS), [], [False]

        def begin(name, attributes):
            if name == "numFmt":
                formats[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
            elif name in ("cellXfs", "cellStyleXfs"):
                inside[0] = name == "cellXfs"
            elif name == "xf" and inside[0]:
                styles.append(int(attributes.get("numFmtId", 0)))
                if len(styles) > 2**16:
                    raise ValueError("more styles than Excel allows")

        if "xl/styles.xml" in self._archive.names:
            self._parse("xl/styles.xml", begin)
        dates = {id for id, format in formats.items() if is_date_format(format[:1000])}
        return frozenset(style for style, id in enumerate(styles) if id in dates)

    def date(self, number: float):
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return from_excel(number, CALENDAR_MAC_1904 if self._early else CALENDAR_WINDOWS_1900)
        except (OverflowError, ValueError):
            return "#VALUE!"

    def _of_workbook(self, name, attributes) -> None:
        if name == "sheet":
            id = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            self._ids.append((attributes.get("name", ""), id))
        elif name == "workbookPr":
            self._early = attributes.get("date1904") in ("1", "true")

    def _of_relations(self, name, attributes) -> None:
        if name == "Relationship":
            self._targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def _path(self, id: str) -> str:
        target = self._targets.get(id, "")
        return target.lstrip("/") if target.startswith("/") else f"xl/{target}"

    def _parse(self, path: str, begin: Callable, end=None, text=None, damaged="this Excel workbook is damaged") -> None:
        """Every element of one of the workbook's files, as it comes; names without their prefix."""

        def local(handler):
            return lambda name, *more: handler(name.rpartition(":")[2], *more)

        root = _ROOT.search(self._archive.head(path, 4096))
        prefixed = root is not None and b":" in root[1]
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = local(begin) if prefixed else begin
        parser.EndElementHandler = local(end) if prefixed and end else end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = self._refuse_entities
        try:
            with self._archive.open(path) as entry:
                done, size = 0, max(1, self._archive.size(path))
                while chunk := entry.read(_CHUNK):
                    parser.Parse(chunk, False)
                    done += len(chunk)
                    tell("reading the workbook", min(1.0, done / size))
            parser.Parse(b"", True)
        except (InputError, _Enough):
            raise
        except Exception:  # whatever a damaged part causes
            raise self._damaged(damaged) from None

    def _refuse_entities(self, *_) -> None:
        raise self._harmful()

    def _harmful(self) -> InputError:
        return fault(self.file, "its XML declares entities, as harmful files do", SAVE)

    def _damaged(self, what: str) -> InputError:
        return fault(self.file, what, SAVE)


class _Strings:
    """The texts of a workbook; how they are pronounced (rPh) is no part of them."""

    def __init__(self, file: str):
        self.file, self.all, self._parts, self._letters = file, [], [], 0
        self._in_text = self._aside = False

    def begin(self, name, attributes) -> None:
        if name == "t":
            self._in_text = not self._aside
        elif name == "rPh":
            self._aside = True

    def text(self, data: str) -> None:
        if self._in_text:
            self._parts.append(data)
            self._letters += len(data)
            if self._letters > LONGEST_TEXT:
                raise endless(self.file, self._letters, None, None)

    def end(self, name) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._aside = False
        elif name == "si":
            self.all.append("".join(self._parts))
            self._parts, self._letters = [], 0


class Sheet:
    """The cells of a sheet, by rows; what would be misread is remembered."""

    def __init__(self, book: Workbook, title: str, max_cells: int, glance: tuple[int, int] | None):
        self.book, self.title, self._max_cells = book, title, max_cells
        self._most_rows, self._most_cells = glance or (MOST_ROWS, OBJECT_CELLS)
        self.seen = 0  # cells, empty ones too
        self.rows: list[list] = []
        self.width = 0
        self.whole = True
        self.merged = self.empty_formula = ""  # the place of the first
        self.declared: tuple[int, int] | None = None  # rows and columns, as the sheet says

    @property
    def shape(self) -> tuple[int, int]:
        if self.whole or not self.declared:
            return len(self.rows), self.width
        return self.declared

    def refuse_traps(self) -> None:
        """Merged cells and formulas that were never computed."""
        if self.merged:
            raise fault(
                self.book.file,
                f"sheet {shown(self.title)} has merged cells at {self.merged}",
                "split them, so that every cell stands alone",
            )
        if self.empty_formula:
            raise fault(
                self.book.file,
                f"the formula in cell {self.empty_formula} of sheet {shown(self.title)} has no computed value",
                "open the workbook in Excel and save it, or paste the values",
                row=int(self.empty_formula.lstrip(ascii_uppercase)),
            )

    def handlers(self) -> tuple[Callable, Callable, Callable]:
        """What the parser calls for the begin of an element, its end, and text. Called five times for every cell."""
        row, column, seen = 0, 0, 0
        cell, text, inside, formula = {}, "", False, False
        known: dict[str, int] = {}  # AB -> 28
        put, value_of = self._put, self._value

        def begin(name: str, attributes: dict) -> None:
            nonlocal cell, text, inside, formula, row, column
            if name == "c":
                cell, text, formula = attributes, "", False
            elif name == "v" or name == "t":
                inside = True
            elif name == "f":
                formula = True
            elif name == "row":
                number = attributes.get("r")
                row, column = int(float(number)) if number else row + 1, 0
                if not 0 < row <= MOST_ROWS:
                    raise self._beyond(row, 1)
                if row > self._most_rows or seen > self._most_cells:
                    self.whole, self.seen = False, seen
                    raise _Enough
            elif name == "mergeCell":
                self.merged = self.merged or attributes.get("ref", "")[:24]
            elif name == "dimension" and (corner := _CORNER.fullmatch(attributes.get("ref", ""))):
                self.declared = (int(corner[2]), _number_of(corner[1]))

        def end(name: str) -> None:
            nonlocal inside, column, seen
            if name == "v" or name == "t":
                inside = False
            elif name == "c":
                if place := cell.get("r"):
                    letters = place.rstrip("0123456789")
                    column = known.get(letters) or known.setdefault(letters, _number_of(letters))
                else:
                    column += 1
                seen += 1
                if column > MOST_WIDTH:
                    raise self._beyond(row, column)
                if text:
                    value = value_of(cell, text)
                    if value != "" and (type(value) is not str or value.strip()):
                        put(row, column, value)
                elif formula and not self.empty_formula:
                    self.empty_formula = f"{_letters(column)}{row}"
            elif name == "sheetData":
                self.seen = seen

        def more(data: str) -> None:
            nonlocal text
            if inside:
                text += data
                if len(text) > LONGEST_TEXT:
                    raise endless(self.book.file, len(text), row, None)

        return begin, end, more

    def close(self) -> None:
        while self.rows and not self.rows[-1]:
            self.rows.pop()
        self.width = max(map(len, self.rows), default=0)

    def _beyond(self, row: int, column: int) -> InputError:
        return fault(
            self.book.file,
            f"sheet {shown(self.title)} has a cell in row {row:,} and column {column:,}, more than Excel allows",
            SAVE,
        )

    def _put(self, at: int, place: int, value) -> None:
        rows = self.rows
        if place > self.width or at > len(rows):  # the sheet grows: may it?
            self.width = max(self.width, place)
            check_cells(self.book.file, max(len(rows), at) * self.width, self._max_cells)
            rows.extend([] for _ in range(at - len(rows)))
        row = rows[at - 1]
        if place == len(row) + 1:
            row.append(value)
        elif place > len(row):
            row.extend([None] * (place - len(row) - 1))
            row.append(value)
        else:
            row[place - 1] = value

    def _value(self, cell: dict, text: str):
        """Excel knows one kind of number: 3 and 3.0 are the same cell."""
        match cell.get("t", "n"):
            case "n":
                number = float(text)
                if number.is_integer():
                    number = int(number) if abs(number) < 2**53 else int(text) if text.lstrip("-").isdigit() else number
                if "s" in cell and int(cell["s"]) in self.book.date_styles:
                    return self.book.date(number)
                return number
            case "s":
                return self.book.strings[int(text)]
            case "b":
                return str(bool(int(text)))
            case "d":
                from openpyxl.utils.datetime import from_ISO8601

                return from_ISO8601(text)
        return text


def _number_of(letters: str) -> int:
    found = 0
    for letter in _LETTERS.fullmatch(letters)[1].upper():
        found = 26 * found + ord(letter) - 64
    return found


def _letters(column: int) -> str:
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(65 + rest) + found
    return found
