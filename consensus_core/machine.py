"""The machine this runs on: how quick it is, and how much of its memory is free."""

from __future__ import annotations

import functools
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Speed:
    """What this machine does in a second, on one thread."""

    products: float  # multiply-adds of a dense float64 matrix product
    entries: float  # float64 entries of a large array read, combined and written once


@functools.lru_cache(maxsize=1)
def speed() -> Speed:
    """Measured once per process, in about 20 ms; the best of a few tries, for machines are noisy."""
    rng = np.random.default_rng(0)
    # small enough for BLAS to stay on one thread: threads that wait for a busy core count as work done, 25 times over
    a, b, product = rng.random((64, 64)), rng.random((64, 64)), np.empty((64, 64))
    long, out = rng.random(1_000_000), np.empty(1_000_000)

    def best(work, times: int) -> float:
        taken = []
        for _ in range(3):
            start = time.process_time()
            for _ in range(times):
                work()
            taken.append((time.process_time() - start) / times)
        return max(min(taken), 1e-6)

    return Speed(
        products=64**3 / best(lambda: np.matmul(a, b, out=product), 128),
        entries=1e6 / best(lambda: np.multiply(long, 1.5, out=out), 2),
    )


def available_bytes() -> int:
    """Memory that can still be taken without swapping: of the machine, and of the container it may be in."""
    limits = [_meminfo(), _cgroup()]
    known = [limit for limit in limits if limit is not None]
    if known:
        return min(known)
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 4 << 30


def _meminfo() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None


def _cgroup(group: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What its container leaves a process. Files that were read are counted as used, but give way at once."""
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
        known = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return None
    return None if limit == "max" else max(int(limit) - used + int(known.get("inactive_file", 0)), 0)
