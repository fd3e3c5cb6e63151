"""The walk of one number: picture, pointer, pin, files and `entry` give the same value for the same entry.

Some methods meet one of the ensembles here (`steps.walked`); all of them all with QUORUM_WALK=all.
"""

from __future__ import annotations

import csv
import io
import os

import numpy as np
import pytest

from consensus_core import METHODS, Ensemble
from consensus_core.data.exports import labels_csv, matrices_npz, run_record
from consensus_core.data.samples import load
from consensus_core.drawing.kinds import drawn
from consensus_core.method import Incidence, Matrix
from tests.browser.steps import walked
from tests.stand_ins import all_distinct, ended

ENTRIES = 20


def grouped(n, m=6, seed=3, missing=0.0, k=3, names=None) -> Ensemble:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * k // n
    table = np.where(rng.random((n, m)) < 0.8, truth[:, None], rng.integers(k, size=(n, m)))
    table = np.where(rng.random((n, m)) < missing, -1, table)
    return Ensemble.from_labels(table, names=names, truth=truth)


def one_cluster() -> Ensemble:
    table = grouped(30).labels()
    return Ensemble.from_labels(np.column_stack([table, np.zeros(30, dtype=int)]))


def tied() -> Ensemble:
    """Every pair of labels once: everything looks like everything else."""
    return Ensemble.from_labels(np.array([[a, b, (a + b) % 4] for a in range(4) for b in range(4)]))


ENSEMBLES = {
    "all distinct": all_distinct,
    "ties": tied,
    "missing": lambda: grouped(40, missing=0.15),
    "one cluster": one_cluster,
    "blanks and emoji": lambda: grouped(24, names=["a b", "🦊 fox", "c", "d'e", "\u202eabc", "f"]),
    "n = 1,941": lambda: grouped(1941, m=8, k=4),
    "iris": lambda: load("iris").ensemble,
    "five": lambda: load("five").ensemble,
}
KEYS = list(ENSEMBLES)
SOME = [(key, KEYS[i % len(KEYS)]) for i, key in enumerate(METHODS) if key in walked(METHODS)]
EVERY = [(key, which) for key in METHODS for which in KEYS]


@pytest.mark.parametrize(("key", "which"), EVERY if os.environ.get("QUORUM_WALK") == "all" else SOME)
def test_one_number(bare, key, which):
    ensemble = ENSEMBLES[which]()
    if ensemble.has_missing and not METHODS[key].handles_missing:
        ensemble = ensemble.filled("nearest")
    stage = ended(METHODS[key](k=min(3, ensemble.q)), ensemble=ensemble)
    run, last = stage.run, len(stage.run.moments) - 1
    view, rng = bare(stage), np.random.default_rng(0)
    view.page.set_viewport_size({"width": 1280, "height": 4000})  # every picture is on the screen
    view.until("!view.busy")
    orders = ["consensus", "leaf", "given", "base:1", *(["truth"] if ensemble.truth is not None else [])]
    names = {picture["name"] for picture in view.ask("view.pictures") if picture["onScreen"]}
    matrices = [one for one in drawn(run.method) if one.kind in (Matrix, Incidence) and one.name in names]
    for turn, at in enumerate(dict.fromkeys((0, last // 2, last))):
        stage.sight.order = order = orders[(turn + KEYS.index(which)) % len(orders)]
        view.say(f"view.scrub({at})")
        view.until(f"view.order === '{order}' && view.shown === {at} && !view.busy")
        step = run.at(at)
        _labels_agree(view, step)
        with np.load(io.BytesIO(matrices_npz(step)), allow_pickle=False) as arrays:
            assert arrays["iteration"] == at and (arrays["labels"] == step.labels + 1).all()
            for quantity in matrices:
                _entries_agree(view, step, quantity, arrays, rng)


def _labels_agree(view, step):
    """On screen, in the table of labels, in the record and in Python."""
    ensemble = step.run.ensemble
    rows = list(csv.DictReader(io.StringIO(labels_csv(step).decode())))
    assert [int(row["cluster"]) for row in rows] == (step.labels + 1).tolist()
    assert {int(row["iteration"]) for row in rows} == {step.iteration}
    assert view.ask("view.labels") == step.labels.tolist()
    certain = np.array([float(row["certainty"]) for row in rows])
    np.testing.assert_allclose(view.ask("view.certainty"), certain, atol=1e-6)
    record = run_record(step)["run"]
    assert record["iteration"] == step.iteration
    assert sum(record["clusters"].values()) == ensemble.n
    assert list(record["clusters"].values()) == np.bincount(step.labels).tolist()


def _entries_agree(view, step, quantity, arrays, rng):
    name, ensemble, run = quantity.name, step.run.ensemble, step.run
    if step.value(name) is None:
        return
    sizes = {"object": ensemble.n, "clustering": ensemble.m, "hyperedge": ensemble.K}
    shape = arrays[name].shape
    sizes = [sizes.get(axis, length) for axis, length in zip(quantity.axes, shape, strict=True)]
    values = arrays[name]
    spread = float(np.ptp(values[np.isfinite(values)])) or 1.0
    for k in range(ENTRIES):
        where = tuple(int(rng.integers(size)) for size in sizes)
        exact = step.entry(name, *where)
        place = tuple(
            ensemble.microcluster_of(at) if axis == "object" else at
            for axis, at in zip(quantity.axes, where, strict=True)
        )
        own = f"{name}_self" in arrays and where[0] == where[1]
        assert (arrays[f"{name}_self"][place[0]] if own else values[place]) == exact
        pin = f"{{ quantity: '{name}', where: view.pinAt('{name}', {list(where)}) }}"
        shown = view.ask(f"view.value('{name}', {pin})")
        if ensemble.n <= 400:  # beyond, a pixel of the picture is a mean of several objects
            assert shown == pytest.approx(exact, abs=max(spread, abs(exact)) / 200), (name, where)
        if k < 2:  # the mouse, and a click
            view.say(f"view.pin({pin})")
            view.until(f"Object.is(view.exact('{name}'), {exact!r}) && !view.busy")
            if ensemble.n <= 400:
                _pointed_at(view, f"view.placeOf('{name}', {pin})", name, exact)
            view.say("view.pin(null)")
    assert run is step.run


def _pointed_at(view, place, name, exact):
    """By the mouse, which is moved after a picture that moves while what stands above it grows."""
    seen = f"view.pointed && Object.is(view.pointed.values?.['{_id(view)}']?.['{name}'], {exact!r})"
    for _ in range(20):
        at = view.ask(place)
        view.page.mouse.move(*at)
        view.until(f"({seen}) || String({place}) !== '{','.join(map(repr, at))}'")
        if view.ask(f"Boolean({seen})"):
            return
    raise AssertionError(f"{name} never stood still")


def _id(view):
    return view.ask("view.run")
