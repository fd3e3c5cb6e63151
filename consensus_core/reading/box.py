"""Reading in a box: a file is read in a process of its own, with a limit on memory, a deadline, and a way to stop it.

    box = Box()
    table = box.opened(content, "votes.csv")        # or InputError, in a sentence
    reading = understood(table, Choices())

The process is kept ready between files, because starting it takes a second. A file that takes too much memory or time,
or brings the process down, ends with it; the next file gets a new one. Where the system knows no limit on memory
(macOS, Windows), the deadline and the reader's own checks remain.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Callable

from ..errors import Cancelled, InputError
from .choices import Choices, check_choices
from .file import tidy
from .limits import MAX_BYTES, MAX_CELLS, megabytes
from .process import PACE, Allowance, Process
from .table import Table
from .wording import too_large

TIRED = 300 << 20  # bytes a process may hold on to and still be asked again


class Box:
    """As many files at once as there are `places`; the others wait."""

    def __init__(self, places: int = 2):
        self._places = threading.Semaphore(places)
        self._idle: list[Process] = []
        self._lock = threading.Lock()
        atexit.register(self.close)

    def warm(self) -> None:
        """A process is started before the first file comes."""
        with self._lock:
            if not self._idle:
                self._idle.append(Process())

    def opened(
        self,
        content: bytes,
        name: str,
        choices: Choices = Choices(),  # noqa: B008  frozen
        progress: Callable[[str, float | None], None] | None = None,
        cancel: Callable[[], bool] | None = None,
        max_cells: int = MAX_CELLS,
        allowance: Allowance | None = None,
    ) -> Table:
        """What `reading.opened` gives. `progress` hears what is being done and the share that is done, some times a
        second; whatever it raises ends the reading, as `cancel` does when it says so (Cancelled)."""
        file = tidy(name)
        check_choices(choices, file)
        if len(content) > MAX_BYTES:
            raise too_large(file, f"the file is larger than {megabytes(MAX_BYTES)}", "give fewer rows or columns")
        allowance = allowance or Allowance.of(len(content))
        with self._place(progress, cancel):
            process = self._take()
            try:
                table = process.ask(content, file, choices, max_cells, allowance, progress, cancel)
            except InputError:
                self._give_back(process)
                raise
            except BaseException:
                process.end()
                raise
            self._give_back(process)
        return table

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    @contextlib.contextmanager
    def _place(self, progress, cancel):
        while not self._places.acquire(timeout=PACE):
            if cancel and cancel():
                raise Cancelled
            if progress:
                progress("waiting for other files to be read", None)
        try:
            yield
        finally:
            self._places.release()

    def _take(self) -> Process:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
        return Process()

    def _give_back(self, process: Process) -> None:
        if process.alive and process.resident <= TIRED:
            with self._lock:
                self._idle.append(process)
        else:
            process.end()
            self.warm()
