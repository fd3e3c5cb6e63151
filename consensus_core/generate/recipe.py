"""What a recipe for base clusterings is, and what all recipes draw from."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..errors import InputError
from ..method import Cost, Param, param
from ..method.params import params_of


@dataclass(frozen=True)
class Material:
    """Scaled features, the number of clusters asked for, and what several base clusterings share."""

    X: np.ndarray  # (n, p)
    k: int | None
    shared: dict = field(default_factory=dict)
    door: threading.Lock = field(default_factory=threading.Lock)

    def once(self, key, make: Callable):
        """make() the first time; later what it gave. One thread makes it, the others wait."""
        with self.door:
            if key not in self.shared:
                self.shared[key] = make()
            return self.shared[key]


@dataclass(frozen=True)
class Recipe:
    """How to make one base clustering after another. Frozen; its own parameters are declared with `param`."""

    key: ClassVar[str]
    title: ClassVar[str]
    what: ClassVar[str]  # in plain words
    paper: ClassVar[str]  # who makes base clusterings so
    noun: ClassVar[str]  # the beginning of a base clustering's name
    needs_k: ClassVar[bool] = False
    takes_k: ClassVar[bool] = True  # False: k is the consensus' affair alone
    leaves_missing: ClassVar[bool] = False

    def __post_init__(self):
        for declared in self.params():
            object.__setattr__(self, declared.name, declared.check(self.title, getattr(self, declared.name)))

    @classmethod
    def params(cls) -> tuple[Param, ...]:
        return params_of(cls)

    def check(self, n: int, p: int, k: int | None) -> None:
        """Refuse, in a sentence, what cannot work for n objects, p features and k clusters."""
        if k is None and self.needs_k:
            raise InputError(f"{self.title}: this recipe needs the number of clusters k; give it, or take another.")
        if k is not None and k > n:
            raise InputError(f"{self.title}: {n} objects cannot be split into k = {k} clusters; ask for at most {n}.")

    def base_clustering(self, material: Material, index: int, rng, stopped) -> tuple[np.ndarray, str]:
        """Labels (n,), MISSING where an object was left out, and what is worth telling beside k ("" or "σ = 0.1 d")."""
        raise NotImplementedError

    def cost(self, n: int, p: int, k: int | None) -> tuple[Cost, Cost]:
        """What all base clusterings share, and what each takes."""
        raise NotImplementedError


@dataclass(frozen=True)
class DrawsK(Recipe):
    """A recipe that draws the number of clusters of each base clustering where none is given."""

    most: int = param(
        0,
        "the greatest number of clusters drawn where k is not given; 0 stands for √n",
        plain="most clusters drawn",
        low=0,
        high=100_000,
    )

    def greatest(self, n: int) -> int:
        return max(2, min(n, self.most or math.isqrt(n)))

    def draw_k(self, material: Material, n: int, rng) -> int:
        return material.k or int(rng.integers(2, self.greatest(n) + 1))

    def typical_k(self, n: int, k: int | None) -> float:
        return k or (2 + self.greatest(n)) / 2
