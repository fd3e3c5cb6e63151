"""`python -m consensus_core` is the command `quorum`."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
