"""Every column gets a role: chosen, told by the format, or found out; each with its reason."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..choices import BESIDE, FEATURE, ID, LABEL, OUT, REST, TRUTH, Choices
from ..column import Column
from ..findings import DATA_ROLE, Suspicion
from ..table import Table
from ..wording import listed, shown
from . import kind as kinds
from .orientation import is_wide, looks_transposed
from .roles import find_ids, find_named_truth, find_truth_beside_features
from .strangers import find_strangers, only_column


@dataclass(frozen=True)
class Role:
    role: str
    why: str
    chosen: bool = False


@dataclass
class Assignment:
    """Roles are given one after the other, the surest first."""

    table: Table
    choices: Choices
    alone: bool = True
    roles: dict[str, Role] = field(default_factory=dict)
    kind: str = ""
    why: str = ""  # this kind
    suspicions: list[Suspicion] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def open(self) -> list[Column]:
        return [column for column in self.table.columns if column.name not in self.roles]

    def columns(self, *roles: str) -> list[Column]:
        return [column for column in self.table.columns if self.roles[column.name].role in roles]

    def one(self, role: str) -> Column | None:
        return next((c for c in self.table.columns if c.name in self.roles and self.roles[c.name].role == role), None)

    def give(self, name: str, role: str, why: str, chosen: bool = False) -> None:
        self.roles[name] = Role(role, why, chosen)


def assigned(table: Table, choices: Choices, alone: bool = True) -> Assignment:
    """The roles of all columns of a table that stands `alone`, or is about the objects of another one."""
    found = Assignment(table, choices, alone)
    _chosen(found)
    _told(found)
    _ids(found)
    _named_truth(found)
    _kind(found)
    _truth_beside_features(found)
    _strangers(found)
    _about_others(found)
    for column in found.open:
        found.give(column.name, DATA_ROLE[found.kind], f"The table holds {_HOLDS[found.kind]}.")
    return found


_HOLDS = {"labels": "base labels, a column for each base clustering", "features": "features"}


def _chosen(found: Assignment) -> None:
    names = found.table.names
    for name, role in found.choices.roles:
        if name == REST:
            continue
        if name not in names:
            raise _unknown(found.table, name, role)
        found.give(name, role, "As chosen.", True)
    rest = dict(found.choices.roles).get(REST)
    for column in found.open if rest else ():
        found.give(column.name, rest, "As chosen.", True)


def _unknown(table: Table, name: str, role: str):
    part = next((part for part in table.parts if part.name == name and part.usable), None)
    as_what = {ID: "to take as ids", TRUTH: "to take as truth", OUT: "to leave out"}.get(role, f"to take as {role}")
    if part is not None:
        size = " x ".join(map(str, part.shape))
        return table.fault(
            f"array {shown(name)} ({size}) does not fit the objects, so it cannot be the {role}",
            f"choose among {listed(table.names) or 'none'}",
        )
    return table.fault(f"there is no column {shown(name)} {as_what}", f"choose among {listed(table.names)}")


def _told(found: Assignment) -> None:
    for column in found.open:
        if column.sort == "empty" and column.name in found.table.unnamed:
            found.give(column.name, OUT, "It is empty and has no name.")
            found.notes.append(f"The empty column without a name at {shown(column.name)} was left out.")
        elif column.name in found.table.presets:
            role, why = found.table.presets[column.name]
            if role in (ID, TRUTH) and found.one(role):
                role, why = BESIDE, f"another column was chosen as {_CALLED[role]}"
            found.give(column.name, role, f"{_sentence(why)}")


_CALLED = {ID: "ids", TRUTH: "truth"}


def _sentence(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}."


def _ids(found: Assignment) -> None:
    among = [c for c in found.table.columns if c.name not in found.roles or found.roles[c.name].role != OUT]
    name, why = find_ids(among, found.table.unnamed, found.table.has_header)
    _take(found, ID, name, why)


def _named_truth(found: Assignment) -> None:
    id = found.one(ID)
    among = [c for c in found.table.columns if c is not id and not _is(found, c, OUT)]
    _take(found, TRUTH, *find_named_truth(among))


def _is(found: Assignment, column: Column, role: str) -> bool:
    return column.name in found.roles and found.roles[column.name].role == role


def _take(found: Assignment, role: str, name: str, why: str) -> None:
    """The column found gets the role, unless another was chosen for it or it was chosen for something else."""
    if not name or name in found.roles:
        return
    other = found.one(role)
    if other is None:
        found.give(name, role, _sentence(why))
    elif role == TRUTH or not _has_few_values(found, name):
        found.give(name, BESIDE, f"Column {shown(other.name)} is taken as {_CALLED[role]}.")


def _has_few_values(found: Assignment, name: str) -> bool:
    column = next(c for c in found.table.columns if c.name == name)
    return not column.all_differ


def _kind(found: Assignment) -> None:
    choices, table = found.choices, found.table
    roles = {given.role for given in found.roles.values() if given.chosen}
    if choices.kind:
        found.kind, found.why = choices.kind, "as chosen"
    elif not found.open and roles & {LABEL, FEATURE}:
        found.kind, found.why = "labels" if LABEL in roles else "features", "as chosen"
    else:
        found.kind, found.why = _guessed_kind(table, found.open, choices)
        told = found.why == (table.hint or ("", ""))[1]
        if found.alone and not told and (doubt := kinds.doubt(found.open, found.kind)):
            found.suspicions.append(doubt)


def _guessed_kind(table: Table, data: list[Column], choices: Choices) -> tuple[str, str]:
    if table.hint and (table.hint[0] != "labels" or not any(c.sort == "fraction" for c in data)):
        return table.hint
    if not data:
        return "features", "nothing is left to tell by"
    found = kinds.find_kind(data, table.has_header)
    if found[0] == "features" and not table.oriented and choices.transposed is None and is_wide(table, data):
        if looks_transposed(np.column_stack([c.numbers for c in data]))[0]:
            return "labels", "the rows hold whole numbers from 0 or 1 upwards without gaps, as cluster numbers do"
    return found


def _truth_beside_features(found: Assignment) -> None:
    if found.kind == "features" and found.one(TRUTH) is None:
        name, why = find_truth_beside_features(found.open, found.table.has_header)
        _take(found, TRUTH, name, why)


def _strangers(found: Assignment) -> None:
    if found.kind != "labels" or not (found.alone or kinds.surely_labels(found.open, found.table.has_header)):
        return
    strangers, doubts = find_strangers(found.open, found.one(TRUTH) is not None)
    for column, role, why in strangers:
        found.give(column.name, role, _sentence(why))
    found.suspicions += doubts


def _about_others(found: Assignment) -> None:
    """What else is known of the objects of another table: base clusterings or features where they surely are, a truth
    where it is the only column; everything else is kept beside."""
    data = found.open
    if found.alone or not data or found.choices.kind:
        return
    if found.kind == "labels" and kinds.surely_labels(data, found.table.has_header):
        return
    if found.kind == "features" and len(data) > 1 and all(column.sort == "fraction" for column in data):
        return
    only = data[0]
    if len(data) == 1 and found.one(TRUTH) is None and kinds.looks_like_labels(only):
        found.give(only.name, TRUTH, "It is the only column about the objects, and puts them into groups.")
        found.suspicions.append(only_column(only))
        return
    for column in data:
        found.give(column.name, BESIDE, "It is about the objects, and not surely a base clustering or a feature.")
