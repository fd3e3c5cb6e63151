"""The parts in their order, each made by itself: what goes wrong in one is said there, and the others stand."""

from __future__ import annotations

from collections.abc import Callable

from ..data import Data
from ..data.naming import AS_NUMBERED, Naming
from ..errors import Cancelled, InputError
from ..method import History, Step, iterate
from .page import page
from .parts import PARTS
from .told import BUDGET, Told, made


def report(
    data: Data,
    step: Step,
    history: History | None = None,
    comparison=None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[str, float], None] | None = None,
    budget: float = BUDGET,
    clusters: Naming = AS_NUMBERED,
) -> bytes:
    """The page. `history`: of the run, where there is one already; else the run is gone through once more.

    `comparison`: a `compare.Comparison` on the same ensemble. `budget`: seconds a part may take for further runs.
    `clusters`: as a person calls them.
    """
    if step.run is None:
        raise InputError("This step has lost its run: use attached(method, ensemble, step) after it was unpickled.")
    if history is None or len(history) <= step.iteration:
        history = _gone_through(step, cancel)
    told = Told(data, step, history, comparison, budget, clusters)
    done = []
    for i, (title, make) in enumerate(PARTS):
        if cancel is not None and cancel():
            raise Cancelled
        if progress:
            progress(title, i / len(PARTS))
        done.append((title, made(make, told)))
    return page(told, done).encode()


def _gone_through(step: Step, cancel) -> History:
    history = History(step.run.method, step.run.ensemble)
    for one in iterate(step.run.method, step.run.ensemble, cancel=cancel):
        history.record(one)
        if one.iteration >= step.iteration:
            break
    return history
