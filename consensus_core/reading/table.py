"""What every format hands on: judged columns, and how to name a cell's place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..errors import InputError
from .choices import Choices
from .column import Column
from .limits import LONGEST_TEXT, endless
from .wording import fault, shown

HEAD = 6  # cells of every column that are shown


@dataclass(frozen=True)
class Part:
    """One of the arrays or sheets of a file, as far as can be said without reading it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    usable: bool = True
    why_not: str = ""


@dataclass(frozen=True)
class Turn:
    """What a table whose rows and columns were exchanged remembers of the file."""

    rows: dict[str, int]  # each column: which row of the file it was, from 0 below the header
    columns: tuple[int, ...] | None = None  # each object: which column of the file it was; None: one after the other
    objects: tuple[str, ...] | None = None  # and what that was called

    def object_name(self, i: int) -> str:
        return self.objects[i] if self.objects else f"column {i + 1}"


@dataclass(frozen=True, eq=False)
class Table:
    file: str
    form: str  # a key of sniff.NAMES
    columns: tuple[Column, ...]
    n: int
    used: Choices
    rows: int | np.ndarray = 1  # the file's row of the first object, or of every object
    row_word: str = "row"
    letters: dict[tuple[int, int], str] = field(default_factory=dict)  # (object, column): what stood there exactly
    because: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unnamed: frozenset[str] = frozenset()  # columns whose header cell was blank
    has_header: bool = True
    hint: tuple[str, str] | None = None  # (kind, why) where the array's own name tells
    presets: dict[str, tuple[str, str]] = field(default_factory=dict)  # column: (role, why) that the format tells
    parts: tuple[Part, ...] = ()  # the sheets or arrays it was chosen from
    turn: Turn | None = None
    oriented: bool = False  # whether rows and columns are to be exchanged has been decided

    def fault(self, what: str, do: str, i: int | None = None, column: str | None = None) -> InputError:
        """A sentence about object i and this column, in the file's own rows and columns."""
        if self.turn is not None:
            row = self.row_of(self.turn.rows[column]) if column in self.turn.rows else None
            return fault(self.file, what, do, row, None if i is None else self.turn.object_name(i), self.row_word)
        return fault(self.file, what, do, None if i is None else self.row_of(i), column, self.row_word)

    def row_of(self, i: int) -> int:
        return i + self.rows if isinstance(self.rows, int) else int(self.rows[i])

    def stood(self, i: int, column: Column) -> str:
        """What stood in a cell, to the letter where the file was asked."""
        place = (i, self.names.index(column.name))
        if self.turn is not None:
            place = (self.turn.rows.get(column.name, -1), self.turn.columns[i] if self.turn.columns else i)
        return shown(self.letters.get(place, column.cell(i)))

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def is_text(self) -> bool:
        """Of a file with separators, which may have been guessed wrong."""
        return self.form == "text"


def doubtful(columns) -> Iterator[tuple[int, int]]:
    """The cells (object, column) a sentence may have to quote: the first of each kind of fault in every column."""
    for j, column in enumerate(columns):
        if column.odd is not None:
            yield column.odd, j
        elif column.sort == "text":
            first = int((~column.absent).argmax())
            yield first, j
        elif column.numbers is not None and len(column):
            numbers = column.numbers
            if column.sort == "fraction":
                yield first_fraction(numbers), j
            if not column.complete:
                for odd in (np.isnan(numbers), np.isinf(numbers)):
                    if odd.any():
                        yield int(odd.argmax()), j


def first_fraction(numbers: np.ndarray) -> int:
    """The first that is no whole number, or too large a one to be exact. Mostly it is among the very first."""
    for some in (numbers[:100], numbers):
        with np.errstate(invalid="ignore"):
            odd = ~np.isnan(some) & ((np.floor(some) != some) | (np.abs(some) > 2.0**53))
        if odd.any():
            break
    return int(odd.argmax())


def refuse_endless_texts(file: str, columns, row_of) -> None:
    for column in columns:
        if column.texts is not None and len(column):
            letters, i = column.texts.longest()
            if letters > LONGEST_TEXT:
                raise endless(file, letters, row_of(i), column.name)
