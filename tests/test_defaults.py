"""Where dials stand when nobody has touched them: what the papers and their programs publish, or what was measured.

They are written down once more on purpose: results of everybody hang on them, and one that is changed by accident
changes no law. After a change on purpose: python -m tests.test_defaults
"""

from __future__ import annotations

import json
from pathlib import Path

from consensus_core import METHODS

FILE = Path(__file__).with_name("defaults.json")


def defaults() -> dict:
    return {
        key: {param.name: param.default for param in cls.params() if param.name != "k"} for key, cls in METHODS.items()
    }


def test_dials_stand_where_they_stood():
    known, now = json.loads(FILE.read_text()), json.loads(json.dumps(defaults()))
    for key in now:
        assert now[key] == known.get(key), f"defaults of {key}; if that is meant: python -m tests.test_defaults"
    assert set(known) == set(now)


if __name__ == "__main__":
    FILE.write_text(json.dumps(defaults(), indent=1) + "\n")
