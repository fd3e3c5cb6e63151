"""What is tried: settings of a method's dials, each on several draws of base clusterings."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..method import Method, Param
from .source import Draw

OF_DRAWS = ("m", "missing")  # dials of the ensemble, beside those of the method


@dataclass(frozen=True)
class Task:
    """One run: a method with all its parameters, on one draw."""

    method: Method
    draw: Draw = Draw()
    frames: int = 0  # so many pictures of its matrix on the way


@dataclass(frozen=True)
class Plan:
    """Points (values of the dials that are moved) and draws; every point is tried on every draw.

    dials    names of the method's parameters, or "m", "missing"
    points   a value for each dial
    """

    method: Method
    dials: tuple[str, ...]
    points: tuple[tuple, ...]
    draws: tuple[Draw, ...] = (Draw(),)
    frames: int = 0

    def __post_init__(self):
        if not self.points or not self.draws:
            raise InputError("A sweep needs at least one value of each dial, and one draw of base clusterings.")

    @property
    def tasks(self) -> list[Task]:
        """Draw by draw, so that what is known of one draw serves its points."""
        return [self.task(point, draw) for draw in self.draws for point in self.points]

    def task(self, point: Sequence, draw: Draw) -> Task:
        named = dict(zip(self.dials, point, strict=True))
        drawn = {name: named.pop(name) for name in OF_DRAWS if name in named}
        method = dataclasses.replace(self.method, **named) if named else self.method
        return Task(method, dataclasses.replace(draw, **drawn) if drawn else draw, self.frames)

    def of(self, point: Sequence) -> list[Task]:
        """One task for each draw."""
        return [self.task(point, draw) for draw in self.draws]

    def values(self, dial: str) -> list:
        """What a dial is moved to, each value once and in order."""
        at = self.dials.index(dial)
        found = list(dict.fromkeys(point[at] for point in self.points))
        return sorted(found) if all(isinstance(value, (int, float)) for value in found) else found


def grid(method: Method, draws: int | Iterable[int] = 1, m: int | Sequence | None = None, missing=0.0,
         fill: str = "", **dials: Iterable) -> Plan:  # fmt: skip
    """Every combination of the values: grid(SPCE(k=7), theta=[0, .1, .2], draws=20, m=20).

    A list of `m` or of `missing` makes a dial of it. `fill`: how missing labels are filled, as Draw.filling.
    """
    drawn = {"m": m, "missing": missing}
    moved = {name: value for name, value in drawn.items() if isinstance(value, (list, tuple, range, np.ndarray))}
    fixed = {name: value for name, value in drawn.items() if name not in moved}
    named = {**{name: list(_one_or_many(values)) for name, values in dials.items()}, **_plain(moved)}
    points = itertools.product(*named.values())
    return _plan(method, tuple(named), points, _draws(draws, fixed, fill))


def at_random(method: Method, count: int, seed: int = 0, draws: int | Iterable[int] = 1, m: int | None = None,
              missing: float = 0.0, fill: str = "", **dials) -> Plan:  # fmt: skip
    """So many settings by chance: each dial between two numbers (low, high), or None for its whole range.

    Dials that are moved in factors are drawn in factors; whole numbers, switches and choices as what they are.
    """
    rng = np.random.default_rng(seed)
    ranges = [_range(method, name, given) for name, given in dials.items()]
    points = [tuple(_by_chance(declared, span, rng) for declared, span in ranges) for _ in range(count)]
    return _plan(method, tuple(dials), points, _draws(draws, {"m": m, "missing": missing}, fill))


def _plan(method: Method, dials: tuple[str, ...], points: Iterable[tuple], draws: tuple[Draw, ...]) -> Plan:
    """With every value in its dial's own type; a value twice is one."""
    declared = [None if name in OF_DRAWS else _declared(method, name) for name in dials]
    checked = (
        tuple(
            value if dial is None else dial.check(method.name(), value)
            for dial, value in zip(declared, point, strict=True)
        )
        for point in points
    )
    return Plan(method, dials, tuple(dict.fromkeys(checked)), draws)


def _declared(method: Method, name: str) -> Param:
    for declared in method.params():
        if declared.name == name:
            return declared
    known = ", ".join([declared.name for declared in method.params()] + list(OF_DRAWS))
    raise InputError(f"{method.name()} has no dial {name!r}; it has {known}.")


def _draws(draws: int | Iterable[int], fixed: Mapping, fill: str) -> tuple[Draw, ...]:
    return tuple(Draw(int(at), filling=fill, **fixed) for at in (range(draws) if isinstance(draws, int) else draws))


def _one_or_many(values) -> Iterable:
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        return [values]
    return values.tolist() if isinstance(values, np.ndarray) else values


def _plain(moved: Mapping) -> dict[str, list]:
    return {name: [value.item() if isinstance(value, np.generic) else value for value in values]
            for name, values in moved.items()}  # fmt: skip


def _range(method: Method, name: str, given) -> tuple[Param, tuple]:
    declared = _declared(method, name)
    if declared.kind == "choice":
        return declared, tuple(given or declared.choices)
    if declared.kind == "switch":
        return declared, (False, True)
    low, high = given if given is not None else (declared.low, declared.high)
    if low is None or high is None:
        raise InputError(f"{method.name()}: {name} has no bound of its own; give the range as (low, high).")
    return declared, (low, high)


def _by_chance(declared: Param, span: tuple, rng: np.random.Generator):
    if declared.kind in ("choice", "switch"):
        return span[int(rng.integers(len(span)))]
    low, high = span
    if declared.kind == "integer":
        return int(rng.integers(low, high + 1))
    if declared.log and low > 0:
        return float(math.exp(rng.uniform(math.log(low), math.log(high))))
    return float(rng.uniform(low, high))
