"""Methods as a newcomer meets them: the advised ones, the five papers', then families; and what to think of each."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from ..methods import ADVISED, METHODS, PAPERS
from ..methods import __file__ as METHODS_FILE
from ..numbers import number
from .sheets import notes
from .standing import grows_as_pairs, iterates, record, standing

CHANGES = "Rankings change with the data"


@dataclass(frozen=True)
class Shelf:
    """Methods that stand together. `open`: they are looked at first, the others when somebody asks."""

    title: str
    keys: tuple[str, ...]
    open: bool = False


@functools.cache
def shelves() -> tuple[Shelf, ...]:
    """Every method once."""
    first = tuple(key for key in ADVISED if key in METHODS)
    papers = tuple(key for key in PAPERS if key in METHODS and key not in first)
    families: dict[str, list[str]] = {}
    for key, cls in METHODS.items():
        if key not in first + papers:
            families.setdefault(cls.family, []).append(key)
    rest = (Shelf(title[0].upper() + title[1:], tuple(families[title])) for title in sorted(families))
    return Shelf("Advised", first, True), Shelf("Of the five papers", papers, True), *rest


def short_list(*more: str) -> tuple[str, ...]:
    """The methods looked at first, and those named."""
    keys = [key for shelf in shelves() if shelf.open for key in shelf.keys]
    return tuple(dict.fromkeys([*keys, *(key for key in more if key in METHODS)]))


def with_words(words: str) -> tuple[Shelf, ...]:
    """The shelves with those methods alone that say all of these words; every one for no words."""
    asked = words.casefold().split()
    found = (
        Shelf(one.title, tuple(key for key in one.keys if all(word in _said_of(key) for word in asked)), one.open)
        for one in shelves()
    )
    return tuple(one for one in found if one.keys)


@functools.cache
def _said_of(key: str) -> str:
    cls = METHODS[key]
    shelf = next(one.title for one in shelves() if key in one.keys)
    told = [key, cls.name(), cls.title, cls.family, shelf, cls.reference, cls.__doc__ or "", *notes(cls).values()]
    return " ".join(told).casefold()


@dataclass(frozen=True)
class Thought:
    """What a person should know before choosing a method, in a line and in a few sentences."""

    kind: str  # "one shot, quadratic in distinct rows"
    stands: str  # "average rank 3.2 of 20, …"; "" where nothing was measured
    advised: str  # why, "" where it is not
    good: str  # when to take it
    bad: str  # its limits

    @property
    def line(self) -> str:
        return " · ".join(part for part in (self.kind, self.stands) if part)

    @property
    def sentences(self) -> str:
        where = f"The rank: {measured_in_words()}. {CHANGES}." if self.stands else ""
        why = f"Advised: {self.advised}." if self.advised else ""
        return "\n\n".join(part for part in (why, self.good, self.bad, where) if part)


@functools.cache
def thought(key: str) -> Thought:
    cls = METHODS[key]
    steps = "iterative" if iterates(cls) else "one shot"
    growth = "quadratic in distinct rows" if grows_as_pairs(key) else "linear in distinct rows"
    found = standing(key)
    stands = f"average rank {number(found.rank, 2)} of {found.of}, which changes with the data" if found else ""
    said = notes(cls)
    good, bad = (_first_paragraph(said.get(part, "")) for part in ("When to take it", "Limits"))
    why = ADVISED.get(key, "")
    if why and stands:
        why += f". This rests on 26 pools, the average rank on {len(found.ari)} alone, and the two can lie far apart"
    return Thought(f"{steps}, {growth}", stands, why, good, bad)


def _first_paragraph(text: str) -> str:
    return text.strip().split("\n\n")[0].replace("\n", " ")


def measured_in_words() -> str:
    """How ranks were measured, as the benchmark that measured them has written it down."""
    about = record()["about"]
    if not about:
        return "not measured yet"
    pools = ", ".join(about["pools"])
    return f"{about['score']}; {pools}; {about['draws']}; {about['measured']}, by {about['command']}"


@dataclass(frozen=True)
class LeftOut:
    name: str
    why: str


@functools.cache
def left_out() -> tuple[LeftOut, ...]:
    """Methods that are not here, and why: `methods/left_out.md`, a heading each."""
    text = (Path(METHODS_FILE).parent / "left_out.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    return tuple(LeftOut(*(side.strip() for side in part.split("\n", 1))) for part in parts)
