"""Processes on this machine that compute the cells of sweeps: a few for all sweeps together, kept warm for a while."""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import Counter, OrderedDict
from pathlib import Path

from .conductor import Sweep
from .outcome import Outcome
from .plan import Task

IDLE = 600.0  # seconds a process waits for more work before it ends
SOURCES = 4  # that a process holds
_INSIDE = Path(__file__).with_name("inside.py")
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Gone(Exception):
    """The process has ended, or was ended."""


class Process:
    """One of them, seen from here. One thread asks it; any thread may end it."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT},
        )
        self._held: OrderedDict[str, None] = OrderedDict()

    @property
    def pid(self) -> int:
        return self._process.pid

    def perform(self, sweep: Sweep, task: Task) -> Outcome:
        name = sweep.source.fingerprint
        try:
            if name not in self._held:
                self._hand_over(name, sweep)
            self._held.move_to_end(name)
            self._send("task", name, task)
            length = self._process.stdout.read(8)
            content = self._process.stdout.read(int.from_bytes(length, "little"))
            if len(length) < 8 or len(content) < int.from_bytes(length, "little"):
                raise Gone
            return pickle.loads(content)  # from our own process, through a pipe nobody else holds
        except (OSError, ValueError) as gone:
            raise Gone from gone

    def _hand_over(self, name: str, sweep: Sweep) -> None:
        if len(self._held) >= SOURCES:
            oldest, _ = self._held.popitem(last=False)
            self._send("forget", oldest)
        self._send("source", name, sweep.source)
        self._held[name] = None

    def _send(self, *what) -> None:
        content = pickle.dumps(what)
        self._process.stdin.write(len(content).to_bytes(8, "little") + content)
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()


class Crew:
    """So many processes, each led by a thread that takes tasks. Turns go round visitors, then their sweeps."""

    def __init__(self, processes: int | None = None, idle: float = IDLE):
        self._places = processes or max(1, os.cpu_count() or 1)
        self._idle = idle
        self._sweeps: list[Sweep] = []
        self._hands: dict[threading.Thread, Process | None] = {}
        self._doing: dict[threading.Thread, Sweep] = {}
        self._busy: set[str] = set()  # keys of the cells that are being computed
        self._served: dict[int, int] = {}
        self._turn = 0
        self._change = threading.Condition()

    @property
    def processes(self) -> list[int]:
        """Their numbers in the system."""
        with self._change:
            return [process.pid for process in self._hands.values() if process is not None]

    def work_on(self, sweep: Sweep) -> None:
        sweep.when_cancelled(self._drop)
        with self._change:
            self._sweeps.append(sweep)
            for _ in range(min(self._places - len(self._hands), sweep.left)):
                hand = threading.Thread(target=self._work, name="a hand of the crew", daemon=True)
                self._hands[hand] = None
                hand.start()
            self._change.notify_all()

    def warm(self) -> None:
        """A process that is ready before it is asked."""
        with self._change:
            if not self._hands:
                hand = threading.Thread(target=self._work, args=(True,), name="a hand of the crew", daemon=True)
                self._hands[hand] = None
                hand.start()

    def end(self) -> None:
        with self._change:
            for sweep in self._sweeps:
                sweep.cancel()
            self._idle = 0.0
            self._change.notify_all()
            hands = list(self._hands)
        for hand in hands:
            hand.join(5.0)

    # --- a hand -----------------------------------------------------------------------------------------------------

    def _work(self, at_once: bool = False) -> None:
        me, process = threading.current_thread(), self._started(None) if at_once else None
        try:
            while (found := self._next(me)) is not None:
                process = self._do(process, *found)
        finally:
            with self._change:
                self._hands.pop(me, None)
            if process is not None:
                process.end()

    def _do(self, process: Process | None, sweep: Sweep, key: str, task: Task) -> Process | None:
        me = threading.current_thread()
        try:
            process = self._started(process)
            outcome = process.perform(sweep, task)
        except Gone:
            process.end()
            with self._change:
                self._hands[me] = None
            process, outcome = None, None
        finally:
            with self._change:
                self._busy.discard(key)
                self._doing.pop(me, None)
                self._change.notify_all()
        sweep.lost(key, task) if outcome is None else sweep.give(key, task, outcome)
        with self._change:
            self._change.notify_all()
        return process

    def _started(self, process: Process | None) -> Process:
        if process is None:
            process = Process()
            with self._change:
                self._hands[threading.current_thread()] = process
        return process

    def _next(self, me: threading.Thread) -> tuple[Sweep, str, Task] | None:
        """What this hand does next; None when it was idle for long, and nothing is left."""
        with self._change:
            until = time.monotonic() + self._idle
            while True:
                self._sweeps = [sweep for sweep in self._sweeps if not sweep.over]
                held = Counter(sweep.visitor for sweep in self._doing.values())
                for sweep in sorted(self._sweeps, key=lambda one: (held[one.visitor], self._served.get(id(one), 0))):
                    if (found := sweep.take(self._busy)) is not None:
                        self._busy.add(found[0])
                        self._doing[me] = sweep
                        self._turn += 1
                        self._served = {id(one): self._served.get(id(one), 0) for one in self._sweeps}
                        self._served[id(sweep)] = self._turn
                        return sweep, *found
                wait = min(self._idle, until - time.monotonic())
                if wait <= 0:
                    self._hands.pop(me, None)  # from now on somebody else must be started
                    return None
                self._change.wait(wait)

    def _drop(self, sweep: Sweep) -> None:
        """What is computed for it is not wanted any more, now."""
        with self._change:
            for hand, doing in self._doing.items():
                if doing is sweep and (process := self._hands.get(hand)) is not None:
                    process.kill()
            self._change.notify_all()


@functools.cache
def crew() -> Crew:
    """Of this program, for all its sweeps."""
    return Crew()
