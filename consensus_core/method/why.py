"""Why a value is what it is, for people: in text, in HTML, and as what the live view draws.

    print(result.why("W", 3, 7))

Objects, base clusterings and clusters are numbered here as the ensemble a person gave has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_names
from ..equations.filling import filled
from ..equations.symbols import symbol
from ..equations.writing import MathML, Piece, Text, joined, pieces
from ..errors import InputError
from ..numbers import finite, number
from .method import Method
from .path import Path
from .quantities import Labels
from .telling import Address, Row, Term, Told


def why(method: Method, ensemble: Ensemble, step_at: Callable, name: str, *where: int, iteration: int) -> Why:
    """Why an entry has its value. `where` is as in `Method.entry`; `step_at` gives the steps up to `iteration`."""
    path, name = Path(method, ensemble, step_at), method.called(name)
    method.place(ensemble, name, *where)
    inward = tuple(
        int(at) if (map_ := ensemble.inward(axis)) is None else int(map_[at])
        for axis, at in zip(path.axes(name), where, strict=True)
    )
    return Why(path, ensemble, path.tell(Address(name, inward, iteration)))


@dataclass(frozen=True, eq=False)
class Why:
    """An explanation; `told` in the canonical form, everything said in the ensemble's own."""

    path: Path
    ensemble: Ensemble
    told: Told

    @property
    def value(self) -> float:
        return self._as_given(self.told.address, self.told.value)

    def ask(self, term: str, at: int | None = None) -> Why:
        """The explanation of a term of this one; `at`: which number of a row."""
        thing = self.told.terms[term]
        thing = thing.term(_greatest(thing) if at is None else at) if isinstance(thing, Row) else thing
        if thing.to is None:
            raise InputError(f"{term} is where the trail ends: {self._plain(thing.end)}")
        return Why(self.path, self.ensemble, self.path.tell(thing.to))

    # --- in text ----------------------------------------------------------------------------------------------

    @property
    def formula(self) -> str:
        return self.told.formula.text()

    @property
    def filled(self) -> str:
        return joined(self._filled(Text))

    @property
    def said(self) -> str:
        return self._named(self.told.address, self.told.value) or number(_dusted(self.told.value, self.told.floor))

    @property
    def words(self) -> str:
        return self._plain(self.told.words)

    def __str__(self) -> str:
        told = self.told
        head = f"{self.place} at iteration {told.address.iteration}" + (f", {told.number}" if told.number else "")
        if told.case in ("given", "same"):
            lines = [f"{told.letter} = {self.said}"]
        elif told.formula.is_condition:
            lines = [self.formula, f"{self.filled}    left of it: {self.rest}"]
        else:
            result = "" if self.filled == self.said else f" = {self.said}"
            lines = [f"{told.letter} = {self.formula}", f"{' ' * len(told.letter)} = {self.filled}{result}"]
        return "\n  ".join([head, *lines, self.words])

    __repr__ = __str__

    @property
    def place(self) -> str:
        """ "W(4, 8)": objects and clusters counted from 1, as on every screen."""
        address = self.outward(self.told.address)
        named = {"clustering": self.ensemble.names, "hyperedge": cluster_names(self.ensemble)}
        sides = zip(self.path.axes(address.name), address.where, strict=True)
        where = [named[axis][at] if axis in named else str(at + 1) for axis, at in sides]
        return f"{self.told.letter}({', '.join(where)})" if where else self.told.letter

    @property
    def rest(self) -> str | None:
        if self.told.rest is None:
            return None
        left = abs(self.told.rest)
        return "0" if left <= max(self.told.floor, 1e-12 * max(_sizes(self.told), default=0.0)) else number(left)

    def _plain(self, parts) -> str:
        return "".join(self._piece_as_text(part) for part in parts)

    def _piece_as_text(self, part) -> str:
        match part:
            case str():
                return part
            case Term():
                return (part.to and self._named(part.to, part.value)) or number(part.number)
            case ("number", _):
                return self.said
            case ("clustering", at):
                return self.ensemble.names[self.ensemble.outward("clustering", at)]
            case ("hyperedge", at):
                return cluster_names(self.ensemble)[self.ensemble.outward("hyperedge", at)]
            case (_, at):
                return str(at + 1)
        raise TypeError(part)

    def _repr_html_(self) -> str:
        told = self.told
        head = escape(f"{self.place} at iteration {told.address.iteration} {told.number}")
        math = f"<mi>{escape(told.letter)}</mi><mo>=</mo>" if not told.formula.is_condition else ""
        lines = [] if told.case in ("given", "same") else [math + joined(pieces(told.formula, MathML()))]
        result = f"<mo>=</mo><mn>{self.said}</mn>" if not told.formula.is_condition else ""
        lines.append((math + joined(self._filled(MathML)) + result) if lines else f"{math}<mn>{self.said}</mn>")
        rows = "".join(f'<p><math display="block"><mrow>{line}</mrow></math></p>' for line in lines)
        return f"<div><p><b>{head}</b></p>{rows}<p>{escape(self.words)}</p></div>"

    # --- as what the live view draws ----------------------------------------------------------------------------

    def json(self) -> dict:
        told, terms = self.told, _Terms(self)
        bare = told.case in ("given", "same")
        symbolic = [Piece(self.said, "it" if "it" in told.terms else None)] if bare else pieces(told.formula, Text())
        address = self.outward(told.address)
        return {
            "name": address.name,
            "letter": told.letter,
            "meaning": told.meaning,
            "where": list(address.where),
            "iteration": address.iteration,
            "equation": told.number,
            "condition": told.formula.is_condition,
            "case": told.case,
            "value": finite(self.value),
            "said": self.said,
            "formula": terms.marked(symbolic),
            "filled": [] if bare else terms.marked(self._filled(Text)),
            "mathml": "" if bare else terms.mathml(pieces(told.formula, MathML())),
            "filled_mathml": "" if bare else terms.mathml(self._filled(MathML)),
            "words": terms.worded(told.words),
            "rest": self.rest,
            "terms": terms.said(),
            "choice": self._choice(),
        }

    def _choice(self) -> dict | None:
        """Of the least or the greatest of a row: what there was to choose from, and which it is."""
        told, chosen = self.told, _CHOICE.fullmatch(self.told.formula.text())
        rows = [(name, thing) for name, thing in told.terms.items() if isinstance(thing, Row)]
        if chosen is None or len(rows) != 1 or len(rows[0][1]) > MOST_CHOICES:
            return None
        (name, row), least = rows[0], chosen[1] == "least"
        values = row.number
        best = int(values.argmin() if least else values.argmax())
        labels = [self._label(told.address, row.name(k)) for k in range(len(row))]
        return {
            "letter": symbol(name).text(),
            "meaning": row.term(best).meaning,
            "values": [finite(value) for value in values],
            "said": [number(value) for value in values],
            "names": labels,
            "best": best,
            "least": least,
        }

    def _label(self, address: Address, value: int) -> str:
        return self._named(address, value) or str(value + 1)

    def _filled(self, style) -> list[Piece]:
        return filled(self.told.formula, self.told.numbers, style)

    def _is_label(self, address: Address) -> bool:
        quantity = next((q for q in self.path.method.quantities() if q.name == address.name), None)
        return quantity is not None and quantity.kind is Labels

    def _as_given(self, address: Address, value: float) -> float:
        """A value of the canonical form; labels have codes of their own in the ensemble given."""
        if value < 0 or not self._is_label(address):
            return value
        t = address.where[1]
        number = self.ensemble.outward("hyperedge", int(self.path.ensemble.offsets[t] + value))
        return float(self.ensemble.cluster(number)[1])

    def _named(self, address: Address, value: float) -> str:
        """A label by its name in the person's own table; "" for what is no label."""
        if not self._is_label(address):
            return ""
        t = address.where[1]
        return "none" if value < 0 else self.path.ensemble.label_name(t, int(value))

    def outward(self, address: Address) -> Address:
        """The same entry, numbered as the ensemble given has it."""
        axes = self.path.axes(address.name)
        where = tuple(self.ensemble.outward(axis, at) for axis, at in zip(axes, address.where, strict=True))
        return Address(address.name, where, address.iteration)


