"""What is pinned or pointed at: its exact values; and why one entry is what it is."""

from __future__ import annotations

import time

from ..errors import InputError
from ..method import why as why_of
from ..numbers import finite
from .pair import PARTITION, Pair
from .protocol import Entry, Pointed
from .run import Run
from .sight import iteration
from .stage import Stage


def pointed_at(stage: Stage, pointed: Pointed) -> dict:
    """The entries asked for, of each run, at full precision. What is no entry is left out."""
    at, began, values = min(pointed.at, max(stage.reach - 1, 0)), time.perf_counter(), {}
    for id, entries in pointed.where.items():
        part = stage.part(id)
        values[id] = told = {}
        for name, where in entries.items() if part is not None else ():
            try:
                told[name] = finite(_entry(stage, part, name, where, at))
            except (InputError, IndexError, TypeError):
                continue
    return {"id": pointed.id, "i": at, "values": values, "ms": round(1000 * (time.perf_counter() - began))}


def _entry(stage: Stage, part: Run | Pair, name: str, where, at: int) -> float:
    if isinstance(part, Pair):
        return _entry(stage, part.other, name, where, at) - _entry(stage, part.one, name, where, at)
    if name == PARTITION.name:
        labels = part.moments[iteration(part, at)].labels
        one, other = (labels[part.ensemble.microcluster_of(place)] for place in where)
        return float(one == other)
    state = part.at(iteration(part, at)).state  # an InputError where the run has no iteration yet
    return part.method.entry(part.ensemble, state, name, *where)


def why(stage: Stage, asked: Entry) -> dict:
    """Why an entry is what it is. A trail may lead to any iteration there is, and to what has no picture of its own."""
    run = stage.part(asked.run)
    where = {"run": asked.run, "name": asked.name, "where": list(asked.where), "iteration": asked.iteration}
    if not isinstance(run, Run) or not run.moments:
        return {**where, "told": None}
    at = min(asked.iteration, len(run.moments) - 1)
    try:
        told = why_of(run.method, run.ensemble, run.at, asked.name, *asked.where, iteration=at).json()
    except (InputError, IndexError, TypeError) as refusal:
        told = {"words": [str(refusal)], "terms": []}
    return {**where, "iteration": at, "told": told}
