"""What a lesson is: screens of one idea each, as values. `parse` makes them from a text file, pages and sheets show
them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InputError

END = -1  # the place where a run ends
HIDEABLE = {
    "scores": "how near the answer is to the truth",
    "labels": "which cluster an object is in",
    "values": "the numbers of entries, and why they are so",
    "status": "the line that says where the runs stand",
}
WIDE = ("tracks", "map", "clusters", "uncertain", "objective", "found", "score", "difference", "algorithm")
PANELS = {name: name for name in WIDE}  # what every method has besides its own pictures and curves


class LessonError(InputError):
    """A lesson's file cannot be understood: which file, which line, what was expected."""

    def __init__(self, faults: list[str]):
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Wanted:
    """A method by its key, with the dials that stand elsewhere than usual, as they were written."""

    key: str
    dials: Mapping[str, str] = field(default_factory=dict)

    def moved(self, dials: Mapping[str, str]) -> Wanted:
        return Wanted(self.key, {**self.dials, **dials})


@dataclass(frozen=True)
class Look:
    """What is seen of the runs, and from where."""

    show: tuple[str, ...] = ()  # quantities and panels, in this order; none: everything
    at: int = END
    pin: str = ""  # an entry, "S(3,5)"
    hide: tuple[str, ...] = ()
    rows: str = "given"  # the order of rows
    until: int | None = None  # no iteration beyond this one
    caption: str = ""  # a line over the pictures


@dataclass(frozen=True)
class Option:
    """An answer that may be given: a sentence, a number or an entry, and what is said to who gives it."""

    text: str
    right: bool
    why: str
    line: int


@dataclass(frozen=True)
class Question:
    """kind: "choice"; "number" (`wanted` says which, as a fact); "tap" (`wanted` is the entry)."""

    text: str
    kind: str
    options: tuple[Option, ...]
    wanted: str = ""
    other: str = ""  # said to an answer that is none of the options
    line: int = 0

    @property
    def right(self) -> Option | None:
        return next((option for option in self.options if option.right), None)


@dataclass(frozen=True)
class Break:
    """A switch: what it says, where dials stand while it is on, and what is then to be seen."""

    title: str
    dials: Mapping[str, str]
    look: Look
    text: str
    data: str = ""  # another sample, where the switch is one of data


@dataclass(frozen=True)
class Claim:
    """ "S(3,5) @ 6 = .577": what is said, and in which line."""

    text: str
    line: int


@dataclass(frozen=True)
class Screen:
    title: str
    text: str
    data: str
    methods: tuple[Wanted, ...]
    look: Look
    controls: tuple[str, ...] = ()
    question: Question | None = None
    reveal: Look | None = None
    answer: str = ""  # what is said when the answer is shown
    breaks: Break | None = None
    claims: tuple[Claim, ...] = ()
    tool: str = ""  # "table", "points": something to work with instead of a sample
    line: int = 0

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything in it in which a number may stand in braces."""
        asked = self.question
        found = [self.text, self.answer, self.look.caption]
        if asked is not None:
            found += [asked.text, asked.other]
            found += [part for option in asked.options for part in (option.text, option.why)]
        if self.breaks is not None:
            found += [self.breaks.text, self.breaks.title]
        return tuple(filter(None, found))


@dataclass(frozen=True, eq=False)
class Lesson:
    key: str
    title: str
    about: str
    teaches: tuple[str, ...]  # what somebody knows afterwards
    seen_on: tuple[int | None, ...]  # and on which screen each is seen, counted from 1
    minutes: int
    order: float
    path: Path
    screens: tuple[Screen, ...]
