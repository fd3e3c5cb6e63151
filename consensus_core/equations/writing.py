"""A formula in plain text, in LaTeX and in MathML, each in pieces that know which term they are."""

from __future__ import annotations

import ast
import re
from html import escape
from typing import NamedTuple

from .symbols import latex_letter, symbol
from .tree import OVER_AN_INDEX, Tree

SIGNS = {ast.Eq: "=", ast.NotEq: "≠", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥"}
LATEX_SIGNS = {"·": r"\cdot ", "=": "=", "≠": r"\ne ", "<": "<", "≤": r"\le ", ">": ">", "≥": r"\ge "}
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# how strongly a node holds together
CASE, WORD, SIDE, SUM, PRODUCT, SIGN, POWER, WHOLE = range(8)


class Piece(NamedTuple):
    """A bit of a formula; `term` where it stands for one, `at` for which of its row's numbers."""

    t: str
    term: str | None = None
    at: int | None = None


Pieces = list[Piece]


def text(of: Tree) -> str:
    return joined(pieces(of))


def latex(of: Tree) -> str:
    return joined(pieces(of, Latex()))


def mathml(of: Tree) -> str:
    """Elements without the <math> around them."""
    return joined(pieces(of, MathML()))


def pieces(of: Tree, style: Text | None = None) -> Pieces:
    return (style or Text()).write(of.tree)[0]


def joined(parts: Pieces) -> str:
    return "".join(part.t for part in parts)


class Text:
    """Plain text. The other styles change how parts are put together; what the parts are is decided here once."""

    sum_sign = "Σ"

    # --- the tree ---------------------------------------------------------------------------------------------

    def write(self, node: ast.expr) -> tuple[Pieces, int]:
        match node:
            case ast.Constant(value=value):
                return [Piece(self.constant(value))], WHOLE
            case ast.Name(id=name):
                return self.leaf(name, "")
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index)):
                return self.leaf(name, index)
            case ast.UnaryOp(operand=part):
                return self.sign("−") + self.inside(part, SIGN), SIGN
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.inside(left, SUM) + self.sign(" + ") + self.inside(right, SUM), SUM
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self.inside(left, SUM) + self.sign(" − ") + self.inside(right, PRODUCT), SUM
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.product(left, right), PRODUCT
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self.quotient(left, right)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(left, right), POWER
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                sign = self.sign(f" {SIGNS[type(op)]} ")
                return self.inside(left, SUM) + sign + self.inside(right, SUM), SIDE
            case ast.BoolOp(op=op, values=parts):
                word = " and " if isinstance(op, ast.And) else " or "
                return self.between([self.inside(part, SIDE) for part in parts], self.word(word)), WORD
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choice(self.write(body)[0], self.write(test)[0], self.write(orelse)[0]), CASE
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.call(name, args)
        raise TypeError(f"{ast.dump(node)} cannot be written")

    def inside(self, node: ast.expr, least: int) -> Pieces:
        """A part, in brackets where it would fall apart."""
        parts, strength = self.write(node)
        return self.bracketed(parts) if strength < least else parts

    def between(self, many: list[Pieces], sign: Pieces) -> Pieces:
        return [piece for k, parts in enumerate(many) for piece in ([*sign, *parts] if k else parts)]

    def product(self, left: ast.expr, right: ast.expr) -> Pieces:
        one, other = self.inside(left, PRODUCT), self.inside(right, SIGN)
        if _is_word(one[-1]) or _is_word(other[0]):  # "γ growth" side by side reads as one word
            return one + self.sign(" · ") + other
        return one + self.times(joined(one), joined(other), isinstance(left, ast.Constant)) + other

    def call(self, name: str, args: list[ast.expr]) -> tuple[Pieces, int]:
        if name in OVER_AN_INDEX:
            return self.over_index(name, args[0], args[1].id)
        if name == "sqrt":
            return self.root(args[0])
        written = [self.write(part)[0] for part in args]
        if name == "norm":
            return self.enclosed("‖", written[0], "‖"), WHOLE
        if name == "dot":
            return self.enclosed("⟨", self.between(written, self.sign(", ")), "⟩"), WHOLE
        if name == "abs":
            return self.enclosed("|", written[0], "|"), WHOLE
        return self.function(name) + self.bracketed(self.between(written, self.sign(", "))), WHOLE

    def over_index(self, name: str, body: ast.expr, index: str) -> tuple[Pieces, int]:
        if name == "sum":
            return self.sum_over(index) + self.inside(body, PRODUCT), PRODUCT
        return self.least_over(name, index) + self.inside(body, SUM), WORD

    # --- what a style decides ---------------------------------------------------------------------------------

    def leaf(self, name: str, index: str) -> tuple[Pieces, int]:
        return [Piece(symbol(name).text(index), name)], WHOLE

    def constant(self, value: float) -> str:
        return f"{value:g}".replace("-", "−")

    def sign(self, what: str) -> Pieces:
        return [Piece(what)]

    word = sign

    def times(self, one: str, other: str, number_first: bool) -> Pieces:
        if other[0].isdigit() or other[0] == "−":
            return [Piece(" · ")]
        return [] if number_first and other[0] != "Σ" else [Piece(" ")]

    def quotient(self, left, right) -> tuple[Pieces, int]:
        short = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult) and isinstance(right.left, ast.Constant)
        below, strength = self.write(right)
        if strength < POWER and not (short and self.reads_as_one(below)):
            below = self.bracketed(below)
        return [*self.inside(left, PRODUCT), Piece(" / "), *below], PRODUCT

    def reads_as_one(self, parts: Pieces) -> bool:
        """2B, but not 2 · 4."""
        return " " not in joined(parts)

    def power(self, base, exponent) -> Pieces:
        below = self.inside(base, WHOLE)
        if joined(below)[:1] == "−":
            below = self.bracketed(below)
        if isinstance(exponent, ast.Constant) and float(exponent.value).is_integer() and exponent.value >= 0:
            return [*below, Piece(f"{exponent.value:g}".translate(RAISED))]
        return [*below, Piece("^"), *self.inside(exponent, WHOLE)]

    def bracketed(self, parts: Pieces) -> Pieces:
        return [Piece("("), *parts, Piece(")")]

    def enclosed(self, left: str, parts: Pieces, right: str) -> Pieces:
        return [Piece(left), *parts, Piece(right)]

    def function(self, name: str) -> Pieces:
        return [Piece("log₂" if name == "log2" else name)]

    def root(self, part) -> tuple[Pieces, int]:
        return [Piece("√"), *self.inside(part, WHOLE)], POWER

    def sum_over(self, index: str) -> Pieces:
        return [Piece(f"Σ_{index} ")]

    def least_over(self, name: str, index: str) -> Pieces:
        return [Piece(f"the {index} with the {'least' if name == 'argmin' else 'greatest'} ")]

    def choice(self, then: Pieces, condition: Pieces, other: Pieces) -> Pieces:
        return [*then, Piece(" where "), *condition, Piece(", else "), *other]


