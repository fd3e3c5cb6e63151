"""What to think of a method before choosing it: what class it is of, and where it stood where it was measured."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..ensemble import Ensemble
from ..method import Method
from ..methods import METHODS
from ..methods import __file__ as METHODS_FILE

MEASURED = Path(METHODS_FILE).parent / "measured.json"  # written by `python -m benchmarks.ranks`
SIZES = (300, 1200)  # distinct rows between which an estimate is seen to grow
STEEP = 1.5  # power of q from which memory grows as pairs do


@dataclass(frozen=True)
class Standing:
    """Where a method stood among all that were measured on the same ensembles."""

    rank: float  # 1 is best; the mean over the ensembles, of equals the mean of their places
    of: int  # methods measured
    ari: dict[str, float]  # mean over the draws of each pool


@functools.cache
def record() -> dict:
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {"about": {}, "ari": {}}


@functools.cache
def standing(key: str) -> Standing | None:
    """None where nothing was measured."""
    scores = {name: found for name, found in record()["ari"].items() if name in METHODS}
    if key not in scores:
        return None
    keys = list(scores)
    pools = list(scores[key])
    each = np.array([[score for pool in pools for score in scores[one][pool]] for one in keys])
    mine = each[keys.index(key)]
    ranks = (each > mine).sum(axis=0) + ((each == mine).sum(axis=0) + 1) / 2
    means = {pool: float(np.mean(scores[key][pool])) for pool in pools}
    return Standing(float(ranks.mean()), len(keys), means)


@functools.cache
def grows_as_pairs(key: str) -> bool:
    """Whether the memory a method says it needs grows with the pairs of distinct rows, not with the rows."""
    small, large = (METHODS[key](k=3).cost(_of_size(q)).bytes for q in SIZES)
    return bool(np.log(large / small) / np.log(SIZES[1] / SIZES[0]) > STEEP)


@functools.cache
def _of_size(q: int) -> Ensemble:
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.arange(q) % 7, np.arange(q) // 7 % 11, *rng.integers(5, size=(6, q))])
    return Ensemble.from_labels(np.unique(rows, axis=0))


def iterates(cls: type[Method]) -> bool:
    return any(param.name == "max_iter" for param in cls.params())
