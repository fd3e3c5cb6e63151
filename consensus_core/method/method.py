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
from ..linalg.paired import Paired
from .cost import Cost
from .params import Param, param, params_of
from .quantities import AXES, Labels, Quantity, quantities_of
from .telling import At, Equation, Told, equations_of, tells


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

    @classmethod
    @functools.cache
    def names(cls) -> tuple[str, ...]:
        """Of its fields."""
        return tuple(field.name for field in dataclasses.fields(cls))


HOOKS = ("init", "step", "terms", "labels", "found", "answer", "remarks", "cost")


@dataclass(frozen=True, kw_only=True)
class Method:
    """The contract. See *Adding a method* in the README for how a new one is written: one file, found by looking.

    Whatever ensemble is given, a method's own functions see its canonical form: columns and codes in an order that
    neither names nor places decide. `value`, `entry` and `why` speak of the ensemble as it was given.
    """

    k: int = param(dataclasses.MISSING, "number of clusters wanted", letter="k", low=1, role="common")

    max_iter: ClassVar[int] = 1  # most steps; methods that iterate declare it as a dial
    exact_k: ClassVar[bool] = True  # whether the labels are always exactly k clusters; a dial where one can choose

    key: ClassVar[str] = ""  # the file's name; set when the method is found
    short: ClassVar[str] = ""  # the short name people know it by, where it is not the class's
    title: ClassVar[str] = ""
    family: ClassVar[str] = ""  # methods of one family stand together in lists
    reference: ClassVar[str] = ""
    handles_missing: ClassVar[str] = ""  # how missing labels are taken natively; "" when they must be filled first
    stretches: ClassVar[str] = ""  # the scalar with each new value of which the objective is another one
    portrait: ClassVar[str] = ""  # the matrix it is known by in small pictures, where that is not its first
    State: ClassVar[type[State]] = State

    # Laws of the contract: True, or Exempt("the mathematical reason"). A property where it depends on a parameter.
    monotone: ClassVar[bool | Exempt] = True
    scale_free: ClassVar[bool | Exempt] = True
    order_free: ClassVar[bool | Exempt] = True
    exact_on_rows: ClassVar[bool | Exempt] = True
    finds_the_obvious: ClassVar[bool | Exempt] = True

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        for name, function in list(vars(cls).items()):
            if name in HOOKS or hasattr(function, "quantity"):
                setattr(cls, name, _canonically(function))

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
        """(q,) cluster of each microcluster, 0, 1, … in any order: what is shown is numbered by one rule for all."""
        raise TypeError(f"{type(self).__name__} must define labels")

    def converged(self, old: State, new: State) -> bool:
        raise TypeError(f"{type(self).__name__} must define converged")

    def cost(self, ensemble: Ensemble) -> Cost:
        """Bytes and seconds of a whole run, before anything is allocated."""
        raise TypeError(f"{type(self).__name__} must define cost")

    # --- what a method may say --------------------------------------------------------------------------------

    def capped(self, old: State, new: State) -> str:
        """The dial whose bound has ended the schedule before there was an answer; "" otherwise."""
        return ""

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

    # --- equations of every method ------------------------------------------------------------------------------

    @tells("together", "sum(same[t], t)", letter="together", axes=("object", "object"),
           meaning="base clusterings that put both objects into one cluster")  # fmt: skip
    def why_together(self, at: At) -> Told:
        words = "{value} of the {of} base clusterings with a label for both put {i} and {j} together."
        return at.terms(same=at.same, of=at.now("seen"), words=words)

    @tells("seen", "sum(labelled[t], t)", letter="seen", axes=("object", "object"),
           meaning="base clusterings with a label for both objects")  # fmt: skip
    def why_seen(self, at: At) -> Told:
        every = at.constant(at.ensemble.m, "the number of base clusterings m")
        return at.terms(
            labelled=at.seen, m=every, words="{value} of {m} base clusterings have a label for {i} and {j}."
        )

    @tells(
        "cluster", "number", letter="cluster", axes=("object",), meaning="the cluster of an object, as it is numbered"
    )
    def why_cluster(self, at: At) -> Told:
        return at.given(at.path.array("cluster", at.iteration)[at.p], at.path.certainty_in_words(at.p, at.iteration))

    # --- what follows -----------------------------------------------------------------------------------------

    def answer(self, ensemble: Ensemble, state: State) -> tuple[np.ndarray, int]:
        """The labels (q,) and how many clusters the method itself ends with; what gives both is computed once."""
        labels = np.asarray(self.labels(ensemble, state))
        own = type(self).found is not Method.found
        return labels, self.found(ensemble, state) if own else int(labels.max()) + 1

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
    def param(cls, name: str) -> Param:
        return next(declared for declared in cls.params() if declared.name == name)

    @classmethod
    @functools.cache
    def quantities(cls) -> tuple[Quantity, ...]:
        return quantities_of(cls)

    @classmethod
    @functools.cache
    def equations(cls) -> dict[str, Equation]:
        """Every equation by the name of what it gives."""
        return equations_of(cls)

    @classmethod
    def called(cls, name: str) -> str:
        """What Python calls that which screens and formulas call by its letter: A for the S of a tree."""
        letters = {one.name: one.letter for one in cls.equations().values()}
        letters |= {one.name: one.letter for one in cls.quantities()}
        meant = [one for one, letter in letters.items() if letter == name]
        return meant[0] if name not in letters and len(meant) == 1 else name

    @classmethod
    def quantity(cls, name: str) -> Quantity:
        for quantity in cls.quantities():
            if quantity.name == name:
                return quantity
        raise InputError(
            f"{cls.name()} shows no quantity {name!r}; it has {', '.join(q.name for q in cls.quantities())}."
        )

    def raw(self, ensemble: Ensemble, state: State, name: str) -> Any:
        """A quantity, kept or derived, in the canonical form of the ensemble."""
        quantity = self.quantity(name)
        return getattr(self, name)(ensemble, state) if quantity.derived else getattr(state, name)

    def value(self, ensemble: Ensemble, state: State, name: str) -> Any:
        """The array or number of a quantity, its base clusterings and clusters as the ensemble given has them."""
        value, axes = self.raw(ensemble, state, name), self.quantity(name).axes
        if self.quantity(name).kind is Labels:
            return ensemble.labels_outward(value)
        places = [ensemble.inward(axis) for axis in axes]
        if value is None or all(place is None for place in places):
            return value
        for side, place in enumerate(places):
            if place is not None:
                value = value[place] if side == 0 else value[:, place]
        return value

    def entry(self, ensemble: Ensemble, state: State, name: str, *where: int) -> float:
        """One number of a quantity; `where` names objects (0 .. n − 1), base clusterings, … as its axes say."""
        self.place(ensemble, name, *where)
        return entry_of(ensemble, self.value(ensemble, state, name), self.quantity(name).axes, where)

    def place(self, ensemble: Ensemble, name: str, *where: int) -> tuple[int, ...]:
        """Objects become their microclusters; the rest stays."""
        axes = next((q.axes for q in self.quantities() if q.name == name), None)
        if axes is None:
            told = self.equations().get(name)
            axes = told.axes if told else self.quantity(name).axes  # which says what there is
        if len(where) != len(axes):
            raise InputError(f"{name} has the axes {axes or 'none'}: {len(axes)} numbers say where, got {len(where)}.")
        for axis, at in zip(axes, where, strict=True):
            count = {"clustering": ensemble.m, "hyperedge": ensemble.K}.get(axis)
            if count is not None and not 0 <= at < count:
                raise InputError(
                    f"{name} is over {count} {AXES[axis].plural}, numbered from 0; {at} is not among them."
                )
        return tuple(
            ensemble.microcluster_of(at) if axis == "object" else int(at) for axis, at in zip(axes, where, strict=True)
        )

    def parameters(self) -> dict[str, Any]:
        return {declared.name: getattr(self, declared.name) for declared in self.params()}


def _canonically(function):
    @functools.wraps(function)
    def door(self, ensemble, *rest):
        return function(self, ensemble.canonical, *rest)

    return door


def entry_of(ensemble: Ensemble, value, axes: tuple[str, ...], where: tuple[int, ...]) -> float:
    """One number of a quantity; objects are found by their microclusters."""
    place = tuple(
        ensemble.microcluster_of(at) if axis == "object" else int(at) for axis, at in zip(axes, where, strict=True)
    )
    if isinstance(value, Paired):
        return float(value.d[place[0]] if where[0] == where[1] else value.B[place])
    return float(value[place]) if place else float(value)


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


def new_arrays(state: State, other: State) -> list[np.ndarray]:
    """The arrays in those of its fields that are not the very objects another state has there."""
    found: list[np.ndarray] = []
    values, others = vars(state), vars(other)
    for name in state.names():
        mine = values[name]
        if mine is not others.get(name) and not isinstance(mine, (float, int, bool, str)):
            found += arrays_of(mine)
    return found


def freeze(state: State) -> State:
    for array in arrays_of(state):
        array.flags.writeable = False
    return state
