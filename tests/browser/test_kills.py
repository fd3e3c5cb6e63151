"""A few of the hundred kills of `python -m benchmarks.kills`; one of each kind with QUORUM_WALK=all."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kills import DEEDS, Told, killed_once
from visiting import Visitor

from tests.browser.server import Server

SOME = [deed for deed in DEEDS if deed.name in ("upload", "run", "forgetting")]


@pytest.mark.parametrize("deed", DEEDS if os.environ.get("QUORUM_WALK") == "all" else SOME, ids=lambda deed: deed.name)
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path, deed):
    with Server(tmp_path) as server:
        killed_once(server, deed, random.Random(f"1 {deed.name}"), 1)


def test_what_is_done_without_a_kill_is_acknowledged(server):
    """Else nothing could be lost."""
    for deed in DEEDS:
        if deed.name in ("upload", "generation", "forgetting"):
            told = Told()
            with Visitor(server) as me:
                deed.do(me, told, 2)
            assert told.kept and told.forgotten == (deed.name == "forgetting"), deed.name
