"""How every fault is worded: file, row, column, what stood there; what to do. One sentence each."""

from __future__ import annotations

from ..errors import InputError, TooLarge
from ..text import visible

_LONGEST = 40


def shown(value, longest: int = _LONGEST) -> str:
    """What stood in a cell, in quotes, without line breaks, cut if it goes on for ever."""
    text = visible(str(value)[: 20 * longest])
    return f"'{text[:longest]}…'" if len(text) > longest else f"'{text}'"


def listed(names, most: int = 8) -> str:
    """Names in quotes, the first few of many."""
    names = list(names)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(shown(name) for name in names[:most]) + more


def fault(file: str, what: str, do: str, row: int | None = None, column=None, row_word: str = "row") -> InputError:
    return InputError(_sentence(file, what, do, row, column, row_word))


def too_large(file: str, what: str, do: str, row: int | None = None, column=None) -> TooLarge:
    return TooLarge(_sentence(file, what, do, row, column, "row"))


def _sentence(file, what, do, row, column, row_word) -> str:
    where = [file]
    if row is not None:
        where.append(f"{row_word} {row}")
    if column is not None:
        where.append(f"column {shown(column)}")
    return f"{', '.join(where)}: {what}; {do}."


def numbered(count: int) -> list[str]:
    """The names of columns that have none."""
    return [f"column {j + 1}" for j in range(count)]
