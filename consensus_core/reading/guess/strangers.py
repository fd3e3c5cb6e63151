"""Columns that do not belong among base labels: other texts than the rest, measurements, a second column of ids."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import NamedTuple

import numpy as np

from ...numbers import counted
from ..choices import BESIDE, LABEL, OUT, TRUTH
from ..column import Column
from ..findings import Offer, Suspicion
from ..wording import listed, shown
from .kind import ENOUGH, MOST, has_few_fractions

_MOST_TEXTS = 200  # different labels up to which a column's texts are compared
_MANY = 20  # different numbers a base clustering may well have
_GLANCE = 1000  # values that tell at once of most columns that they do not differ
_IDS = 0.9  # share of different values from which a column names its objects
_WORDS = re.compile(r"[^\W\d_]+")


class Stranger(NamedTuple):
    column: Column
    role: str  # it is given, unless somebody says otherwise
    why: str


def find_strangers(columns: list[Column], truth_known: bool) -> tuple[list[Stranger], list[Suspicion]]:
    """Which of the columns taken for base labels are none, and what to ask about them."""
    ids = [c for c in columns if _names_objects(c)]
    named = set(map(id, ids))
    numbers = _measurements([c for c in columns if id(c) not in named], columns)
    found = named.union(map(id, numbers))
    rest = [c for c in columns if id(c) not in found and c.sort != "empty"]
    if len(rest) < max(ENOUGH, MOST * len(columns)):
        ids, numbers, rest = [], [], [c for c in columns if c.sort != "empty"]
    texts = _of_other_texts(rest)
    strangers, doubts = [], []
    for column in ids:
        why = "nearly all its values differ, as names do"
        strangers.append(Stranger(column, BESIDE, why))
        doubts.append(_ask(column, f"holds a value of its own for nearly every object ({_some(column)})", BESIDE))
    for column in numbers:
        strangers.append(Stranger(column, BESIDE, "it holds measurements, unlike the base labels around it"))
        doubts.append(_ask(column, f"holds numbers ({_some(column)}) unlike the cluster numbers around it", BESIDE))
    others = [c for c in rest if c not in texts]
    truth = texts[0] if len(texts) == 1 and not truth_known else None
    for column in texts:
        role = TRUTH if column is truth else BESIDE
        strangers.append(Stranger(column, role, "its texts are others than those of the base labels"))
        usual = f"({_some(others[0])})" if others else ""
        what = f"holds other texts ({_some(column)}) than the {counted(len(others), 'other column')} {usual}"
        doubts.append(_ask(column, what.strip(), role))
    return strangers, doubts


def only_column(column: Column) -> Suspicion:
    return _ask(column, f"is the only one about the objects ({_some(column)})", TRUTH)


def _ask(column: Column, what: str, role: str) -> Suspicion:
    name = column.name
    taken = (
        "taken as the truth, and takes no part in the consensus" if role == TRUTH else "kept beside, and not counted"
    )
    offers = {
        TRUTH: Offer("It is the truth", {"roles": {name: TRUTH}}),
        BESIDE: Offer("Keep it beside, unused", {"roles": {name: BESIDE}}),
        LABEL: Offer("It is a base clustering", {"roles": {name: LABEL}}),
        OUT: Offer("Leave it out", {"roles": {name: OUT}}),
    }
    if column.sort == "fraction":
        del offers[LABEL], offers[TRUTH]
    ordered = (role, *(other for other in offers if other != role))
    return Suspicion(f"Column {shown(name)} {what}. It is {taken}.", tuple(offers[each] for each in ordered))


def _some(column: Column) -> str:
    """A few of its values."""
    seen: dict[str, None] = {}
    for i in range(min(len(column), 1000)):
        if cell := column.cell(i):
            seen[cell] = None
        if len(seen) == 4:
            break
    return listed(seen, 3).replace(" and 1 more", " …")


def _names_objects(column: Column) -> bool:
    if len(column) <= _MANY or column.sort not in ("text", "whole"):
        return False
    first = (column.texts.codes if column.numbers is None else column.numbers)[:_GLANCE]
    return len(np.unique(first)) > _IDS * len(first) and column.distinct > _IDS * len(column)


def _measurements(some: list[Column], columns: list[Column]) -> list[Column]:
    """Of some columns: fractions throughout, or many different numbers with gaps where the others have few without."""
    many = {id(c) for c in some if c.sort == "whole" and not c.gap_free and c.distinct > _MANY}
    usual = sorted(c.distinct for c in columns if c.sort in ("whole", "text")) if many else []

    def measures(column: Column) -> bool:
        if id(column) in many:
            return len(usual) > 1 and column.distinct > 3 * _median_without(column.distinct, usual)
        return column.sort == "fraction" and not has_few_fractions(column)

    return [c for c in some if measures(c)]


def _median_without(value: int, ordered: list[int]) -> float:
    """Of the others; not looked for anew each time, as of tens of thousands of columns each is asked."""
    at, left = bisect_left(ordered, value), len(ordered) - 1
    low, high = (left - 1) // 2, left // 2
    return (ordered[low + (low >= at)] + ordered[high + (high >= at)]) / 2


def _of_other_texts(columns: list[Column]) -> list[Column]:
    """Those that share no label with the rest, where nearly all the rest share some; or whose labels are made unlike
    the rest's, where they share none."""
    known = [(column, labels) for column in columns if (labels := _labels_of(column))]
    if len(known) < ENOUGH + 1 or len(known) < len(columns):
        return []
    for labels_of in (lambda labels: labels, lambda labels: {_shape(label) for label in labels}):
        kin = _kin([labels_of(labels) for _, labels in known])
        largest, many = Counter(kin).most_common(1)[0]
        if len(known) > many >= max(ENOUGH, MOST * len(known)):
            return [column for (column, _), group in zip(known, kin, strict=True) if group != largest]
        if many == len(known):
            return []
    return []


def _labels_of(column: Column) -> set[str]:
    if column.sort == "text" and column.distinct <= _MOST_TEXTS:
        return {str(value).casefold() for value in column.texts.values}
    if column.gap_free:
        return {"1"}  # which stands for all of them: it is among them, be the first 0 or 1
    if column.sort == "whole" and column.distinct <= _MOST_TEXTS:
        given = column.numbers[~column.absent]
        return {str(int(value)) for value in np.unique(given) if value >= 0}
    return set()


def _shape(label: str) -> str:
    """How a label is made: "cluster 12" as "a 0"."""
    return re.sub(r"\d+", "0", _WORDS.sub("a", label))


def _kin(sets: list[set[str]]) -> list[int]:
    """A group for each set: those that have something in common, also through others."""
    parent = list(range(len(sets)))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    owner: dict[str, int] = {}
    for i, labels in enumerate(sets):
        for label in labels:
            parent[root(i)] = root(owner.setdefault(label, i))
    return [root(i) for i in range(len(sets))]
