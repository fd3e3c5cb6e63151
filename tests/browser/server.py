"""The dashboard's own server for the browser tests and benchmarks: a free port, a data folder of its own, its log."""

from __future__ import annotations

import os
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
        self._process: subprocess.Popen | None = None

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
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        command += ["--server.fileWatcherType", "none", "--server.headless", "true"]
        command += ["--server.address", self._address] if self._address else []
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, **one}, stdout=log, stderr=subprocess.STDOUT
            )
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
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("", 0))
        return one.getsockname()[1]
