"""Base clusterings of objects whose features lie in files that do not fit in memory, straight into counts.

Mini-batch k-means: some rows are drawn from all pieces; each base clustering draws its k, starts at k of these rows and
follows the mean of what comes nearest, batch after batch. Every object then belongs to the nearest centre, which no
file has to hold: labels are made again from the features wherever they are needed.

    centre_a ← centre_a + Σ (x_i − centre_a) / N_a    over the rows i of a batch that are nearest to a,
                                                      N_a: rows that were nearest to a so far

D. Sculley: Web-scale k-means clustering. WWW 2010.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.files import Files, find_files
from ..ensemble.files.batches import some_of
from ..ensemble.files.hands import each
from ..ensemble.files.models import Models, features_of
from ..ensemble.files.pieces import Piece
from ..errors import InputError
from .kmeans import nearest, random_start

SAMPLE, BATCH, PASSES = 200_000, 4096, 5
MOST_K = 50  # drawn for a base clustering; √n would be thousands, and no rows would repeat


def base_clusterings_of_files(
    where,
    features=None,
    ids: str | None = None,
    m: int = 20,
    k: int | None = None,
    seed: int = 0,
    most_k: int = MOST_K,
    client=None,
    processes: int | None = None,
    memory: float | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Ensemble:
    """`features`: the columns; all but `ids` unless said. `k`: of every base clustering; drawn from 2 to `most_k`
    unless said. The same for a seed, whoever does the work."""
    if m < 1 or (k is not None and k < 2) or most_k < 2:
        raise InputError(f"At least one base clustering of two clusters is needed, not m = {m}, k = {k or most_k}.")
    files = find_files(where, features, ids)
    who = {"client": client, "processes": processes}
    drawn = dict(each(_drawn, files.pieces, (files, seed, -(-SAMPLE // len(files.pieces))), **who))
    sample = np.concatenate([drawn[piece] for piece in files.pieces])
    middle = sample.mean(axis=0)
    centres = dict(each(_fitted, list(range(m)), (sample - middle, k, most_k, seed), **who))
    models = Models(files.columns, tuple(centres[i] + middle for i in range(m)))
    made = dataclasses.replace(files, columns=models.names, models=models)
    return Ensemble.from_files(made, memory=memory, told=told, **who)


def _drawn(piece: Piece, files: Files, seed: int, share: int) -> np.ndarray:
    """`share` rows of a piece by chance, each as likely as any other (a reservoir)."""
    rng, kept, seen = np.random.default_rng([seed, piece.number]), None, 0
    for at, batch in some_of(piece, files.columns):
        X = features_of(batch, files.columns, piece.name, at)
        key = rng.random(len(X))
        rows, keys = (X, key) if kept is None else (np.concatenate([kept[0], X]), np.concatenate([kept[1], key]))
        best = np.argsort(keys)[:share]
        kept, seen = (rows[best], keys[best]), seen + len(X)
    if kept is None:
        raise InputError(f"{piece.name}: there is not a single row.")
    return kept[0]


def _fitted(index: int, X: np.ndarray, k: int | None, most_k: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng([seed, index, 1])
    k = k or int(rng.integers(2, min(most_k, max(int(np.sqrt(len(X))), 2)) + 1))
    centres = random_start(X, k, rng).copy()
    weight = np.zeros(len(centres))
    for _ in range(PASSES):
        order = rng.permutation(len(X))
        for start in range(0, len(X), BATCH):
            some = X[order[start : start + BATCH]]
            labels = nearest(some, centres)
            size = np.bincount(labels, minlength=len(centres)).astype(float)
            sums = np.zeros_like(centres)
            np.add.at(sums, labels, some)
            weight += size
            centres += np.divide(sums - size[:, None] * centres, weight[:, None], where=weight[:, None] > 0,
                                 out=np.zeros_like(centres))  # fmt: skip
    return centres
