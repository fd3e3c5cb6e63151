"""A process that computes: takes sources and tasks from its standard input, gives outcomes on its standard output.

    asks     8 bytes: length; ("source", name, Source), ("forget", name) or ("task", name, Task), pickled
    answers  8 bytes: length; an Outcome, pickled

The pipe is the only way in, and its other end is the process that started this one: see crew.py. When that one is gone,
this one ends at once, whatever it is doing.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from pathlib import Path


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is said to whoever started this one, who then ends it
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)  # whatever prints does not print into an answer
    if hasattr(os, "nice"):
        os.nice(2)  # those who watch come first
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from consensus_core.sweep.outcome import perform

    waiting: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(asked, waiting), daemon=True).start()
    sources = {}
    while True:
        what, name, *rest = pickle.loads(waiting.get())
        match what:
            case "source":
                sources[name] = rest[0]
            case "forget":
                del sources[name]
            case _:
                told = pickle.dumps(perform(sources[name], rest[0]))
                try:
                    answers.write(len(told).to_bytes(8, "little") + told)
                    answers.flush()
                except BrokenPipeError:  # nobody is there any more to hear it
                    os._exit(0)


def _hear(stream, waiting: queue.SimpleQueue) -> None:
    while len(length := stream.read(8)) == 8:
        content = stream.read(int.from_bytes(length, "little"))
        waiting.put(content)
    os._exit(0)


if __name__ == "__main__":
    main()
