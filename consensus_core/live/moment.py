"""What is read off a step once, in the solver's thread: everything the live view says that is not a picture."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass

import numpy as np

from .. import scores
from ..ensemble import MISSING, Ensemble
from ..method import Method, Scalar, Step
from ..partition.numbering import numbered
from ..scores.margins import certainty


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
    labels = numbered(ensemble, method.labels(ensemble, state))
    sure = certainty(ensemble, labels)
    return Moment(
        iteration=step.iteration,
        at=at,
        objective=step.objective,
        terms=dict(step.terms),
        scalars={q.name: float(method.value(ensemble, state, q.name)) for q in method.quantities() if q.kind is Scalar},
        scores=_scores(ensemble, labels),
        labels=labels,
        certainty=sure.margin,
        second=sure.second,
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


@functools.lru_cache(maxsize=16)
def truth_codes(ensemble: Ensemble) -> tuple[np.ndarray, list[str]]:
    """(n,) codes, MISSING where the truth is not known, and the names they stand for."""
    written = np.array(["" if value is None else str(value).strip() for value in ensemble.truth.tolist()])
    known = ~np.isin(written, ("", "nan", "None", "<NA>"))
    codes = np.full(len(written), MISSING)
    names, codes[known] = np.unique(written[known], return_inverse=True)
    return codes, names.tolist()
