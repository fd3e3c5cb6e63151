"""Ten values of θ on twenty draws of twenty base clusterings: on one process and on two, and what a task costs beside.

python -m benchmarks.sweep

Uses the pool Aggregation of the optional data, else the sample of seven shapes. Times are of this machine, as busy as
it is; the seconds of processors are not.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from benchmarks.measure import table
from consensus_core import EAC, SPCE, Ensemble
from consensus_core.data.samples import load
from consensus_core.sweep import Pool, grid, published_orders
from consensus_core.sweep.conductor import Sweep
from consensus_core.sweep.crew import Crew

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def source() -> tuple[str, Pool]:
    file = SHARED / "pools" / "Aggregation.mat"
    if not file.exists():
        return "seven shapes", Pool(load("shapes").ensemble)
    from scipy.io import loadmat

    content = loadmat(file)
    ensemble = Ensemble.from_labels(content["members"].astype(int), truth=content["gt"].ravel())
    return "Aggregation", Pool(ensemble, published_orders(ensemble.m))


def timed(crew: Crew, plan, pool) -> tuple[float, float, list]:
    """Seconds until the first, and until all are there."""
    began, first = time.perf_counter(), 0.0
    under_way = Sweep(plan, pool)
    crew.work_on(under_way)
    for _ in under_way:
        first = first or time.perf_counter() - began
    return first, time.perf_counter() - began, list(under_way.outcomes.values())


def main() -> None:
    name, pool = source()
    plan = grid(SPCE(k=7), theta=[i / 10 for i in range(10)], draws=20, m=20)
    rows, walls = [], {}
    for processes in (1, 2):
        crew = Crew(processes)
        timed(crew, grid(EAC(k=2), k=[2, 3], draws=[0]), pool)  # started, and warm
        first, walls[processes], outcomes = timed(crew, plan, pool)
        inside = sum(outcome.seconds for outcome in outcomes)
        rows.append([str(processes), f"{first:.2f}", f"{walls[processes]:.1f}", f"{inside:.1f}"])
        crew.end()
    header = ["processes", "first s", "all s", "sum of the runs' own s"]
    table(f"SPCE on {name}: 10 values of θ x 20 draws ({os.cpu_count()} processors)", header, rows)
    print(f"two processes are {walls[1] / walls[2]:.2f} times as fast as one")
    crew = Crew(1)
    small = Pool(load("nine").ensemble)
    timed(crew, grid(EAC(k=2)), small)
    many = grid(EAC(k=2), k=[2, 3], draws=200, m=small.ensemble.m - 1)
    _, wall, outcomes = timed(crew, many, small)
    inside = np.mean([outcome.seconds for outcome in outcomes])
    crew.end()
    print(f"a task of nothing takes {1000 * wall / len(outcomes):.1f} ms, of which the run {1000 * inside:.1f} ms")


if __name__ == "__main__":
    main()
