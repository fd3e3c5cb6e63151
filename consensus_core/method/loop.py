"""The only loop that runs a method: counting, stopping, the watch for NaN and for memory."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..errors import Cancelled, InputError, TooLarge
from ..numbers import bytes_in_words
from .cost import available_bytes
from .method import Method, State, arrays_of, freeze


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


def _finite(state: State, before: State) -> bool:
    """No NaN and no infinity; arrays taken over from the state before have been looked at already."""
    known = {id(array) for array in arrays_of(before)}
    with np.errstate(invalid="ignore", over="ignore"):
        return all(
            math.isfinite(float(array.sum()))
            for array in arrays_of(state)
            if array.dtype.kind == "f" and id(array) not in known
        )
