"""A run looked back on: every entry of every quantity at every iteration, and why it has its value.

Everything here is in the canonical form of the ensemble; `why` is the door to it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..equations.formula import FormulaError
from ..errors import InputError
from ..linalg.paired import Paired
from ..numbers import number
from ..partition.numbering import numbered
from ..scores.margins import certainty
from .method import Method, entry_of
from .quantities import Scalar
from .telling import Address, At, Equation, Told

ROUNDING = 1e-12  # of the greatest size of a quantity; what is smaller is rounding
KEPT = 24  # quantities of single iterations that are held at once
CLUSTER = "cluster"  # the cluster of an object, as it is numbered on every screen: 1, 2, …


class Path:
    """`step_at(iteration)` gives the step of any iteration up to the one that is asked about."""

    def __init__(self, method: Method, ensemble: Ensemble, step_at: Callable):
        self.method, self.ensemble, self._step_at = method, ensemble.canonical, step_at
        self._arrays: OrderedDict[tuple[str, int], Any] = OrderedDict()
        self._shown = {quantity.name: quantity for quantity in method.quantities()}
        self._floors: dict[tuple[str, int], float] = {}
        self._told: dict[Address, Told] = {}
        self._asking: list[Address] = []

    def state(self, iteration: int):
        if iteration < 0:
            raise InputError("Before iteration 0 there is no state.")
        return self._step_at(iteration).state

    # --- what a name is ---------------------------------------------------------------------------------------

    def equation(self, name: str) -> Equation:
        found = self.method.equations().get(name)
        if found is None:
            by = f", of which that of {self._asking[-1].name} speaks" if self._asking else ""
            raise InputError(f"{self.method.name()} has no explanation for {name}{by}.")
        return found

    def axes(self, name: str) -> tuple[str, ...]:
        quantity = self._quantity(name)
        return quantity.axes if quantity else self.equation(name).axes

    def meaning(self, name: str) -> str:
        quantity = self._quantity(name)
        return quantity.meaning if quantity else self.equation(name).meaning

    def letter(self, name: str) -> str:
        quantity = self._quantity(name)
        return quantity.letter if quantity else self.equation(name).letter

    def _quantity(self, name: str):
        return self._shown.get(name)

    # --- entries ----------------------------------------------------------------------------------------------

    def array(self, name: str, iteration: int):
        """A quantity at an iteration, in the canonical form."""
        if name == CLUSTER:
            return self.once(name, iteration, lambda: self._clusters(iteration))
        return self.once(name, iteration, lambda: self.method.raw(self.ensemble, self.state(iteration), name))

    def _clusters(self, iteration: int) -> np.ndarray:
        return numbered(self.ensemble, self.method.labels(self.ensemble, self.state(iteration))) + 1

    def once(self, name: str, iteration: int, compute: Callable[[], Any]):
        """What many explanations of an iteration need, computed once."""
        key = name, iteration
        if key not in self._arrays:
            found = compute()
            self._arrays[key] = found
            while len(self._arrays) > KEPT:
                self._arrays.popitem(last=False)
        self._arrays.move_to_end(key)
        return self._arrays[key]

    def length(self, name: str, side: int, iteration: int) -> int:
        """How many things stand along a side."""
        known = {"object": self.ensemble.q, "clustering": self.ensemble.m, "hyperedge": self.ensemble.K}
        axis = self.axes(name)[side]
        if axis in known:
            return known[axis]
        if self._quantity(name):
            value = self.array(name, iteration)
            return (value.B if isinstance(value, Paired) else value).shape[side]
        return self.method.k

    def entry(self, name: str, where: tuple[int, ...], iteration: int) -> float:
        if self._quantity(name) is None and name != CLUSTER:
            return self.tell(Address(name, tuple(where), iteration)).value
        return entry_of(self.ensemble, self.array(name, iteration), self.axes(name), where)

    def row(self, name: str, where: tuple, things: np.ndarray, iteration: int) -> np.ndarray:
        """Entries along the axis for which None stands, for these things (microclusters in the place of objects)."""
        axes, side = self.axes(name), where.index(None)
        named = self.ensemble.first_of[things] if axes[side] == "object" else things
        if self._quantity(name) is None:
            places = [tuple(int(x) if at is None else at for at in where) for x in named]
            return np.array([self.entry(name, place, iteration) for place in places], dtype=float)
        value = self.array(name, iteration)
        fixed = [
            None if at is None else self.ensemble.microcluster_of(at) if axis == "object" else at
            for at, axis in zip(where, axes, strict=True)
        ]
        place = tuple(things if at is None else at for at in fixed)
        if isinstance(value, Paired):
            other = where[1 - side]
            found = np.array(value.B[place], dtype=float)
            found[named == other] = value.d[self.ensemble.microcluster_of(other)]
            return found
        if scipy.sparse.issparse(value):
            line = value[[fixed[0]]] if side else value[:, [fixed[1]]]
            value, place = line.toarray().ravel(), (things,)
        return np.asarray(value[place], dtype=float)

    def floor(self, name: str, iteration: int) -> float:
        """The size below which an entry of this quantity is rounding; asked of every term, looked for once."""
        key = name, iteration
        if key not in self._floors:
            self._floors[key] = self._floor(name, iteration)
        return self._floors[key]

    def _floor(self, name: str, iteration: int) -> float:
        quantity = self._quantity(name)
        if quantity is None or quantity.kind is Scalar:
            return 0.0
        value = self.array(name, iteration)
        parts = (
            [value.B, value.d] if isinstance(value, Paired) else [value.data if scipy.sparse.issparse(value) else value]
        )
        return ROUNDING * max(float(np.abs(part).max(initial=0.0)) for part in parts)

    def certainty_in_words(self, p: int, iteration: int) -> str:
        """How much nearer an object is to its own cluster than to the next."""
        labels = self.array(CLUSTER, iteration) - 1
        sure = certainty(self.ensemble, labels)
        own = f"{{i}} is together with the others of cluster {labels[p] + 1} in {sure.own[p]:.0%} of cases"
        if sure.second[p] == labels[p]:
            return f"{own}; there is no other cluster."
        other = f"with those of cluster {sure.second[p] + 1} in {sure.other[p]:.0%}"
        return f"{own}, {other}: certainty {number(sure.margin[p])}."

    # --- explanations -----------------------------------------------------------------------------------------

    def tell(self, address: Address) -> Told:
        if address not in self._told:
            if address in self._asking:
                raise InputError(f"{address.name} is explained by itself.")
            equation = self.equation(address.name)
            self._asking.append(address)
            try:
                self._told[address] = equation.tell(self.method, At(self, equation, address))
            except FormulaError as fault:
                if str(fault).startswith("At "):  # said already, where it is
                    raise
                raise FormulaError(f"At {equation.tell.__qualname__}, which tells {address.name}: {fault}") from None
            finally:
                self._asking.pop()
        return self._told[address]
