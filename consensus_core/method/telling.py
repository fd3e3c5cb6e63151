"""Why a value is what it is: a formula, its terms with where each comes from, and plain words.

    @tells("W", "min(λ / (2*B), 1)", "(13)")
    def why_W(self, at):
        return at.terms(λ=at.now("lam"), B=at.then("B"), words="{i} and {j} are {ease}.",
                        ease={"value >= 1": "an easy pair, used fully", "value < 1": "a hard pair, trusted to {value}"})

A method declares an equation for each quantity it shows, and for what stands between them (`letter`, `meaning` and
`axes` are then said in the declaration). The function is given `at`, the entry pointed at, and answers with terms:
references to entries of this step (`now`) or the step before (`then`), to dials, to base labels. A formula printed is
the formula computed, and every term can be asked for its own why, down to base labels, dials and start values.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..equations.formula import Formula, FormulaError, formula
from ..equations.symbols import symbol
from ..errors import InputError
from ..linalg.paired import Paired
from .quantities import AXES

VALUE = "value"  # the result, in words and their conditions


@dataclass(frozen=True)
class Address:
    """An entry of a run: which quantity, where, at which iteration."""

    name: str
    where: tuple[int, ...]
    iteration: int


@dataclass(frozen=True)
class Term:
    """A number in a formula, and where it comes from.

    kind  "entry" (`to` says of what), or where a trail ends: "dial", "labels", "start", "constant"
    """

    value: float
    kind: str
    to: Address | None = None
    meaning: str = ""
    end: tuple = ()  # what is said where the trail ends, in pieces
    floor: float = 0.0  # sizes up to it are rounding

    @property
    def number(self) -> float:
        return 0.0 if abs(self.value) <= self.floor else self.value


@dataclass(frozen=True, eq=False)
class Row:
    """A row of numbers in a formula, each with where it comes from."""

    values: np.ndarray
    term: Callable[[int], Term]
    names: tuple[int, ...] | None = None  # what the numbers stand for, where they are not 0, 1, …
    floor: float = 0.0  # sizes up to it are rounding

    @property
    def number(self) -> np.ndarray:
        return np.where(np.abs(self.values) <= self.floor, 0.0, self.values) if self.floor else self.values

    def __len__(self) -> int:
        return len(self.values)

    def name(self, k: int) -> int:
        return k if self.names is None else self.names[k]


@dataclass(frozen=True, eq=False)
class Told:
    """Why one entry has its value. `formula` at `terms` gives `value`; of a condition `rest` is what is left of it."""

    address: Address
    letter: str
    meaning: str
    number: str  # of the equation
    formula: Formula
    terms: Mapping[str, Term | Row]
    value: float
    words: tuple  # text, and references: ("object", 3), ("clustering", 2), ("hyperedge", 7), ("cluster", 1), Term
    rest: float | None = None
    case: str = ""  # which of the equation's formulas: "" is the first
    conditions: tuple[bool, ...] = ()  # for each choice of words how many of its conditions hold: exactly one should
    floor: float = 0.0  # sizes below it are rounding

    @property
    def numbers(self) -> dict[str, Any]:
        """The values of the formula's terms."""
        return {name: self.terms[name].number for name in self.formula.names}


@dataclass(frozen=True)
class Equation:
    """One equation of a method: what it gives, as which formulas, and the function that knows its terms."""

    name: str
    formulas: Mapping[str, Formula]  # "" is the equation itself, the others its special cases
    number: str
    letter: str
    meaning: str
    axes: tuple[str, ...]
    shown: bool
    tell: Callable = field(compare=False)

    @property
    def formula(self) -> Formula:
        return self.formulas[""]


def tells(
    name: str, text: str, number: str = "", letter: str = "", meaning: str = "", axes: tuple | None = None, **cases
):
    """Marks the function that knows the terms of an equation. `cases`: its formulas in special cases, by a key each."""
    formulas = {"": formula(text)} | {key: formula(other) for key, other in cases.items()}

    def mark(function):
        declared = {
            "name": name,
            "formulas": formulas,
            "number": number,
            "letter": letter,
            "meaning": meaning,
            "axes": axes,
        }
        function.equation = declared
        return function

    return mark


def equations_of(cls) -> dict[str, Equation]:
    """Every equation a method declares, its own in the order written, then what it has from the base classes."""
    shown = {quantity.name: quantity for quantity in cls.quantities()}
    found: dict[str, Equation] = {}
    for owner in cls.__mro__:
        for function in list(vars(owner).values()):
            declared = getattr(function, "equation", None)
            if declared is None or declared["name"] in found:
                continue
            found[declared["name"]] = _equation(cls, declared, shown.get(declared["name"]), function)
    return found


