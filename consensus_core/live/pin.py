"""What is pinned or pointed at: its values at full precision, and why one of them is what it is."""

from __future__ import annotations

import time

from ..errors import InputError
from ..method import why
from .run import LiveRun


def pinned(run: LiveRun, pin: dict | None, ask: dict) -> dict | None:
    """The pinned pair in every quantity at full precision, and why the chosen one has its value."""
    if not pin or ask.get("run") != run.id or not run.moments:
        return None
    iteration = min(int(pin.get("i", 0)), len(run.moments) - 1)
    step = run.at(iteration)
    values, began = {}, time.perf_counter()
    for quantity in run.method.quantities():
        where = pin["where"].get(quantity.name)
        if where is not None:
            try:
                values[quantity.name] = sound(run.method.entry(run.ensemble, step.state, quantity.name, *where))
            except (InputError, IndexError, TypeError):
                continue
    answer = {"id": pin["id"], "i": iteration, "values": values, "why": None}
    if pin.get("why") and pin["where"].get(pin["why"]) is not None:
        answer["why"] = _why(run, iteration, pin["why"], pin["where"][pin["why"]])
    answer["ms"] = round(1000 * (time.perf_counter() - began))
    return answer


def _why(run: LiveRun, iteration: int, name: str, where) -> dict:
    try:
        return why(run.method, run.ensemble, run.at, name, *where, iteration=iteration).json()
    except InputError as refusal:
        return {"name": name, "words": [str(refusal)]}


def sound(value: float) -> float | None:
    """A number as JSON knows it: nothing where it is not finite."""
    return float(value) if abs(value) < float("inf") else None
