"""The ways in: a file is read, or looked at, or its sheets and arrays are listed."""

from __future__ import annotations

from ..errors import InputError
from .choices import Choices
from .limits import MAX_BYTES, MAX_CELLS
from .opening import Given, called, opened
from .reading import Reading
from .table import Part
from .understanding import understood, unread


def look(
    source: Given,
    name: str | None = None,
    choices: Choices = Choices(),  # noqa: B008  frozen
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
    alone: bool = True,
) -> Reading:
    """A file as it is understood, or why it cannot be used: the `fault` of a Reading that says what was seen of it."""
    try:
        table = opened(source, name, choices, max_bytes, max_cells)
    except InputError as trouble:
        return unread(None, choices if isinstance(choices, Choices) else Choices(), trouble, called(source, name))
    return understood(table, choices, alone)


def read(
    source: Given,
    name: str | None = None,
    choices: Choices = Choices(),  # noqa: B008  frozen
    max_bytes: int = MAX_BYTES,
    max_cells: int = MAX_CELLS,
    alone: bool = True,
) -> Reading:
    """Read a file of features or of base labels, find out what is what and say why; InputError where it cannot be used.

    A table that is to be joined to another one (not `alone`) may hold nothing but a truth, say.
    """
    found = look(source, name, choices, max_bytes, max_cells, alone)
    if found.fault:
        raise InputError(found.fault)
    return found


def parts(source: Given, name: str | None = None, max_bytes: int = MAX_BYTES) -> tuple[Part, ...]:
    """The arrays or sheets of a file, so that one can be chosen; none for files that hold one table."""
    found = look(source, name, max_bytes=max_bytes)
    if found.fault and not found.parts and not found.columns:
        raise InputError(found.fault)
    return found.parts