def _is_word(piece: Piece) -> bool:
    return piece.term is not None and symbol(piece.term).is_word


class Latex(Text):
    def leaf(self, name, index):
        return [Piece(symbol(name).latex(index), name)], WHOLE

    def constant(self, value):
        return f"{value:g}"

    def sign(self, what):
        bare = what.strip().replace("−", "-")
        return [Piece(f" {LATEX_SIGNS.get(bare, bare)} " if what != "−" else "-")]

    def word(self, what):
        return [Piece(f"\\text{{{what}}}")]

    def times(self, one, other, number_first):
        return [Piece(r" \cdot ")] if other[0].isdigit() or other[0] == "-" else [Piece(r"\,")]

    def quotient(self, left, right):
        return [Piece(r"\frac{"), *self.write(left)[0], Piece("}{"), *self.write(right)[0], Piece("}")], WHOLE

    def power(self, base, exponent):
        parts, strength = self.write(base)
        # a fraction or something with indices of its own is bracketed, so that the exponent is not taken for its
        parts = parts if strength == WHOLE and not isinstance(base, ast.BinOp) else self.bracketed(parts)
        return [Piece("{"), *parts, Piece("}^{"), *self.write(exponent)[0], Piece("}")]

    def bracketed(self, parts):
        return [Piece(r"\left("), *parts, Piece(r"\right)")]

    def enclosed(self, left, parts, right):
        names = {"‖": (r"\lVert ", r"\rVert "), "|": (r"\lvert ", r"\rvert "), "⟨": (r"\langle ", r"\rangle ")}[left]
        return [Piece(rf"\left{names[0]}"), *parts, Piece(rf"\right{names[1]}")]

    def function(self, name):
        return [Piece({"log2": r"\log_2", "digamma": r"\psi", "trigamma": r"\psi'"}.get(name, f"\\{name}"))]

    def root(self, part):
        return [Piece(r"\sqrt{"), *self.write(part)[0], Piece("}")], WHOLE

    def sum_over(self, index):
        return [Piece(rf"\sum_{{{latex_letter(index)}}} ")]

    def least_over(self, name, index):
        which = "min" if name == "argmin" else "max"
        return [Piece(rf"\operatorname*{{arg\,{which}}}_{{{latex_letter(index)}}} ")]

    def choice(self, then, condition, other):
        return [
            Piece(r"\begin{cases}"), *then, Piece(r" & \text{where } "), *condition, Piece(r" \\ "), *other,
            Piece(r" & \text{else}\end{cases}"),
        ]  # fmt: skip


