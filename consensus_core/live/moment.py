"""What is read off a step once, in the solver's thread: everything the live view says that is not a picture."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from .. import scores
from ..ensemble import Ensemble
from ..ensemble.truth import truth_codes
from ..method import Method, Scalar, Step
from ..partition.numbering import largest_first, renamed
from ..scores.certainty import support


@dataclass(frozen=True, eq=False)
class Moment:
    iteration: int
    at: float  # seconds since the epoch, when the solver yielded it
    objective: float
    terms: dict[str, float]
    scalars: dict[str, float]
    scores: dict[str, float]  # with the truth, or else with the base clusterings
    labels: np.ndarray  # (q,) numbered so that clusters keep their colours from step to step
    certainty: np.ndarray  # (q,) in [0, 1]
    second: np.ndarray  # (q,) the cluster an object would go to if not to its own
    found: int
    stage: str
    stop: str
    remarks: tuple[str, ...]


def moment(
    method: Method, ensemble: Ensemble, step: Step, before: np.ndarray | None, at: float | None = None
) -> Moment:
    at = time.time() if at is None else at
    state = step.state
    labels = np.asarray(method.labels(ensemble, state), dtype=np.intp)
    labels = largest_first(labels, ensemble.counts) if before is None else renamed(labels, before, ensemble.counts)
    shares = support(ensemble, labels)
    own = shares[np.arange(ensemble.q), labels].copy()
    shares[np.arange(ensemble.q), labels] = -1.0
    second = shares.argmax(axis=1) if shares.shape[1] > 1 else labels
    return Moment(
        iteration=step.iteration,
        at=at,
        objective=step.objective,
        terms=dict(step.terms),
        scalars={q.name: float(method.value(ensemble, state, q.name)) for q in method.quantities() if q.kind is Scalar},
        scores=_scores(ensemble, labels),
        labels=labels,
        certainty=np.clip(own - np.maximum(shares.max(axis=1), 0.0), 0.0, 1.0),
        second=second,
        found=method.found(ensemble, state),
        stage=method.stage(state),
        stop=step.stop,
        remarks=tuple(method.remarks(ensemble, state)),
    )


def _scores(ensemble: Ensemble, labels: np.ndarray) -> dict[str, float]:
    if ensemble.truth is not None:
        truth, everyone = truth_codes(ensemble)[0], ensemble.expand(labels)
        return {"ARI": scores.ari(everyone, truth), "NMI": scores.nmi(everyone, truth)}
    return {"agreement": scores.agreement(labels, ensemble.rows, ensemble.counts).mean_nmi}
