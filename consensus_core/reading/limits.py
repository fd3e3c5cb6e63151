"""What is too much. Every limit stands here, and is looked at before memory is taken."""

from __future__ import annotations

from ..numbers import counted
from .wording import too_large

MAX_BYTES = 2**30
MAX_CELLS = 100_000_000
OBJECT_CELLS = 5_000_000  # of formats whose every cell becomes a Python object: Excel, JSON, texts in arrays
MOST_COLUMNS = 50_000
MOST_PARTS = 1_000  # arrays in one file
LONGEST_ROW = 8 * 2**20  # bytes of one row of text
LONGEST_TEXT = 1_000_000  # letters in one cell
# a packed file may grow this many times, or to this many bytes, before it counts as a bomb
MOST_GROWTH = 200
ALWAYS_FINE = 64 * 2**20

_FEWER = "give fewer rows or columns"


def allowed_growth(packed: int, max_bytes: int) -> int:
    return min(max_bytes, max(ALWAYS_FINE, MOST_GROWTH * packed))


def bomb(file: str, limit: int):
    return too_large(
        file, f"unpacked it would be larger than {megabytes(limit)}", "unpack it yourself and give the table alone"
    )


def megabytes(count: int) -> str:
    return f"{count / 2**20:,.0f} MB" if count >= 2**20 else f"{count:,} bytes"


def check_size(file: str, rows: int, columns: int, max_cells: int) -> None:
    if rows * columns > max_cells:
        raise too_large(
            file,
            f"{counted(rows, 'row')} of {counted(columns, 'column')} are {rows * columns:,} cells, "
            f"more than the {max_cells:,} allowed",
            _remedy(max_cells),
        )
    check_columns(file, columns)


def check_columns(file: str, columns: int, or_more: bool = False) -> None:
    if columns > MOST_COLUMNS:
        raise too_large(
            file,
            f"it has {'more than ' if or_more else ''}{columns:,} columns, more than the {MOST_COLUMNS:,} allowed",
            "give one row per object, or fewer columns",
        )


def check_cells(file: str, cells: int, max_cells: int) -> None:
    """The same before it is known how many rows and columns there are, or which way round."""
    if cells > max_cells:
        raise too_large(file, f"it has {cells:,} cells or more, {max_cells:,} are allowed", _remedy(max_cells))


def check_parts(file: str, count: int) -> None:
    if count > MOST_PARTS:
        raise too_large(
            file, f"it holds {count:,} arrays or more, {MOST_PARTS:,} are allowed", "save the table as one array"
        )


def endless(file: str, letters: int, row: int | None, column: str | None):
    return too_large(
        file,
        f"one cell holds {letters:,} letters, more than the {LONGEST_TEXT:,} allowed",
        "leave long texts out",
        row,
        column,
    )


def _remedy(max_cells: int) -> str:
    """The limit on cells that become objects cannot be raised."""
    return _FEWER + ("" if max_cells == OBJECT_CELLS else ", or raise the limit (max_cells)")
