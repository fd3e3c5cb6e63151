"""Base clusterings of features that lie in files: mini-batch k-means, straight into counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import MiniBatchKMeans
from sklearn.datasets import make_blobs

from consensus_core import LWEA, Ensemble, InputError, scores, solve
from consensus_core.data.counts import load_counts, save_counts
from consensus_core.generate import base_clusterings_of_files
from consensus_core.generate.from_files import _fitted


def blobs(folder, n=2000, parts=3, kind="parquet"):
    X, truth = make_blobs(n, n_features=3, centers=5, cluster_std=0.6, random_state=1)
    table = pd.DataFrame(X, columns=["x", "y", "z"]).assign(id=np.arange(n))
    folder.mkdir(exist_ok=True)
    for at, rows in enumerate(np.array_split(np.arange(n), parts)):
        some = table.iloc[rows]
        some.to_parquet(
            folder / f"{at}.parquet", index=False, row_group_size=300
        ) if kind == "parquet" else some.to_csv(folder / f"{at}.csv", index=False)
    return X, truth


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_the_groups_are_found_and_written_beside_the_ids(tmp_path, kind):
    X, truth = blobs(tmp_path / "in", kind=kind)
    ensemble = base_clusterings_of_files(tmp_path / "in", ids="id", m=8, most_k=12, seed=3, processes=1)
    assert ensemble.n == 2000 and ensemble.m == 8 and ensemble.q < 1000
    result = solve(LWEA(k=5), ensemble)
    found = pd.concat([pd.read_parquet(file) for file in result.write(tmp_path / "out", processes=1)])
    assert found["id"].astype(int).tolist() == list(range(2000))  # ids of a CSV file are texts
    assert scores.ari(found["cluster"].to_numpy(), truth) > 0.95
    models = ensemble.files.models
    nearest = [((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1) for centres in models.centres]
    assert Ensemble.from_labels(np.column_stack(nearest)).q == ensemble.q, "each object has its nearest centre"


def test_the_same_for_a_seed_whoever_does_the_work(tmp_path):
    blobs(tmp_path / "in")
    asked = {"ids": "id", "m": 4, "seed": 5}
    one = base_clusterings_of_files(tmp_path / "in", processes=1, **asked)
    assert base_clusterings_of_files(tmp_path / "in", processes=2, **asked) == one
    assert base_clusterings_of_files(tmp_path / "in", processes=1, **{**asked, "seed": 6}) != one
    again = load_counts(save_counts(one, tmp_path / "kept.counts"))
    ours, theirs = again.files.models, one.files.models
    assert all((a == b).all() for a, b in zip(ours.centres, theirs.centres, strict=True))


def test_it_is_as_good_as_the_librarys_mini_batches():
    X, _ = make_blobs(20_000, n_features=4, centers=12, cluster_std=1.5, random_state=2)

    def inertia(centres):
        return ((X[:, None] - centres) ** 2).sum(axis=2).min(axis=1).mean()

    ours = [inertia(_fitted(seed, X, 12, 50, 0)) for seed in range(10)]
    theirs = [
        MiniBatchKMeans(12, init="random", n_init=1, batch_size=4096, max_iter=5, random_state=seed)
        .fit(X)
        .cluster_centers_
        for seed in range(10)
    ]
    assert np.mean(ours) < 1.15 * np.mean([inertia(centres) for centres in theirs])


def test_what_is_wrong_with_features_is_said(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,\n")
    with pytest.raises(InputError, match=r"a\.csv"):
        base_clusterings_of_files(tmp_path, processes=1)
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,inf\n")
    with pytest.raises(InputError, match=r"a\.csv, row 2, column 'y': a value is missing or infinite"):
        base_clusterings_of_files(tmp_path, processes=1)
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,high\n")
    with pytest.raises(InputError, match="not every cell is a number"):
        base_clusterings_of_files(tmp_path, processes=1)
    with pytest.raises(InputError, match="At least one base clustering"):
        base_clusterings_of_files(tmp_path, m=0)
