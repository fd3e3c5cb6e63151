"""The command line: `quorum run votes.csv --method spce --k 7 --out result/`. The same work as on the pages, by the
same functions; what it prints is for people, and for programs with --json.

What a command ends with: 0 done; 1 a fault of ours; 2 something asked for or given cannot be used; 3 a file is there
already; 4 too large for this machine; 5 the run came to no answer; 130 stopped by Ctrl-C.
"""

from .main import main

__all__ = ["main"]
