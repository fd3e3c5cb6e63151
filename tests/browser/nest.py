"""Servers hatch here: what `python -m streamlit` imports at its start, two seconds of a processor, is imported once,
and every server of the tests is a fork of that. From there on it is what anybody starts.

Read line by line: {"arguments": [...], "environment": {...}, "log": "..."}; said: its process id.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import signal
import sys

from pages.ui.server import ROOMS

BEFORE = ("streamlit.web.cli", "streamlit.web.bootstrap", *(f"pages.ui.{room}" for room in ROOMS))


def hatched(asked: dict) -> int:
    pid = os.fork()
    if pid:
        return pid
    os.setsid()  # what stops the tests' own keyboard stops no server
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()  # the nest was made in the surroundings of another test
    os.environ.update(asked["environment"])
    log = os.open(asked["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for here, there in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(here, there)
    sys.argv = ["streamlit", *asked["arguments"]]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    os._exit(0)


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are not kept
    for room in BEFORE:
        importlib.import_module(room)
    gc.freeze()
    for line in sys.stdin:
        print(hatched(json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
