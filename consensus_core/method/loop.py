"""The only loop that runs a method: counting, stopping, the watch for NaN and for memory."""

from __future__ import annotations

import dataclasses
import functools
import math
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.files import write_beside
from ..errors import Cancelled, InputError, TooLarge
from ..numbers import bytes_in_words, counted, number
from ..partition.numbering import numbered
from ..scores.margins import certainty
from ..showing import card
from .cost import available_bytes
from .method import Method, State, freeze, new_arrays
from .settings import settings_in_words as settings_of

STOPS = ("", "converged", "capped", "max_iter", "diverged")


@dataclass(frozen=True, eq=False)
class Step:
    """A point of a run: a value that can be kept, pickled, gone back to and branched from."""

    iteration: int
    objective: float
    state: State
    stop: str = ""  # one of STOPS
    terms: dict[str, float] = dataclasses.field(default_factory=dict)
    cap: str = ""  # the dial whose bound ended a run that is "capped"
    run: Run | None = dataclasses.field(default=None, repr=False)  # what it is a step of

    def value(self, name: str):
        """A quantity, its base clusterings and clusters as the ensemble given has them."""
        run = self._run()
        return run.method.value(run.ensemble, self.state, name)

    def entry(self, name: str, *where: int) -> float:
        """One number of a quantity; `where` names objects (0 .. n − 1), base clusterings, … as its axes say."""
        run = self._run()
        return run.method.entry(run.ensemble, self.state, name, *where)

    def why(self, name: str, *where: int):
        """Why a value is what it is: print it, or look at it in a notebook. Objects are counted from 1 in its words."""
        from .why import why

        run = self._run()
        return why(run.method, run.ensemble, run.remember(self).step, name, *where, iteration=self.iteration)

    @property
    def labels(self) -> np.ndarray:
        """(n,) clusters 0, 1, … by the one numbering."""
        run = self._run()
        return labels_at(run.method, run.ensemble, self)

    def _run(self) -> Run:
        if self.run is None:
            raise InputError("This step has lost its run: use attached(method, ensemble, step) after it was unpickled.")
        return self.run

    def _repr_html_(self) -> str:
        if self.run is None:
            return card("Step", {"iteration": f"{self.iteration:,}", "objective": number(self.objective)})
        method, ensemble = self.run.method, self.run.ensemble
        shown = [f"{q.name} ({q.letter}: {q.meaning})" for q in method.quantities() if not q.minor]
        return card(
            f"{method.name()}, iteration {self.iteration:,}",
            {
                "objective": number(self.objective),
                "terms": ", ".join(f"{name} {number(value)}" for name, value in self.terms.items()),
                "stage": method.stage(self.state),
                "clusters": f"{method.found(ensemble, self.state):,} found, {method.k:,} wanted",
                "to look at": "; ".join(shown),
            },
            [stopped_because(method, self)[0], "step.value(name), step.why(name, i, j)"],
        )

    def __getstate__(self) -> dict:
        return {**self.__dict__, "run": None}  # an ensemble is not pickled with every step


class Run:
    """A method on an ensemble, and the way back to any of its steps."""

    def __init__(self, method: Method, ensemble: Ensemble):
        self.method, self.ensemble = method, ensemble
        self._steps: weakref.WeakValueDictionary[int, Step] = weakref.WeakValueDictionary()

    def remember(self, step: Step) -> Run:
        self._steps[step.iteration] = step
        return self

    def step(self, iteration: int) -> Step:
        """The step of an iteration: one that somebody still holds, or computed anew; steps are deterministic values."""
        found = self._steps.get(iteration)
        if found is not None:
            return found
        held = [at for at in self._steps if at < iteration]
        step = self._steps[max(held)] if held else begin(self.method, self.ensemble)
        while step.iteration < iteration:
            step = advance(self.method, self.ensemble, dataclasses.replace(step, stop=""))
        self._anew = step  # held until another is asked for
        self._steps[iteration] = step
        return step


def attached(method: Method, ensemble: Ensemble, step: Step) -> Step:
    """A step with its run again."""
    run = Run(method, ensemble)
    step = dataclasses.replace(step, run=run)
    run.remember(step)
    return step


@dataclass(frozen=True, eq=False)
class Result:
    """What a run has come to."""

    step: Step
    raw: np.ndarray  # (q,) clusters of the microclusters as the method has them
    found: int  # clusters the method itself ended with, before any repair to exactly k
    remarks: tuple[str, ...] = ()

    @functools.cached_property
    def labels(self) -> np.ndarray:
        """(n,) clusters 0, 1, … by the one numbering: as on every screen and in every file."""
        run = self.step._run()
        labels = run.ensemble.expand(numbered(run.ensemble, self.raw))
        labels.flags.writeable = False
        return labels

    def write(self, folder, client=None, processes: int | None = None, told=None) -> list:
        """Of an ensemble `from_files`: a row per object (id, cluster 1, 2, …, certainty, second choice) as Parquet, a
        file per piece. What is there already of this answer is not written again."""
        run = self.step._run()
        labels = numbered(run.ensemble, self.raw)
        sure = certainty(run.ensemble, labels)
        values = {
            "cluster": (labels + 1).astype(np.int32),
            "certainty": sure.margin.round(6),
            "second choice": (sure.second + 1).astype(np.int32),
        }
        about = {"method": run.method.key, "parameters": run.method.parameters(), "iteration": self.iterations}
        return write_beside(run.ensemble, values, folder, about, client, processes, told)

    @property
    def objective(self) -> float:
        return self.step.objective

    @property
    def iterations(self) -> int:
        return self.step.iteration

    @property
    def stop(self) -> str:
        return self.step.stop

    @property
    def state(self) -> State:
        return self.step.state

    def value(self, name: str):
        return self.step.value(name)

    def entry(self, name: str, *where: int) -> float:
        return self.step.entry(name, *where)

    def why(self, name: str, *where: int):
        """Why a value is what it is; see Step.why."""
        return self.step.why(name, *where)

    @property
    def stopped(self) -> str:
        """Why the run stopped, as a sentence."""
        return stopped_because(self.step._run().method, self.step, self.found)[0]

    def _repr_html_(self) -> str:
        run = self.step._run()
        sizes = np.bincount(self.labels).tolist()
        more = f" and {len(sizes) - 20} more" if len(sizes) > 20 else ""
        said = ", ".join(f"{c + 1}: {size:,}" for c, size in enumerate(sizes[:20]))
        return card(
            f"{run.method.name()}: {counted(len(sizes), 'cluster')} of {counted(run.ensemble.n, 'object')}",
            {"objects in each": said + more, "objective": number(self.objective), "settings": settings_of(run.method)},
            [self.stopped, *self.remarks],
        )

    def __repr__(self) -> str:
        run, k = self.step._run(), int(self.raw.max()) + 1
        return f"Result({run.method.name()}: {counted(k, 'cluster')} of {run.ensemble!r}. {self.stopped})"


