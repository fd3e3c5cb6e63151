"""A formula as a tree, and its value.

The language is Python's, Greek letters included, and no more of it than papers need: + − · / powers, comparisons,
`a if condition else b`, min, max, sqrt, exp, log, log2, abs, digamma, trigamma; `sum(x[i] * y, i)` over an index;
`norm(x - y)` and `dot(x, y)` of rows; `argmin(cost[q], q)`; and `left == right`, a condition that must hold instead of
a value. min and max are of terms, not over an index: the greatest of a row is a term of its own (`row.term(place)`).
A name with an index, or inside norm and dot, stands for a row of numbers.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.special

BINARY = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
COMPARED = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
FUNCTIONS = {
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "log2": np.log2,
    "abs": np.abs,
    "digamma": scipy.special.digamma,
    "trigamma": lambda x: scipy.special.polygamma(1, x),
}
EXTREMES = {"min": np.minimum, "max": np.maximum}
OVER_AN_INDEX = ("sum", "argmin", "argmax")
OF_ROWS = {"norm": lambda x: math.sqrt(float(np.dot(x, x))), "dot": lambda x, y: float(np.dot(x, y))}


class FormulaError(ValueError):
    """A formula that cannot be said in this language, or numbers that do not fit it."""


@dataclass(frozen=True)
class Tree:
    """`source` in the language above; `tree` what it means."""

    source: str
    tree: ast.expr

    def __hash__(self) -> int:
        return hash(self.source)

    def __eq__(self, other) -> bool:
        return isinstance(other, Tree) and self.source == other.source

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The terms in the order in which they stand, indices left out."""
        return tuple(dict.fromkeys(node.id for node in in_reading_order(self.tree) if isinstance(node, ast.Name)))

    @functools.cached_property
    def rows(self) -> frozenset[str]:
        """The terms that stand for rows of numbers."""
        found = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Subscript):
                found.add(node.value.id)
            elif isinstance(node, ast.Call) and node.func.id in OF_ROWS:
                found |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and part is not node.func}
        return frozenset(found)

    @property
    def is_condition(self) -> bool:
        """left == right: not a value but what must hold."""
        return isinstance(self.tree, ast.Compare) and isinstance(self.tree.ops[0], ast.Eq)

    @functools.cached_property
    def sides(self) -> tuple[Tree, Tree]:
        return tuple(type(self)(ast.unparse(side), side) for side in (self.tree.left, self.tree.comparators[0]))

    def value(self, numbers: Mapping | None = None, /, **more) -> float:
        """The value at these numbers; of a condition, what is left of it: left − right."""
        numbers = {**(numbers or {}), **more}
        self.check(numbers)
        if self.is_condition:
            left, right = (side.value({name: numbers[name] for name in side.names}) for side in self.sides)
            return left - right
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return float(evaluate(self.tree, numbers))

    def holds(self, numbers: Mapping) -> bool:
        """Whether a comparison is true."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return bool(evaluate(self.tree, numbers))

    def check(self, numbers: Mapping) -> None:
        wanted, given = set(self.names), set(numbers)
        if wanted != given:
            odd = sorted(wanted - given) or sorted(given - wanted)
            what = "needs" if wanted - given else "has no"
            raise FormulaError(f"{self.source} {what} {', '.join(odd)}.")

    def __repr__(self) -> str:
        return f"formula({self.source!r})"


def in_reading_order(node: ast.AST):
    """Nodes from left to right; names of functions and of indices are not terms."""
    if isinstance(node, ast.Call):
        parts = node.args[:1] if node.func.id in OVER_AN_INDEX else node.args
        for part in parts:
            yield from in_reading_order(part)
        return
    if isinstance(node, ast.Subscript):
        yield node.value
        return
    if isinstance(node, ast.IfExp):
        for part in (node.body, node.test, node.orelse):
            yield from in_reading_order(part)
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from in_reading_order(part)


def only_what_is_known(node, source, indices) -> None:
    def refuse(what):
        raise FormulaError(f"{source!r}: {what} is not part of the language of formulas.")

    match node:
        case ast.Name() | ast.Constant(value=int() | float()):
            if isinstance(node, ast.Constant) and isinstance(node.value, bool):
                refuse(repr(node.value))
            return
        case ast.UnaryOp(op=ast.USub(), operand=part):
            parts = [part]
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in BINARY:
                refuse(type(op).__name__)
            parts = [left, right]
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if type(op) not in COMPARED:
                refuse(type(op).__name__)
            parts = [left, right]
        case ast.BoolOp(values=parts):
            pass
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [test, body, orelse]
        case ast.Subscript(value=ast.Name(), slice=ast.Name(id=index)):
            if index not in indices:
                refuse(f"the index {index} outside of a {', '.join(OVER_AN_INDEX)} over it")
            return
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            if name in OVER_AN_INDEX:
                if len(args) != 2 or not isinstance(args[1], ast.Name):
                    refuse(f"{name} without an index")
                return only_what_is_known(args[0], source, indices | {args[1].id})
            wanted = {"norm": (1,), "dot": (2,)} | dict.fromkeys(FUNCTIONS, (1,)) | dict.fromkeys(EXTREMES, (2, 3, 4))
            if name not in wanted:
                refuse(name)
            if len(args) not in wanted[name]:
                refuse(f"{name} of {len(args)}")
            parts = args
        case _:
            refuse(ast.unparse(node))
    for part in parts:
        only_what_is_known(part, source, indices)


class Evaluator:
    """Computes a tree at given numbers. `filling` computes the same at the numbers as they are printed."""

    def __init__(self, numbers: Mapping):
        self.numbers = numbers

    def of(self, node: ast.expr):
        """The value of a node: a number, a row of numbers, or whether a comparison holds."""
        match node:
            case ast.Constant(value=value):
                return float(value)
            case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
                return self.term(name)
            case ast.UnaryOp(operand=part):
                return -self.of(part)
            case ast.BinOp(left=left, op=op, right=right):
                return BINARY[type(op)](self.of(left), self.of(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return COMPARED[type(op)](self.of(left), self.of(right))
            case ast.BoolOp(op=op, values=parts):
                return (all if isinstance(op, ast.And) else any)(bool(self.of(part)) for part in parts)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                true = self.of(test)
                if np.ndim(true):
                    return np.where(true, self.of(body), self.of(orelse))
                return self.of(body if true else orelse)
            case ast.Call(func=ast.Name(id=name), args=args) if name in OVER_AN_INDEX:
                return self.over_index(name, args[0])
            case ast.Call(func=ast.Name(id=name), args=args) if name in OF_ROWS:
                return self.of_rows(node)
            case ast.Call(func=ast.Name(id=name), args=args):
                values = [self.of(part) for part in args]
                return functools.reduce(EXTREMES[name], values) if name in EXTREMES else FUNCTIONS[name](*values)
        raise FormulaError(f"{ast.unparse(node)} cannot be computed.")

    def term(self, name: str):
        value = self.numbers[name]
        return value if isinstance(value, (int, float)) else np.asarray(value, dtype=float)

    def over_index(self, name: str, body: ast.expr) -> float:
        parts = np.atleast_1d(np.asarray(self.of(body), dtype=float))
        if name == "sum":
            return float(parts.sum())
        return float(parts.argmin() if name == "argmin" else parts.argmax())

    def of_rows(self, node: ast.Call) -> float:
        return OF_ROWS[node.func.id](*(self.of(part) for part in node.args))


def evaluate(node: ast.expr, numbers: Mapping):
    return Evaluator(numbers).of(node)
