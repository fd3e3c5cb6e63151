"""The CPU time of whole runs beside that of another commit, both measured in turn in one run.

    python -m benchmarks.before                                    the five papers' beside an earlier commit
    python -m benchmarks.before --commit HEAD~3 --data spf ecoli   another commit, fewer data
    python -m benchmarks.before --methods ec_cms_released --repeats 5

The other commit is laid out in a temporary folder and imported from there by the Python that runs this. Every turn is
a fresh process on one thread, before and after in turn; short runs are done again and again within it, on an ensemble
made anew. Said is the least CPU time of all from the ensemble to the answer, beside it that of numbering its clusters
by the one rule for all methods, which some commits do not have; and whether clusters, steps and the objective are the
same. SPF, LS and Ecoli (first 20 columns) come from the optional pools; without them ensembles are made.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from benchmarks.estimates import K as MADE_K
from benchmarks.estimates import ensemble as made
from benchmarks.measure import ONE_THREAD, table

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("QUORUM_SHARED", ROOT.parent / "shared"))
BEFORE = "bcc2e6c"
POOLS = {"ecoli": ("Ecoli", 8), "spf": ("SPF", 7), "ls": ("LS", 6)}
MADE = {"made 300": 300, "made 2500": 2500}
METHODS = {
    "spce": ("spce", {"theta": 0.2}),
    "ec_cms_paper": ("ec_cms", {"variant": "paper"}),
    "ec_cms_released": ("ec_cms", {"variant": "released"}),
    "trce": ("trce", {"lam": 1.0}),
    "pce": ("pce", {}),
    "ceshl": ("ceshl", {}),
}
ENOUGH = 1.0  # CPU seconds that a process spends on runs, if one does not take longer

# runs in either commit: only what both have
TURN = """
import json, sys, time
import numpy as np
import consensus_core
from consensus_core import METHODS, Ensemble, solve
file, key, k, setting, enough, program = json.loads(sys.argv[1])
assert consensus_core.__file__.startswith(program), consensus_core.__file__
labels, method = np.load(file), METHODS[key](k=k, **setting)
solve(METHODS[key](k=2, **setting), Ensemble.from_labels(np.arange(60).reshape(20, 3) % 4))
runs, spent = [], 0.0
while spent < enough:
    ensemble = Ensemble.from_labels(labels)
    start = time.process_time()
    result = solve(method, ensemble)
    solved = time.process_time()
    result.labels
    runs.append((solved - start, time.process_time() - solved))
    spent += sum(runs[-1])
solving, numbering = map(min, zip(*runs))
print(json.dumps([solving, numbering, result.labels.tolist(), result.iterations, result.objective]))
"""


def laid_out(commit: str, folder: str) -> Path:
    packed = subprocess.run(["git", "archive", commit, "consensus_core"], cwd=ROOT, capture_output=True)
    if packed.returncode:
        raise SystemExit(f"There is no commit {commit} here: {packed.stderr.decode().strip()}")
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return Path(folder)


def turn(program: Path, task: list) -> list:
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(program)}
    asked = json.dumps([*task, str(program)])
    command = [sys.executable, "-P", "-c", TURN, asked]  # -P: nothing of the folder it is called from
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=program)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def data_of(name: str) -> tuple[np.ndarray, int]:
    if name in MADE:
        return made(MADE[name]).rows, MADE_K
    pool, k = POOLS[name]
    return loadmat(SHARED / "pools" / f"{pool}.mat")["members"][:, :20].astype(np.int64), k


def one_numbering(labels: list[int]) -> list[int]:
    """By first occurrence: how clusters are numbered may differ between commits."""
    found: dict[int, int] = {}
    return [found.setdefault(label, len(found)) for label in labels]


def compared(old: list[list], new: list[list]) -> list[str]:
    before, after = (min(turn[0] for turn in turns) for turns in (old, new))
    numbering = min(turn[1] for turn in new)
    (*_, labels, steps, value), (*_, labels_now, steps_now, value_now) = old[0], new[0]
    apart = abs(value_now - value) / max(abs(value), 1e-300)
    same = "the same" if one_numbering(labels) == one_numbering(labels_now) else "ANOTHER"
    seconds = [f"{before:.4g}", f"{after:.4g}", f"{after / before:.3f}", f"{numbering:.2g}"]
    return [*seconds, same, f"{steps} / {steps_now}", f"{apart:.0e}"]


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.before", description=__doc__.splitlines()[0])
    there = list(POOLS) if (SHARED / "pools").is_dir() else list(MADE)
    parser.add_argument("--commit", default=BEFORE)
    parser.add_argument("--data", nargs="+", choices=[*POOLS, *MADE], default=there)
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        old, file = laid_out(asked.commit, folder), Path(folder) / "labels.npy"
        for data in asked.data:
            labels, k = data_of(data)
            np.save(file, labels)
            for name in asked.methods:
                key, setting = METHODS[name]
                task = [str(file), key, k, setting, ENOUGH]
                turns = [(turn(old, task), turn(ROOT, task)) for _ in range(asked.repeats)]
                rows.append([name, data, *compared(*zip(*turns, strict=True))])
                print(*rows[-1], sep="  ", flush=True)
    load = " ".join(f"{part:.1f}" for part in os.getloadavg())
    print(f"\n{asked.repeats} turns each; load of the machine at the end {load}")
    header = ["method", "data", f"{asked.commit[:7]}, CPU s", "now", "ratio", "numbering", "clusters", "steps"]
    header.append("objective apart")
    table("Whole runs beside another commit, one thread", header, rows)


if __name__ == "__main__":
    main()
