"""quorum methods: what there is, and the sheet of one."""

from __future__ import annotations

import dataclasses
import textwrap

from ..data.sheets import Sheet, displayed, sheet
from ..errors import InputError
from ..method import Method
from ..methods import METHODS
from .parser import Parser
from .telling import Teller, columns

HELP = "the methods there are, or the sheet of one: problem, equations, dials, laws, limits"
USAGE = "[KEY]"
ABOUT = """Lists the methods, or shows one as its class says it.

  quorum methods
  quorum methods spce
  quorum methods spce --json"""
WIDTH = 100


def add(parser: Parser, method: type[Method] | None) -> None:
    parser.add_argument("key", nargs="?", help=f"one of {', '.join(METHODS)}")


def work(arguments, teller: Teller) -> int:
    if arguments.key is None:
        rows = [["key", "method", "missing labels", "what it is"]]
        for key, cls in METHODS.items():
            rows.append([key, cls.name(), "as they are" if cls.handles_missing else "filled first", cls.title])
        teller.say(columns(rows))
        teller.note("“quorum methods KEY” shows one.")
        teller.result({"methods": [_json(sheet(cls)) for cls in METHODS.values()]})
        return 0
    if arguments.key not in METHODS:
        raise InputError(f"There is no method {arguments.key!r}; there are {', '.join(METHODS)}.")
    found = sheet(METHODS[arguments.key])
    _say(found, teller)
    teller.result(_json(found))
    return 0


def _say(found: Sheet, teller: Teller) -> None:
    method = found.method
    teller.say(f"{method.name()} · {method.title}\n{method.reference}\n")
    teller.say(textwrap.fill(found.summary, WIDTH))
    for paragraph in found.problem:
        lines = displayed(paragraph)
        teller.say("\n" + (textwrap.indent(lines, "    ") if lines else textwrap.fill(paragraph, WIDTH)))
    teller.say("\nEquations")
    for one in found.equations:
        teller.say(f"  {one.equation.letter}, {one.equation.meaning} {one.equation.number}".rstrip())
        for case, formula in one.equation.formulas.items():
            teller.say(f"      {formula.text()}" + (f"    [{case}]" if case else ""))
    teller.say("\nDials")
    rows = [
        [f"  --{p.name.replace('_', '-')}", p.letter, "" if p.required else str(p.default), p.range_in_words, p.meaning]
        for p in found.dials
    ]
    teller.say(columns([["  option", "letter", "unless said", "values", "what it does"], *rows]))
    teller.say(f"\nMissing labels: {method.handles_missing or 'have to be filled first (--fill)'}")
    for _, says, why_not in found.laws:
        teller.say(textwrap.fill(f"not kept: {says}. Why: {why_not}" if why_not else f"kept: {says}", WIDTH))
    for heading, text in found.notes.items():
        teller.say(f"\n{heading}")
        for paragraph in filter(str.strip, text.split("\n")):
            teller.say(textwrap.fill(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  "))


def _json(found: Sheet) -> dict:
    method = found.method
    return {
        "key": method.key,
        "name": method.name(),
        "title": method.title,
        "family": method.family,
        "reference": method.reference,
        "summary": found.summary,
        "problem": list(found.problem),
        "missing labels": method.handles_missing or None,
        "dials": [
            {
                name: None if value is dataclasses.MISSING else list(value) if isinstance(value, tuple) else value
                for name, value in vars(dial).items()
            }
            | {"kind": dial.kind}
            for dial in found.dials
        ],
        "quantities": [
            {
                "name": one.name,
                "letter": one.letter,
                "meaning": one.meaning,
                "equation": one.equation,
                "axes": list(one.axes),
            }
            for one in method.quantities()
        ],
        "equations": [
            {
                "name": name,
                "letter": one.letter,
                "meaning": one.meaning,
                "number": one.number,
                "formulas": {case: formula.text() for case, formula in one.formulas.items()},
            }
            for name, one in method.equations().items()
        ],
        "laws": {law: why_not or True for law, _, why_not in found.laws},
        "notes": found.notes,
    }
