"""A formula with the numbers put in. What is printed computes: the printed numbers give the printed result.

Three digits are enough most of the time; where they are not, more are printed. Of a sum the greatest parts stand first
and parts that are 0 are left out; the rest of a long one is added up. A norm or an inner product of rows stands as one
number.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from ..numbers import number, read
from .tree import Evaluator, Tree, evaluate
from .writing import PRODUCT, SUM, WHOLE, Latex, MathML, Piece, Pieces, Text, joined

RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
DIGITS = 3
MOST_DIGITS = 15
AT_ONCE = 4  # parts of a sum that are written out
LISTED = 8  # numbers among which the least is looked for


def filled(of: Tree, numbers: Mapping, style: type[Text] = Text) -> Pieces:
    """The pieces of a formula at these numbers, with as many digits as it takes."""
    return _STYLES[style](numbers, enough_digits(of, numbers)).write(of.tree)[0]


def filled_text(of: Tree, numbers: Mapping) -> str:
    of.check(numbers)
    return joined(filled(of, numbers))


def enough_digits(of: Tree, numbers: Mapping) -> int:
    """How many digits must be printed so that what is printed gives the result to its last printed digit."""
    parts = of.sides if of.is_condition else (of,)
    nothing = _nothing(numbers) if of.is_condition else 0.0

    def shown(value) -> str:
        return number(0.0 if abs(value) <= nothing else value, DIGITS)

    wanted = [shown(evaluate(part.tree, numbers)) for part in parts]
    for digits in range(DIGITS, MOST_DIGITS):
        printed = AsPrinted(numbers, digits)
        try:
            found = [shown(printed.of(part.tree)) for part in parts]
        except ArithmeticError:  # so rounded, something is divided by 0
            continue
        if found == wanted:
            return digits
    return MOST_DIGITS


def _nothing(numbers: Mapping) -> float:
    """What is left of a condition that is fulfilled: the rounding of its numbers, for which no digits are printed."""
    return 1e-12 * min(1.0, max((float(np.max(np.abs(value), initial=0)) for value in numbers.values()), default=0.0))


def written(value: float, digits: int) -> float:
    """A number as it is printed."""
    return read(number(value, digits))


def parts_of_sum(body: ast.expr, numbers: Mapping) -> tuple[list[int], list[int]]:
    """Which parts of a sum are written out, the greatest first, and which are only added up."""
    sizes = np.abs(np.atleast_1d(np.asarray(evaluate(body, numbers), dtype=float)))
    order = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k]]
    shown = order if len(order) <= AT_ONCE else order[: AT_ONCE - 1]
    return shown, order[len(shown) :]


def at_part(body: ast.expr, numbers: Mapping, k: int) -> dict:
    """The numbers that part k of a sum is made of; rows that are not in it may be shorter."""
    there = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    return {name: float(x[k]) if np.ndim(x) else x for name, x in numbers.items() if name in there}


def added_up(body: ast.expr, numbers: Mapping, rest: list[int]) -> float:
    return float(np.atleast_1d(np.asarray(evaluate(body, numbers), dtype=float))[rest].sum())


class AsPrinted(Evaluator):
    """The value at the numbers as they are printed."""

    def __init__(self, numbers: Mapping, digits: int):
        super().__init__(numbers)
        self.digits = digits

    def term(self, name: str):
        value = super().term(name)
        return np.array([written(x, self.digits) for x in value]) if np.ndim(value) else written(value, self.digits)

    def over_index(self, name: str, body: ast.expr) -> float:
        if name != "sum":
            parts = np.atleast_1d(np.asarray(evaluate(body, self.numbers), dtype=float))
            parts = np.array([written(x, self.digits) for x in parts])
            return float(parts.argmin() if name == "argmin" else parts.argmax())
        shown, rest = parts_of_sum(body, self.numbers)
        total = sum(float(AsPrinted(at_part(body, self.numbers, k), self.digits).of(body)) for k in shown)
        return total + (written(added_up(body, self.numbers, rest), self.digits) if rest else 0.0)

    def of_rows(self, node: ast.Call) -> float:
        return written(evaluate(node, self.numbers), self.digits)


class _Filling:
    """Numbers in the place of terms, for any style of writing."""

    def __init__(self, numbers: Mapping, digits: int, at: int | None = None):
        self.numbers, self.digits, self.at = numbers, digits, at

    def leaf(self, name, index):
        value = self.numbers[name]
        value = value[self.at] if np.ndim(value) else value
        parts = self.told(float(value))
        at = self.at if np.ndim(self.numbers[name]) else None
        return [Piece(part.t, name, at) for part in parts], SUM if value < 0 else self.strength(parts)

    def strength(self, parts: Pieces) -> int:
        return PRODUCT if joined(parts)[-1] in RAISED_DIGITS else WHOLE  # 4.1·10³ is bracketed in a power

    def told(self, value: float) -> Pieces:
        return [Piece(self.figure(number(value, self.digits)))]

    def figure(self, text: str) -> str:
        return text

    def write(self, node):
        match node:
            case ast.Call(func=ast.Name(id="norm" | "dot")):
                names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part is not node.func]
                value = evaluate(node, self.numbers)
                parts = self.told(value)
                return [Piece(piece.t, names[0]) for piece in parts], SUM if value < 0 else self.strength(parts)
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right) if self.at is not None:
                if not self.here(right):
                    return self.write(left)
                if not self.here(left) and isinstance(node.op, ast.Add):
                    return self.write(right)
            case ast.BinOp(op=ast.Mult(), left=left, right=right) if self.at is not None:
                if self.is_one(left):
                    return self.write(right)
                if self.is_one(right):
                    return self.write(left)
        return super().write(node)

    def here(self, node) -> float:
        return float(evaluate(node, at_part(node, self.numbers, self.at)))

    def is_one(self, node) -> bool:
        """A factor that says only whether a part is there."""
        return isinstance(node, ast.Subscript) and self.here(node) == 1

    def over_index(self, name, body, index):
        if name != "sum":
            values = np.atleast_1d(np.asarray(evaluate(body, self.numbers), dtype=float))
            listed = [self.told(float(x)) for x in values[:LISTED]]
            more = self.word(" …") if len(values) > LISTED else []
            return self.word(f"{'least' if name == 'argmin' else 'greatest'} of ") + self.between(
                listed, self.sign(", ")
            ) + more, SUM  # fmt: skip
        shown, rest = parts_of_sum(body, self.numbers)
        if not shown:
            return self.told(0.0), WHOLE
        many = [type(self)(self.numbers, self.digits, k).inside(body, PRODUCT) for k in shown]
        if rest:
            left = self.told(added_up(body, self.numbers, rest))
            many.append([*self.word(f"({len(rest)} more: "), *left, *self.word(")")])
        return self.between(many, self.sign(" + ")), SUM if len(many) > 1 else PRODUCT


class FilledText(_Filling, Text):
    def reads_as_one(self, parts):
        return False


def number_in_latex(text: str) -> str:
    """A printed number ("−4.1·10⁻⁵") in LaTeX."""
    text = text.replace("−", "-").replace(",", "{,}")
    if "10" in text and text[-1] in RAISED_DIGITS:
        front, _, power = text.rpartition("10")
        raised = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        return f"{front.replace('·', chr(92) + 'cdot ')}10^{{{raised}}}"
    return text


class FilledLatex(_Filling, Latex):
    def figure(self, text):
        return number_in_latex(text)


class FilledMathML(_Filling, MathML):
    def leaf(self, name, index):
        parts, strength = super().leaf(name, index)
        mark = f' data-at="{self.at}"' if parts[0].at is not None else ""
        return [
            Piece(f'<mrow data-term="{name}"{mark}>{part.t}</mrow>', part.term, part.at) for part in parts
        ], strength

    def figure(self, text):
        return f"<mn>{text}</mn>"

    def strength(self, parts):
        return PRODUCT if joined(parts)[-len("</mn>") - 1] in RAISED_DIGITS else WHOLE


_STYLES = {Text: FilledText, Latex: FilledLatex, MathML: FilledMathML}
