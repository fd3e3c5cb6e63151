"""Where there is nothing: how often "no stable partition found" is said of labels by chance and of one Gaussian.

python -m benchmarks.counting [seeds]
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.measure import table
from consensus_core import Ensemble
from consensus_core.generate import generate_ensemble
from consensus_core.sweep import Draw, Pool
from consensus_core.trust.counting import from_redraws, tree_of
from consensus_core.trust.stability import STABLE, halves

KS = tuple(range(2, 13))
PAIRS = 5


def by_chance(seed: int) -> Ensemble:
    return Ensemble.from_labels(np.random.default_rng(seed).integers(0, 4, (120, 20)))


def gaussian(seed: int) -> Ensemble:
    X = np.random.default_rng(seed).normal(size=(120, 2))
    return generate_ensemble(X, "kmeans_random_k", m=20, seed=seed)


def most_stable(ensemble: Ensemble) -> float:
    source, labels = Pool(ensemble, halves(ensemble.m, PAIRS)), {k: [] for k in KS}
    for number in range(2 * PAIRS):
        half = source.drawn(Draw(number, ensemble.m // 2))
        tree = tree_of(half)
        for k in KS:
            labels[k].append(half.expand(tree.cut(k)))
    return float(np.nanmax(from_redraws(labels, KS)["stability"]))


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rows = []
    for title, made in (("labels by chance", by_chance), ("k-means of one Gaussian", gaussian)):
        found = np.array([most_stable(made(seed)) for seed in range(seeds)])
        rows.append([title, f"{(found < STABLE).sum()} of {seeds}", f"{np.median(found):.2f}", f"{found.max():.2f}"])
    table(
        "Nothing there: 120 objects, 20 base clusterings, k = 2 to 12", ["what", "none found", "median", "most"], rows
    )


if __name__ == "__main__":
    main()
