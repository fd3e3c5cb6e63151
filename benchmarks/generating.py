"""Base clusterings: estimates against the clock and the memory meter, and k-means against scikit-learn's in one run.

python -m benchmarks.generating
"""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from consensus_core.generate import RECIPES, estimate, generate
from consensus_core.generate.kmeans import lloyd, random_start

SIZES = ((500, 2), (2000, 10), (3000, 50), (20_000, 10), (100_000, 5))
PAIRWISE = ("spectral", "agglomerative")


def groups(n, p, rng):
    """Eight groups that touch in any number of dimensions."""
    centres = rng.normal(scale=2.5 / np.sqrt(p / 2), size=(8, p))
    return centres[rng.integers(8, size=n)] + rng.normal(size=(n, p))


def estimates(rng):
    print("Estimate / measured, CPU seconds and bytes (the claim: within a factor of three)")
    print(f"{'n':>8}{'p':>4}  {'recipe':18}{'seconds':>10}{'ratio':>7}{'MB':>9}{'ratio':>7}")
    for n, p in SIZES:
        X = groups(n, p, rng)
        for key in RECIPES:
            if key in PAIRWISE and n > 5000:  # every pair of objects: minutes
                continue
            m = 9 if key in PAIRWISE or n <= 5000 else 3
            k = 8 if RECIPES[key].needs_k else None
            said = estimate(X.shape, key, m, k)
            start = time.process_time()
            generate(X, key, m, k)
            took = time.process_time() - start
            tracemalloc.start()
            generate(X, key, m, k)
            held = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            ratios = said.seconds / took, said.bytes / held
            print(f"{n:8}{p:4}  {key:18}{took:10.3f}{ratios[0]:7.2f}{held / 1e6:9.1f}{ratios[1]:7.2f}", flush=True)


def against_scikit_learn(rng):
    print("\nk-means from the same centres, ten runs, CPU seconds: ours, scikit-learn's KMeans(n_init=1), their ratio")
    for n, p, k in ((800, 2, 15), (1797, 64, 22), (20_000, 10, 70), (100_000, 5, 160)):
        X = groups(n, p, rng)
        starts = [random_start(X, k, np.random.default_rng(seed)) for seed in range(10 if n < 50_000 else 2)]
        took = []
        with threadpool_limits(1):
            for run in (
                lambda c, X=X: lloyd(X, c),
                lambda c, X=X, k=k: KMeans(k, init=c, n_init=1, max_iter=100).fit(X),
            ):
                start = time.process_time()
                for centres in starts:
                    run(centres)
                took.append(time.process_time() - start)
        print(f"{n:8} x {p:3}, k = {k:4}{took[0]:9.3f}{took[1]:9.3f}{took[0] / took[1]:7.2f}", flush=True)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    estimates(rng)
    against_scikit_learn(rng)