class MathML(Text):
    """MathML Core. What belongs to a term carries data-term with its name."""

    def leaf(self, name, index):
        return [Piece(f'<mrow data-term="{escape(name)}">{symbol(name).mathml(index)}</mrow>', name)], WHOLE

    def constant(self, value):
        return f"<mn>{f'{value:g}'.replace('-', '−')}</mn>"

    def sign(self, what):
        bare = what.strip()
        return [Piece(f'<mo form="prefix">{bare}</mo>' if what == "−" else f"<mo>{escape(bare)}</mo>")]

    def word(self, what):
        return [Piece(f"<mtext>{what.replace(' ', chr(0xA0))}</mtext>")]

    def times(self, one, other, number_first):
        bare = re.sub(r"^(<mrow[^>]*>)+", "", other)  # a term's number stands in a row of its own
        return [Piece("<mo>·</mo>" if bare.startswith(("<mn>", '<mo form="prefix">')) else "<mo>\u2062</mo>")]

    def quotient(self, left, right):
        return [Piece("<mfrac>"), *self.row(left), *self.row(right), Piece("</mfrac>")], WHOLE

    def power(self, base, exponent):
        parts, strength = self.write(base)
        parts = parts if strength == WHOLE and not isinstance(base, ast.BinOp) else self.bracketed(parts)
        return [Piece("<msup><mrow>"), *parts, Piece("</mrow>"), *self.row(exponent), Piece("</msup>")]

    def row(self, node) -> Pieces:
        return [Piece("<mrow>"), *self.write(node)[0], Piece("</mrow>")]

    def bracketed(self, parts):
        return [Piece("<mrow><mo>(</mo>"), *parts, Piece("<mo>)</mo></mrow>")]

    def enclosed(self, left, parts, right):
        return [
            Piece(f'<mrow><mo form="prefix" stretchy="true">{left}</mo>'), *parts,
            Piece(f'<mo form="postfix" stretchy="true">{right}</mo></mrow>'),
        ]  # fmt: skip

    def function(self, name):
        known = {
            "log2": "<msub><mi>log</mi><mn>2</mn></msub>",
            "digamma": "<mi>ψ</mi>",
            "trigamma": "<msup><mi>ψ</mi><mo>′</mo></msup>",
        }
        return [Piece(f"{known.get(name, f'<mi>{name}</mi>')}<mo>\u2061</mo>")]

    def root(self, part):
        return [Piece("<msqrt>"), *self.write(part)[0], Piece("</msqrt>")], WHOLE

    def sum_over(self, index):
        return [Piece(f"<munder><mo>∑</mo><mi>{escape(index)}</mi></munder>")]

    def least_over(self, name, index):
        which = "min" if name == "argmin" else "max"
        return [
            Piece(f"<munder><mrow><mi>arg</mi><mspace width='0.2em'/><mi>{which}</mi></mrow><mi>{index}</mi></munder>")
        ]

    def choice(self, then, condition, other):
        cell = "<mtd style='text-align: left'>"
        return [
            Piece(f"<mrow><mo>{{</mo><mtable><mtr>{cell}"), *then, Piece(f"</mtd>{cell}<mtext>where\u00a0</mtext>"),
            *condition, Piece(f"</mtd></mtr><mtr>{cell}"), *other,
            Piece(f"</mtd>{cell}<mtext>else</mtext></mtd></mtr></mtable></mrow>"),
        ]  # fmt: skip
