"""kill -9 at a hundred random moments of uploading, reading, making, running, keeping and forgetting, on a live server.

python -m benchmarks.kills             100 kills
python -m benchmarks.kills --kills 12  fewer
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import time
from pathlib import Path

from tests.browser.server import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> None:
    from kills import DEEDS, killed_once

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng, found = random.Random(asked.seed), collections.Counter()
    began = time.perf_counter()
    with Server() as server:
        for number in range(asked.kills):
            deed = DEEDS[number % len(DEEDS)]
            left = killed_once(server, deed, rng, number)
            found[deed.name] += 1
            print(f"{number + 1:4} {deed.name:12} {left}", flush=True)
    counts = ", ".join(f"{count} while {name}" for name, count in found.items())
    took = time.perf_counter() - began
    print(f"{asked.kills} kills ({counts}) in {took:.0f} s: nothing acknowledged was lost, nothing half there")


if __name__ == "__main__":
    main()
