"""What is free to take, and how amounts are said."""

from __future__ import annotations

import pytest

from consensus_core import machine
from consensus_core.method import cost


def container(folder, limit, used, files):
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon {used - files}\nfile {files}\ninactive_file {files}\n")
    return machine._cgroup(folder)


def test_files_that_were_read_do_not_use_up_a_container(tmp_path):
    """A container that has read much is full of file pages; runs that fit were refused."""
    assert container(tmp_path, limit=4_000, used=3_900, files=3_000) == 3_100
    assert container(tmp_path, limit=4_000, used=1_000, files=0) == 3_000
    assert container(tmp_path, limit=4_000, used=5_000, files=0) == 0
    assert container(tmp_path, limit="max", used=1_000, files=0) is None
    assert machine._cgroup(tmp_path / "elsewhere") is None


def test_something_is_free_and_the_machine_has_a_speed():
    assert machine.available_bytes() > 1_000_000
    assert machine.speed() is machine.speed() and min(machine.speed().products, machine.speed().entries) > 1e6


@pytest.mark.parametrize(
    ("count", "seconds", "words"),
    [
        (999, 0.01, "about 999 B and under 0.1 s"),
        (1_200_000_000, 40, "about 1.2 GB and 40 s"),
        (5e15, 600, "about 5,000 TB and 10 min"),
        (1000, 9000, "about 1 kB and 2.5 h"),
    ],
)
def test_amounts_in_words(count, seconds, words):
    assert cost.in_words(cost.Cost(count, seconds)) == words
