"""A lesson on paper: a table, entries to compute with a pencil, the questions; the answers on another page.

    Path("spce.html").write_bytes(handout(find_lesson("spce")))

One HTML page without anything that is fetched, made to be printed. Entries are those the lesson makes claims of, their
answers computed when the sheet is made, with the formula and the numbers put into it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import InputError
from ..method import Why, why
from ..method.quantities import Labels
from ..text import html
from .claims import is_literal, sides
from .facts import FactError, Facts, Reading, axes_of, quantity_named, tree_of
from .lesson import Lesson, Question, Screen
from .material import method_of
from .telling import facts_of, said

FEW = 12  # objects of a table that is printed
MOST = 12  # entries to compute
ENTRY = re.compile(r"(\w+)\(([^()]*)\)(?:\s*@\s*(\d+|end))?")
LOOKS = """
body { font: 11pt/1.45 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin: 1.4rem 0 .4rem; }
table { border-collapse: collapse; margin: .5rem 0; } td, th { border: 1px solid #888; padding: .15rem .7rem; }
ol > li { margin: .6rem 0; break-inside: avoid; } .choices { list-style: none; padding-left: .5rem; }
.choices li::before { content: "☐ "; } .line { display: inline-block; width: 9rem; border-bottom: 1px solid #111; }
.formula { font-style: italic; } .small { font-size: .9rem; color: #444; }
.answers { break-before: page; page-break-before: always; border-top: 1px solid #888; margin-top: 3rem; }
@media print { body { margin: 0; max-width: none; } .answers { border: 0; margin: 0; } }
"""


@dataclass(frozen=True, eq=False)
class Exercise:
    """An entry to compute."""

    fact: str
    about: str  # of which method on which data
    told: Why

    @property
    def asked(self) -> str:
        """The entry, and the formula it is computed by."""
        return _flat(self.told.json()["formula"])

    @property
    def filled(self) -> str:
        return _flat(self.told.json()["filled"])


def exercises(lesson: Lesson) -> list[Exercise]:
    """Entries of small tables that the lesson claims numbers of, each once."""
    found: dict[tuple, Exercise] = {}
    for screen in lesson.screens:
        facts = facts_of(lesson, screen)
        for claim in screen.claims if facts.data.ensemble.n <= FEW else ():
            try:
                left, relation, right = sides(claim.text)
                exercise = _exercise(facts, left) if relation == "=" and is_literal(right) else None
            except (InputError, FactError, IndexError):  # a span of iterations, a run that stands elsewhere
                continue
            if exercise is not None:
                found.setdefault((exercise.about, exercise.fact), exercise)
    return list(found.values())[:MOST]


def _exercise(facts: Facts, fact: str) -> Exercise | None:
    """None of what is no entry, or is said without being computed."""
    entry = ENTRY.fullmatch(fact)
    if entry is None:
        return None
    method = method_of(facts.wanted, facts.data.k)
    reading = Reading(facts.data, method)
    try:
        name = quantity_named(method, entry[1])
    except InputError:
        return None
    call = tree_of(f"{entry[1]}({entry[2]})")
    where = reading.where(axes_of(method, name), name, call.args)
    quantity = next((one for one in method.quantities() if one.name == name), None)
    if quantity is not None and quantity.kind is Labels:
        return None
    step = reading.step(None if entry[3] in (None, "end") else int(entry[3]))
    told = why(method, reading.ensemble, reading.steps.__getitem__, name, *where, iteration=step.iteration)
    if told.told.case in ("given", "same") or told.told.formula.is_condition or not _flat(told.json()["filled"]):
        return None
    return Exercise(fact, f"{method.name()} on {facts.data.title}", told)


def handout(lesson: Lesson) -> bytes:
    exercised = exercises(lesson)
    asked = [(screen, screen.question) for screen in lesson.screens if screen.question is not None]
    parts = [
        f"<h1>{html(lesson.title)}</h1><p>{_text(lesson.about)}</p>",
        *_tables(lesson),
        _entries_asked(exercised),
        "<h2>Questions</h2><ol>",
        *(_asked(lesson, screen, question) for screen, question in asked),
        "</ol>",
        f'<section class="answers"><h1>Answers: {html(lesson.title)}</h1>',
        _entries_answered(exercised),
        "<h2>Questions</h2><ol>",
        *(_answered(lesson, screen, question) for screen, question in asked),
        "</ol><h2>To remember</h2><ul>",
        *(f"<li>{_text(fact)}</li>" for fact in lesson.teaches),
        "</ul></section>",
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html(lesson.title)}</title>'
    return f"{head}<style>{LOOKS}</style>{''.join(parts)}</html>".encode()


# --- tables ---------------------------------------------------------------------------------------------------------


def _tables(lesson: Lesson) -> list[str]:
    """The small tables of base labels it speaks of, each once."""
    found: dict[str, str] = {}
    for screen in lesson.screens:
        data = facts_of(lesson, screen).data
        if data.ensemble.n <= FEW and data.title not in found:
            found[data.title] = f"<h2>{html(data.title)}</h2>{_table(data)}"
    return list(found.values())


def _table(data) -> str:
    ensemble = data.ensemble
    ids = data.ids if data.ids is not None else range(1, ensemble.n + 1)
    head = "".join(f"<th>{html(str(name))}</th>" for name in ("", *ensemble.names))
    rows = []
    for name, row in zip(ids, ensemble.labels(), strict=True):
        cells = (ensemble.label_name(t, int(label)) if label >= 0 else "" for t, label in enumerate(row))
        rows.append(f"<tr><th>{html(str(name))}</th>{''.join(f'<td>{html(str(cell))}</td>' for cell in cells)}</tr>")
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


# --- entries --------------------------------------------------------------------------------------------------------


def _entries_asked(exercised: list[Exercise]) -> str:
    if not exercised:
        return ""
    lines = (
        f'<li><b>{_place(one)}</b> = <span class="line"></span> <span class="small">{html(one.about)}</span>'
        f'<br><span class="formula">{html(one.told.told.letter)} = {html(one.asked)}</span> '
        f'<span class="small">{html(one.told.told.meaning)} {html(one.told.told.number)}</span></li>'
        for one in exercised
    )
    return f"<h2>Compute these {len(exercised)} entries</h2><ol>{''.join(lines)}</ol>"


def _entries_answered(exercised: list[Exercise]) -> str:
    lines = (
        f"<li><b>{_place(one)} = {html(one.told.said)}</b>"
        f'<br><span class="formula">= {html(one.filled)}</span><br>{html(one.told.words)}</li>'
        for one in exercised
    )
    return f"<h2>Entries</h2><ol>{''.join(lines)}</ol>" if exercised else ""


def _place(one: Exercise) -> str:
    fact = one.fact.partition("@")[0].strip()
    return html(f"{fact} at iteration {one.told.told.address.iteration}")


def _flat(pieces: list) -> str:
    return "".join(piece["t"] if isinstance(piece, dict) else piece for piece in pieces)


# --- questions ------------------------------------------------------------------------------------------------------


def _asked(lesson: Lesson, screen: Screen, question: Question) -> str:
    facts = facts_of(lesson, screen)
    told = f"<li>{_text(said(facts, screen.text))}<p><b>{_text(said(facts, question.text))}</b></p>"
    if question.kind != "choice":
        return f'{told}<p><span class="line"></span></p></li>'
    options = "".join(f"<li>{_text(said(facts, option.text))}</li>" for option in question.options)
    return f'{told}<ul class="choices">{options}</ul></li>'


def _answered(lesson: Lesson, screen: Screen, question: Question) -> str:
    facts, right = facts_of(lesson, screen), question.right
    answer = right.text if question.kind == "choice" else question.wanted
    if question.kind == "number":
        answer = f"{question.wanted} = {facts.said(question.wanted)}"
    because = " ".join(filter(None, (said(facts, right.why) if right else "", said(facts, screen.answer))))
    return f"<li><b>{_text(said(facts, answer))}</b><br>{_text(because)}</li>"


def _text(text: str) -> str:
    """A lesson's own marks, **strong** and *slanted*; everything else as it stands."""
    plain = html(text)
    plain = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
    plain = re.sub(r"(?<!\w)\*([^*]+?)\*(?!\w)", r"<i>\1</i>", plain)
    return plain.replace("\n\n", "<br><br>")
