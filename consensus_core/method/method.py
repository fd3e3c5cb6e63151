"""What a method is.

A method is a frozen dataclass of hyper-parameters with pure functions of an ensemble and a state. Counting, stopping,
the watch for NaN and the freezing of arrays happen in the loop, once; a click, a script and a sweep differ only in who
turns the crank.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from ..ensemble import Ensemble
from ..errors import InputError
from .cost import Cost
from .params import Param, param, params_of
from .quantities import Paired, Quantity, quantities_of


class Exempt(str):
    """A law a method cannot keep, switched off with the mathematical reason: false, and readable."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


LAWS = {
    "monotone": "the objective never rises",
    "scale_free": "duplicating every object changes nothing",
    "order_free": "the order of objects, clusters and base clusterings changes nothing but the order",
    "exact_on_rows": "the answer on microclusters is the answer on all objects",
    "finds_the_obvious": "base clusterings that agree are found",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class State:
    """Where a method stands. Subclasses declare what is kept; arrays become read-only once recorded."""

    def __setstate__(self, content: dict) -> None:
        self.__dict__.update(content)
        freeze(self)


@dataclass(frozen=True, kw_only=True)
class Method:
    """The contract. See *Adding a method* in the README for how a new one is written: one file, found by looking."""

    k: int = param(dataclasses.MISSING, "number of clusters wanted", letter="k", low=1, role="common")
    seed: int = param(0, "start of the random numbers, where a method uses any", low=0, high=2**32 - 1, role="common")
    max_iter: int = param(100, "most steps", plain="most steps", low=1, high=100_000, role="common")
    tol: float = param(
        1e-6, "change below which a step counts as none", plain="tolerance", low=0.0, high=1.0, role="common"
    )

    key: ClassVar[str] = ""  # the file's name; set when the method is found
    short: ClassVar[str] = ""  # the short name people know it by, where it is not the class's
    title: ClassVar[str] = ""
    family: ClassVar[str] = ""
    reference: ClassVar[str] = ""
    handles_missing: ClassVar[str] = ""  # how missing labels are taken natively; "" when they must be filled first
    stretches: ClassVar[str] = ""  # the scalar with which the objective changes: values are comparable while it stands
    State: ClassVar[type[State]] = State

    # Laws of the contract: True, or Exempt("the mathematical reason"). A property where it depends on a parameter.
    monotone: ClassVar[bool | Exempt] = True
    scale_free: ClassVar[bool | Exempt] = True
    order_free: ClassVar[bool | Exempt] = True
    exact_on_rows: ClassVar[bool | Exempt] = True
    finds_the_obvious: ClassVar[bool | Exempt] = True

    def __post_init__(self):
        for declared in self.params():
            object.__setattr__(self, declared.name, declared.check(self.name(), getattr(self, declared.name)))

    # --- what a method must say -------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> State:
        """Iteration 0."""
        raise TypeError(f"{type(self).__name__} must define init")

    def step(self, ensemble: Ensemble, state: State) -> State:
        """The next state. Never edits the one given."""
        raise TypeError(f"{type(self).__name__} must define step")

    def terms(self, ensemble: Ensemble, state: State) -> dict[str, float]:
        """The objective, split into its named terms (their sum is the objective)."""
        raise TypeError(f"{type(self).__name__} must define terms")

    def labels(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """(q,) cluster of each microcluster, 0, 1, …"""
        raise TypeError(f"{type(self).__name__} must define labels")

    def converged(self, old: State, new: State) -> bool:
        raise TypeError(f"{type(self).__name__} must define converged")

    def cost(self, ensemble: Ensemble) -> Cost:
        """Bytes and seconds of a whole run, before anything is allocated."""
        raise TypeError(f"{type(self).__name__} must define cost")

    # --- what a method may say --------------------------------------------------------------------------------

    def found(self, ensemble: Ensemble, state: State) -> int:
        """How many clusters the method itself ends with, before any repair to exactly k."""
        return int(self.labels(ensemble, state).max()) + 1

    def stage(self, state: State) -> str:
        """Where in its schedule a method stands, in a few words ("r = 0.8, λ = 128")."""
        return ""

    def diverged(self, state: State) -> bool:
        """True when a run cannot come to anything any more, though its numbers are still finite."""
        return False

    def remarks(self, ensemble: Ensemble, state: State) -> tuple[str, ...]:
        """Sentences a user must not miss: a condition that does not hold, objects never observed, a repair made."""
        return ()

    # --- what follows -----------------------------------------------------------------------------------------

    def objective(self, ensemble: Ensemble, state: State) -> float:
        return float(sum(self.terms(ensemble, state).values()))

    @classmethod
    def name(cls) -> str:
        """The short name people know it by."""
        return cls.short or cls.__name__

    @classmethod
    @functools.cache
    def params(cls) -> tuple[Param, ...]:
        return params_of(cls)

    @classmethod
    @functools.cache
    def quantities(cls) -> tuple[Quantity, ...]:
        return quantities_of(cls)

    @classmethod
    def quantity(cls, name: str) -> Quantity:
        for quantity in cls.quantities():
            if quantity.name == name:
                return quantity
        raise InputError(
            f"{cls.name()} shows no quantity {name!r}; it has {', '.join(q.name for q in cls.quantities())}."
        )

    def value(self, ensemble: Ensemble, state: State, name: str) -> Any:
        """The array or number of a quantity, kept or derived."""
        quantity = self.quantity(name)
        return getattr(self, name)(ensemble, state) if quantity.derived else getattr(state, name)

    def entry(self, ensemble: Ensemble, state: State, name: str, *where: int) -> float:
        """One number of a quantity; `where` names objects (0 .. n − 1), base clusterings, … as its axes say."""
        value = self.value(ensemble, state, name)
        place = self.place(ensemble, name, *where)
        if isinstance(value, Paired):
            same = where[0] == where[1]
            return float(value.d[place[0]] if same else value.B[place])
        return float(value[place]) if place else float(value)

    def place(self, ensemble: Ensemble, name: str, *where: int) -> tuple[int, ...]:
        """Objects become their microclusters; the rest stays."""
        axes = self.quantity(name).axes
        if len(where) != len(axes):
            raise InputError(f"{name} has the axes {axes or 'none'}: {len(axes)} numbers say where, got {len(where)}.")
        for axis, at in zip(axes, where, strict=True):
            count = {"clustering": ensemble.m, "hyperedge": int(ensemble.offsets[-1])}.get(axis)
            if count is not None and not 0 <= at < count:
                raise InputError(f"{name} is over {count} {axis}s, numbered from 0; {at} is not among them.")
        return tuple(
            ensemble.microcluster_of(at) if axis == "object" else int(at) for axis, at in zip(axes, where, strict=True)
        )

    def explain(self, ensemble: Ensemble, before: State | None, after: State, name: str, *where: int) -> Explanation:
        """Why a value is what it is: recomputed by scalar arithmetic from the ensemble and the state before.

        `where` is as in `entry`; `before` is None at iteration 0. A method answers in `explain_<name>`.
        """
        self.quantity(name)
        answer = getattr(self, f"explain_{name}", None)
        if answer is None:
            raise InputError(f"{self.name()} has no explanation for {name}.")
        self.place(ensemble, name, *where)
        return answer(ensemble, before, after, *where)

    @classmethod
    def explained(cls) -> tuple[str, ...]:
        """The names of the quantities `explain` can answer for."""
        return tuple(q.name for q in cls.quantities() if hasattr(cls, f"explain_{q.name}"))

    def parameters(self) -> dict[str, Any]:
        return {declared.name: getattr(self, declared.name) for declared in self.params()}


@dataclass(frozen=True)
class Explanation:
    """A formula in the paper's letters, the same with this step's numbers, the result, and plain words."""

    formula: str
    numbers: str
    value: float
    words: str


def arrays_of(content: Any) -> Iterator[np.ndarray]:
    """Every array a state holds, in fields, tuples and sparse matrices."""
    if isinstance(content, np.ndarray):
        yield content
    elif scipy.sparse.issparse(content):
        yield from (
            part
            for name in ("data", "indices", "indptr", "row", "col")
            if (part := getattr(content, name, None)) is not None
        )
    elif dataclasses.is_dataclass(content) and not isinstance(content, type):
        for field in dataclasses.fields(content):
            yield from arrays_of(getattr(content, field.name))
    elif isinstance(content, (tuple, list)):
        for part in content:
            yield from arrays_of(part)


def freeze(state: State) -> State:
    for array in arrays_of(state):
        array.flags.writeable = False
    return state
