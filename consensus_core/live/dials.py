"""A method's dials: the values a slider may stop at. The same for the page's widgets and for the live view's own."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Method, Param
from .protocol import NotAQuestion

FINE = 100  # steps of a dial that declares none


def stops(param: Param) -> list[float]:
    """Of a number with bounds: ten to a decade where it is moved in factors, the default and the ends among them."""
    if param.log and param.low and param.high:
        grid = 10 ** np.arange(np.log10(param.low), np.log10(param.high) + 0.05, 0.1)
    else:
        steps = round((param.high - param.low) / step_of(param))
        grid = param.low + step_of(param) * np.arange(steps + 1)
    rounded = {float(f"{x:.3g}") for x in grid} | {float(param.default), float(param.low), float(param.high)}
    return sorted(x for x in rounded if param.low <= x <= param.high)


def step_of(param: Param) -> float:
    return param.step or (param.high - param.low) / FINE


def most_clusters(ensemble: Ensemble, proposed: int) -> int:
    """The most clusters that are offered: no more than there are groups of objects to tell apart."""
    return min(max(30, 2 * proposed), ensemble.q)


def dials(method: Method, ensemble: Ensemble, proposed: int) -> list[dict]:
    """What the view offers to move: the method's own numbers, then how many clusters are wanted."""
    offered = [
        _dial(param, stops(param), getattr(method, param.name))
        for param in method.params()
        if param.role == "method" and param.kind == "number" and param.low is not None and param.high is not None
    ]
    most = max(most_clusters(ensemble, proposed), min(method.k, ensemble.q))
    if most > 1:
        wanted = next(param for param in method.params() if param.name == "k")
        dial = _dial(wanted, [float(k) for k in range(1, most + 1)], method.k)
        offered.append({**dial, "title": "clusters wanted k"})
    return offered


def _dial(param: Param, values: list[float], now: float) -> dict:
    at = int(np.argmin(np.abs(np.array(values) - now)))
    return {
        "name": param.name,
        "title": param.title,
        "letter": param.letter or param.name,
        "meaning": param.meaning,
        "stops": values,
        "at": at,
        "value": now,
    }


def moved(method: Method, name: str, value: float) -> Method:
    """The same method with one dial elsewhere."""
    declared = {param.name: param for param in method.params()}
    if name not in declared or declared[name].kind not in ("number", "integer"):
        raise NotAQuestion(f"{method.name()} has no dial of this name")
    try:
        return dataclasses.replace(method, **{name: value})
    except InputError as refusal:
        raise NotAQuestion(str(refusal)) from refusal
