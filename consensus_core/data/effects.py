"""Switches that matter: on which sample which setting of which method makes how much of a difference.

    for effect in of_sample("island"): print(effect.name, effect.first.params, effect.difference, effect.why)

Measured by `python -m benchmarks.break_it` over many draws of the recipe behind a sample, kept in
sample_data/effects.json. The samples were searched for so that the difference is seen; where the same switch does the
opposite, `opposite` names where.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .samples import FOLDER

NONE = 0.05  # a mean difference of ARI below which a switch is said to do nothing


@dataclass(frozen=True)
class Side:
    """One setting, and what came of it."""

    method: str
    params: Mapping[str, Any]  # what is not at its default, k apart
    fill: str  # how missing labels are filled before; "" where they are taken as they are
    ari: float  # mean over the draws
    found: float  # components or clusters the method ends with before any repair, mean
    exact: float  # share of the draws in which these are k
    here: float  # ARI on the sample itself


@dataclass(frozen=True)
class Effect:
    key: str
    sample: str
    name: str  # what is switched, as people call it
    first: Side
    second: Side
    difference: float  # mean of ARI of the first − the second
    interval: tuple[float, float]  # 95%, paired
    sign: float  # share of the draws with this sign
    strong: float  # share with a difference of .2 or more
    seeds: tuple[int, int]  # the draws: from, to
    why: str
    opposite: str  # the effect with which the second setting wins; "" where none was found

    @property
    def method(self) -> str:
        return self.first.method

    @property
    def matters(self) -> bool:
        return abs(self.difference) >= NONE

    @property
    def repaired(self) -> bool:
        """One of the two settings mostly ends with another number than k: its labels are then the repair's."""
        return min(self.first.exact, self.second.exact) < 0.5

    @property
    def size(self) -> str:
        """ "ARI 0.95 against 0.16, a difference of 0.79 [0.69, 0.88] over 50 draws"."""
        low, high = (_hundredths(end) for end in self.interval)
        difference = _hundredths(self.difference)
        return (
            f"ARI {_hundredths(self.first.ari)} against {_hundredths(self.second.ari)}, "
            f"a difference of {difference} [{low}, {high}] over {self.draws} draws"
        )

    @property
    def draws(self) -> int:
        return self.seeds[1] - self.seeds[0] + 1


def _hundredths(value: float) -> str:
    """Two decimals, as intervals of such a width are written; no −0.00."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


@functools.lru_cache(maxsize=1)
def effects() -> dict[str, Effect]:
    source = FOLDER / "effects.json"
    if not source.is_file():  # an installed core without the project around it
        return {}
    found = {}
    for entry in json.loads(source.read_text(encoding="utf-8")):
        sides = {side: Side(**entry[side]) for side in ("first", "second")}
        pairs = {name: tuple(entry[name]) for name in ("interval", "seeds")}
        found[entry["key"]] = Effect(**{**entry, **sides, **pairs})
    return found


def of_sample(key: str) -> tuple[Effect, ...]:
    return tuple(one for one in effects().values() if one.sample == key)


def of_method(key: str) -> tuple[Effect, ...]:
    return tuple(one for one in effects().values() if key in (one.first.method, one.second.method))
