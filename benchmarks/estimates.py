"""What `cost` says before a run against what the run takes, for every method found, on five sizes.

Claim: bytes and CPU seconds within a factor of three. Runs under a tenth of a second are not judged by their time: it
is imports and caches warming up. Bytes are the peak of what NumPy and Python allocate in `solve`.

python -m benchmarks.estimates [method ...]
"""

from __future__ import annotations

import sys
import time
import tracemalloc

import numpy as np

from benchmarks.measure import measured, table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.method import speed
from consensus_core.numbers import bytes_in_words

SIZES = (300, 700, 1500, 2500, 4000)  # distinct rows, about
K, M = 8, 20
SHORT = 0.1


def ensemble(q: int) -> Ensemble:
    """Points on a line, cut in many places with some noise: nested and torn clusters, as k-means makes them."""
    rng = np.random.default_rng(0)
    points = np.sort(np.concatenate([rng.normal(centre, 0.35, size=4 * q // K) for centre in range(K)]))
    noise = rng.normal(scale=0.25, size=(len(points), M))
    cuts = [np.sort(rng.uniform(points[0], points[-1], size=rng.integers(K, 4 * K))) for _ in range(M)]
    labels = np.column_stack([np.searchsorted(cut, points + noise[:, i]) for i, cut in enumerate(cuts)])
    order = rng.permutation(len(labels))[:q]
    return Ensemble.from_labels(labels[order])


def timed(key: str, q: int):
    made = ensemble(q)
    speed()
    method = METHODS[key](k=K)
    solve(method, ensemble(60))  # imports and caches
    cost = method.cost(made)
    start = time.process_time()
    solve(method, made)
    return made.q, cost, time.process_time() - start


def traced(key: str, q: int) -> int:
    made = ensemble(q)
    method = METHODS[key](k=K)
    solve(method, ensemble(60))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    solve(method, made)
    return tracemalloc.get_traced_memory()[1] - before


def main(keys):
    rows = []
    for key in keys or METHODS:
        for size in SIZES:
            q, cost, seconds = measured(timed, key, size).answer
            peak = measured(traced, key, size).answer
            bytes_ratio, seconds_ratio = cost.bytes / peak, cost.seconds / seconds
            judged = [bytes_ratio] + ([seconds_ratio] if seconds >= SHORT else [])
            kept = "yes" if all(1 / 3 <= ratio <= 3 for ratio in judged) else "NO"
            short = "" if seconds >= SHORT else " (short)"
            memory = [bytes_in_words(cost.bytes), bytes_in_words(peak), f"{bytes_ratio:.2f}"]
            pace = [f"{cost.seconds:.2f}", f"{seconds:.2f}{short}", f"{seconds_ratio:.2f}"]
            rows.append([key, f"{q:,}", *memory, *pace, kept])
            print(".", end="", flush=True)
    header = ["method", "q", "said", "measured", "ratio", "said CPU s", "measured", "ratio", "within 3"]
    table("Estimates of a whole run", header, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
