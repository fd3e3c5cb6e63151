"""U-SENC: the whole graph of objects and clusters, the authors' program, agreement."""

from __future__ import annotations

import numpy as np
import pytest
from draws import ari_over_draws, some_of
from label_tables import planted
from oracles.classics_nrow import bipartite_places, indicator
from sklearn.metrics import adjusted_rand_score

from consensus_core import METHODS, Ensemble, solve

USENC = METHODS["usenc"]
EVERY = pytest.mark.skipif(not some_of("ab")[1:], reason="a second: with QUORUM_POOLS=all")
FIRST_20 = {"Ecoli": 0.412, "Aggregation": 0.955, "UMIST": 0.328}  # the page's ARI of columns 1 to 20


def test_the_graph_of_all_objects():
    table = planted(n=70, m=7, wrong=0.3, seed=4)
    ensemble = Ensemble.from_labels(table)
    result = solve(USENC(k=4), ensemble)
    values, X = bipartite_places(indicator(table), 4)
    assert result.value("sigma")[:4] == pytest.approx(values, abs=1e-12)
    ours = result.value("X")[ensemble.member_of]
    assert ours @ ours.T == pytest.approx(X @ X.T, abs=1e-9)


def test_base_clusterings_that_agree():
    truth = np.repeat([0, 1, 2], [5, 9, 14])
    result = solve(USENC(k=3), Ensemble.from_labels(np.repeat(truth[:, None], 6, axis=1)))
    sigma = result.value("sigma")
    assert sigma[:3] == pytest.approx(1) and sigma[3:] == pytest.approx(0, abs=1e-12)
    assert result.value("gap") == pytest.approx(1) and result.value("relaxed") == pytest.approx(0, abs=1e-12)


def test_a_cut_that_is_not_determined_is_said():
    table = np.repeat(np.arange(4)[:, None], 3, axis=1)
    assert "more than one way" in " ".join(solve(USENC(k=2), Ensemble.from_labels(table)).remarks)


@pytest.mark.parametrize("name", FIRST_20)
def test_the_authors_program(golden, name):
    file = golden(f"usenc_{name}")
    ensemble = Ensemble.from_labels(file["members"])
    result = solve(USENC(k=int(file["K"])), ensemble)
    theirs = file["eigenvalues"].ravel()
    assert result.value("sigma")[: len(theirs)] == pytest.approx(theirs, abs=1e-10)
    X = result.value("X")[ensemble.member_of]
    assert X @ X.T == pytest.approx(file["embedding"] @ file["embedding"].T, abs=1e-6)  # single precision in the file
    assert adjusted_rand_score(file["gt"].ravel(), result.labels) == pytest.approx(FIRST_20[name], abs=0.01)


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        ("Ecoli", 0.432),
        ("Aggregation", 0.839),
        pytest.param("UMIST", 0.336, marks=EVERY),
        pytest.param("SPF", 0.067, marks=EVERY),
    ],
)
def test_the_mean_over_the_papers_draws(pool, name, mean):
    k = len(np.unique(pool(name)[1]))
    assert ari_over_draws(USENC(k=k), pool(name))[0] == pytest.approx(mean, abs=0.006)
