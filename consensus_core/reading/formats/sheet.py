"""The cells of one sheet of an Excel workbook, as its elements come; what would be misread is remembered."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_uppercase
from typing import Any, Protocol

from ...errors import InputError
from ..file import File
from ..limits import LONGEST_TEXT, OBJECT_CELLS, check_cells, endless
from ..wording import fault, shown

MOST_ROWS, MOST_WIDTH = 1_048_576, 16_384  # of a sheet, by Excel's own rules
SAVE = "save the workbook again as .xlsx, or as CSV"
_LETTERS = re.compile(r"\$?([A-Za-z]{1,3})\$?")
_CORNER = re.compile(r"[A-Z]+[0-9]+:([A-Z]{1,3})([0-9]{1,7})")


class Enough(Exception):
    """A glance has seen what it wanted."""


class Book(Protocol):
    """What a sheet asks of its workbook."""

    file: File

    @property
    def strings(self) -> list[str]: ...

    @property
    def date_styles(self) -> frozenset[int]: ...

    def date(self, number: float) -> Any: ...


class Sheet:
    """The cells of a sheet, by rows; what would be misread is remembered."""

    def __init__(self, book: Book, title: str, max_cells: int, glance: tuple[int, int] | None):
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
                    raise Enough
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
