"""The dashboard's own server for the browser tests and benchmarks: a free port, a data folder of its own, its log."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """`with Server() as server: ... server.url`; `kill` and `start` again to see what survives."""

    def __init__(self, folder: str | Path | None = None, port: int | None = None, address: str | None = None):
        self._own = tempfile.TemporaryDirectory() if folder is None else None
        self.folder = Path(folder or self._own.name)
        self._address = address  # None: as the project's own settings say
        self.port = port or _free_port()
        self.url = f"http://localhost:{self.port}"
        self.log = self.folder / "server.log"
        self._process: _Hatched | _Started | None = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *exc) -> None:
        self.stop()
        if self._own:
            self._own.cleanup()

    def start(self, patience: float = 300.0) -> None:
        # one numerical thread, as in the other tests; nothing is shared with the data of the person who runs them
        one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "QUORUM_DATA": str(self.folder / "data")}
        arguments = ["run", "app.py", "--server.port", str(self.port)]
        arguments += ["--server.fileWatcherType", "none", "--server.headless", "true"]
        arguments += ["--server.address", self._address] if self._address else []
        begun = _Hatched if hasattr(os, "pidfd_open") else _Started
        self._process = begun(arguments, {**os.environ, **one}, self.log)
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=10) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"The server did not start:\n{self.said()}")

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """As a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.end(how)
        self._process = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


class _Hatched:
    """A server's process. It is no child of ours: the nest made it (see nest.py)."""

    def __init__(self, arguments: list[str], environment: dict[str, str], log: Path):
        nest = _nest()
        asked = {"arguments": arguments, "environment": environment, "log": str(log)}
        nest.stdin.write(json.dumps(asked) + "\n")
        nest.stdin.flush()
        self.pid = int(nest.stdout.readline())
        try:
            self._life = os.pidfd_open(self.pid)
        except ProcessLookupError:
            self._life = None

    def end(self, how: signal.Signals, patience: float = 10.0) -> None:
        if self._life is None:
            return
        for signal_, seconds in ((how, patience), (signal.SIGKILL, None)):
            try:
                signal.pidfd_send_signal(self._life, signal_)
            except ProcessLookupError:
                break
            if select.select([self._life], [], [], seconds)[0]:
                break
        os.close(self._life)
        self._life = None


class _Started:
    """The same where the system has no such handles on processes."""

    def __init__(self, arguments: list[str], environment: dict[str, str], log: Path):
        with log.open("ab") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", *arguments],
                cwd=ROOT,
                env=environment,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        self.pid = self._process.pid

    def end(self, how: signal.Signals, patience: float = 10.0) -> None:
        if self._process.poll() is None:
            self._process.send_signal(how)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


@functools.cache
def _nest() -> subprocess.Popen:
    """One for all servers of this process."""
    made = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.nest"],
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    atexit.register(made.kill)
    return made


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]
