"""What a method is, and the only loop that runs one.

A method is a frozen dataclass of hyper-parameters with pure functions of an ensemble and a state. Counting, stopping,
the watch for NaN and the freezing of arrays happen here, once; a click, a script and a sweep differ only in who
turns the crank.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from .cost import Cost, available_bytes, bytes_in_words
from .ensemble import Ensemble
from .errors import Cancelled, InputError, TooLarge
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


@dataclass(frozen=True, eq=False)
class Step:
    """A point of a run: a value that can be kept, pickled, gone back to and branched from."""

    iteration: int
    objective: float
    state: State
    stop: str = ""  # "", "converged", "max_iter" or "diverged"
    terms: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Result:
    labels: np.ndarray  # (n,) clusters 0, 1, …
    objective: float
    iterations: int
    stop: str
    state: State
    found: int  # clusters the method itself ended with, before any repair to exactly k
    remarks: tuple[str, ...] = ()


def begin(method: Method, ensemble: Ensemble, memory: int | None = None) -> Step:
    """Iteration 0, or a sentence why this method cannot work on this ensemble.

    `memory`: bytes the run may take; by default what the machine has left.
    """
    check(method, ensemble, memory)
    return _step(method, ensemble, 0, freeze(method.init(ensemble)))


def check(method: Method, ensemble: Ensemble, memory: int | None = None) -> None:
    """Refuses what cannot work, before anything is allocated."""
    # asked by what they can do: after a module is reloaded, its classes are others
    if isinstance(method, type) or not hasattr(method, "init") or not hasattr(ensemble, "microcluster_of"):
        raise InputError(
            "A run needs a Method and an Ensemble, in this order, like solve(LWEA(k=3), Ensemble.from_labels(table)); "
            f"got {type(method).__name__} and {type(ensemble).__name__}."
        )
    if method.k > ensemble.q:
        raise InputError(
            f"{method.name()}: k = {method.k} clusters are wanted, but the base clusterings tell only {ensemble.q} "
            f"group{'s' if ensemble.q > 1 else ''} of objects apart. Ask for at most {ensemble.q}."
        )
    if ensemble.has_missing and not method.handles_missing:
        raise InputError(
            f"{method.name()} cannot take missing labels. Fill them first: ensemble.filled('random'), "
            "ensemble.filled('nearest') or ensemble.filled('own cluster')."
        )
    memory = available_bytes() if memory is None else memory
    needed = method.cost(ensemble).bytes
    if needed > memory:
        raise TooLarge(
            f"{method.name()} on {ensemble.q:,} microclusters needs about {bytes_in_words(needed)}; "
            f"{bytes_in_words(memory)} are free. Fewer or coarser base clusterings leave fewer microclusters; "
            "methods that work on objects and clusters instead of pairs (PCE, CESHL) need far less."
        )


def advance(method: Method, ensemble: Ensemble, step: Step) -> Step:
    """One step further; a step that has stopped stays where it is."""
    if step.stop:
        return step
    state = freeze(method.step(ensemble, step.state))
    iteration = step.iteration + 1
    if not _finite(state, step.state):
        # the last sound state is kept: its labels and pictures are still worth looking at
        return Step(iteration, math.nan, step.state, "diverged", {})
    new = _step(method, ensemble, iteration, state)
    if not math.isfinite(new.objective) or method.diverged(state):
        stop = "diverged"
    elif method.converged(step.state, state):
        stop = "converged"
    else:
        stop = "max_iter" if iteration >= method.max_iter else ""
    return dataclasses.replace(new, stop=stop)


def iterate(
    method: Method, ensemble: Ensemble, start: Step | None = None, cancel: Callable[[], bool] | None = None
) -> Iterator[Step]:
    """Every step from the start (iteration 0, or a step kept earlier) to the end."""
    step = begin(method, ensemble) if start is None else start
    yield step
    while not step.stop:
        if cancel is not None and cancel():
            raise Cancelled
        step = advance(method, ensemble, step)
        yield step


def solve(method: Method, ensemble: Ensemble, cancel: Callable[[], bool] | None = None, history=None) -> Result:
    """The whole run. `history` (a History) may look on."""
    for step in iterate(method, ensemble, cancel=cancel):
        if history is not None:
            history.record(step)
    return conclude(method, ensemble, step)


def conclude(method: Method, ensemble: Ensemble, step: Step) -> Result:
    """What a run has come to at this step."""
    labels = ensemble.expand(method.labels(ensemble, step.state))
    labels.flags.writeable = False
    return Result(
        labels=labels,
        objective=step.objective,
        iterations=step.iteration,
        stop=step.stop,
        state=step.state,
        found=method.found(ensemble, step.state),
        remarks=method.remarks(ensemble, step.state),
    )


def _step(method: Method, ensemble: Ensemble, iteration: int, state: State) -> Step:
    terms = {name: float(value) for name, value in method.terms(ensemble, state).items()}
    return Step(iteration, float(sum(terms.values())), state, "", terms)


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


def _finite(state: State, before: State) -> bool:
    """No NaN and no infinity; arrays taken over from the state before have been looked at already."""
    known = {id(array) for array in arrays_of(before)}
    with np.errstate(invalid="ignore", over="ignore"):
        return all(
            math.isfinite(float(array.sum()))
            for array in arrays_of(state)
            if array.dtype.kind == "f" and id(array) not in known
        )
