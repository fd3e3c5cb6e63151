"""What every format hands on: named columns of raw cells, and how to name a cell's place in the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .cells import Cells
from .choices import Choices
from .sentences import counted, fault, shown, too_large

MOST_COLUMNS = 50_000


@dataclass
class Table:
    file: str
    columns: list[tuple[str, Cells]]
    n: int
    used: Choices
    row_of: Callable[[int], int] = lambda i: i + 1  # the row of the file in which object i stands
    raw: Callable[[int, int], str] | None = None  # what stood there to the letter: (object, column)
    row_word: str = "row"
    because: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unnamed: frozenset[str] = frozenset()  # columns whose header cell was blank
    has_header: bool = True
    hint: tuple[str, str] | None = None  # (kind, why) where the array's own name tells
    ids: np.ndarray | None = None  # ids and truth that came as arrays of their own
    truth: tuple[str, np.ndarray] | None = None
    swapped: bool = False  # rows and columns were exchanged since the file was read
    oriented: bool = False  # whether to exchange them has been decided

    def fault(self, what: str, do: str, i: int | None = None, column=None):
        """A sentence about object i and this column, in the file's own rows and columns."""
        if self.swapped:
            row = self.row_of(self.place_of(column)) if column is not None else None
            return fault(self.file, what, do, row, self.object_name(i) if i is not None else None, self.row_word)
        row = self.row_of(i) if i is not None else None
        return fault(self.file, what, do, row, column, self.row_word)

    def place_of(self, column: str) -> int:
        return [name for name, _ in self.columns].index(column)

    def stood(self, i: int, column: str, otherwise) -> str:
        """What stood in a cell to the letter, as far as the file still tells."""
        return shown(self.raw(i, self.place_of(column)) if self.raw else otherwise)

    def object_name(self, i: int) -> str:
        return str(self.ids[i]) if self.ids is not None else f"column {i + 1}"


def check_size(file: str, rows: int, columns: int, max_cells: int) -> None:
    if rows * columns > max_cells:
        raise too_large(
            file,
            f"{counted(rows, 'row')} of {counted(columns, 'column')} are {rows * columns:,} cells, "
            f"more than the {max_cells:,} allowed",
            "give fewer rows or columns, or raise the limit (max_cells)",
        )
    if columns > MOST_COLUMNS:
        raise too_large(
            file,
            f"it has {columns:,} columns, more than the {MOST_COLUMNS:,} allowed",
            "give one row per object, or fewer columns",
        )


def check_cells(file: str, cells: int, max_cells: int) -> None:
    """The same before it is known how many rows and columns there are, or which way round."""
    if cells > max_cells:
        raise too_large(
            file,
            f"it has {cells:,} cells or more, {max_cells:,} are allowed",
            "give fewer rows or columns, or raise the limit (max_cells)",
        )


def numbered(count: int) -> list[str]:
    return [f"column {j + 1}" for j in range(count)]
