"""A fact: a number of a run, written as in a lesson, computed when it is asked for.

    S(x3,x5) @ 6            an entry at an iteration; without one, at the end of the run
    alpha(C3) @ 6 - alpha(C3) @ 5          arithmetic
    ARI with theta .5, exact_k off         of a run that stands elsewhere
    count(W < 1) @ 3        pairs of different objects (or entries) for which this holds; least, greatest, mean, total
    inside(A), between(A)   the mean of a matrix over pairs of one cluster, and of two
    ari(C3), label(x3, C1), size(1), groups, found, iterations, n, m, q, k

Objects are named by their ids or counted from 1, base clusterings by their names or counted from 1, clusters of base
clusterings as C1:2 or counted from 1. Quantities have their own names or the paper's letters.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import scores
from ..data import Data
from ..ensemble.truth import truth_codes
from ..equations.formula import FormulaError
from ..errors import InputError
from ..linalg.paired import Paired
from ..method import Method, Step, why
from ..method.quantities import AXES, Labels
from ..numbers import number
from .lesson import Wanted
from .material import material, method_of, ready, run

HYPEREDGE = re.compile(r"(?<![\w'\"])(\w+:\w+)(?![\w'\"])")
SUMMARIES: dict[str, Callable] = {"least": np.min, "greatest": np.max, "mean": np.mean, "total": np.sum}
FUNCTIONS = {"abs": abs, "min": min, "max": max, "sqrt": np.sqrt, "round": round, "log": np.log, "exp": np.exp}
OPERATORS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
COMPARED = {ast.Lt: np.less, ast.Gt: np.greater, ast.LtE: np.less_equal, ast.GtE: np.greater_equal, ast.Eq: np.equal}
OF_PAIRS = ("inside", "between")
OF_RUNS = ("ARI", "NMI", "found", "iterations", "objective", "groups", "n", "m", "q", "k", "pairs")
OF_THINGS = {
    "ari": ("clustering",),
    "label": ("object", "clustering"),
    "size": ("cluster",),
    "classes": ("clustering",),
}
SCORE = re.compile(r"(ARI|NMI|best_base|mean_base|ari\()")  # nobody wants more of a score than three places
OF_SPREAD = ("best_base", "mean_base")


class FactError(InputError):
    """A fact that means nothing."""


def tree_of(fact: str) -> ast.expr:
    try:
        return ast.parse(HYPEREDGE.sub(r"'\1'", fact.strip()), mode="eval").body
    except SyntaxError as fault:
        raise FactError(f"“{fact}” is no fact: {fault.msg}") from None


def split(fact: str) -> tuple[str, dict[str, str]]:
    """The fact itself, and where its run stands elsewhere: dials, “data” and “method” by their names."""
    said, _, moved = fact.partition(" with ")
    found = {}
    for part in filter(None, (part.strip() for part in moved.split(","))):
        name, _, value = part.partition(" ")
        if not value:
            raise FactError(f"after “with” stands a dial and where it stands, like “theta .5”, not “{part}”")
        found[name] = value.strip()
    return said, found


@dataclass(frozen=True, eq=False)
class Facts:
    """The facts of a run, and of others beside it."""

    data: Data
    wanted: Wanted
    folder: object = None
    _known: dict = field(default_factory=dict, repr=False)

    def value(self, fact: str):
        """A number, or a text (a label; groups)."""
        if fact not in self._known:
            self._known[fact] = self._value(fact)
        return self._known[fact]

    def said(self, fact: str) -> str:
        """As people write it."""
        found = self.value(fact)
        if isinstance(found, str):
            return found
        return number(round(found, 3) if SCORE.match(fact.strip()) else found)

    def _value(self, fact: str):
        said, moved = split(fact)
        data = material(moved.pop("data"), self.folder) if "data" in moved else self.data
        wanted = Wanted(moved.pop("method"), {}) if "method" in moved else self.wanted
        method = method_of(wanted.moved(moved), data.k)
        try:
            return Reading(data, method).number(tree_of(said), None)
        except (InputError, FormulaError, IndexError, TypeError, ZeroDivisionError) as fault:
            raise FactError(f"“{fact}”: {fault}") from fault


class Reading:
    """One run, read."""

    def __init__(self, data: Data, method: Method):
        self.data, self.method, self.ensemble = data, method, ready(data, method)

    @property
    def steps(self) -> tuple[Step, ...]:
        return run(self.method, self.ensemble)

    def step(self, at: int | None) -> Step:
        steps = self.steps
        if at is not None and at >= len(steps):
            raise FactError(f"the run ends at iteration {len(steps) - 1}")
        return steps[-1 if at is None else at]

    def number(self, tree: ast.expr, at: int | None):
        match tree:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.number(operand, at)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return self.number(left, self.place(right))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](self.number(left, at), self.number(right, at))
            case ast.Name(id=name):
                return self.named(name, (), at)
            case ast.Call(func=ast.Name(id=name), args=args):
                if name in FUNCTIONS:
                    return float(FUNCTIONS[name](*(self.number(arg, at) for arg in args)))
                if name == "count" or (name in SUMMARIES and len(args) == 1):
                    return self.summary(name, args, at)
                if name in OF_PAIRS:
                    return self.of_pairs(name, args, at)
                return self.named(name, args, at)
        raise FactError(f"“{ast.unparse(tree)}” is not understood")

    def place(self, tree: ast.expr) -> int | None:
        match tree:
            case ast.Name(id="end"):
                return None
            case ast.Constant(value=int(value)):
                return value
        raise FactError(f"after “@” stands an iteration or “end”, not “{ast.unparse(tree)}”")

    def named(self, name: str, args, at: int | None):
        if name in OF_RUNS and not args:
            return self.of_run(name, at)
        if name in OF_SPREAD and not args:
            every = [self.base_ari(t) for t in range(self.ensemble.m)]
            return max(every) if name == "best_base" else sum(every) / len(every)
        if name in OF_THINGS:
            return self.of_things(name, self.where(OF_THINGS[name], name, args), at)
        name = quantity_named(self.method, name)
        where = self.where(axes_of(self.method, name), name, args)
        step = self.step(at)
        if any(quantity.name == name for quantity in self.method.quantities()):
            if self.method.quantity(name).kind is Labels:
                return self.label_name(where[1], int(self.method.entry(self.ensemble, step.state, name, *where)))
            return float(self.method.entry(self.ensemble, step.state, name, *where))
        steps = self.steps
        return float(why(self.method, self.ensemble, steps.__getitem__, name, *where, iteration=step.iteration).value)

    def of_run(self, name: str, at: int | None):
        ensemble = self.ensemble
        match name:
            case "n" | "m" | "q":
                return getattr(ensemble, name)
            case "k":
                return self.method.k
            case "pairs":
                return ensemble.n * (ensemble.n - 1) // 2
            case "iterations":
                return len(self.steps) - 1
        step = self.step(at)
        match name:
            case "found":
                return self.method.found(ensemble, step.state)
            case "objective":
                return step.objective
            case "groups":
                return " ".join(str(label + 1) for label in first_met(step.labels))
        if ensemble.truth is None:
            raise FactError(f"{self.data.title} has no truth to compare with")
        return float((scores.ari if name == "ARI" else scores.nmi)(step.labels, truth_codes(ensemble)[0]))

    def of_things(self, name: str, where: tuple[int, ...], at: int | None):
        match name:
            case "ari":
                return self.base_ari(*where)
            case "classes":
                return int(self.ensemble.k_each[where[0]])
            case "size":
                return int((self.step(at).labels == where[0]).sum())
        return self.label_name(where[1], int(self.ensemble.rows[self.ensemble.microcluster_of(where[0]), where[1]]))

    def label_name(self, t: int, code: int) -> str:
        return "none" if code < 0 else self.ensemble.label_name(t, code)

    def base_ari(self, t: int) -> float:
        if self.ensemble.truth is None:
            raise FactError(f"{self.data.title} has no truth to compare with")
        return float(scores.ari(self.ensemble.expand(self.ensemble.rows[:, t]), truth_codes(self.ensemble)[0]))

    # --- many entries -----------------------------------------------------------------------------------------

    def summary(self, name: str, args, at: int | None) -> float:
        match args:
            case [ast.Compare(left=ast.Name(id=what), ops=[op], comparators=[to])] if name == "count":
                values = self.entries(what, at)
                return int(COMPARED[type(op)](values, self.number(to, at)).sum())
            case [ast.Name(id=what)] if name != "count":
                return float(SUMMARIES[name](self.entries(what, at)))
        raise FactError(f"“{name}” is written like {'count(W < 1)' if name == 'count' else f'{name}(W)'}")

    def of_pairs(self, name: str, args, at: int | None) -> float:
        match args:
            case [ast.Name(id=what)] if len(axes_of(self.method, quantity_named(self.method, what))) == 2:
                values, labels = self.entries(what, at), self.step(at).labels
                one, other = np.triu_indices(len(labels), 1)
                if len(values) == len(one):
                    return float(values[(labels[one] == labels[other]) == (name == "inside")].mean())
        raise FactError(f"“{name}” is written like {name}(A), of a matrix of objects")

    def entries(self, name: str, at: int | None) -> np.ndarray:
        """All numbers of a quantity; of pairs of objects those of different objects, each once."""
        name = quantity_named(self.method, name)
        quantity, ensemble = self.method.quantity(name), self.ensemble
        value = self.method.value(ensemble, self.step(at).state, name)
        value = value.B if isinstance(value, Paired) else np.asarray(value)
        everyone = ensemble.member_of if ensemble.member_of is not None else np.arange(ensemble.q)
        for side, axis in enumerate(quantity.axes):
            if axis == "object":
                value = np.take(value, everyone, axis=side)
        if quantity.axes == ("object", "object"):
            return value[np.triu_indices(len(everyone), 1)]
        return value.ravel()

    # --- where ------------------------------------------------------------------------------------------------

    def where(self, axes: tuple[str, ...], name: str, args) -> tuple[int, ...]:
        if len(args) != len(axes):
            over = (
                " and ".join(AXES[axis].plural if axis in AXES else axis for axis in axes)
                or "nothing: it is one number"
            )
            raise FactError(f"{name} is over {over}; {len(args)} places are named")
        return tuple(self.thing(axis, arg) for axis, arg in zip(axes, args, strict=True))

    def thing(self, axis: str, arg: ast.expr) -> int:
        said = str(arg.value) if isinstance(arg, ast.Constant) else ast.unparse(arg)
        named = self.names(axis)
        if said in named:
            return named.index(said)
        count = {"object": self.ensemble.n, "clustering": self.ensemble.m, "hyperedge": self.ensemble.K}.get(axis, 1000)
        if said.isdecimal() and 1 <= int(said) <= count:
            return int(said) - 1
        called = AXES[axis].plural
        raise FactError(f"“{said}” is none of the {count} {called}; they are counted from 1 or named as in the table")

    def names(self, axis: str) -> list[str]:
        match axis:
            case "object":
                return [] if self.data.ids is None else [str(name) for name in self.data.ids]
            case "clustering":
                return list(self.ensemble.names)
            case "hyperedge":
                pairs = itertools.chain.from_iterable(
                    [(t, code) for code in range(int(k))] for t, k in enumerate(self.ensemble.k_each)
                )
                return [f"{self.ensemble.names[t]}:{self.ensemble.label_name(t, code)}" for t, code in pairs]
        return []


def quantity_named(method: Method, name: str) -> str:
    """By its own name, or by the paper's letter."""
    known = [quantity.name for quantity in method.quantities()] + list(method.equations())
    if name in known:
        return name
    letters = {quantity.letter: quantity.name for quantity in reversed(method.quantities())}
    letters = {equation.letter: key for key, equation in method.equations().items()} | letters
    if name in letters:
        return letters[name]
    raise FactError(f"{method.name()} has no “{name}”; it has {', '.join(dict.fromkeys(known))}")


def first_met(labels: np.ndarray) -> np.ndarray:
    """Numbered as they are met first, so that the same groups are the same text: 1 1 2 2 2."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes]


def axes_of(method: Method, name: str) -> tuple[str, ...]:
    shown = next((quantity for quantity in method.quantities() if quantity.name == name), None)
    return shown.axes if shown else method.equations()[name].axes
