"""The same answer on every processor: labels of every method where the sums are added up in another order.

    python -m benchmarks.processors                     every method on every sample of at most 500 objects
    python -m benchmarks.processors --methods pce spce  some

OpenBLAS brings a kernel for each kind of processor, and what one rounds up another rounds down. Each kernel runs in a
process of its own; named is what they give other labels for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

from benchmarks.measure import ONE_THREAD, table
from consensus_core import METHODS, InputError, solve
from consensus_core.data.samples import SAMPLES, load

KERNELS = ("Haswell", "SkylakeX", "Zen", "Nehalem")
MOST = 500  # objects


def answers(keys: list[str]) -> dict[str, list[int]]:
    """Method on sample -> labels."""
    found = {}
    for name in SAMPLES:
        loaded = load(name)
        if loaded.ensemble.n > MOST:
            continue
        for key in keys:
            ensemble = loaded.ensemble
            if ensemble.has_missing and not METHODS[key].handles_missing:
                ensemble = ensemble.filled("nearest")
            try:
                labels = solve(METHODS[key](k=loaded.sample.k), ensemble).labels.tolist()
            except InputError:
                labels = []
            found[f"{key} on {name}"] = labels
    return found


def asked(kernel: str, keys: list[str]) -> dict[str, list[int]]:
    command = [sys.executable, "-m", "benchmarks.processors", "--here", "--methods", *keys]
    environment = {**os.environ, **ONE_THREAD, "OPENBLAS_CORETYPE": kernel}
    return json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.processors", description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--here", action="store_true", help="answers of this process alone, as JSON")
    given = parser.parse_args()
    if given.here:
        print(json.dumps(answers(given.methods)))
        return
    every = {kernel: asked(kernel, given.methods) for kernel in KERNELS}
    first = every[KERNELS[0]]
    rows = []
    for what, labels in first.items():
        others = [kernel for kernel in KERNELS if every[kernel][what] != labels]
        if others:
            rows.append([what, KERNELS[0], ", ".join(others)])
    print(f"{len(first)} runs on each of {len(KERNELS)} kernels, {len(rows)} with other labels")
    if rows:
        table("Other labels", ["run", "than on", "on"], rows)


if __name__ == "__main__":
    main()
