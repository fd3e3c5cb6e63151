"""What a screen says, its numbers computed; and what is said to an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .checking import BRACES, entry_of
from .claims import Judged, decimals, is_literal, judge
from .facts import FactError, Facts, axes_of
from .lesson import Claim, Lesson, Option, Question, Screen
from .material import material, method_of

EXACT = 1e-6
UNKNOWN = "…"  # stands for a number that cannot be computed


def facts_of(lesson: Lesson, screen: Screen) -> Facts:
    return Facts(material(screen.data, lesson.path.parent), screen.methods[0], lesson.path.parent)


def said(facts: Facts, text: str) -> str:
    """With numbers where facts stand in braces."""

    def number(found) -> str:
        try:
            return facts.said(found[1])
        except FactError:
            return UNKNOWN

    return BRACES.sub(number, text)


def all_told(lesson: Lesson) -> None:
    """Every number of a lesson, computed: its runs are known from then on."""
    for screen in lesson.screens:
        facts = facts_of(lesson, screen)
        for text in screen.texts:
            said(facts, text)


def claims_of(lesson: Lesson) -> list[tuple[Screen, Claim]]:
    return [(screen, claim) for screen in lesson.screens for claim in screen.claims]


def judged(lesson: Lesson) -> list[tuple[Claim, Judged]]:
    """Every claim of a lesson, held against the core."""
    return [(claim, judge(facts_of(lesson, screen), claim.text)) for screen, claim in claims_of(lesson)]


@dataclass(frozen=True)
class Reply:
    right: bool
    why: str


def reply(facts: Facts, question: Question, answer: str) -> Reply:
    """What is said to an answer: the place of a choice, a number as it was typed, or an entry (“S(3,5)”)."""
    match question.kind:
        case "choice":
            option = question.options[int(answer)]
            return Reply(option.right, option.why)
        case "number":
            return _to_number(facts, question, answer)
    return _to_entry(question, answer)


def as_counted(question: Question, answer: str) -> str:
    """The same answers are counted as one, however they were written: .5, 0,5 and 0.5. But 0.50 says more than they."""
    text = _number_text(answer) if question.kind == "number" else answer
    return f"{float(text):.{max(decimals(text), 0)}f}" if question.kind == "number" and is_literal(text) else text


def _number_text(answer: str) -> str:
    return answer.strip().removeprefix("+").replace(",", ".").replace("−", "-")


def _to_number(facts: Facts, question: Question, answer: str) -> Reply:
    read = _number(_number_text(answer))
    if read is None:
        return Reply(False, "This is no number: write it like .33, 0.33 or 1/3.")
    (value, half), wanted = read, facts.value(question.wanted)
    if math.isfinite(value) and abs(value - wanted) <= half:
        return Reply(True, question.right.why if question.right else "")
    for option in question.options:
        tempting = float(option.text) if is_literal(option.text) else facts.value(option.text)
        if not option.right and abs(value - tempting) <= half:
            return Reply(False, option.why)
    return Reply(False, question.other or "Not this number.")


def _number(text: str) -> tuple[float, float] | None:
    """A number, and how far from it still counts as it: to the digits that were written, at least one; a fraction is
    meant as it stands."""
    above, slash, below = (part.strip() for part in text.partition("/"))
    if slash:
        if not (is_literal(above) and is_literal(below)) or float(below) == 0:
            return None
        return float(above) / float(below), EXACT
    return (float(text), 0.5 * 10.0 ** -max(decimals(text), 1) * 1.01) if is_literal(text) else None


def _to_entry(question: Question, answer: str) -> Reply:
    """There may be several right ones: each that is marked so."""
    found: Option | None = next((one for one in question.options if one.text == answer), None)
    if answer == question.wanted and (found is None or not found.right):
        return Reply(True, question.right.why if question.right else "")
    return Reply(found.right, found.why) if found else Reply(False, question.other or "Not this one.")


def entry_named(facts: Facts, question: Question, pinned: str) -> str:
    """An entry as a link writes it ("A.0.3"), as the question writes it; in words where it does not speak of it."""
    name, *places = pinned.split(".")
    where = tuple(int(at) for at in places if at.isdecimal())
    for said_ in (question.wanted, *(option.text for option in question.options)):
        if _same(facts, said_, name, where):
            return said_
    ids = facts.data.ids
    called = [str(at + 1) if ids is None or at >= len(ids) else str(ids[at]) for at in where]
    return f"{name}({', '.join(called)})"


def _same(facts: Facts, entry: str, name: str, where: tuple[int, ...]) -> bool:
    method = method_of(facts.wanted, facts.data.k)
    known, at = entry_of(facts.data, method, entry)
    both_ways = axes_of(method, known) == ("object", "object")
    return known == name and (at == where or (both_ways and at == where[::-1]))
