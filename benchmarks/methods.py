"""The five papers' methods on real and on large ensembles: seconds, memory and agreement with the truth.

    python -m benchmarks.methods                                     everything (about ten minutes)
    python -m benchmarks.methods --data spf ls --methods trce pce    some rows

SPF and LS (first 20 columns) come from the optional pools; without them the blobs are measured alone. Every row runs in
a fresh process on one thread, from label table to labels; beside it stands what is allowed on a machine that multiplies
two 2,000 x 2,000 matrices in 0.24 s. That product is timed just before, likewise, and "scaled" is the CPU time such a
machine would take. The authors' figures are CPU seconds of their own programs, where known.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.io import loadmat

from benchmarks.blobs import K, blobs
from benchmarks.measure import measured, table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.method import speed
from consensus_core.method.cost import in_words
from consensus_core.scores import ari

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
POOLS = {"spf": ("SPF", 7), "ls": ("LS", 6)}
BLOBS = {"blobs": (100_000, 0.0), "missing": (100_000, 0.1), "large": (2_000_000, 0.0)}
PRODUCT = 0.24  # seconds of the reference product on the machine the limits are said for


class Row(NamedTuple):
    data: str
    method: str
    setting: dict[str, Any]
    seconds: float  # allowed
    authors: str = "–"
    wall: bool = False  # the limit is on the clock, not on the processor


ROWS = [
    Row("spf", "spce", {"theta": 0.2}, 0.3, "100–190"),
    Row("spf", "trce", {"lam": 1.0}, 0.3, "18.5 at λ .01"),
    Row("spf", "ec_cms", {"variant": "paper"}, 0.3, "–"),
    Row("spf", "ec_cms", {"variant": "released"}, 0.3, "31"),
    Row("spf", "pce", {}, 0.3),
    Row("spf", "ceshl", {}, 0.3),
    Row("ls", "spce", {"theta": 0.2}, 8),
    Row("ls", "trce", {"lam": 1.0}, 8),
    Row("ls", "ec_cms", {"variant": "paper"}, 5),
    Row("ls", "ec_cms", {"variant": "released"}, 34),
    Row("ls", "pce", {}, 2),
    Row("ls", "ceshl", {}, 15),
    *(Row("blobs", key, {}, 10) for key in ("spce", "trce", "ec_cms", "ceshl")),
    Row("blobs", "pce", {}, 10, "13.5 (all n rows)"),
    Row("missing", "pce", {}, 20),
    Row("large", "pce", {}, 30),
    Row("large", "ceshl", {}, 60),
    *(Row("large", key, {}, 600, wall=True) for key in ("spce", "trce", "ec_cms")),
]


class Task(NamedTuple):
    file: Path
    key: str
    k: int
    setting: dict[str, Any]


def product() -> float:
    """CPU seconds of the reference product."""
    a = np.random.default_rng(0).random((2000, 2000))
    a @ a
    start = time.process_time()
    a @ a
    return time.process_time() - start


def prepared(task: Task):
    """The labels and the method; imports and the measuring of the machine's speed are over before the clock starts."""
    speed()
    solve(METHODS[task.key](k=2, **task.setting), Ensemble.from_labels(np.arange(60).reshape(20, 3) % 4))
    return np.load(task.file), METHODS[task.key](k=task.k, **task.setting)


def from_labels_to_labels(given):
    labels, method = given
    ensemble = Ensemble.from_labels(labels)
    estimate = in_words(method.cost(ensemble))
    result = solve(method, ensemble)
    said = {"q": ensemble.q, "estimate": estimate, "labels": result.labels}
    return said | {"rounds": result.iterations, "found": result.found, "stop": result.stop}


def measure(row: Row, file: Path, truth: np.ndarray, k: int) -> list[str]:
    reference = measured(product).answer
    done = measured(from_labels_to_labels, Task(file, row.method, k, row.setting), prepare=prepared)
    answer, q = done.answer, done.answer["q"]
    scaled = done.cpu * PRODUCT / reference
    within = (done.wall if row.wall else scaled) <= row.seconds
    setting = ", ".join(f"{name} {value}" for name, value in row.setting.items())
    allowed = f"{row.seconds:g}{' wall' if row.wall else ''}"
    return [
        row.data, f"{row.method} {setting}".strip(), f"{q:,}", answer["estimate"],
        f"{done.wall:.2f}", f"{done.cpu:.2f}", f"{reference:.2f}", f"{scaled:.2f}", allowed, "yes" if within else "NO",
        row.authors, f"{done.growth / 1e6:,.0f}", f"{done.growth / (8 * q * q):.1f}", f"{done.peak / 1e9:.2f}",
        f"{ari(answer['labels'], truth):.3f}", f"{answer['rounds']} {answer['stop']}", f"{answer['found']} of {k}",
    ]  # fmt: skip


def data_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name in BLOBS:
        return blobs(*BLOBS[name])
    content = loadmat(SHARED / "pools" / f"{POOLS[name][0]}.mat")
    return content["members"][:, :20].astype(np.int64), content["gt"].ravel()


def write(name: str, file: Path) -> np.ndarray:
    """In a process of its own: a child starts with its parent's peak memory, so the parent must stay small."""
    labels, truth = data_of(name)
    np.save(file, labels)
    return truth


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.methods", description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=[*POOLS, *BLOBS], default=[*POOLS, *BLOBS])
    parser.add_argument("--methods", nargs="+", choices=sorted({row.method for row in ROWS}))
    asked = parser.parse_args()
    there = [name for name in asked.data if name in BLOBS or (SHARED / "pools").is_dir()]
    if left_out := [name for name in asked.data if name not in there]:
        print(f"Without the optional pools in {SHARED}, {' and '.join(left_out)} cannot be measured.")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in there:
            chosen = [r for r in ROWS if r.data == name and (not asked.methods or r.method in asked.methods)]
            file = Path(folder) / f"{name}.npy"
            truth = measured(write, name, file).answer if chosen else None
            for row in chosen:
                rows.append(measure(row, file, truth, K if name in BLOBS else POOLS[name][1]))
                print(f"{row.data} {row.method}: {rows[-1][5]} CPU s", flush=True)
    if not rows:
        return
    header = (
        "data|method|q|estimate|wall s|CPU s|product s|scaled|allowed|within|authors s|growth MB|q² arrays|peak GB|"
        "ARI|rounds|found"
    )
    table("From label table to labels, one thread", header.split("|"), rows)


if __name__ == "__main__":
    main()
