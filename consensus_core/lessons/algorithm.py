"""A method's algorithm, line by line: `methods/algorithms/KEY.md`. Its formulas are the equations of the class.

    * r, lam, W when r moves: the learner grows up …
    * alpha (d): …

Before the colon stand the quantities a line sets, in the order in which the method sets them; those in brackets are set
as well, and their formulas are not shown.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from ..equations.symbols import symbol
from ..errors import InputError
from ..live.scene import Line
from ..method import Method
from ..methods import __file__ as METHODS_FILE

LINE = re.compile(r"\* ([\w, ]*?) ?(?:\(([\w, ]+)\))?(?: when (\w+) moves)?: (.+)")


@functools.cache
def algorithm(method: type[Method]) -> tuple[Line, ...]:
    """() for a method whose algorithm nobody has written down."""
    path = Path(METHODS_FILE).parent / "algorithms" / f"{method.key}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return tuple(_line(method, line.strip()) for line in text.splitlines() if line.strip())


def _line(method: type[Method], text: str) -> Line:
    found = LINE.fullmatch(text)
    if found is None:
        raise InputError(f"{method.key}.md: a line of the algorithm is written like “* S, alpha: what is done”: {text}")
    shown, besides = _names(found[1]), _names(found[2])
    known = {quantity.name for quantity in method.quantities()} | set(method.equations())
    if strange := [name for name in (*shown, *besides, *_names(found[3])) if name not in known]:
        raise InputError(f"{method.key}.md: the algorithm speaks of {strange[0]}, which {method.name()} does not have")
    return Line(tuple(filter(None, (_math(method, name) for name in shown))), found[4], shown + besides, found[3] or "")


def _names(said: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (said or "").split(",") if name.strip())


def _math(method: type[Method], name: str) -> str:
    """ "S ← …" in MathML; "" for what has no formula of its own to show."""
    equation = method.equations().get(name)
    if equation is None or "" not in equation.formulas:
        return ""
    formula = equation.formulas[""]
    if formula.text() in ("it", "number"):
        return ""
    if formula.is_condition:
        return formula.mathml()
    return f"<mrow>{_letter(equation.letter)}</mrow><mo>←</mo>{formula.mathml()}"


def _letter(letter: str) -> str:
    if letter.isidentifier():
        return symbol(letter).mathml()
    return f"<mtext>{letter}</mtext>"
