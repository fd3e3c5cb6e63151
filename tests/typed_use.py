"""A user's program as a type checker reads it (`mypy`): every public name, used as the README does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from consensus_core import (
    METHODS,
    Ensemble,
    History,
    InputError,
    Method,
    Param,
    Result,
    State,
    Step,
    advance,
    begin,
    conclude,
    iterate,
    scores,
    solve,
)
from consensus_core.data import Data, Origin, build
from consensus_core.data.record import Asked, read_record


def combined(table: np.ndarray) -> np.ndarray:
    ensemble: Ensemble = Ensemble.from_labels(table)
    method: Method = METHODS["lwea"](k=3)
    result: Result = solve(method, ensemble)
    labels: np.ndarray = result.labels
    objective: float = result.objective
    found: int = result.found
    remarks: tuple[str, ...] = result.remarks
    print(f"{objective:.3g}", found, ", ".join(remarks), result.stop.upper(), result.stopped.upper())
    return labels


def watched(method: Method, ensemble: Ensemble) -> Iterator[float]:
    history = History(method, ensemble)
    step: Step = begin(method, ensemble)
    while not step.stop:
        step = advance(method, ensemble, step)
        history.record(step)
        state: State = step.state
        entry: float = step.entry("A", 0, 1)
        yield entry + step.objective + len(repr(state))
    last: Result = conclude(method, ensemble, step)
    yield float(scores.ari(last.labels, last.labels))
    for one in iterate(method, ensemble):
        yield one.objective


def asked(name: str) -> Data:
    params: tuple[Param, ...] = METHODS[name].params()
    try:
        record: Asked = read_record(b"{}")
        print(record.method.name(), [param.title for param in params])
    except InputError as refusal:
        print(str(refusal))
    return build(Origin(sample="nine"))
