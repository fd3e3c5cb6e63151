"""What a sweep draws its ensembles from: base clusterings that are there, or features from which others are made."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..data.origin import Generation
from ..ensemble import FILLINGS, MISSING, Ensemble
from ..errors import InputError

HIDING = 7919  # sets the stream that hides labels apart from the one that draws base clusterings


@dataclass(frozen=True)
class Draw:
    """One ensemble out of all that could be drawn.

    number    which draw: 0, 1, …; the first ten of twenty draws are the ten of ten
    m         so many base clusterings; None: all there are. Of one draw fewer are always among the more
    missing   the share of labels that is then hidden at random, as the PCE paper does; each object keeps one
    filling   how missing labels are filled, for methods that cannot take them: "" or one of FILLINGS
    """

    number: int = 0
    m: int | None = None
    missing: float = 0.0
    filling: str = ""

    def __post_init__(self):
        if self.number < 0 or (self.m is not None and self.m < 1):
            raise InputError(f"A draw has a number from 0 on and at least one base clustering, got {self}.")
        if not 0 <= self.missing < 1:
            raise InputError(f"The share of labels to hide must be in [0, 1), got {self.missing!r}.")
        if self.filling and self.filling not in FILLINGS:
            raise InputError(f"Missing labels can be filled by {', '.join(FILLINGS)}, not {self.filling!r}.")


class Source:
    """`fingerprint` says what it is, `drawn` gives an ensemble; the same draw is always the same ensemble."""

    fingerprint: str
    n: int  # objects
    most: int | None  # base clusterings there are; None where more can be made

    def plain(self, draw: Draw) -> Draw:
        """The first of all draws that give the same ensemble."""
        return draw

    def drawn(self, draw: Draw) -> Ensemble:
        ensemble = self._drawn(draw)
        if draw.missing:
            ensemble = with_gaps(ensemble, draw.missing, np.random.default_rng([HIDING, draw.number]))
        return ensemble.filled(draw.filling, draw.number) if draw.filling else ensemble

    def _drawn(self, draw: Draw) -> Ensemble:
        raise TypeError(f"{type(self).__name__} must define _drawn")


@dataclass(frozen=True, eq=False)
class Pool(Source):
    """Base clusterings that are there: a draw takes m of them.

    orders    (draws, M) for each draw the base clusterings in the order in which they are taken; by default shuffled,
              each draw with a stream of its own
    """

    ensemble: Ensemble
    orders: Sequence[Sequence[int]] | None = None

    @property
    def most(self) -> int:
        return self.ensemble.m

    @property
    def n(self) -> int:
        return self.ensemble.n

    def plain(self, draw: Draw) -> Draw:
        """All base clusterings are all of them, however they are shuffled."""
        draw = replace(draw, m=None) if draw.m == self.ensemble.m else draw
        by_chance = draw.missing or (draw.filling == "random" and self.ensemble.has_missing)
        return draw if draw.m is not None or by_chance else replace(draw, number=0)

    @functools.cached_property
    def fingerprint(self) -> str:
        said = "" if self.orders is None else repr([list(map(int, order)) for order in self.orders])
        return f"pool-{self.ensemble.fingerprint}-{_digest(said)}"

    def _drawn(self, draw: Draw) -> Ensemble:
        m = draw.m or self.ensemble.m
        if m > self.ensemble.m:
            raise InputError(f"There are {self.ensemble.m} base clusterings to draw from; {m} were asked for.")
        if m == self.ensemble.m:
            return self.ensemble
        if self.orders is None:
            order = np.random.default_rng(draw.number).permutation(self.ensemble.m)
        elif draw.number < len(self.orders):
            order = np.asarray(self.orders[draw.number])
        else:
            raise InputError(f"There are orders for {len(self.orders)} draws, numbered from 0; not for {draw.number}.")
        return self.ensemble.select(np.sort(order[:m]))


@dataclass(frozen=True, eq=False)
class Made(Source):
    """Features: a draw makes m base clusterings from them, with a seed of its own; draw 0 is the generation's own."""

    features: np.ndarray
    generation: Generation = field(default_factory=Generation)
    truth: np.ndarray | None = None
    most = None

    @property
    def n(self) -> int:
        return len(self.features)

    @functools.cached_property
    def fingerprint(self) -> str:
        X = np.ascontiguousarray(self.features, dtype=float)
        truth = "" if self.truth is None else repr(np.asarray(self.truth).tolist())
        content = hashlib.blake2b(X.data, digest_size=16).hexdigest()
        return f"made-{content}-{_digest(f'{X.shape} {self.generation} {truth}')}"

    def _drawn(self, draw: Draw) -> Ensemble:
        made = replace(self.generation, seed=self.generation.seed + draw.number, m=draw.m or self.generation.m)
        return made.ensemble(self.features, self.truth)


def published_orders(M: int, draws: int = 20, seed: int = 1) -> list[list[int]]:
    """The draws of EC-CMS's tables IV to IX: MATLAB's rng(1); randperm(M), so many times in a row."""
    stream = np.random.RandomState(seed)  # the same Mersenne twister
    return [np.argsort(stream.random_sample(M)).tolist() for _ in range(draws)]


def with_gaps(ensemble: Ensemble, share: float, rng: np.random.Generator) -> Ensemble:
    """The same with this share of all labels hidden at random; each object keeps one label it has."""
    table = ensemble.labels()
    there = table != MISSING
    hide = min(math.floor(share * there.sum()), int(there.sum() - there.any(axis=1).sum()))
    chance = np.where(there, rng.random(table.shape), -1.0)
    kept = chance.argmax(axis=1)  # one of each object's own, by chance
    chance[np.arange(len(table)), kept] = -1.0
    if hide > 0:
        flat = np.argpartition(-chance, hide - 1, axis=None)[:hide]
        table.ravel()[flat] = MISSING
    return Ensemble.from_labels(table, ensemble.names, ensemble.truth)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
