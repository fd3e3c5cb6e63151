"""What is pinned or pointed at: its exact values; and why one entry is what it is."""

from __future__ import annotations

import time

from ..errors import InputError
from ..numbers import finite, number
from .pair import Pair
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
    state = part.at(iteration(part, at)).state  # an InputError where the run has no iteration yet
    return part.method.entry(part.ensemble, state, name, *where)


def why(stage: Stage, asked: Entry) -> dict:
    """Why an entry is what it is. A trail may lead to any iteration there is, and to what has no picture of its own."""
    run = stage.part(asked.run)
    where = {"run": asked.run, "name": asked.name, "where": list(asked.where), "iteration": asked.iteration}
    if not isinstance(run, Run) or not run.moments:
        return {**where, "told": None}
    iteration = min(asked.iteration, len(run.moments) - 1)
    try:
        told = _told(run, asked.name, asked.where, iteration)
    except (InputError, IndexError, TypeError) as refusal:
        told = {"words": [str(refusal)], "terms": []}
    return {**where, "iteration": iteration, "told": told}


def _told(run: Run, name: str, where, iteration: int) -> dict:
    before = run.at(iteration - 1).state if iteration else None
    after = run.at(iteration).state
    if hasattr(run.method, "why"):
        return run.method.why(run.ensemble, before, after, name, *where, iteration=iteration).json()
    quantity, said = run.method.quantity(name), run.method.explain(run.ensemble, before, after, name, *where)
    return {
        "name": name,
        "letter": quantity.letter,
        "where": list(where),
        "iteration": iteration,
        "equation": quantity.equation,
        "value": finite(said.value),
        "said": number(said.value),
        "formula": [said.formula],
        "filled": [said.numbers],
        "words": [said.words],
        "terms": [],
        "rest": None,
    }
