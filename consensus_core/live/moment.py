"""What is read off a step once, in the solver's thread: everything the live view says that is not a picture."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import Method, Scalar, Step, stopped_because
from ..partition.numbering import numbered
from ..scores import certainty, headline


@dataclass(frozen=True, eq=False)
class Moment:
    iteration: int
    at: float  # seconds since the epoch, when the solver yielded it
    objective: float
    terms: dict[str, float]
    scalars: dict[str, float]
    scores: dict[str, float]  # with the truth, or else with the base clusterings
    labels: np.ndarray  # (q,) by the one numbering, so that clusters keep their colours
    certainty: np.ndarray  # (q,) of each microcluster, see scores.margins
    second: np.ndarray  # (q,) the cluster an object would go to if not to its own
    found: int
    stage: str
    stop: str
    because: str  # why the run stopped here, as a sentence; "" while it goes on
    answer: bool  # whether what it has come to may be taken for an answer
    remarks: tuple[str, ...]
    spent: float = 0.0  # seconds of computing up to here


def moment(method: Method, ensemble: Ensemble, step: Step, at: float | None = None, spent: float = 0.0) -> Moment:
    at = time.time() if at is None else at
    state = step.state
    raw, found = method.answer(ensemble, state)
    labels = numbered(ensemble, raw)
    sure = certainty(ensemble, labels)
    because, answer = stopped_because(method, step, found)
    return Moment(
        iteration=step.iteration,
        at=at,
        objective=step.objective,
        terms=dict(step.terms),
        scalars={q.name: float(method.value(ensemble, state, q.name)) for q in method.quantities() if q.kind is Scalar},
        scores=headline(ensemble, labels),
        labels=labels,
        certainty=sure.margin,
        second=sure.second,
        found=found,
        stage=method.stage(state),
        stop=step.stop,
        because=because,
        answer=answer,
        remarks=tuple(method.remarks(ensemble, state)),
        spent=spent,
    )
