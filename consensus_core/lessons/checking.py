"""A lesson as it was written, held to what there is: samples, methods, dials, pictures, entries, facts.

Nothing is computed here but small tables: what a claim says is held against the core by a test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ..data import Data
from ..errors import InputError
from ..method import Method
from .claims import sides, spread
from .facts import (
    FUNCTIONS,
    OF_PAIRS,
    OF_THINGS,
    SUMMARIES,
    Reading,
    axes_of,
    quantity_named,
    split,
    tree_of,
)
from .lesson import HIDEABLE, PANELS, Lesson, LessonError, Look, Screen, Wanted
from .material import material, method_of

BRACES = re.compile(r"\{([^{}]+)\}")
ORDERS = ("given", "consensus", "leaf", "truth")
MOST_CONTROLS = 3
TOOLS = ("table", "points")


def checked(lesson: Lesson) -> Lesson:
    """The same; or a LessonError that says of every line what is wrong with it."""
    faults: list[str] = []
    for screen in lesson.screens:
        faults += [f"{lesson.path.name}, line {line}: {words}." for line, words in _faults(lesson, screen)]
    if faults:
        raise LessonError(faults)
    return lesson


def _faults(lesson: Lesson, screen: Screen) -> Iterable[tuple[int, str]]:
    try:
        data = material(screen.data, lesson.path.parent)
        methods = [method_of(wanted, data.k) for wanted in screen.methods]
    except InputError as fault:
        yield screen.line, str(fault).rstrip(".")
        return
    if screen.tool and screen.tool not in TOOLS:
        yield screen.line, f"“tool:” is one of {', '.join(TOOLS)}, not “{screen.tool}”"
    if len(screen.controls) > MOST_CONTROLS:
        yield screen.line, f"{len(screen.controls)} controls; a screen has at most {MOST_CONTROLS}"
    for name in screen.controls:
        if all(param.name != name for method in methods for param in method.params()):
            yield screen.line, f"“controls:” names “{name}”, which is no dial of {methods[0].name()}"
    for look in filter(None, (screen.look, screen.reveal, screen.breaks and screen.breaks.look)):
        for words in _look_faults(look, data, methods):
            yield screen.line, words
    if screen.breaks is not None:
        try:
            other = material(screen.breaks.data, lesson.path.parent) if screen.breaks.data else data
            for wanted in screen.methods:
                method_of(moved_where_known(wanted, screen.breaks.dials), other.k)
            known = {param.name for method in methods for param in method.params()}
            for name in [name for name in screen.breaks.dials if name not in known]:
                yield screen.line, f"the switch moves “{name}”, which is no dial of {methods[0].name()}"
        except InputError as fault:
            yield screen.line, f"“### Break”: {str(fault).rstrip('.')}"
    for text in screen.texts:
        for fact in BRACES.findall(text):
            yield from ((screen.line, words) for words in _fact_faults(fact, lesson, screen, data))
    asked = screen.question
    if asked is not None and asked.kind != "choice":
        yield from ((asked.line, words) for words in _fact_faults(asked.wanted, lesson, screen, data))
    for claim in screen.claims:
        try:
            for side in {side for one in spread(claim.text)[:1] for side in sides(one)[::2]}:
                if not re.fullmatch(r"[\d .−-]+|[\w ]+", side) or " with " in side:
                    for words in _fact_faults(side, lesson, screen, data):
                        yield claim.line, words
        except InputError as fault:
            yield claim.line, str(fault).rstrip(".")


def moved_where_known(wanted: Wanted, dials) -> Wanted:
    """A switch or control moves each method that has the dial."""
    from ..methods import METHODS

    known = {param.name for param in METHODS[wanted.key].params()}
    return wanted.moved({name: value for name, value in dials.items() if name in known})


def _look_faults(look: Look, data: Data, methods: list[Method]) -> Iterable[str]:
    for name in look.show:
        if name not in PANELS and not any(shows(method, name) for method in methods):
            drawn = [quantity for method in methods for quantity in method.quantities()]
            others = [f"{quantity.name}~{also.card}" for quantity in drawn for also in quantity.also]
            there = ", ".join(dict.fromkeys([*(quantity.name for quantity in drawn), *others, *PANELS]))
            yield f"“show:” names “{name}”, which {methods[0].name()} does not draw; there are {there}"
    for name in look.hide:
        if name not in HIDEABLE:
            yield f"“hide:” names “{name}”; there are {', '.join(HIDEABLE)}"
    if look.rows not in ORDERS and not re.fullmatch(r"base:\d+", look.rows):
        yield f"“rows:” is one of {', '.join(ORDERS)} or base:0, base:1, …, not “{look.rows}”"
    if look.pin:
        try:
            entry_of(data, methods[0], look.pin)
        except InputError as fault:
            yield f"“pin:” is an entry, like S(x3,x5): {str(fault).rstrip('.')}"


def shows(method: Method, name: str) -> bool:
    """Whether it draws a quantity (“S”), or a quantity in this other way (“S~graph”)."""
    name, _, drawing = name.partition("~")
    try:
        quantity = method.quantity(quantity_named(method, name))
    except InputError:
        return False
    return not drawing or any(also.card == drawing for also in quantity.also)


def entry_of(data: Data, method: Method, said: str) -> tuple[str, tuple[int, ...]]:
    """ "S(x3,x5)" -> ("S", (2, 4)), numbered from 0."""
    tree, reading = tree_of(said), Reading(data, method)
    match tree:
        case ast.Name(id=name):
            args = []
        case ast.Call(func=ast.Name(id=name), args=args):
            pass
        case _:
            raise InputError(f"“{said}” is no entry")
    if name == "object":
        return "cluster", reading.where(("object",), name, args)
    name = quantity_named(method, name)
    return name, reading.where(axes_of(method, name), name, args)


def _fact_faults(fact: str, lesson: Lesson, screen: Screen, data: Data) -> Iterable[str]:
    try:
        said, moved = split(fact)
        about = material(moved.pop("data"), lesson.path.parent) if "data" in moved else data
        wanted = Wanted(moved.pop("method"), {}) if "method" in moved else screen.methods[0]
        reading = Reading(about, method_of(wanted.moved(moved), about.k))
        for node in ast.walk(tree_of(said)):
            _look_at(node, reading)
    except InputError as fault:
        yield f"“{fact}”: {str(fault).rstrip('.')}" if fact not in str(fault) else str(fault).rstrip(".")


def _look_at(node: ast.AST, reading: Reading) -> None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    name, args = node.func.id, node.args
    if name in FUNCTIONS or name in ("count", *OF_PAIRS) or (name in SUMMARIES and len(args) == 1):
        return
    axes = OF_THINGS.get(name) or axes_of(reading.method, quantity_named(reading.method, name))
    reading.where(axes, name, args)
