"""An origin rebuilds its ensemble, survives a file, and writes a program that gives the same labels."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from consensus_core import METHODS, InputError, solve
from consensus_core.data import Generation, Origin, build
from consensus_core.data.script import script
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


@pytest.mark.parametrize("case", CASES)
def test_the_same_in_python_gives_the_same_labels(case, tmp_path):
    origin, content = CASES[case]
    data = build(origin, content)
    if content:
        (tmp_path / origin.file).write_bytes(content)
    method = METHODS["lwea"](k=2, theta=0.3)
    (tmp_path / "run.py").write_text(script(data.origin, method), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "run.py"], cwd=tmp_path, env=environment, check=True, capture_output=True)
    with open(tmp_path / "labels.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["id", "cluster"]
    assert [int(row[1]) - 1 for row in rows[1:]] == solve(method, data.ensemble).labels.tolist()
    expected = np.arange(1, data.ensemble.n + 1) if data.ids is None else data.ids
    assert [row[0] for row in rows[1:]] == [str(x) for x in expected]


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
