"""Label tables beyond memory: counted, solved on the counts, and written back beside the ids, on this machine.

    python -m benchmarks.out_of_core                  100 thousand, a million, ten million rows
    python -m benchmarks.out_of_core 1e8              as many as you like (20 columns; some 20 bytes a row on the disk)
    python -m benchmarks.out_of_core 1e7 --beside-one  and the same with one process, in one run; then counting alone,
                                                      where who counts is there already: processes, Dask workers

Tables come from a seed: eight groups, each base clustering blurs a few of them, so that rows repeat as they do in
practice. The growth is drawn in out_of_core.html. Memory is that of this process and all its children together, looked
at ten times a second.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from plotly.subplots import make_subplots

from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.ensemble.files import find_files

FILE = 1_000_000  # rows
GROUPS, COLUMNS = 8, 20
MANY = 20_000_000  # rows that are counted again and again by a crew that is there


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


def standing(rows: int, crews: list[int], turns: int = 3) -> dict[str, list[float]]:
    """Seconds of counting by each crew, where none has to be begun: the median of some turns, crew beside crew."""
    with tempfile.TemporaryDirectory() as place:
        write_table(Path(place), rows)
        files = find_files(place, ids="id")
        ways = {
            "processes of this machine": _by_processes,
            "Dask workers on loopback": _by_workers,
        }
        return {
            name: np.median([[count(files, size) for size in crews] for _ in range(turns)], axis=0).tolist()
            for name, count in ways.items()
        }


def _by_processes(files, size: int) -> float:
    return _counted(files, size, processes=size)


def _by_workers(files, size: int) -> float:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=size, threads_per_worker=1, dashboard_address=None) as crew, Client(crew) as client:
        client.wait_for_workers(size)
        return _counted(files, size, client=client)


def _counted(files, size: int, **by) -> float:
    Ensemble.from_files(replace(files, pieces=files.pieces[: 2 * size]), **by)  # now they are there
    began = time.perf_counter()
    Ensemble.from_files(files, **by)
    return time.perf_counter() - began


@dataclass(frozen=True)
class Measured:
    """Seconds, and bytes."""

    rows: int
    processes: int
    size: int
    q: int
    counted: float
    solved: float
    written: float
    memory: int

    @property
    def per_million(self) -> float:
        return (self.counted + self.solved + self.written) / self.rows * 1e6

    def cells(self) -> list[str]:
        return [
            f"{self.rows:,}", f"{self.processes}", f"{self.size / 1e6:,.0f} MB", f"{self.q:,}", f"{self.counted:.1f} s",
            f"{self.solved:.1f} s", f"{self.written:.1f} s", f"{self.per_million:.2f} s", f"{self.memory / 1e9:.2f} GB",
        ]  # fmt: skip


def measured(rows: int, crews: list[int]) -> list[Measured]:
    """One table, once with each number of processes."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "in"
        folder.mkdir()
        write_table(folder, rows)
        size = sum(file.stat().st_size for file in folder.iterdir())
        return [_measured(folder, Path(place) / f"out {processes}", rows, size, processes) for processes in crews]


def _measured(folder: Path, out: Path, rows: int, size: int, processes: int) -> Measured:
    with Memory() as memory:
        began = time.perf_counter()
        ensemble = Ensemble.from_files(find_files(folder, ids="id"), processes=processes)
        counted = time.perf_counter()
        result = solve(METHODS["lwea"](k=GROUPS), ensemble)
        solved = time.perf_counter()
        files = result.write(out, processes=processes)
        written = time.perf_counter()
    assert sum(parquet.read_metadata(file).num_rows for file in files) == rows == ensemble.n
    took = (counted - began, solved - counted, written - solved)
    return Measured(rows, processes, size, ensemble.q, *took, memory.most)


def drawn(found: list[Measured]) -> None:
    figure = make_subplots(1, 2, subplot_titles=("seconds", "GB at most"))
    every = [one.rows for one in found]
    for name, values in (
        ("counted", [one.counted for one in found]),
        ("solved (LWEA)", [one.solved for one in found]),
        ("labels written", [one.written for one in found]),
    ):
        figure.add_scatter(x=every, y=values, name=name, mode="lines+markers", row=1, col=1)
    memory = [one.memory / 1e9 for one in found]
    figure.add_scatter(x=every, y=memory, name="memory", mode="lines+markers", row=1, col=2)
    figure.update_xaxes(type="log", title="rows").update_yaxes(type="log")
    figure.write_html("out_of_core.html", include_plotlyjs=True)
    print("Drawn: out_of_core.html")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", type=float, default=[1e5, 1e6, 1e7])
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--beside-one", action="store_true")
    asked = parser.parse_args()
    crews = [1, asked.processes] if asked.beside_one else [asked.processes]
    found = [measured(int(rows), crews) for rows in asked.rows]
    title = f"{COLUMNS} base clusterings, load {os.getloadavg()[0]:.1f}"
    header = ["rows", "processes", "Parquet", "q", "counted", "solved (LWEA)", "written", "a million rows", "memory"]
    table(title, header, [one.cells() for those in found for one in those])
    if asked.beside_one:
        one, more = found[-1]
        gains = one.counted / more.counted, one.written / more.written
        print(f"{more.processes} processes beside one: counted {gains[0]:.2f} times as fast, written {gains[1]:.2f}.")
        rows = min(int(asked.rows[-1]), MANY)
        for name, (alone, together) in standing(rows, crews).items():
            gain = f"{alone:.1f} and {together:.1f} s, {alone / together:.2f} times as fast"
            print(f"{name}, there already, {rows:,} rows counted: {gain}.")
    last = found[-1][-1]
    twenty = last.per_million * 100 / 20
    print(f"By the last row, on 20 such machines 10⁸ rows take about {twenty:.0f} s (not measured).")
    drawn([those[-1] for those in found])


if __name__ == "__main__":
    main()
