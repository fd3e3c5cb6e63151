"""What standing some rows for all costs in agreement, and what it saves, where the exact answer can be had.

    python -m benchmarks.representatives            digits, and SPF and LS where they are
    python -m benchmarks.representatives --large    also 20,000 x 20 of 50 clusters each, and 200,000 (not exactly)

For each ensemble: ARI and NMI of the answer with that on all rows, and of both with the truth, over draws; mean and 95%
interval (bootstrap over the draws).
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, scores, solve
from consensus_core.data.samples import load

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def of_pool(name: str, draws: int):
    file = loadmat(SHARED / "pools" / f"{name}.mat")
    members, truth = np.asarray(file["members"], dtype=np.int64), np.asarray(file["gt"]).ravel()
    rng = np.random.default_rng(0)
    for _ in range(draws):
        yield Ensemble.from_labels(members[:, rng.choice(members.shape[1], 20, replace=False)], truth=truth)


def generated(n: int, m: int, k: int, seed: int, groups: int = 10, dimensions: int = 4, apart: float = 6) -> Ensemble:
    """Points around `groups` centres, cut into k cells by the nearest of k points chosen among them, m times."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(groups, size=n)
    points = rng.normal(size=(n, dimensions)) + apart * rng.normal(size=(groups, dimensions))[truth]
    columns = []
    for _ in range(m):
        middles = points[rng.choice(n, k, replace=False)]
        distance = (middles**2).sum(axis=1) - 2 * points @ middles.T
        columns.append(distance.argmin(axis=1))
    return Ensemble.from_labels(np.column_stack(columns), truth=truth)


def measured(method, ensembles, rows: int, exact: bool) -> list[str]:
    found, times, q = [], [], []
    for ensemble in ensembles:
        q.append(ensemble.q)
        began = time.process_time()
        part = solve(method, ensemble.represented(rows)).labels
        middle = time.process_time()
        whole = solve(method, ensemble).labels if exact else None
        times.append((middle - began, time.process_time() - middle))
        truth = ensemble.truth
        found.append([
            scores.ari(part, whole) if exact else np.nan, scores.nmi(part, whole) if exact else np.nan,
            scores.ari(part, truth), scores.ari(whole, truth) if exact else np.nan,
        ])  # fmt: skip
    found, times = np.array(found), np.mean(times, axis=0)
    return [f"{np.mean(q):,.0f}", f"{rows:,}", *(spread(column) for column in found.T),
            f"{times[0]:.2f} s", f"{times[1]:.2f} s" if exact else "–"]  # fmt: skip


def spread(values: np.ndarray) -> str:
    if not np.isfinite(values).all():
        return "–"
    rng = np.random.default_rng(0)
    means = rng.choice(values, (2000, len(values))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--draws", type=int, default=5)
    asked = parser.parse_args()
    cases = [("digits", [load("digits").ensemble], 10, (200, 500, 1000), True)]
    if (SHARED / "pools").is_dir():
        cases.append(("SPF", list(of_pool("SPF", asked.draws)), 7, (200, 500), True))
        cases.append(("LS", list(of_pool("LS", asked.draws)), 6, (500, 1000, 2000), True))
    if asked.large:
        cases.append(
            ("20,000 x 20", [generated(20_000, 20, 50, seed) for seed in range(2)], 10, (1000, 2000, 4000), True)
        )
        cases.append(("200,000 x 20", [generated(200_000, 20, 50, 0)], 10, (2000, 4000), False))
    rows = []
    for name, ensembles, k, sizes, exact in cases:
        for key in ("lwea", "ec_cms"):
            method = METHODS[key](k=k)
            fits = exact and method.cost(ensembles[0]).bytes < 6e9
            rows += [[name, method.name(), *measured(method, ensembles, size, fits)] for size in sizes]
            print(*rows[-1], flush=True)
    header = ["", "", "q", "rows", "ARI with exact", "NMI with exact", "ARI, rows", "ARI, exact", "CPU, rows", "exact"]
    table(f"Rows that stand for all, load {os.getloadavg()[0]:.1f}", header, rows)


if __name__ == "__main__":
    main()
