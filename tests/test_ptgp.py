"""PTGP: trajectories and the whole graph written out, the authors' program."""

from __future__ import annotations

import numpy as np
import pytest
from draws import ari_over_draws, some_of
from label_tables import planted
from oracles.classics_nrow import bipartite_places, indicator, trajectories

from consensus_core import METHODS, Ensemble, solve

PTGP = METHODS["ptgp"]
EVERY = pytest.mark.skipif(not some_of("ab")[1:], reason="a second: with QUORUM_POOLS=all")


def test_from_the_definition():
    ensemble = Ensemble.from_labels(planted(n=90, m=9, wrong=0.3, seed=3))
    result = solve(PTGP(k=4, elite=4, steps=5), ensemble)
    H = indicator(ensemble.rows)  # every label row counts once
    G = trajectories(ensemble.rows, ensemble.counts, 4, 5) @ H / H.sum(axis=0)
    assert result.value("G") == pytest.approx(G, abs=1e-12)
    values, X = bipartite_places(G, 4)
    assert result.value("sigma")[:4] == pytest.approx(values, abs=1e-10)
    assert result.value("X") @ result.value("X").T == pytest.approx(X @ X.T, abs=1e-6)


@pytest.mark.parametrize("name", ["Ecoli", "Aggregation", "UMIST"])
def test_the_authors_program(golden, name):
    file = golden(f"ptgp_{name}")
    ensemble = Ensemble.from_labels(file["base"])
    method = PTGP(k=int(file["K"]))
    assert method.kept(ensemble) == (int(file["K_elite"]), int(file["T"]))
    result = solve(method, ensemble)
    theirs = file["eigenvalues"].ravel()
    assert result.value("sigma")[: len(theirs)] == pytest.approx(theirs, abs=1e-10)
    X = result.value("X")[ensemble.member_of[:50]]
    assert X @ X.T == pytest.approx(file["gram_first50_objects"], abs=1e-7)


# The page's means of the authors' program with three starts, and of its prototype with ten
@pytest.mark.parametrize(
    ("name", "mean"), [("Ecoli", 0.351), ("Aggregation", 0.629), pytest.param("UMIST", 0.323, marks=EVERY)]
)
def test_the_mean_over_the_papers_draws(pool, name, mean):
    k = len(np.unique(pool(name)[1]))
    assert ari_over_draws(PTGP(k=k), pool(name))[0] == pytest.approx(mean, abs=0.006)
