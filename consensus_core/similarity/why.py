"""Why the similarity of two objects is what it is: by scalar arithmetic from their labels, and in words.

What `similarity` computes for all pairs at once is told here for one pair, by another way, for methods' `explain`.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import scipy.sparse

from ..ensemble import MISSING, Ensemble
from ..method import Explanation
from .trajectories import trajectory_walk


def votes(ensemble: Ensemble, i: int, j: int) -> tuple[list[int], int]:
    """The base clusterings that put two objects together, and how many have a label for both."""
    one, two = ensemble.rows[ensemble.microcluster_of(i)], ensemble.rows[ensemble.microcluster_of(j)]
    seen = (one != MISSING) & (two != MISSING)
    return np.flatnonzero(seen & (one == two)).tolist(), int(seen.sum())


def of_coassociation(ensemble: Ensemble, i: int, j: int, letter: str = "A") -> Explanation:
    """The share of base clusterings that put i and j together."""
    together, seen = votes(ensemble, i, j)
    if not seen:
        return _never_seen(i, j, letter)
    return Explanation(
        f"{letter} = together / seen",
        f"{letter} = {len(together)} / {seen}",
        len(together) / seen,
        f"{len(together)} of the {seen} base clusterings that have a label for both put {i + 1} and {j + 1} together.",
    )


def of_local_weighting(ensemble: Ensemble, i: int, j: int, theta: float, letter: str = "A") -> Explanation:
    """The same with each shared cluster counted by its index ECI."""
    together, seen = votes(ensemble, i, j)
    if not seen:
        return _never_seen(i, j, letter)
    row = ensemble.rows[ensemble.microcluster_of(i)]
    total = sum(math.exp(-entropy(ensemble, t, row[t]) / (theta * ensemble.m)) for t in together)
    words = f"{len(together)} of {seen} base clusterings put {i + 1} and {j + 1} together"
    return Explanation(
        f"{letter} = Σ ECI of the clusters that hold both / base clusterings that have seen both",
        f"{letter} = {total:.3g} / {seen}",
        total / seen,
        f"{words}, in clusters that count {total:.3g} in all." if together else f"{words}.",
    )


def entropy(ensemble: Ensemble, clustering: int, label: int) -> float:
    """−Σ p log₂ p of one cluster over all base clusterings: how much the whole ensemble tears it."""
    inside = ensemble.rows[:, clustering] == label
    bits = 0.0
    for labels in ensemble.rows[inside].T:
        seen = labels != MISSING
        sizes = np.bincount(labels[seen], weights=ensemble.counts[inside][seen])
        bits -= sum(p * math.log2(p) for p in sizes[sizes > 0] / sizes.sum())
    return bits


def of_trajectories(ensemble: Ensemble, i: int, j: int, letter: str = "A") -> Explanation:
    """The cosine of two walkers' trajectories, both walked step by step."""
    p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
    Q, steps = _sparse_walk(ensemble)
    one, two = np.eye(1, ensemble.q, p)[0], np.eye(1, ensemble.q, r)[0]
    product = one_length = two_length = 0.0
    for _ in range(steps):
        one, two = one @ Q, two @ Q
        product += float(one @ two)
        one_length += float(one @ one)
        two_length += float(two @ two)
    value = 1.0 if p == r else min(product / math.sqrt(one_length * two_length), 1.0)
    alike = "nearly the same way" if value > 0.9 else "partly the same way" if value > 0.1 else "different ways"
    return Explanation(
        f"{letter} = ⟨R_i, R_j⟩ / (‖R_i‖ ‖R_j‖)",
        f"{letter} = {product:.3g} / ({math.sqrt(one_length):.3g} · {math.sqrt(two_length):.3g})",
        value,
        f"Two walkers that start at {i + 1} and {j + 1} and make {steps} step{'s' if steps > 1 else ''} along strong "
        f"links go {alike}.",
    )


@functools.lru_cache(maxsize=2)
def _sparse_walk(ensemble: Ensemble) -> tuple[scipy.sparse.csr_array, int]:
    Q, steps = trajectory_walk(ensemble)
    return scipy.sparse.csr_array(Q), steps


def _never_seen(i: int, j: int, letter: str) -> Explanation:
    words = f"No base clustering has a label for both {i + 1} and {j + 1}: nothing says that they belong together."
    return Explanation(f"{letter} = 0 where no base clustering has seen both", f"{letter} = 0", 0.0, words)
