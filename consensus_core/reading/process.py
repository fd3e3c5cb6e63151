"""A process that reads, seen from the one that asks: the pipe to it, what it may take, what it says. See inside.py."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from ..errors import Cancelled, InputError, TooLarge
from .table import Part, Table
from .wire import Damaged, read_back
from .wording import fault, too_large

PATIENCE = 8.0  # seconds of a processor a file may take before it has said how far it is
PER_MEGABYTE = 0.2  # and for each megabyte of it
LONGEST = 60.0  # while it says so; and seconds of the clock for any file, as a busy machine is nobody's fault
MEMORY = 600 << 20  # bytes it may take
PER_BYTE = 8  # and for each of its own
PACE = 0.05  # seconds between two looks
_INSIDE = Path(__file__).with_name("inside.py")
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # address space is what the limit counts
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
_SMALLER = "give fewer rows or columns, or save it in another format such as CSV or Parquet"


@dataclass(frozen=True)
class Allowance:
    seconds: float
    memory: int

    @classmethod
    def of(cls, size: int) -> Allowance:
        return cls(PATIENCE + PER_MEGABYTE * size / 2**20, MEMORY + PER_BYTE * size)


class Process:
    """One process and the pipe to it; what it says is heard in a thread of its own."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
        )
        self._said: queue.SimpleQueue = queue.SimpleQueue()
        self._most = 0  # bytes of an answer that are believed
        self._ready = False
        self._asked = self._worked_before = 0.0  # when the file was given that is read now, and what was done before it
        threading.Thread(target=self._hear, name="hearing a reader", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def resident(self) -> int:
        """Bytes of memory it holds; 0 where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    @property
    def worked(self) -> float | None:
        """Seconds of a processor it has used; None where the system does not tell."""
        try:
            told = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def ask(self, content, file, choices, max_cells, allowance: Allowance, progress, cancel) -> Table:
        head = {
            "name": file,
            "choices": vars(choices),
            "size": len(content),
            "max_cells": max_cells,
            "memory": allowance.memory,
            "seconds": max(LONGEST, allowance.seconds) + 10,
        }
        self._most, self._worked_before = 2 * allowance.memory, self.worked or 0.0
        self._asked = time.monotonic()
        threading.Thread(target=self._send, args=(json.dumps(head).encode(), content), daemon=True).start()
        what, share = "getting ready", None
        while True:
            try:
                said = self._said.get(timeout=PACE)
            except queue.Empty:
                pass
            else:
                if said is None:
                    self.end()
                    raise too_large(
                        file, "the program that reads it was ended: it needs too much memory or is damaged", _SMALLER
                    )
                letter, told, buffers = said
                if letter == b"R":
                    self._ready, self._worked_before, self._asked = True, self.worked or 0.0, time.monotonic()
                elif letter == b"P":
                    what, share = _progress(told)
                elif letter == b"F":
                    raise _fault(file, told)
                elif letter == b"T":
                    return _table(file, told, buffers)
            if cancel and cancel():
                raise Cancelled
            if progress:
                progress(what, share)
            self._refuse_late(file, share, allowance)

    def _refuse_late(self, file: str, share: float | None, allowance: Allowance) -> None:
        if not self._ready:  # still starting
            return
        waited, worked = time.monotonic() - self._asked, self.worked
        taken = waited if worked is None else worked - self._worked_before
        on_its_way = share is not None and share > 0 and taken / share < LONGEST
        most = max(LONGEST, allowance.seconds)
        if taken > (most if on_its_way else allowance.seconds) or waited > most:
            self.end()
            raise too_large(file, f"reading it takes longer than {allowance.seconds:.0f} seconds", _SMALLER)

    def _send(self, head: bytes, content: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # it is gone: that is heard by the other thread
            self._process.stdin.write(len(head).to_bytes(8, "little") + head)
            self._process.stdin.write(content)
            self._process.stdin.flush()

    def _hear(self) -> None:
        stream = self._process.stdout
        with contextlib.suppress(Exception):  # whatever strange bytes bring about
            while True:
                letter, length = stream.read(1), int.from_bytes(stream.read(8), "little")
                if letter not in (b"R", b"P", b"F", b"T") or length > 2**20 + self._most:
                    break
                head = stream.read(length)
                buffers = []
                if letter == b"T":
                    sizes = json.loads(head)["sizes"]
                    if sum(sizes) > self._most:
                        break
                    buffers = [stream.read(size) for size in sizes]
                self._said.put((letter, head if letter == b"T" else json.loads(head), buffers))
        self._said.put(None)


def _progress(told) -> tuple[str, float | None]:
    match told:
        case [str(what), None | int() | float() as share]:
            return what, share
    return "reading", None


def _fault(file: str, told) -> InputError:
    try:
        return _told_fault(file, told)
    except Exception:  # whatever strange bytes bring about
        return _senseless(file)


def _told_fault(file: str, told: dict) -> InputError:
    said = str(told["said"]) or f"{file}: it does not fit into memory; {_SMALLER}."
    trouble = (TooLarge if told["large"] else InputError)(said)
    trouble.seen = [(str(name), [str(cell) for cell in head]) for name, head in told["seen"]]
    trouble.parts = tuple(Part(**{**part, "shape": tuple(part["shape"])}) for part in told["parts"])
    return trouble


def _table(file: str, head: bytes, buffers: list[bytes]) -> Table:
    try:
        return read_back(head, buffers)
    except Damaged:
        raise _senseless(file) from None


def _senseless(file: str) -> InputError:
    return fault(file, "the program that reads it gave no sense", "save the file again")
