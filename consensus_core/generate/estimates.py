"""How many bytes and CPU seconds a base clustering takes; `python -m benchmarks.generating` holds it to the clock.

Seconds are counted in entries read and written and in multiply-adds, which `cost.speed` measures on this machine. How
many rounds k-means takes is the data's secret: around 6 √k on tables we know, fewer where clusters are tiny or stand
well apart.
"""

from __future__ import annotations

import math

from ..method import Cost, speed
from .kmeans import BLOCK

CALL = 6e-5  # seconds a round takes however few objects there are
MOST_ROUNDS = 100


def rounds(n, k) -> float:
    return min(MOST_ROUNDS, 6 * math.sqrt(k) * min(1.0, math.sqrt(n / (30 * k))))


def kmeans_cost(n, p, k) -> Cost:
    per_object = (140 + 10 * p + 4 * k) / speed().entries + k * p / speed().products
    size = 8 * (2 * n * p + 4 * n + min(n * k, BLOCK)) + 50_000
    return Cost(int(size), rounds(n, k) * (CALL + n * per_object))


def mixture_cost(n, p, k, shape) -> Cost:
    start = kmeans_cost(n, p, k)
    products = 3 * p if shape == "diagonal" else 2 * p * p
    per_round = 2 * CALL + n * k * (products / speed().products + 45 / speed().entries)
    return Cost(start.bytes + int(8 * n * (3 * k + 2 * p)), start.seconds + rounds(n, k) / 2 * per_round)


def spectral_cost(n, p, k) -> tuple[Cost, Cost]:
    pairs = n * n
    return Cost(8 * pairs, pairs / 2 * (4 * p + 10) / speed().entries), Cost(28 * pairs, 700 * pairs / speed().entries)


def tree_cost(n, p, trees) -> tuple[Cost, Cost]:
    pairs = n * n / 2
    return Cost(int(10 * pairs), trees * pairs * (3.4 * p + 55) / speed().entries), Cost(200 * n, 2 * CALL + 2e-8 * n)
