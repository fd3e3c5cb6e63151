"""The process in the box: reads one file after another from its standard input, answers on its standard output.

    asks     8 bytes: length of a JSON head; the head (name, choices, limits, size of the file); the file
    answers  a letter and 8 bytes: length of a JSON head; the head; what follows depends on the letter:
             R ready, P how far it is, F a fault and what was seen until then, T a table (with the buffers of wire.py)

Started by box.py as a program of its own, so that nothing of the server's memory is in it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
import types
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]
PACE = 0.1  # seconds between two words on how far it is


def _packages() -> None:
    """The packages without what their __init__ brings along: all methods, SciPy, a second of time and 60 MB."""
    for name in ("consensus_core", "consensus_core.reading"):
        package = types.ModuleType(name)
        package.__path__ = [str(CORE.parent.joinpath(*name.split(".")))]
        sys.modules[name] = package


def _limit(memory: int, seconds: float) -> None:
    """No more memory than now and so much more, and an end even if nobody is there to stop it; where the system can."""
    if hasattr(signal, "alarm"):
        signal.alarm(int(seconds) + 1)
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + memory, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return


class _Answers:
    def __init__(self, stream):
        self._stream, self._last = stream, 0.0

    def give(self, letter: bytes, head: bytes, buffers=()) -> None:
        try:
            self._stream.write(letter + len(head).to_bytes(8, "little"))
            self._stream.write(head)
            for buffer in buffers:
                self._stream.write(buffer)
            self._stream.flush()
        except BrokenPipeError:  # nobody is there any more to hear it
            os._exit(0)

    def progress(self, what: str, share: float | None) -> None:
        if time.monotonic() - self._last > PACE:
            self._last = time.monotonic()
            self.give(b"P", json.dumps([what, share]).encode())


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is said to whoever started this one, who then ends it
    _packages()
    asked, answers = os.fdopen(os.dup(0), "rb"), _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)  # whatever prints does not print into an answer
    if hasattr(os, "nice"):
        os.nice(5)  # those who are served come first
    from consensus_core.reading.opening import opened  # noqa: F401  ready before it is asked
    from consensus_core.reading.wire import written  # noqa: F401

    gc.freeze()
    answers.give(b"R", b"{}")
    while len(length := asked.read(8)) == 8:
        head = json.loads(asked.read(int.from_bytes(length, "little")))
        content = asked.read(head["size"])
        _limit(head["memory"], head["seconds"])
        answers.give(*_answer(head, content, answers.progress))
        del content
        gc.collect()


def _answer(head: dict, content: bytes, progress):
    from consensus_core.errors import InputError, TooLarge
    from consensus_core.reading.choices import Choices
    from consensus_core.reading.opening import opened
    from consensus_core.reading.progress import heard_by
    from consensus_core.reading.wire import tuples, written

    try:
        choices = Choices(**{name: tuples(value) for name, value in head["choices"].items()})
        with heard_by(progress):
            table = opened(content, head["name"], choices, max_cells=head["max_cells"])
            del content
        return b"T", *written(table)
    except InputError as fault:
        told = {
            "said": str(fault),
            "large": isinstance(fault, TooLarge),
            "seen": getattr(fault, "seen", []),
            "parts": [vars(part) for part in getattr(fault, "parts", ())],
        }
        return b"F", json.dumps(told).encode()
    except MemoryError:
        return b"F", json.dumps({"said": "", "large": True, "seen": [], "parts": []}).encode()


if __name__ == "__main__":
    main()
