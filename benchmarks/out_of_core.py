"""Label tables beyond memory: counted, solved on the counts, and written back beside the ids, on this machine.

    python -m benchmarks.out_of_core                  100 thousand, a million, ten million rows
    python -m benchmarks.out_of_core 1e8              as many as you like (20 columns; some 20 bytes a row on the disk)
    python -m benchmarks.out_of_core 1e7 --processes 1

Tables come from a seed: eight groups, each base clustering blurs a few of them, so that rows repeat as they do in
practice. Memory is that of this process and all its children together, looked at ten times a second.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.ensemble.files import find_files

FILE = 1_000_000  # rows
GROUPS, COLUMNS = 8, 20


def write_table(folder: Path, rows: int, seed: int = 0) -> None:
    """`rows` objects in files of a million, each with its number as id."""
    base = np.random.default_rng(seed)
    blurred = [base.choice(GROUPS, 2, replace=False) for _ in range(COLUMNS)]
    for at, first in enumerate(range(0, rows, FILE)):
        some, rng = min(FILE, rows - first), np.random.default_rng([seed, at])
        group = rng.integers(GROUPS, size=some).astype(np.int8)
        columns = {"id": np.arange(first, first + some)}
        for j, pair in enumerate(blurred):
            label = group.copy()
            torn = np.isin(group, pair) & (rng.random(some, dtype=np.float32) < 0.15)
            label[torn] = pair[0] + pair[1] - label[torn]
            columns[f"run {j}"] = label
        parquet.write_table(pa.table(columns), folder / f"{at:05d}.parquet")


class Memory(threading.Thread):
    """The most this process and its children held at once, in bytes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self._enough = 0, threading.Event()

    def run(self) -> None:
        while not self._enough.wait(0.1):
            self.most = max(self.most, sum(map(_held, _family(os.getpid()))))

    def __enter__(self) -> Memory:
        self.start()
        return self

    def __exit__(self, *_) -> None:
        self._enough.set()
        self.join()


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return found


def _held(pid: int) -> int:
    """Its own pages, and its share of those it has in common with others."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def measured(rows: int, processes: int | None) -> list[str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "in"
        folder.mkdir()
        write_table(folder, rows)
        size = sum(file.stat().st_size for file in folder.iterdir())
        with Memory() as memory:
            began = time.perf_counter()
            ensemble = Ensemble.from_files(find_files(folder, ids="id"), processes=processes)
            counted = time.perf_counter()
            result = solve(METHODS["lwea"](k=GROUPS), ensemble)
            solved = time.perf_counter()
            files = result.write(Path(place) / "out", processes=processes)
            written = time.perf_counter()
        assert sum(parquet.read_metadata(file).num_rows for file in files) == rows == ensemble.n
    return [
        f"{rows:,}", f"{size / 1e6:,.0f} MB", f"{ensemble.q:,}",
        f"{counted - began:.1f} s", f"{solved - counted:.1f} s",
        f"{written - solved:.1f} s", f"{(written - began) / rows * 1e6:.2f} s", f"{memory.most / 1e9:.2f} GB",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", type=float, default=[1e5, 1e6, 1e7])
    parser.add_argument("--processes", type=int, default=None)
    asked = parser.parse_args()
    found = [measured(int(rows), asked.processes) for rows in asked.rows]
    title = f"{COLUMNS} base clusterings, {asked.processes or os.cpu_count()} processes, load {os.getloadavg()[0]:.1f}"
    table(title, ["rows", "Parquet", "q", "counted", "solved (LWEA)", "written", "a million rows", "memory"], found)
    per_million = float(found[-1][6].split()[0])
    print(f"By the last row, on 20 such machines 10⁸ rows take about {per_million * 100 / 20:.0f} s (not measured).")


if __name__ == "__main__":
    main()
