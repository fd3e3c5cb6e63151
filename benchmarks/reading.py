"""A 200 MB CSV: our reader, with everything it checks and finds out, beside pandas' own default reader.

    python -m benchmarks.reading [megabytes]

Three tables (measurements; base labels; measurements with ids and a class in text) are written to a temporary folder
and read alternately by both, each in this one process. Time on the clock and processor time (all threads together) are
the best of five; the ratio is ours to pandas'. The values are compared: ours must be the floats written, to the digit.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from consensus_core.reading import Choices, read

REPEATS = 5


def measurements(rows, rng):
    return pd.DataFrame(rng.normal(size=(rows, 20)), columns=[f"feature {j + 1}" for j in range(20)])


def base_labels(rows, rng):
    return pd.DataFrame({f"kmeans {j + 1}": rng.integers(1, 20 + j, size=rows) for j in range(20)})


def with_ids(rows, rng):
    table = measurements(rows, rng).iloc[:, :10]
    table.insert(0, "id", [f"object-{i}" for i in range(rows)])
    table["species"] = np.array(["setosa", "versicolor", "virginica"])[rng.integers(3, size=rows)]
    return table


def written(make, path: Path, megabytes: float, rng) -> pd.DataFrame:
    """Write a table of about that size; returns it."""
    trial = make(2000, rng).to_csv(index=False)
    table = make(int(megabytes * 1e6 / len(trial) * 2000), rng)
    table.to_csv(path, index=False)
    return table


def timed(action) -> tuple[float, float, object]:
    clock, processor = time.perf_counter(), time.process_time()
    found = action()
    return time.perf_counter() - clock, time.process_time() - processor, found


def compared(path: Path):
    """(pandas' best times, our best times, what we read)."""
    theirs, ours = [], []
    for _ in range(REPEATS):
        theirs.append(timed(lambda: pd.read_csv(path))[:2])
        *times, reading = timed(lambda: read(path, choices=Choices()))
        ours.append(times)
    return np.min(theirs, axis=0), np.min(ours, axis=0), reading


def same(reading, table) -> bool:
    return all(np.array_equal(reading.frame[name].to_numpy(), table[name].to_numpy()) for name in reading.frame)


def main(megabytes=200.0):
    rng = np.random.default_rng(0)
    print(f"{'table':<14}{'MB':>6}{'rows':>11}{'pandas s':>10}{'ours s':>9}{'ratio':>7}{'cpu ratio':>11}  as written")
    with tempfile.TemporaryDirectory() as folder:
        for make in (measurements, base_labels, with_ids):
            path = Path(folder) / f"{make.__name__}.csv"
            table = written(make, path, megabytes, rng)
            path.read_bytes()  # both find it in the cache
            theirs, ours, reading = compared(path)
            size = path.stat().st_size / 1e6
            print(
                f"{make.__name__:<14}{size:>6.0f}{len(table):>11,}{theirs[0]:>10.2f}{ours[0]:>9.2f}"
                f"{ours[0] / theirs[0]:>7.2f}{ours[1] / theirs[1]:>11.2f}  {same(reading, table)}",
                flush=True,
            )
            path.unlink()


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
