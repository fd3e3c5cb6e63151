"""What there is to say of a method on one sheet: read off its class, its equations told on a few objects, its notes.

Nothing here is written for one method. The notes stand beside the methods, one text file each
(`consensus_core/methods/notes/KEY.md`), under the headings of `NOTES`.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import textwrap
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..ensemble import Ensemble
from ..equations.filling import filled, number_in_latex
from ..equations.formula import Formula
from ..equations.symbols import HIGH, symbol
from ..equations.writing import Latex, joined, latex
from ..errors import Cancelled, InputError
from ..method import Method, Param, Quantity, Step, iterate, solve
from ..method.method import LAWS
from ..method.quantities import AXES
from ..method.telling import Equation
from ..method.why import Why, why
from ..methods import __file__ as METHODS_FILE
from .samples import load

NOTES = ("When to take it", "What the published figures mean", "Limits")
SAMPLE, K = "five", 2  # the ensemble on which equations are shown at work
BARE = ("given", "same")  # cases in which a value is said, not computed
UNCOMPUTED = "it"  # the formula of what is said and not computed
PLACES = 6  # entries of a quantity that are looked at for its special cases
RAISED = {chr(high): chr(plain) for plain, high in HIGH.items()}
RAISED |= {"ᵀ": "\\mathsf{T}", "⁽": "(", "⁾": ")", "⁺": "+", "⁻": "-", "′": "\\prime "}
PLAIN = {"‖": "\\Vert ", " ": "~", "−": "-", "·": "\\cdot ", "#": "\\#", "%": "\\%", "&": "\\&", "_": "\\_"}


@dataclass(frozen=True, eq=False)
class Letter:
    """A name in a formula, and what it means."""

    latex: str
    text: str
    meaning: str
    kind: str  # as `telling.Term`: "entry", "dial", "labels", "start", "constant"
    name: str = ""  # the quantity or the dial it is


@dataclass(frozen=True, eq=False)
class Form:
    """One formula of an equation; at work, where it is met on the sample."""

    case: str  # "" for the equation itself, or which special case
    latex: str
    at_work: Why | None = None

    @property
    def filled(self) -> str:
        """With the numbers of where it is at work, in LaTeX."""
        told = self.at_work.told
        numbers = joined(filled(told.formula, told.numbers, Latex))
        if told.formula.is_condition:
            return numbers
        value = number_in_latex(self.at_work.said)
        return numbers if numbers == value else f"{numbers} = {value}"


@dataclass(frozen=True, eq=False)
class Lettered:
    """An equation of a method as a sheet shows it."""

    equation: Equation
    quantity: Quantity | None  # what is drawn of it
    forms: tuple[Form, ...]
    letters: tuple[Letter, ...]

    @property
    def name(self) -> str:
        return self.equation.name

    @property
    def over(self) -> str:
        """ "of two objects", "of an object and a cluster"."""
        axes = self.equation.axes
        if len(axes) == 2 and axes[0] == axes[1]:
            return f"of two {AXES[axes[0]].plural}"
        names = [f"{'an' if axis[0] in 'aeiou' else 'a'} {axis}" for axis in axes]
        return f"of {' and '.join(names)}" if names else "one number"


@dataclass(frozen=True, eq=False)
class Sheet:
    method: type[Method]
    summary: str
    problem: tuple[str, ...]  # paragraphs; those that begin with blanks are mathematics
    laws: tuple[tuple[str, str, str], ...]  # (name, what it says, why not; "" where it is kept)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def dials(self) -> tuple[Param, ...]:
        return self.method.params()

    @functools.cached_property
    def equations(self) -> tuple[Lettered, ...]:
        """Takes a run on a few objects, and some of its whys."""
        told = _told_on_the_sample(self.method)
        shown = {quantity.name: quantity for quantity in self.method.quantities()}
        every = self.method.equations().items()
        return tuple(_lettered(equation, shown.get(name), told[name]) for name, equation in every)

    def says(self, words: str) -> bool:
        """Every one of these words stands somewhere on the sheet."""
        return all(word in self._text for word in words.casefold().split())

    @functools.cached_property
    def _text(self) -> str:
        told = [self.method.name(), self.method.title, self.method.family, self.method.reference, self.summary]
        told += [*self.problem, *self.notes.values()]
        told += [f"{one.letter} {one.meaning} {one.number}" for one in self.method.equations().values()]
        told += [f"{dial.title} {dial.letter} {dial.meaning}" for dial in self.dials]
        return " ".join(told).casefold()


@functools.lru_cache(maxsize=64)
def sheet(method: type[Method]) -> Sheet:
    """Everything a class says; its equations at work when they are asked for."""
    summary, *rest = _paragraphs(method)
    plain = method(k=K)
    laws = tuple((law, says, "" if (kept := getattr(plain, law)) else str(kept)) for law, says in LAWS.items())
    return Sheet(method, summary, tuple(rest), laws, notes(method))


def notes(method: type[Method]) -> dict[str, str]:
    """Heading -> text. A method may do without; a heading that is not known is a fault of its file."""
    path = Path(METHODS_FILE).parent / "notes" / f"{method.key}.md"
    if not path.is_file():
        return {}
    parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {heading.strip(): text.strip() for heading, text in zip(parts[1::2], parts[2::2], strict=True)}
    if strange := [heading for heading in found if heading not in NOTES]:
        raise InputError(f"{path}: there is no heading “{strange[0]}”; there are {', '.join(NOTES)}.")
    return found


def _paragraphs(method: type[Method]) -> list[str]:
    text = inspect.getdoc(method) or method.title
    return [part if part.startswith(" ") else " ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def displayed(paragraph: str) -> str | None:
    """The lines of a paragraph that is mathematics, None of one in words."""
    if not paragraph.startswith(" "):
        return None
    return re.sub(r"(?<=\S) {4,}", "    ", textwrap.dedent(paragraph))  # a page is not as wide as a program


# --- equations at work ----------------------------------------------------------------------------------------------


def _told_on_the_sample(method: type[Method]) -> dict[str, list[Why]]:
    """For each equation one explanation per formula that is met: at the last iteration where it is."""
    run, ensemble = method(k=K), load(SAMPLE).ensemble
    steps = list(iterate(run, ensemble))
    found: dict[str, list[Why]] = {}
    for name, equation in method.equations().items():
        met: dict[str, Why] = {}
        for step, where in _entries(equation.axes, run, ensemble, steps):
            try:
                told = why(run, ensemble, steps.__getitem__, name, *where, iteration=step.iteration)
            except (InputError, IndexError):  # a coordinate or a part that there is not at this iteration
                continue
            met.setdefault(told.told.case, told)
            if met.keys() >= equation.formulas.keys():
                break
        found[name] = list(met.values())
    return found


def _entries(axes, run: Method, ensemble: Ensemble, steps: list[Step]) -> Iterator[tuple[Step, tuple[int, ...]]]:
    """Iterations from the last to the first, a few entries of each: different objects before an object with itself."""
    sizes = {"object": ensemble.n, "clustering": ensemble.m, "hyperedge": ensemble.K}
    every = list(itertools.product(*(range(sizes.get(axis, run.k)) for axis in axes)))
    every.sort(key=lambda where: (len(set(where)) < len(where), where))
    for step in (steps[-1], *steps[-2:0:-1][:4], steps[0]):
        for where in every[:: max(1, len(every) // PLACES)]:
            yield step, where


def _lettered(equation: Equation, quantity: Quantity | None, met: list[Why]) -> Lettered:
    at_work = {told.told.case: told for told in met}
    forms = tuple(
        Form(case, _written(equation.letter, formula), at_work.get(case))
        for case, formula in equation.formulas.items()
        if formula.text() != UNCOMPUTED
    )
    letters: dict[str, Letter] = {}
    for told in met:
        for letter in _letters(told) if told.told.case not in BARE else ():
            letters.setdefault(letter.text, letter)
    return Lettered(equation, quantity, forms, tuple(letters.values()))


def _written(letter: str, formula: Formula) -> str:
    return latex(formula) if formula.is_condition else f"{letter_in_latex(letter)} = {latex(formula)}"


def letter_in_latex(letter: str) -> str:
    """A quantity's letter as people write it ("σ(L)", "‖S‖₀", "tr YᵀLY", "components")."""
    raised = "".join(RAISED)
    return "".join(_sign(found) for found in re.findall(rf"[A-Z]{{3,}}|[a-z]{{2,}}|[₀-₉]+|[{raised}]+|_\w|.", letter))


