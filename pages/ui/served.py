"""Streamlit's server as `quorum serve` starts it: Ctrl-C is how it ends, and nothing to complain of."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the folder of app.py, as Streamlit has it as well
    import click
    from streamlit.web.cli import main as streamlit

    from consensus_core.command.codes import STOPPED

    try:
        streamlit(prog_name="streamlit", standalone_mode=False)
    except click.ClickException as refusal:
        refusal.show()
        return refusal.exit_code
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
