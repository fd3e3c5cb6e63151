"""The samples: small data sets and ensembles that come along, described in sample_data/samples.json.

SAMPLES["shapes"].teaches           load("shapes").ensemble
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..beside import beside
from ..ensemble import Ensemble
from ..errors import InputError

FOLDER = beside("sample_data")
FIRST = "island"  # what a first visit shows


@dataclass(frozen=True)
class Score:
    """What a right program gets by `method` (a key of METHODS) with `params` and the k of the sample."""

    method: str
    params: tuple[tuple[str, object], ...]
    ari: float
    nmi: float  # arithmetic mean of the entropies
    how: str


@dataclass(frozen=True)
class Sample:
    """One sample as it is described; `load(key)` fetches it."""

    key: str
    title: str
    group: str  # "breaking" where it was made so that a switch is seen to matter; else ""
    kind: str  # "features" (with ready base clusterings beside) or "labels"
    files: tuple[str, ...]  # in sample_data/; the features, if any, before the labels
    n: int
    m: int
    p: int | None
    k: int
    truth: str | None  # the column that says what is true
    ids: str | None  # the column that names the objects
    recipe: str  # how the base clusterings were made
    origin: str
    licence: str
    teaches: str
    answer: tuple[int, ...] | None  # the consensus of a tiny example
    agreement: float  # mean ARI of two base clusterings
    base_ari: float | None  # mean ARI of a base clustering with the truth
    scores: tuple[Score, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(FOLDER / name for name in self.files)


@dataclass(frozen=True, eq=False)
class Loaded:
    """A sample in memory; arrays are read-only."""

    sample: Sample
    ensemble: Ensemble
    features: np.ndarray | None  # (n, p)
    feature_names: tuple[str, ...]
    ids: np.ndarray | None  # (n,)
    truth: np.ndarray | None  # (n,)


def _described() -> dict[str, Sample]:
    source = FOLDER / "samples.json"
    if not source.is_file():  # an installed core without the project around it has no samples
        return {}
    found = {}
    for entry in json.loads(source.read_text(encoding="utf-8")):
        scores = tuple(Score(**{**score, "params": tuple(score["params"].items())}) for score in entry["scores"])
        answer = None if entry["answer"] is None else tuple(entry["answer"])
        files = tuple(dict.fromkeys(entry["files"].values()))
        found[entry["key"]] = Sample(**{**entry, "scores": scores, "answer": answer, "files": files})
    return found


SAMPLES: dict[str, Sample] = _described()


@functools.lru_cache(maxsize=32)
def load(key: str) -> Loaded:
    """A sample: its ready ensemble, and its features, ids and truth where it has them."""
    if key not in SAMPLES:
        known = ", ".join(SAMPLES) or "none: the folder sample_data is not beside consensus_core"
        raise InputError(f"There is no sample {key!r}; there are {known}.")
    sample = SAMPLES[key]
    read = _from_npz if sample.files[0].endswith(".npz") else _from_csv
    features, labels, ids, truth = read(sample)
    ensemble = Ensemble.from_labels(labels, truth=truth)
    names = () if features is None else tuple(map(str, features.columns))
    matrix = None if features is None else features.to_numpy(dtype=float)
    return Loaded(sample, ensemble, _frozen(matrix), names, _frozen(ids), _frozen(truth))


def _from_csv(sample: Sample):
    tables = [pd.read_csv(path) for path in sample.paths]
    besides = {name: None for name in (sample.ids, sample.truth)}
    for name in filter(None, besides):
        owner = next(table for table in tables if name in table)
        besides[name] = owner.pop(name).to_numpy()
    features = tables[0] if sample.kind == "features" else None
    return features, tables[-1], besides[sample.ids], besides[sample.truth]


def _from_npz(sample: Sample):
    with np.load(sample.paths[0], allow_pickle=False) as parts:
        features = pd.DataFrame(parts["features"], columns=parts["feature_names"])
        labels = pd.DataFrame(parts["labels"], columns=parts["names"])
        return features, labels, None, parts["class"]


def _frozen(array):
    if array is None:
        return None
    array = np.array(array)
    array.flags.writeable = False
    return array
