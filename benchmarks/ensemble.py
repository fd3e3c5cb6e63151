"""Ensemble.from_labels on 2,000,000 x 20 int64 labels against numpy.unique(axis=0), and its peak memory.

Claims: at most a tenth of numpy's time where rows repeat, four tenths where all are distinct; the whole process peaks
at no more than four times the input.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.measure import measured, table
from consensus_core import Ensemble

N, M = 2_000_000, 20


def labels(distinct: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 50, size=(distinct, M))
    if distinct == N:
        return rows
    out = np.empty((N, M), dtype=np.int64)
    np.take(rows, rng.integers(distinct, size=N), axis=0, out=out)
    return out


def ours_alone(table):
    return Ensemble.from_labels(table).q


def both(table):
    start = time.process_time()
    q = Ensemble.from_labels(table).q
    ours = time.process_time() - start
    start = time.process_time()
    rows, _ = np.unique(table, axis=0, return_inverse=True)
    theirs = time.process_time() - start
    assert q == len(rows)
    return q, ours, theirs


def main():
    rows = []
    for distinct, bound in ((2_000, 0.1), (800_000, 0.1), (N, 0.4)):
        q, ours, theirs = measured(both, distinct, prepare=labels).answer
        peak = measured(ours_alone, distinct, prepare=labels).peak
        ratio, memory = ours / theirs, peak / (N * M * 8)
        kept = "yes" if ratio <= bound and memory <= 4 else "NO"
        rows.append([f"{q:,}", f"{ours:.2f}", f"{theirs:.2f}", f"{ratio:.3f}", f"{bound}", f"{memory:.2f}", "4", kept])
    header = ["distinct rows", "ours CPU s", "numpy CPU s", "ratio", "at most", "peak / input", "at most", "kept"]
    table(f"Ensemble.from_labels, {N:,} x {M} int64", header, rows)


if __name__ == "__main__":
    main()
