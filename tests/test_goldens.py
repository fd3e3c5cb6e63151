"""Every method of the first seven against golden files of our own: numbers the literal n-row programs have written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from label_tables import same_groups

from consensus_core import METHODS, Ensemble
from consensus_core.linalg.paired import Paired
from consensus_core.method import iterate

FILES = sorted((Path(__file__).parent / "golden").glob("*.npz"))
# SLSQP's weights are exact to about this; everything else of the oracles is to rounding, or to the tolerance of theirs
NEAR = {"pce": 1e-5, "ceshl": 1e-6}


def key_of(path: Path) -> str:
    return max((key for key in METHODS if path.stem == key or path.stem.startswith(f"{key}_")), key=len)


def on_objects(ensemble, value, axes) -> np.ndarray:
    """A quantity over all objects."""
    at = ensemble.member_of
    if isinstance(value, Paired):
        full = value.B[np.ix_(at, at)].copy()
        np.fill_diagonal(full, value.d[at])
        return full
    value = np.asarray(value)
    for side, axis in enumerate(axes):
        value = np.take(value, at, axis=side) if axis == "object" else value
    return value


def test_there_are_files_of_every_method():
    assert {key_of(path) for path in FILES} == {"ceshl", "eac", "ec_cms", "lwea", "pce", "spce", "trce"}


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_run_is_the_one_written_down(path):
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    table, setting, key = arrays.pop("table"), json.loads(str(arrays.pop("setting"))), key_of(path)
    ensemble = Ensemble.from_labels(table)
    assert ensemble.q < ensemble.n
    free = {"exact_k": False} if any(param.name == "exact_k" for param in METHODS[key].params()) else {}
    method = METHODS[key](k=3, **free, **setting)
    steps = {step.iteration: step for step in iterate(method, ensemble)}
    for name, theirs in arrays.items():
        name, _, at = name.partition("@")
        step, where = steps[int(at)], f"{name} at iteration {at}"
        if name == "labels":
            assert same_groups(step.labels, theirs), where
            continue
        ours = on_objects(ensemble, step.value(name), method.quantity(name).axes)
        assert ours.shape == theirs.shape, where
        if theirs.ndim == 2 and theirs.shape[0] == theirs.shape[1] == ensemble.n and key in ("spce", "eac", "lwea"):
            ours, theirs = np.triu(ours, 1), np.triu(theirs, 1)  # what an object has with itself is a convention
        off = np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max())
        assert off <= NEAR.get(key, 1e-9), f"{where}: off by {off:.2g}"
