"""What a caller may overrule before a file is read, and what was used in the end."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, fields

from .sentences import fault, listed, shown

MISSING_TEXTS = ("", "NaN", "None", "NA", "n/a", "?", "-1")
_NAMED = {"kind": ("features", "labels"), "decimal": (".", ",")}
_TEXTS = ("kind", "separator", "decimal", "encoding", "sheet", "variable", "id_column", "truth_column")


@dataclass(frozen=True)
class Choices:
    """None means: find out. A Reading carries the choices that were finally used, to be shown and changed."""

    kind: str | None = None  # "features" or "labels"
    header: bool | None = None
    separator: str | None = None  # " " stands for any run of blanks
    decimal: str | None = None  # "." or ","
    encoding: str | None = None
    sheet: str | None = None  # of a workbook
    variable: str | None = None  # the array of a MAT or NPZ file
    transposed: bool | None = None  # True: base clusterings stand in rows, objects in columns
    id_column: str | None = None  # "" : there is none
    truth_column: str | None = None  # "" : there is none
    missing: tuple[str, ...] | None = None  # the texts that count as missing labels; case does not matter
    drop: tuple[str, ...] = ()  # columns to leave out


def check_choices(choices: Choices, file: str) -> None:
    """Refuse what can never be right, before the file is touched."""
    if not isinstance(choices, Choices):
        raise fault(file, f"the choices are {shown(type(choices).__name__)}", "give them as Choices(...)")
    for name in _TEXTS:
        value = getattr(choices, name)
        if value is not None and not isinstance(value, str):
            raise _wrong(file, name, value, "a text")
        if value is not None and name in _NAMED and value not in _NAMED[name]:
            raise _wrong(file, name, value, f"one of {listed(_NAMED[name])}")
    for name in ("header", "transposed"):
        if getattr(choices, name) not in (None, True, False):
            raise _wrong(file, name, getattr(choices, name), "True or False")
    for name in ("missing", "drop"):
        value = getattr(choices, name)
        if value is not None and not (isinstance(value, (tuple, list)) and all(isinstance(x, str) for x in value)):
            raise _wrong(file, name, value, "a tuple of texts")
    if choices.separator is not None and (
        len(choices.separator) != 1
        or choices.separator in '"\r\n'
        or not (choices.separator.isascii() and (choices.separator.isprintable() or choices.separator == "\t"))
    ):
        raise _wrong(file, "separator", choices.separator, "one ASCII character such as ',' ';' a tab or a blank")
    if choices.separator and choices.separator == choices.decimal:
        raise _wrong(file, "separator", choices.separator, "another character than the decimal sign")
    if choices.encoding is not None:
        _check_encoding(file, choices.encoding)
    if choices.id_column and choices.id_column == choices.truth_column:
        raise _wrong(file, "truth column", choices.truth_column, "another column than the ids")


def _check_encoding(file: str, encoding: str) -> None:
    try:
        text_codec = codecs.lookup(encoding)._is_text_encoding
    except (LookupError, ValueError):
        text_codec = False
    if not text_codec:
        raise _wrong(file, "encoding", encoding, "one that Python knows, such as 'utf-8' or 'cp1252'")


def _wrong(file, name, value, must):
    return fault(file, f"{shown(value)} was chosen as {name.replace('_', ' ')}", f"choose {must}, or leave it open")


def missing_texts(choices: Choices) -> frozenset[str]:
    """The texts that stand for nothing, folded for comparison. An empty cell always does."""
    texts = MISSING_TEXTS if choices.missing is None else tuple(choices.missing)
    return frozenset({""} | {text.strip().casefold() for text in texts})


def chosen(choices: Choices) -> list[str]:
    """The names of what was not left open."""
    return [f.name for f in fields(choices) if getattr(choices, f.name) not in (None, ())]