def _equation(cls, declared: dict, quantity, function) -> Equation:
    name = declared["name"]
    if quantity is None and not (declared["letter"] and declared["meaning"] and declared["axes"] is not None):
        raise TypeError(
            f"{cls.__name__}: {name} is not shown, so its equation must say letter, meaning and axes "
            "(a misspelt name of a quantity looks like this too)."
        )
    known = (
        {**declared, "letter": quantity.letter, "meaning": quantity.meaning, "axes": quantity.axes}
        if quantity
        else declared
    )
    if unknown := [axis for axis in known["axes"] if axis not in AXES]:
        raise TypeError(f"{cls.__name__}: {name}: there is no axis {unknown[0]!r}; there are {', '.join(AXES)}.")
    number = declared["number"] or (quantity.equation if quantity else "")
    return Equation(
        **{**known, "number": number, "axes": tuple(known["axes"])}, shown=quantity is not None, tell=function
    )


class At:
    """The entry pointed at, and the ways to what its value comes from. One is made for each explanation."""

    def __init__(self, path, equation: Equation, address: Address):
        self.path, self.equation, self.address = path, equation, address
        self.ensemble, self.method = path.ensemble, path.method
        self.iteration = address.iteration
        self.things = _by_letter(equation.axes, address.where)

    def __getattr__(self, letter: str) -> int:
        """i, j, t, …: what is pointed at, by its letter."""
        try:
            return self.__dict__["things"][letter]
        except KeyError:
            raise AttributeError(f"{self.equation.name} has no {letter}; it is over {self.equation.axes}") from None

    # --- what is known of the entry ---------------------------------------------------------------------------

    @property
    def start(self) -> bool:
        """Whether this is iteration 0, before any step."""
        return self.iteration == 0

    @property
    def after(self):
        """The state of this step."""
        return self.path.state(self.iteration)

    @property
    def before(self):
        """The state this step began with."""
        return self.path.state(self.iteration - 1)

    @property
    def pair(self):
        """What the base clusterings say of the two objects pointed at."""
        return self.ensemble.pair(self.i, self.j)

    @property
    def of_equals(self) -> str:
        """Words for two objects that no base clustering tells apart."""
        if self.pair.itself:
            return "{i} is together with itself."
        if self.pair.unseen:
            return "{i} and {j} have no label at all, and are kept together."
        return "Every base clustering with a label for them puts {i} and {j} together."

    @property
    def of_strangers(self) -> str:
        """Words for two objects that no base clustering puts together."""
        if self.pair.unseen:
            return "No base clustering has a label for both {i} and {j}: nothing says that they belong together."
        return "No base clustering puts {i} and {j} together."

    @property
    def of_both(self) -> str:
        """Words for two objects about which no base clustering disagrees."""
        return self.of_equals if self.pair.alike or self.pair.count else self.of_strangers

    @property
    def p(self) -> int:
        """The microcluster of the (first) object."""
        return self.ensemble.microcluster_of(self.i)

    def without(self, dial: str) -> str:
        """Words to begin with where a value is not learned: not yet, or because a dial is switched off."""
        declared = next(p for p in self.method.params() if p.name == dial)
        return "To begin with" if self.start else f"Without {declared.plain}"

    # --- rows over the base clusterings, read off the base labels ---------------------------------------------

    @property
    def same(self) -> Row:
        """1 where a base clustering puts the two objects together, else 0."""
        return self._votes(self.pair.together, "1 where both objects are in one cluster")

    @property
    def apart(self) -> Row:
        """1 where a base clustering keeps the two objects apart, else 0."""
        return self._votes(self.pair.apart, "1 where the objects are in different clusters")

    @property
    def seen(self) -> Row:
        """1 where a base clustering has a label for both objects, else 0."""
        return self._votes(self.pair.seen, "1 where both objects have a label")

    def _votes(self, votes, meaning: str) -> Row:
        return self.row_of_labels(votes, meaning, lambda t: self.said_of_both(t))

    @property
    def sizes(self) -> Row:
        """For each base clustering how many objects the cluster of the (first) object has."""
        codes = self.ensemble.rows[self.p]
        inside = (self.ensemble.rows == codes) & (codes >= 0)
        return self.row_of_labels(self.ensemble.weights @ inside, "objects in the same cluster", self.said_of_one)

    def said_of_both(self, t: int) -> tuple:
        """ "k-means 3 has 4 in cluster 2 and 8 in cluster 5", in pieces."""
        pair, rows = self.pair, self.ensemble.rows
        one, other = (self._label(t, int(rows[p, t])) for p in (pair.p, pair.q))
        return ("clustering", t), " has ", ("object", self.i), one, " and ", ("object", self.j), other, "."

    def said_of_one(self, t: int) -> tuple:
        """ "k-means 3 has 4 in cluster 2", in pieces."""
        label = self._label(t, int(self.ensemble.rows[self.p, t]))
        return ("clustering", t), " has ", ("object", self.i), label, "."

    def _label(self, t: int, code: int) -> str:
        return " without a label" if code < 0 else f" in cluster {self.ensemble.label_name(t, code)}"

    # --- terms ------------------------------------------------------------------------------------------------

    def now(self, name: str, *where: int) -> Term:
        """An entry of this step; of the same place where nothing else is said."""
        return self._entry(name, where, self.iteration)

    def then(self, name: str, *where: int) -> Term:
        """An entry of the step before."""
        return self._entry(name, where, self.iteration - 1)

    def row(self, name: str, *where: int | None, when: int = 0, some=None) -> Row:
        """Many entries along the axis for which None stands; `when` = −1: of the step before. `some`: which of them."""
        iteration = self.iteration + when
        axis = self.path.axes(name)[where.index(None)]
        many = self.path.length(name, where.index(None), iteration) if some is None else 0
        things = np.arange(many) if some is None else np.asarray(some, dtype=np.intp)  # there may be none
        # objects are told by one of each microcluster
        names = self.ensemble.first_of[things] if axis == "object" else things
        values = self.path.row(name, where, things, iteration)

        def term(k: int) -> Term:
            place = tuple(int(names[k]) if at is None else at for at in where)
            return Term(float(values[k]), "entry", Address(name, place, iteration), meaning, floor=floor)

        meaning, floor = self.path.meaning(name), self.path.floor(name, iteration)
        return Row(values, term, tuple(int(x) for x in names), floor)

    def along(self, *names: str) -> dict[str, Row]:
        """Rows of the (first) object over all objects, by their names, with n: how many objects each entry is for."""
        return {"n": self.counts, **{name: self.row(name, self.i, None) for name in names}}

    def param(self, name: str) -> Term:
        """A dial of the method."""
        declared = next(p for p in self.method.params() if p.name == name)
        value = float(getattr(self.method, name))
        return Term(value, "dial", meaning=declared.meaning, end=(f"{declared.title}, a dial of the method.",))

    def constant(self, value: float, meaning: str) -> Term:
        """A number that is what it is: of the equation, or of the ensemble as a whole."""
        return Term(float(value), "constant", meaning=meaning, end=(meaning,))

    def started(self, value: float, meaning: str) -> Term:
        """A number a run begins with."""
        return Term(float(value), "start", meaning=meaning, end=(meaning,))

    def labels(self, value: float, meaning: str, *end) -> Term:
        """A number read off the base labels; `end` says which, in pieces."""
        return Term(float(value), "labels", meaning=meaning, end=end or (meaning,))

    @property
    def counts(self) -> Row:
        """How many objects each microcluster stands for."""
        return self.counts_at(np.arange(self.ensemble.q))

    def counts_at(self, some: np.ndarray) -> Row:
        """The same for some of the microclusters."""
        n, first = self.ensemble.weights[some], self.ensemble.first_of[some]

        def term(k: int) -> Term:
            whose = "Objects with the base labels of ", ("object", int(first[k])), "."
            return self.labels(n[k], "objects with the same base labels", *whose)

        return Row(n, term, tuple(first.tolist()))

    @property
    def m(self) -> Term:
        return self.constant(self.ensemble.m, "the number of base clusterings m")

    @property
    def n(self) -> Term:
        return self.constant(self.ensemble.n, "the number of objects n")

    def couples(self, p: np.ndarray, q: np.ndarray, times=1.0) -> Row:
        """How many pairs of objects each pair of microclusters stands for, `times` a number or one for each."""
        n, meaning = self.ensemble.weights, "pairs of objects with these base labels"
        values = n[p] * n[q] * times
        return Row(values, lambda k: self.labels(values[k], meaning, *self._both(int(p[k]), int(q[k]))))

    def _both(self, p: int, q: int) -> tuple:
        first = self.ensemble.first_of
        return "Pairs with the labels of ", ("object", int(first[p])), " and ", ("object", int(first[q])), "."

    def over(self, ends: tuple[np.ndarray, np.ndarray], times=1.0, /, **known: np.ndarray) -> dict[str, Row]:
        """n, how many pairs of objects each pair of microclusters stands for, and entries there, values at hand."""
        rows = {name: self.at_pairs(name, *ends, values) for name, values in known.items()}
        return {"n": self.couples(*ends, times), **rows}

    def at_pairs(self, name: str, p: np.ndarray, q: np.ndarray, values: np.ndarray) -> Row:
        """Entries of this step at pairs of microclusters, whose values are at hand."""
        first = self.ensemble.first_of
        return self.known(name, values, lambda k: (int(first[p[k]]), int(first[q[k]])))

    def at_objects(self, name: str, p: np.ndarray, values: np.ndarray, *more: int) -> Row:
        """Entries of this step at microclusters p (and elsewhere `more`), whose values (q,) are at hand."""
        first = self.ensemble.first_of
        return self.known(name, values[p], lambda k: (int(first[p[k]]), *more))

    def known(self, name: str, values: np.ndarray, where: Callable[[int], tuple[int, ...]], when: int = 0) -> Row:
        """Entries of this step (`when` = −1: of the step before) whose values are at hand; `where` says of which."""
        iteration = self.iteration + when
        meaning, floor = self.path.meaning(name), self.path.floor(name, iteration)

        def term(k: int) -> Term:
            return Term(float(values[k]), "entry", Address(name, where(k), iteration), meaning, floor=floor)

        return Row(values, term, floor=floor)

    def everywhere(self, name: str, when: int = 0) -> tuple[Row, Row]:
        """How many pairs of objects each entry of a matrix of pairs stands for, and the entries; self-pairs last."""
        ensemble, value = self.ensemble, self.path.array(name, self.iteration + when)
        B, d = value if isinstance(value, Paired) else (value, np.diagonal(value))
        p, q = np.divmod(np.arange(B.size), ensemble.q)
        pairs = np.flatnonzero((p != q) | (ensemble.counts[p] > 1))
        alike, own = (p == q)[pairs], np.arange(ensemble.q)
        p, q, n = np.append(p[pairs], own), np.append(q[pairs], own), ensemble.weights
        first, second = ensemble.first_of, lambda p: ensemble.objects_of(p)[1]

        def where(k: int) -> tuple[int, int]:
            return int(first[p[k]]), int(second(q[k]) if k < len(pairs) and alike[k] else first[q[k]])

        times = np.append(1 - alike / n[p[: len(pairs)]], 1 / n)
        return self.couples(p, q, times), self.known(name, np.append(B.ravel()[pairs], d), where, when)

    def rows(self, values, term: Callable[[int], Term], names=None) -> Row:
        """A row of numbers of any origin."""
        return Row(np.asarray(values, dtype=float), term, names)

    def row_of_labels(self, values, meaning: str, end: Callable[[int], tuple], names=None) -> Row:
        """A row of numbers read off the base labels."""
        values = np.asarray(values, dtype=float)
        return Row(values, lambda k: self.labels(values[k], meaning, *end(k)), names)

    def _entry(self, name: str, where: tuple[int, ...], iteration: int) -> Term:
        axes = self.path.axes(name)
        if not where and axes:
            where = self.address.where if axes == self.equation.axes else tuple(self.things[x] for x in _letters(axes))
        value = self.path.entry(name, where, iteration)
        to = Address(name, tuple(int(x) for x in where), iteration)
        return Term(value, "entry", to, self.path.meaning(name), floor=self.path.floor(name, iteration))

    # --- answers ----------------------------------------------------------------------------------------------

    def terms(self, case: str = "", /, words: str = "", **terms) -> Told:
        """The formula (of this case) at these terms. `words` refers in braces to terms, to letters, to `value`, and to
        choices: a dict of conditions, of which exactly one holds, with the words for each."""
        shown = self.equation.name, self.address.where, self.iteration
        return self._terms(case, words, terms, lambda: self.path.entry(*shown))

    def condition(self, value: float, case: str = "", /, words: str = "", **terms) -> Told:
        """A condition that holds of a value which is no quantity shown: the value must be at hand."""
        return self._terms(case, words, terms, lambda: value)

    def _terms(self, case: str, words: str, terms: dict, entry: Callable[[], float]) -> Told:
        said = self.equation.formulas[case]
        numbers = _numbers(terms)
        mine = {name: numbers[name] for name in said.names if name in numbers}
        if missing := [name for name in said.names if name not in numbers]:
            raise FormulaError(
                f"{said.source} needs {' and '.join(missing)}; the terms given are {', '.join(numbers) or 'none'}."
            )
        found = said.value(mine)
        rest = None
        if said.is_condition:
            rest, found = found, entry()
        elif said.source.startswith(("argmin(", "argmax(")):
            found = float(terms[said.names[0]].name(int(found)))
        return self._told(said, case, terms, found, words, {**numbers, VALUE: found}, rest)

    def given(self, value: float, words: str, **terms) -> Told:
        """A value by rule, not by computation."""
        value = float(value)
        rule = formula(repr(int(value)) if value.is_integer() else repr(value))
        return self._told(rule, "given", terms, value, words, {VALUE: value, **_numbers(terms)}, None)

    def equals(self, other: Term, words: str, **terms) -> Told:
        """The value of something else, as it is."""
        terms = {"it": other, **terms}
        return self._told(
            formula("it"), "same", terms, other.value, words, {VALUE: other.value, **_numbers(terms)}, None
        )

    def unchanged(self, words: str, **terms) -> Told:
        """The value of the step before."""
        return self.equals(self.then(self.equation.name, *self.address.where), words, **terms)

    def _told(self, said, case, terms, value, words, numbers, rest) -> Told:
        floor = self.path.floor(self.equation.name, self.iteration)
        pieces, conditions = _worded(words, terms, self.things, value, numbers, floor)
        known = {name: thing for name, thing in terms.items() if isinstance(thing, (Term, Row))}
        equation = self.equation
        return Told(
            self.address, equation.letter, equation.meaning, equation.number, said, known, value, pieces, rest, case,
            conditions, floor,
        )  # fmt: skip


