"""What a caller may overrule before a file is read, and what was used in the end."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..ensemble.labels import MISSING_TEXTS as MISSING_TEXTS
from .wording import fault, listed, shown

ID, LABEL, FEATURE, TRUTH, BESIDE, OUT = "id", "label", "feature", "truth", "covariate", "left out"
ROLES = {
    ID: "names the objects",
    LABEL: "a base clustering",
    FEATURE: "a measurement to cluster by",
    TRUTH: "the true classes, to compare with",
    BESIDE: "kept beside the objects for pictures and exports, not used",
    OUT: "left out",
}
ONLY_ONE = (ID, TRUTH)  # at most one column has such a role
REST = "*"  # stands for every column that is not named
_NAMED = {"kind": ("features", "labels"), "decimal": (".", ",")}
_TEXTS = ("kind", "separator", "decimal", "encoding", "sheet", "variable", "names_in")


@dataclass(frozen=True)
class Choices:
    """None means: find out. A Reading carries the choices that were finally used, to be shown and changed.

    `roles` says what columns are, by their names: Choices(roles={"subtype": "truth", "age": "left out"}); the roles of
    the others are found out, unless "*" gives them one.
    """

    kind: str | None = None  # "features" or "labels"
    header: bool | None = None
    separator: str | None = None  # " " stands for any run of blanks
    decimal: str | None = None  # "." or ","
    encoding: str | None = None
    sheet: str | None = None  # of a workbook
    variable: str | None = None  # the array of a MAT or NPZ file
    transposed: bool | None = None  # True: an object is a column of the file
    missing: tuple[str, ...] | None = None  # the texts that count as missing labels; case does not matter
    roles: tuple[tuple[str, str], ...] = ()  # (column, one of ROLES); a dict is taken too
    names_in: str | None = None  # where an object is a column: the column that names the rows; "": none does
    not_objects: tuple[str, ...] | None = None  # where an object is a column: those that describe the rows

    def __post_init__(self):
        if isinstance(self.roles, Mapping):
            object.__setattr__(self, "roles", tuple(self.roles.items()))

    def of_the_file(self, arrays: bool = False) -> Choices:
        """Those that decide what the file's cells are; the others only say what they mean.

        `arrays`: of a file of arrays, where the kind of the table tells which array it is.
        """
        kept = {"kind": self.kind, "transposed": self.transposed} if arrays else {}
        plain = {"kind": None, "transposed": None, "roles": (), "names_in": None, "not_objects": None}
        return replace(self, **(plain | kept))

    def role_of(self, column: str) -> str | None:
        """The role that was chosen for a column, None where it is to be found out."""
        roles = dict(self.roles)
        return roles.get(column, roles.get(REST))

    def changed(self, **changes) -> Choices:
        """The same with other choices; of `roles` only those that are named change."""
        roles = changes.pop("roles", {})
        found = replace(self, **changes)
        for column, role in dict(roles).items():
            found = found.with_role(column, role)
        return found

    def with_role(self, column: str, role: str) -> Choices:
        """The same with one column's role chosen. A role of which there is one only is taken from the other column."""
        others = {
            name: given
            for name, given in self.roles
            if name != column and not (role in ONLY_ONE and given == role and name != REST)
        }
        return replace(self, roles=tuple((others | {column: role}).items()))


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
    for name in ("missing", "not_objects"):
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
    _check_roles(file, choices.roles)


def _check_encoding(file: str, encoding: str) -> None:
    try:
        text_codec = codecs.lookup(encoding)._is_text_encoding
    except (LookupError, ValueError):
        text_codec = False
    if not text_codec:
        raise _wrong(file, "encoding", encoding, "one that Python knows, such as 'utf-8' or 'cp1252'")


def _check_roles(file: str, roles) -> None:
    pairs = isinstance(roles, (tuple, list)) and all(isinstance(x, (tuple, list)) and len(x) == 2 for x in roles)
    if not pairs or not all(isinstance(name, str) for name, _ in roles):
        raise _wrong(file, "roles", roles, "a role for each column, such as {'age': 'left out'}")
    for name, role in roles:
        if role not in ROLES or (name == REST and role in ONLY_ONE):
            raise _wrong(file, f"role of column {shown(name)}", role, f"one of {listed(ROLES)}")
    for role in ONLY_ONE:
        twice = [name for name, given in roles if given == role]
        if len(twice) > 1:
            what = "ids" if role == ID else "truth"
            raise fault(file, f"columns {listed(twice)} were all chosen as {what}", "choose one of them")


def _wrong(file, name, value, must):
    return fault(file, f"{shown(value)} was chosen as {name.replace('_', ' ')}", f"choose {must}, or leave it open")


def missing_texts(choices: Choices) -> frozenset[str]:
    """The texts that stand for nothing, folded for comparison. An empty cell always does."""
    texts = MISSING_TEXTS if choices.missing is None else tuple(choices.missing)
    return frozenset({""} | {text.strip().casefold() for text in texts})
