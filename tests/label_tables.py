"""Label tables to try methods on: planted groups, hard draws, and what lies at the edge."""

from __future__ import annotations

import numpy as np

from consensus_core import Ensemble


def planted(n=48, m=7, k=3, wrong=0.15, seed=0, missing=0.0) -> np.ndarray:
    """A label table (n, m) around one partition of uneven groups: each label is wrong with probability `wrong`."""
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.choice(k, size=n, p=np.arange(1, k + 1) / (k * (k + 1) / 2)))
    truth[:k] = np.arange(k)
    table = np.repeat(truth[:, None], m, axis=1)
    flips = rng.random((n, m)) < wrong
    table[flips] = rng.integers(k, size=int(flips.sum()))
    table = (table + rng.integers(k, size=m)) % k
    table[rng.random((n, m)) < missing] = -1
    return table


def hard_draws(count: int, seed: int = 0, missing: bool = False, most: int = 40):
    """Label tables that are not easy: error rates from .08 to .5, few and many objects, repeated rows, ties, gaps."""
    for draw in range(count):
        rng = np.random.default_rng([seed, draw])
        n, m = int(rng.integers(10, most)), int(rng.integers(2, 9))
        gaps = float(rng.choice([0.1, 0.4])) if missing else 0.0
        table = planted(n, m, 3, float(rng.choice([0.08, 0.15, 0.3, 0.5])), draw, gaps)
        if draw % 3 == 0:
            table = table[rng.integers(n, size=n + 10)]  # rows that stand for several objects
        if draw % 4 == 1:
            table = np.column_stack([table, table[:, 0]])  # a base clustering twice
        if draw % 5 == 2:
            table = np.concatenate([table, np.roll(table, 1, axis=1)])  # much that looks alike
        if Ensemble.from_labels(table).q >= 3:
            yield table


def ensemble_of(**how) -> Ensemble:
    return Ensemble.from_labels(planted(**how))


def same_groups(a, b) -> bool:
    """Equal up to the names of the clusters."""
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


DEGENERATE = {
    "one base clustering": (np.array([[0], [0], [1], [2], [2]]), 3),
    "one base clustering, k = 1": (np.array([[0], [0], [1], [2], [2]]), 1),
    "one cluster wanted": (planted(n=20), 1),
    "as many clusters as objects": (np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), 4),
    "identical clusterings": (np.repeat(np.array([0, 0, 1, 1, 2])[:, None], 4, axis=1), 3),
    "identical clusterings, fewer wanted": (np.repeat(np.array([0, 0, 1, 1, 2])[:, None], 4, axis=1), 2),
    "one cluster only": (np.zeros((6, 3), dtype=int), 1),
    "two objects": (np.array([[0, 0, 0], [0, 1, 1]]), 2),
    "two objects, together": (np.array([[0, 0, 0], [0, 1, 1]]), 1),
    "one object": (np.array([[0, 0]]), 1),
    "singletons": (np.repeat(np.arange(5)[:, None], 3, axis=1), 2),
    "one clustering of one cluster": (np.column_stack([np.zeros(6, dtype=int), [0, 0, 0, 1, 1, 1]]), 2),
}
WITH_MISSING = {
    "a row without labels": (np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1], [-1, -1, -1], [1, 1, 0]]), 2),
    "a column without labels": (np.array([[0, -1, 0], [0, -1, 0], [1, -1, 1], [1, -1, 1], [0, -1, 1]]), 2),
    "pairs never seen together": (np.array([[0, -1], [0, -1], [-1, 0], [-1, 1], [1, 1], [0, 0]]), 2),
    "no label at all": (np.full((4, 3), -1), 1),
    "two objects that share no clustering": (np.array([[0, -1], [-1, 0]]), 2),
    "two thirds missing": (planted(n=30, m=6, missing=0.67, seed=4), 3),
}


def scattered(n, m=12, groups=5):
    """Hardly two objects with the same row: every matrix over pairs is as large as it gets."""
    rng = np.random.default_rng(0)
    truth = rng.integers(groups, size=n)
    return Ensemble.from_labels(
        np.column_stack([np.where(rng.random(n) < 0.35, rng.integers(4 + j % 5, size=n), truth) for j in range(m)])
    )
