"""Ensembles whose rows hardly repeat: 20,000 objects in 10 base clusterings of 46 cells each, q near n.

    python -m benchmarks.many_rows               SPCE, EAC, LWEA, PCE and CESHL, each in a process of its own
    python -m benchmarks.many_rows spce lwea     some of them

CPU seconds and peak memory (whole process, the interpreter too) beside what `cost` says before anything is allocated.
Claim: at most 2 GB, and `cost` within a factor of three.
"""

from __future__ import annotations

import os
import sys

from benchmarks.measure import measured, table
from benchmarks.representatives import generated
from consensus_core import METHODS, Ensemble, scores, solve
from consensus_core.ensemble.together import together_pairs
from consensus_core.numbers import bytes_in_words

KEYS = ("spce", "eac", "lwea", "pce", "ceshl")
K = 20


def ensemble() -> Ensemble:
    """Groups that lie near each other in six dimensions: cells of one clustering tear those of the others."""
    return generated(20_000, 10, 46, 0, groups=K, dimensions=6, apart=1)


def prepared(key: str):
    made = ensemble()
    return METHODS[key](k=K), made, METHODS[key](k=K).cost(made)


def work(given):
    method, made, cost = given
    result = solve(method, made)
    return cost, result.iterations, result.stop, scores.ari(result.labels, made.truth)


def main(keys) -> None:
    made, rows = ensemble(), []
    share = 2 * together_pairs(made) / made.q**2
    for key in keys:
        found = measured(work, key, prepare=prepared)
        cost, iterations, stop, ari = found.answer
        rows.append([
            METHODS[key].name(), f"{found.cpu:.1f} s", f"{cost.seconds:.1f} s", f"{cost.seconds / found.cpu:.2f}",
            bytes_in_words(found.peak), bytes_in_words(found.growth), bytes_in_words(cost.bytes),
            f"{cost.bytes / found.growth:.2f}", str(iterations), stop, f"{ari:.3f}",
        ])  # fmt: skip
        print(*rows[-1], flush=True)
    header = ["", "CPU", "said", "ratio", "peak", "grown by", "said", "ratio", "steps", "stop", "ARI"]
    about = f"{made.n:,} x {made.m}, q = {made.q:,}, K = {made.K}, {share:.1%} of the pairs ever together"
    table(f"{about}; load {os.getloadavg()[0]:.1f}", header, rows)


if __name__ == "__main__":
    main(sys.argv[1:] or KEYS)