def _letters(axes: tuple[str, ...]) -> list[str]:
    """The letter of each side: i and j for two objects, i and t for an object and a base clustering."""
    seen: dict[str, int] = {}
    letters = []
    for axis in axes:
        letters.append(AXES[axis].letters[seen.get(axis, 0)])
        seen[axis] = seen.get(axis, 0) + 1
    return letters


def _by_letter(axes: tuple[str, ...], where: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(_letters(axes), where, strict=True))


AXIS_OF = {letter: name for name, axis in AXES.items() for letter in axis.letters}


def _numbers(terms: Mapping) -> dict:
    return {name: thing.number for name, thing in terms.items() if isinstance(thing, (Term, Row))}


def _worded(words, terms, things, value, numbers, floor) -> tuple[tuple, tuple[bool, ...]]:
    """A sentence with references, in pieces; and for each choice in it whether exactly one condition held."""
    pieces, held = [], []
    for text, name, _, _ in string.Formatter().parse(words):
        if text:
            pieces.append(text)
        if name is None:
            continue
        thing = terms.get(name)
        if isinstance(thing, dict):
            holds = [said for condition, said in thing.items() if _holds(condition, numbers)]
            held.append(len(holds) == 1)
            if holds:
                more, deeper = _worded(holds[0], terms, things, value, numbers, floor)
                pieces += more
                held += deeper
        elif name == VALUE:
            pieces.append(("number", 0.0 if abs(value) <= floor else value))
        elif isinstance(thing, (Term, str, tuple)):  # a tuple: something by its number, ("object", 3)
            pieces.append(thing)
        elif name in things and AXIS_OF[name] in ("object", "clustering", "hyperedge", "cluster"):
            pieces.append((AXIS_OF[name], things[name]))
        elif name in things:
            pieces.append(str(things[name] + 1))
        else:
            raise FormulaError(f"The words {words!r} speak of {name}, which is neither a term nor what is pointed at.")
    return tuple(pieces), tuple(held)


def _holds(condition: str, numbers: Mapping) -> bool:
    said = formula(condition)
    missing = [name for name in said.names if name not in numbers]
    if missing:
        raise FormulaError(f"The condition {condition!r} speaks of {missing[0]}, which is no term.")
    return said.holds({name: numbers[name] for name in said.names})


def where_is(method_name: str, name: str, axes: tuple[str, ...], where: tuple) -> tuple[int, ...]:
    if len(where) != len(axes):
        raise InputError(
            f"{method_name}: {name} has the axes {axes or 'none'}: {len(axes)} numbers say where, got {len(where)}."
        )
    return tuple(int(x) for x in where)


__all__ = ["Address", "At", "Equation", "Row", "Term", "Told", "equations_of", "symbol", "tells", "where_is"]
