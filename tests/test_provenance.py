"""An origin rebuilds its ensemble, survives a file, and writes a program that gives the same labels."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from consensus_core import METHODS, InputError, iterate, solve
from consensus_core.data import Generation, Origin, build
from consensus_core.data.exports import file_name, labels_csv
from consensus_core.data.script import script
from consensus_core.errors import AlreadyThere
from consensus_core.reading import Choices

ROOT = Path(__file__).resolve().parents[1]
VOTES = "id;a;b;c;real\n" + "\n".join(f"o{i};{i % 2};{'xy'[i % 2]};{i % 2 if i % 5 else ''};{i % 2}" for i in range(12))
POINTS = "name,x,y\n" + "\n".join(f"p{i},{(i % 3) * 5 + i * 0.01},{(i % 3) ** 2 + i * 0.02}" for i in range(30))

CASES = {
    "sample": (Origin(sample="nine"), None),
    "sample, made anew": (Origin(sample="moons", generation=Generation(m=5, k=None, seed=3, scaling="z-score")), None),
    "labels": (Origin(file="votes.csv"), VOTES.encode()),
    "labels, overruled": (
        Origin(file="votes.csv", choices=Choices(kind="labels", roles={"b": "left out"}, missing=("", "x"))),
        VOTES.encode(),
    ),
    "labels, filled": (Origin(file="votes.csv", filling="random", filling_seed=4), VOTES.encode()),
    "features": (
        Origin(
            file='it\'s "odd".csv',
            generation=Generation("object_subset", m=6, k=3, options=(("left_out", 0.3),)),
            filling="nearest",
        ),
        POINTS.encode(),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_origin_survives_a_file_and_rebuilds_its_ensemble(case):
    origin, content = CASES[case]
    data = build(origin, content)
    again = Origin.from_json(data.origin.to_json())
    assert again == data.origin
    rebuilt = build(again, content)
    assert rebuilt.ensemble == data.ensemble and rebuilt.title == data.title
    assert (rebuilt.ids is None and data.ids is None) or (rebuilt.ids == data.ids).all()


def run_beside_the_data(program, folder):
    """What the program writes, or how it ends."""
    (folder / "run.py").write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "run.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_the_same_in_python_gives_the_same_file_and_overwrites_nothing(case, tmp_path, monkeypatch):
    """It once wrote labels.csv over whatever was called so, and ran to the end whatever was on screen."""
    origin, content = CASES[case]
    data = build(origin, content)
    if content:
        (tmp_path / origin.file).write_bytes(content)
    step = solve(METHODS["lwea"](k=2, theta=0.3), data.ensemble).step
    program = script(data.origin, step)
    done = run_beside_the_data(program, tmp_path)
    assert done.returncode == 0, done.stderr
    (written,) = [path for path in tmp_path.iterdir() if path.name not in ("run.py", origin.file)]
    assert written.name == file_name(data.origin.title, step, "labels.csv") and "_it1_" in written.name
    assert written.read_bytes() == labels_csv(step, data.ids, data.id_name or "id")
    written.write_text("mine")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AlreadyThere, match="is not overwritten"):  # here: no second interpreter is needed
        runpy.run_path("run.py", run_name="__main__")
    assert written.read_text() == "mine"
    assert "pip install" in program.split('"""')[1]


def test_the_same_in_python_stops_at_the_iteration_shown(tmp_path):
    data = build(Origin(sample="iris"))
    steps = list(iterate(METHODS["spce"](k=3), data.ensemble))
    step = steps[2]
    assert not step.stop
    done = run_beside_the_data(script(data.origin, step), tmp_path)
    assert done.returncode == 0, done.stderr
    name = file_name(data.origin.title, step, "labels.csv")
    assert "_it2_" in name and (tmp_path / name).read_bytes() == labels_csv(step, data.ids, data.id_name or "id")


def test_what_is_missing_is_said():
    for call, sentence in [
        (lambda: Origin(), "either from a sample or from a file"),
        (lambda: Origin(sample="nine", file="x.csv"), "either"),
        (lambda: Origin(sample="nine", filling="guess"), "guess"),
        (lambda: build(Origin(sample="no such")), "no sample"),
        (lambda: build(Origin(file="x.csv")), "content of x.csv"),
        (lambda: build(Origin(file="p.csv"), POINTS.encode()), "holds features"),
        (lambda: build(Origin(sample="nine", generation=Generation())), "no features"),
        (lambda: build(Origin(sample="moons", generation=Generation("magic"))), "no recipe 'magic'"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()