def begin(method: Method, ensemble: Ensemble, memory: int | None = None) -> Step:
    """Iteration 0, or a sentence why this method cannot work on this ensemble.

    `memory`: bytes the run may take; by default what the machine has left.
    """
    check(method, ensemble, memory)
    return _step(Run(method, ensemble), 0, freeze(method.init(ensemble)))


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
            f"{method.name()}: k = {method.k} clusters are wanted, but the base clusterings tell only "
            f"{counted(ensemble.q, 'group')} of objects apart. Ask for at most {ensemble.q}."
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
            "methods that work on objects and clusters instead of pairs need far less."
        )


def advance(method: Method, ensemble: Ensemble, step: Step) -> Step:
    """One step further; a step that has stopped stays where it is."""
    if step.stop:
        return step
    run = step.run if step.run is not None and step.run.method == method and step.run.ensemble is ensemble else None
    run = (run or Run(method, ensemble)).remember(step)
    state = method.step(ensemble, step.state)
    arrays = new_arrays(state, step.state)  # the others were frozen and looked at when they were new
    for array in arrays:
        array.flags.writeable = False
    iteration = step.iteration + 1
    if not _finite(arrays, new_arrays(step.state, state)):
        # the last sound state is kept: its labels and pictures are still worth looking at
        return Step(iteration, math.nan, step.state, "diverged", {}, run=run)
    new = _step(run, iteration, state)
    stop, cap = _why_stop(method, new, step.state)
    new = dataclasses.replace(new, stop=stop, cap=cap)
    run.remember(new)
    return new


def _why_stop(method: Method, new: Step, old: State) -> tuple[str, str]:
    if not math.isfinite(new.objective) or method.diverged(new.state):
        return "diverged", ""
    if method.converged(old, new.state):
        return "converged", ""
    if cap := method.capped(old, new.state):
        return "capped", cap
    return ("max_iter", "max_iter") if new.iteration >= method.max_iter else ("", "")


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
    """The whole run. `history` (a History) may look on.

    >>> from consensus_core import EAC, Ensemble, solve
    >>> result = solve(EAC(k=2), Ensemble.from_labels([[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 0]]))
    >>> result.labels, result.stop
    (array([0, 0, 1, 1]), 'converged')
    """
    for step in iterate(method, ensemble, cancel=cancel):
        if history is not None:
            history.record(step)
    return conclude(method, ensemble, step)


def conclude(method: Method, ensemble: Ensemble, step: Step) -> Result:
    """What a run has come to at this step."""
    if step.run is None:
        step = attached(method, ensemble, step)
    raw, found = method.answer(ensemble, step.state)
    return Result(step, raw, found, method.remarks(ensemble, step.state))


def labels_at(method: Method, ensemble: Ensemble, step: Step) -> np.ndarray:
    """(n,) the labels of a step by the one numbering."""
    return ensemble.expand(numbered(ensemble, method.labels(ensemble, step.state)))


def stopped_because(method: Method, step: Step, found: int | None = None) -> tuple[str, bool]:
    """Why a run stopped, as a sentence, and whether what it has come to is an answer."""
    after = f"after {counted(step.iteration, 'step')}"
    with_found = (
        ""
        if found is None or found == method.k
        else f", with {counted(found, 'cluster')} found where {method.k} are wanted"
    )
    match step.stop:
        case "":
            return "", True
        case "converged":
            return ("Done in one step." if method.max_iter == 1 else f"Converged {after}."), True
        case "diverged":
            return f"Diverged {after}{with_found}: the last sound state is kept, and is no answer.", False
        case "capped":
            dial = method.param(step.cap)
            bound = f"{dial.title} = {getattr(method, step.cap):g}"
            return f"Stopped {after} at a bound, {bound}{with_found}: not converged.", False
    return f"Stopped {after}, the most allowed{with_found}: not converged.", False


def _step(run: Run, iteration: int, state: State) -> Step:
    terms = {name: float(value) for name, value in run.method.terms(run.ensemble, state).items()}
    step = Step(iteration, float(sum(terms.values())), state, "", terms, run=run)
    run.remember(step)
    return step


def _finite(arrays: list[np.ndarray], before: list[np.ndarray]) -> bool:
    """No NaN and no infinity; arrays taken over from another field of the state before have been looked at already."""
    known = {id(array) for array in before}
    with np.errstate(invalid="ignore", over="ignore"):
        return all(
            math.isfinite(float(array.sum())) for array in arrays if array.dtype.kind == "f" and id(array) not in known
        )
