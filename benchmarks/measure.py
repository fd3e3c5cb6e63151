"""Measuring a piece of work in a process of its own: wall and CPU seconds, growth and total of the peak memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Measured:
    wall: float  # seconds
    cpu: float  # seconds
    growth: int  # bytes the peak rose by while working
    peak: int  # bytes, the whole process
    answer: Any


def peak_bytes() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measured(work: Callable[..., Any], *arguments: Any, prepare: Callable[..., Any] | None = None) -> Measured:
    """`work(prepare(*arguments))` (or `work(*arguments)`) in a fresh process on one thread; only `work` is measured."""
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(theirs, work, prepare, arguments))
    process.start()
    theirs.close()
    try:
        answer = ours.recv()
    except EOFError:
        raise SystemExit(f"{getattr(work, '__name__', work)} ended without an answer (out of memory?)") from None
    process.join()
    if isinstance(answer, Exception):
        raise answer
    return answer


def _child(pipe, work, prepare, arguments):
    try:
        given = (prepare(*arguments),) if prepare else arguments
        before, wall, cpu = peak_bytes(), time.perf_counter(), time.process_time()
        answer = work(*given)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        pipe.send(Measured(wall, cpu, peak_bytes() - before, peak_bytes(), answer))
    except Exception as fault:
        pipe.send(fault)


def table(title: str, header: list[str], rows: list[list[str]]) -> None:
    """Prints a plain table."""
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    print(f"\n{title}\n")
    for row in [header, ["-" * w for w in widths], *rows]:
        print("  ".join(str(cell).ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
