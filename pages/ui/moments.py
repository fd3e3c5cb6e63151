"""What is read off a step once, in the solver's thread: everything the live view says that is not a picture."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from consensus_core import Ensemble, Method, Step
from consensus_core.pictures import largest_first, renamed, support
from consensus_core.quantities import Scalar


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
        truth = np.unique(ensemble.truth.astype(str), return_inverse=True)[1]
        return dict(zip(("ARI", "NMI"), _agreement(truth, ensemble.expand(labels)), strict=True))
    seen = ~ensemble.missing
    each = [
        _agreement(ensemble.rows[seen[:, i], i], labels[seen[:, i]], ensemble.counts[seen[:, i]])[1]
        for i in range(ensemble.m)
    ]
    return {"agreement": float(np.mean(each))}


def _agreement(a: np.ndarray, b: np.ndarray, counts: np.ndarray | None = None) -> tuple[float, float]:
    table = np.zeros((int(a.max()) + 1, int(b.max()) + 1)) if len(a) else np.zeros((1, 1))
    np.add.at(table, (a, b), 1.0 if counts is None else counts)
    n = table.sum()

    def pairs(x):
        return float((x * (x - 1)).sum()) / 2

    def entropy(x):
        x = x[x > 0] / n
        return float(-(x * np.log(x)).sum())

    rows, cols = table.sum(axis=1), table.sum(axis=0)
    expected = pairs(rows) * pairs(cols) / max(n * (n - 1) / 2, 1.0)
    most = (pairs(rows) + pairs(cols)) / 2
    rand = (pairs(table) - expected) / (most - expected) if most != expected else 1.0
    shared = entropy(rows) + entropy(cols) - entropy(table.ravel())
    both = (entropy(rows) + entropy(cols)) / 2
    return rand, shared / both if both > 0 else 1.0