_CHOICE = re.compile(r"the \w+ with the (least|greatest) .*")  # as arg min and arg max are written
MOST_CHOICES = 24  # that are drawn


class _Terms:
    """The terms that pieces speak of, each with a number."""

    def __init__(self, told_by: Why):
        self.by, self.told = told_by, told_by.told
        self.numbers: dict[tuple[str, int | None], int] = {}

    def number(self, name: str, at: int | None) -> int:
        thing = self.told.terms[name]
        if isinstance(thing, Row):
            at = _greatest(thing) if at is None else at
        return self.numbers.setdefault((name, at if isinstance(thing, Row) else None), len(self.numbers))

    def marked(self, parts: list[Piece]) -> list:
        return [
            part.t if part.term is None else {"t": part.t, "term": self.number(part.term, part.at)} for part in parts
        ]

    def mathml(self, parts: list[Piece]) -> str:
        def numbered(part: Piece) -> str:
            return part.t.replace(f'data-term="{part.term}"', f'data-term="{self.number(part.term, part.at)}"')

        return "".join(part.t if part.term is None else numbered(part) for part in parts)

    def worded(self, parts) -> list:
        said = []
        for part in parts:
            match part:
                case Term():
                    name = next(name for name, thing in self.told.terms.items() if thing is part)
                    said.append({"t": self.by._piece_as_text(part), "term": self.number(name, None)})
                case ("object" | "cluster" as kind, at):
                    said.append({kind: at})
                case ("clustering" | "hyperedge" as kind, at):
                    said.append({kind: self.by.ensemble.outward(kind, at)})
                case _:
                    said.append(self.by._piece_as_text(part))
        return said

    def said(self) -> list[dict]:
        done: list[dict] = []
        while len(done) < len(self.numbers):
            (name, at), _ = list(self.numbers.items())[len(done)]
            thing = self.told.terms[name]
            term = thing.term(at) if isinstance(thing, Row) else thing
            to = term.to and self.by.outward(term.to)
            now = self.told.address.iteration
            done.append(
                {
                    "symbol": symbol(name).text(),
                    "meaning": term.meaning,
                    "value": finite(self.by._as_given(term.to, term.value) if term.to else term.value),
                    "said": self.by._piece_as_text(term),
                    "when": "always" if to is None else "now" if to.iteration == now else "before",
                    "to": to and {"name": to.name, "where": list(to.where), "iteration": to.iteration},
                    "kind": term.kind,
                    "end": self.worded(term.end),
                }
            )
        return done


def _greatest(row: Row) -> int:
    return int(np.abs(row.values).argmax()) if len(row) else 0


def _sizes(told: Told) -> list[float]:
    return [float(np.abs(value).max(initial=0.0)) if np.ndim(value) else abs(value) for value in told.numbers.values()]


def _dusted(value: float, floor: float) -> float:
    return 0.0 if abs(value) <= floor else value
