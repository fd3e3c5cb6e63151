"""Recipes on which a switch of a method matters: label tables and points from a seed, with everything said.

Each gives a `Draw`. What a recipe draws, and in which order, is fixed: the sizes of the effects in effects.json are
means over draws of exactly these. They were searched for, and are said to be: "made so that you see it".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from consensus_core.ensemble import MISSING
from consensus_core.generate.kmeans import kmeans

FOUR = np.repeat(np.arange(4), 30)  # 120 leaves of four kinds


@dataclass(frozen=True, eq=False)
class Draw:
    labels: np.ndarray  # (n, m), MISSING where there is none
    truth: np.ndarray  # (n,), MISSING where there is no right answer: these are not scored
    k: int
    X: np.ndarray | None = None  # (n, 2)


def noisy(rng, share, truth=FOUR):
    """A sorter who guesses a share of the leaves."""
    wrong = rng.random(len(truth)) < share
    return np.where(wrong, rng.integers(4, size=len(truth)), truth)


def sorted_by(columns, truth=FOUR) -> Draw:
    return Draw(np.column_stack(columns), truth, len(np.unique(truth[truth != MISSING])))


def clustered(X, truth, rng, m, least, most) -> Draw:
    """Base clusterings by k-means, the number of clusters drawn from `least` to `most`."""
    columns = [kmeans(X, int(rng.integers(least, most + 1)), rng) for _ in range(m)]
    return Draw(np.column_stack(columns), truth, len(np.unique(truth[truth != MISSING])), X)


def blobs(rng, sizes, centres, spreads):
    parts = [rng.normal(c, s, (size, 2)) for size, c, s in zip(sizes, centres, spreads, strict=True)]
    return np.vstack(parts), np.repeat(np.arange(len(sizes)), sizes)


def circle(count, radius):
    angle = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


# --- points ---------------------------------------------------------------------------------------------------------


def island(seed, inside=60, ring=180) -> Draw:
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0, 2 * np.pi, inside), rng.uniform(0, 2 * np.pi, ring)
    r = np.sqrt(rng.random(inside))
    X = np.vstack([np.column_stack([r * np.cos(a), r * np.sin(a)]), 3 * np.column_stack([np.cos(b), np.sin(b)])])
    X = X + rng.normal(0, 0.12, X.shape)
    return clustered(X, np.repeat([0, 1], (inside, ring)), rng, 20, 2, 15)


def big_island(seed) -> Draw:
    return island(seed, inside=100, ring=140)


def uneven(seed) -> Draw:
    rng = np.random.default_rng(seed)
    X, truth = blobs(rng, (140, 25, 20, 15), circle(4, 5), (1.8, 0.6, 0.6, 0.6))
    return clustered(X, truth, rng, 12, 2, 14)


def even(seed, spread=1.2, least=2, most=14) -> Draw:
    rng = np.random.default_rng(seed)
    X, truth = blobs(rng, (50,) * 4, circle(4, 4), (spread,) * 4)
    return clustered(X, truth, rng, 12, least, most)


def many(seed) -> Draw:
    return even(seed, spread=1.0, least=16, most=30)


def dust(seed) -> Draw:
    rng = np.random.default_rng(seed)
    X, truth = blobs(rng, (50,) * 3, circle(3, 2.6), (0.7,) * 3)
    X = np.vstack([X, rng.uniform(-5, 5, (80, 2))])
    return clustered(X, np.concatenate([truth, np.full(80, MISSING)]), rng, 20, 2, 15)


# --- sorters --------------------------------------------------------------------------------------------------------


def lazy(seed) -> Draw:
    rng = np.random.default_rng(seed)
    columns = [noisy(rng, 0.2) for _ in range(6)]
    for _ in range(4):
        idle = rng.random(len(FOUR)) < 0.9
        columns.append(np.where(idle, 0, rng.integers(1, 4, len(FOUR))))
    return sorted_by(columns)


def half(seed) -> Draw:
    rng = np.random.default_rng(seed)
    return sorted_by([noisy(rng, 0.5) for _ in range(10)])


def riddle(seed) -> Draw:
    rng = np.random.default_rng(seed)
    hard = rng.random(len(FOUR)) < 0.3
    columns = [np.where(hard, rng.integers(4, size=len(FOUR)), noisy(rng, 0.15)) for _ in range(10)]
    return sorted_by(columns, np.where(hard, MISSING, FOUR))


def copied(seed, honest=6, guesses=0.2) -> Draw:
    rng = np.random.default_rng(seed)
    wrong = rng.permutation(FOUR)
    return sorted_by([*(noisy(rng, guesses) for _ in range(honest)), *[wrong] * 3])


def copied_unsure(seed) -> Draw:
    return copied(seed, honest=7, guesses=0.3)


def coins(seed, know=3, guesses=0.1, throw=17, piles=2) -> Draw:
    rng = np.random.default_rng(seed)
    columns = [noisy(rng, guesses) for _ in range(know)]
    return sorted_by([*columns, *(rng.integers(piles, size=len(FOUR)) for _ in range(throw))])


def coins_few(seed) -> Draw:
    return coins(seed, guesses=0.2, throw=12)


def lots(seed) -> Draw:
    return coins(seed, know=2, throw=8, piles=8)


def two_piles(seed) -> Draw:
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(10):
        column = noisy(rng, 0.1)
        for _ in range(2):
            one, other = rng.choice(np.unique(column), 2, replace=False)
            column[column == one] = other
        columns.append(column)
    return sorted_by(columns)


# --- sorters who miss some --------------------------------------------------------------------------------------------


def at_random(rng, n, share):
    return rng.random((n, 10)) < share


def whole_kinds(rng, n, share, truth):
    blank = np.zeros((n, 10), dtype=bool)
    for j in range(10):
        blank[:, j] = np.isin(truth, rng.choice(4, int(4 * share), replace=False))
    return blank


def window(rng, n, share):
    """Each sees the rest of the list only, which is in order of kinds: a stretch of it from a random place on."""
    blank = np.zeros((n, 10), dtype=bool)
    for j in range(10):
        start = rng.integers(n)
        rng.permutation(n)  # not used; the recipe draws it
        blank[(start + np.arange(round(share * n))) % n, j] = True
    return blank


def holes(seed, pattern="kinds", share=0.75) -> Draw:
    rng, truth = np.random.default_rng(seed), np.repeat(np.arange(4), 25)
    names = [rng.permutation(4) for _ in range(10)]
    table = np.column_stack([name[noisy(rng, 0.1, truth)] for name in names])
    n = len(truth)
    blank = {
        "random": lambda: at_random(rng, n, share),
        "kinds": lambda: whole_kinds(rng, n, share, truth),
        "window": lambda: window(rng, n, share),
    }[pattern]()
    for i in np.flatnonzero(blank.all(axis=1)):
        blank[i, rng.integers(10)] = False
    return sorted_by(np.where(blank, MISSING, table).T, truth)


def holes_random(seed) -> Draw:
    return holes(seed, "random", 0.7)


def holes_window(seed) -> Draw:
    return holes(seed, "window", 0.8)


BREAKING: dict[str, Callable[[int], Draw]] = {
    draw.__name__: draw
    for draw in (
        island, big_island, lazy, half, riddle, copied, copied_unsure, coins, coins_few, lots, two_piles, uneven, even,
        many, dust, holes, holes_random, holes_window,
    )
}  # fmt: skip
