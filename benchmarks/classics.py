"""Every method on real ensembles, beside other people's programs: agreement with the truth, seconds, memory, growth.

    python -m benchmarks.classics                                       all methods, five data sets, and growth
    python -m benchmarks.classics --data ecoli spf --methods lwgp mcla  some
    python -m benchmarks.classics --growth-only                         seconds as label rows, objects and columns grow

The first 20 columns of the optional pools, k the number of true classes, every dial at its default. Each row runs in a
process of its own on one thread, from the label table to labels; "MB" is what the peak rises by, other people's figures
are the peak of their whole process, measured on the same columns (its imports are some 100 MB). A run that says it
takes longer than --most seconds is left out, and named. Growth: seconds at four sizes, and the power they grow with.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import time
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from benchmarks.measure import ONE_THREAD, table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.method import speed
from consensus_core.scores import ari, nmi

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = {"ecoli": "Ecoli", "umist": "UMIST", "aggregation": "Aggregation", "spf": "SPF", "ls": "LS"}
# What other people's programs take on the same 20 columns: ARI, CPU s, peak MB of the process
PEERS = {
    "eac": ("scipy, average linkage", {"ecoli": (0.565, 0.00, 133), "umist": (0.329, 0.01, 138),
            "aggregation": (0.785, 0.01, 141), "spf": (0.048, 0.18, 190), "ls": (0.422, 2.0, 764)}),
    "cspa": ("ClusterEnsembles (METIS)", {"ecoli": (0.294, 0.05, 107), "umist": (0.263, 0.16, 132),
             "aggregation": (0.550, 0.20, 150), "spf": (0.027, 1.5, 524), "ls": (0.354, 10, 3018)}),
    "hgpa": ("ClusterEnsembles (hMETIS)", {"ecoli": (0.309, 0.10, 101), "umist": (0.310, 0.20, 102),
             "aggregation": (0.568, 0.10, 102), "spf": (0.076, 0.20, 105), "ls": (0.418, 0.78, 121)}),
    "mcla": ("ClusterEnsembles (METIS)", {"ecoli": (0.428, 3.7, 102), "umist": (0.298, 9.3, 104),
             "aggregation": (0.705, 7.2, 102), "spf": (0.049, 22, 105)}),
    "hbgf": ("ClusterEnsembles (METIS)", {"ecoli": (0.373, 0.05, 103), "umist": (0.277, 0.10, 105),
             "aggregation": (0.560, 0.09, 107), "spf": (0.106, 0.21, 115), "ls": (0.439, 0.72, 150)}),
    "nmfc": ("ClusterEnsembles (NMF)", {"ecoli": (0.276, 0.09, 101), "umist": (0.324, 0.59, 110),
             "aggregation": (0.639, 0.54, 119), "spf": (0.022, 4.3, 248), "ls": (0.358, 30, 1402)}),
    "spce": ("py-cluster-ensemble", {"ecoli": (0.730, 0.25, 426), "aggregation": (0.990, 3.0, 560),
             "spf": (0.055, 27, 1374)}),
    "trce": ("py-cluster-ensemble", {"ecoli": (0.414, 0.40, 426), "aggregation": (0.990, 2.0, 560),
             "spf": (0.039, 29, 1374)}),
}  # fmt: skip
SIZES = (300, 600, 1200, 2400)


def run(labels: np.ndarray, key: str, k: int) -> dict:
    """In a process of its own, which takes over the modules of this one."""
    ours, theirs = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=_child, args=(theirs, labels, key, k))
    process.start()
    theirs.close()
    try:
        said = ours.recv()
    except EOFError:
        said = {"fault": "ended without an answer"}
    process.join()
    return said


def _child(pipe, labels, key, k):
    try:
        before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        result = solve(METHODS[key](k=k), Ensemble.from_labels(labels))
        seconds = time.process_time() - start
        rise = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        pipe.send({"labels": result.labels, "cpu": seconds, "MB": rise / 1024, "stop": result.stop})
    except Exception as fault:
        pipe.send({"fault": str(fault)})


def pool(name: str) -> tuple[np.ndarray, np.ndarray]:
    content = loadmat(SHARED / "pools" / f"{DATA[name]}.mat")
    return content["members"][:, :20].astype(np.int64), content["gt"].ravel()


def on_data(names: list[str], keys: list[str], most: float) -> None:
    rows, better = [], {}
    for name in names:
        labels, truth = pool(name)
        ensemble, k = Ensemble.from_labels(labels), len(np.unique(truth))
        _ = ensemble.canonical
        for key in keys:
            named, theirs = PEERS.get(key, ("", {}))
            beside = "{:.3f} {:g} s {:,} MB".format(*theirs[name]) if name in theirs else ""
            estimate = METHODS[key](k=k).cost(ensemble).seconds
            if estimate > most:
                rows.append([name, key, "–", "–", "–", f"{estimate:,.0f}", "–", "left out", beside, named])
                continue
            done = run(labels, key, k)
            if "fault" in done:
                rows.append([name, key, *["–"] * 5, done["fault"][:60], beside, named])
                continue
            found = ari(done["labels"], truth)
            seconds = f"{done['cpu']:.2f}|{estimate:.2g}"
            numbers = f"{found:.3f}|{nmi(done['labels'], truth):.3f}|{seconds}|{done['MB']:,.0f}".split("|")
            rows.append([name, key, *numbers, done["stop"], beside, named])
            print(*rows[-1][:8], flush=True)
            if name in theirs:
                better.setdefault(key, []).append((found, done["cpu"], done["MB"], *theirs[name]))
    header = "data|method|ARI|NMI|CPU s|says s|MB|stop|others: ARI, CPU s, peak MB|whose"
    table("From label table to labels, defaults, one thread", header.split("|"), rows)
    means = [[key, *(f"{x:.3g}" for x in np.mean(found, axis=0)), str(len(found))] for key, found in better.items()]
    header = "method|ARI|CPU s|MB|their ARI|their CPU s|their peak MB|data sets"
    table("Where others have the same method, means", header.split("|"), means)


def noisy(n: int, m: int = 12, k: int = 8, wrong: float = 0.3) -> np.ndarray:
    """(n, m) labels around k groups; nearly every row is another one."""
    rng = np.random.default_rng(n)
    truth = rng.integers(k, size=n)
    return np.where(rng.random((n, m)) < wrong, rng.integers(k, size=(n, m)), truth[:, None])


def growth(keys: list[str], most: float) -> None:
    """Seconds with more label rows, with more objects of the same rows, and with more base clusterings."""
    rows = []
    for key in keys:
        taken = [_seconds(noisy(n), key, most) for n in SIZES]
        many = [_seconds(np.repeat(noisy(300), times, axis=0), key, most) for times in (1, 100)]
        wide = [_seconds(noisy(600, m=m), key, most) for m in (10, 40)]
        powers = [_power(SIZES, taken), _power((1, 100), many), _power((10, 40), wide)]
        rows.append([key, *(f"{x:.2f}" for x in taken), *(f"{x:.1f}" for x in powers)])
        print(*rows[-1], flush=True)
    header = ["method", *(f"q = {n}" for n in SIZES), "power in q", "power in n", "power in m"]
    table("Growth: CPU s, and the power with which they grow (0: not at all)", header, rows)


def _seconds(labels: np.ndarray, key: str, most: float) -> float:
    if METHODS[key](k=8).cost(Ensemble.from_labels(labels)).seconds > most:
        return np.nan
    return run(labels, key, 8).get("cpu", np.nan)


def _power(sizes, seconds) -> float:
    there = [(size, x) for size, x in zip(sizes, seconds, strict=True) if x > 0][-2:]
    if len(there) < 2:
        return np.nan
    (a, x), (b, y) = there
    return float(np.log(y / x) / np.log(b / a))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classics", description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=list(DATA), default=list(DATA))
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--most", type=float, default=120, help="seconds beyond which a run is left out")
    parser.add_argument("--growth-only", action="store_true")
    parser.add_argument("--no-growth", action="store_true")
    asked = parser.parse_args()
    os.environ.update(ONE_THREAD)
    speed()
    solve(METHODS["eac"](k=2), Ensemble.from_labels(noisy(40)))  # what is imported late is imported now
    if (SHARED / "pools").is_dir() and not asked.growth_only:
        on_data(asked.data, asked.methods, asked.most)
    elif not asked.growth_only:
        print(f"Without the optional pools in {SHARED} only growth can be measured.")
    if not asked.no_growth:
        growth(asked.methods, asked.most)


if __name__ == "__main__":
    main()