def _sign(sign: str) -> str:
    if sign[0] == "_" and len(sign) == 2:
        return f"_{{{sign[1]}}}"
    if len(sign) > 1 and sign.isascii():
        return f"\\mathrm{{{sign}}}"
    if sign[0] in "₀₁₂₃₄₅₆₇₈₉":
        return f"_{{{unicodedata.normalize('NFKC', sign)}}}"
    if sign[0] in RAISED:
        return f"^{{{''.join(RAISED[one] for one in sign)}}}"
    if sign in PLAIN:
        return PLAIN[sign]
    return symbol(sign).latex() if sign.isalpha() else sign


def _letters(told: Why) -> Iterator[Letter]:
    for name in told.told.formula.names:
        thing = told.told.terms[name]
        term = thing if not hasattr(thing, "term") else thing.term(0) if len(thing) else None
        if term is None:
            continue
        written, to = symbol(name), term.to.name if term.to else ""
        yield Letter(written.latex(), written.text(), term.meaning, term.kind, to)


# --- what it costs on this machine ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    groups: int  # distinct rows of labels
    seconds: float
    estimated: float
    bytes: int  # estimated


def growth(
    method: type[Method], sizes=(100, 200, 400, 800), longest: float = 20.0, cancel: Callable[[], bool] | None = None
) -> Iterator[Measured]:
    """Runs it on ever more distinct rows of 20 base clusterings; stops before a run that may take over `longest`."""
    for size in sizes:
        ensemble = planted(size)
        run = method(k=8)
        cost = run.cost(ensemble)
        if cost.seconds > longest:
            return
        began = time.process_time()
        try:
            solve(run, ensemble, cancel=cancel)
        except Cancelled:
            return
        yield Measured(ensemble.q, time.process_time() - began, cost.seconds, cost.bytes)


def planted(q: int, m: int = 20, k: int = 8, wrong: float = 0.15) -> Ensemble:
    """k groups that each of m base clusterings sees with some of its objects elsewhere: q different rows."""
    rng = np.random.default_rng(0)
    truth = np.arange(q) % k
    labels = np.where(rng.random((q, m)) < wrong, rng.integers(0, k, (q, m)), truth[:, None])
    return Ensemble.from_labels(labels)
