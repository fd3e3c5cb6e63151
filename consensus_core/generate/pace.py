"""How many bytes and CPU seconds a base clustering takes; constants fitted by `python -m benchmarks.generating`."""

from __future__ import annotations

from ..cost import Cost, speed

ROUNDS = 25  # Lloyd iterations of a usual run


def kmeans_cost(n, p, k) -> Cost:
    per_round = n * k * p / speed().products + 2 * n * k / speed().entries + 10 * n * p / speed().entries
    return Cost(int(8 * (2 * n * p + 4 * n) + (1 << 21)), ROUNDS * per_round + 5e-4)


def mixture_cost(n, p, k, shape) -> Cost:
    start = kmeans_cost(n, p, k)
    products = (3 * p if shape == "diagonal" else 2 * p * p) * n * k
    per_round = products / speed().products + 12 * n * k / speed().entries
    return Cost(start.bytes + int(8 * n * (4 * k + 2 * p)), start.seconds + ROUNDS * per_round)


def spectral_cost(n, p, k) -> tuple[Cost, Cost]:
    pairs = n * n
    shared = Cost(12 * pairs, pairs * p / 2 / speed().entries)
    return shared, Cost(32 * pairs, 1.5 * n**3 / speed().products + 10 * pairs / speed().entries)


def tree_cost(n, p, trees) -> tuple[Cost, Cost]:
    pairs = n * n
    shared = Cost(9 * pairs, trees * pairs * (p / 2 + 10) / speed().entries)
    return shared, Cost(200 * n, 60 * n / speed().entries)
