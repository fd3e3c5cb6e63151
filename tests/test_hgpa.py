"""HGPA by spectrum: Zhou, Huang and Schölkopf's hypergraph Laplacian written out, the prototype's golden files."""

from __future__ import annotations

import numpy as np
import pytest
from label_tables import planted
from oracles.classics_nrow import indicator, unit

from consensus_core import METHODS, Ensemble, solve
from consensus_core.partition import spread_of

HGPA = METHODS["hgpa"]


def test_it_is_the_normalised_cut_of_the_hypergraph():
    """Σ_e [p and r in e] / |C_e| over all objects, degrees m: its leading eigenvectors, σ and rows."""
    table = planted(n=60, m=6, wrong=0.3, seed=2)
    ensemble, H = Ensemble.from_labels(table), indicator(table)
    result = solve(HGPA(k=4), ensemble)
    S = (H / H.sum(axis=0)) @ H.T
    assert S.sum(axis=1) == pytest.approx(6)
    values, vectors = np.linalg.eigh(S / 6)
    assert result.value("sigma")[:4] == pytest.approx(values[::-1][:4], abs=1e-12)
    theirs, ours = unit(vectors[:, ::-1][:, :4] * np.sqrt(values[::-1][:4])), result.value("X")[ensemble.member_of]
    assert ours @ ours.T == pytest.approx(theirs @ theirs.T, abs=1e-9)


def test_torn_hyperedges_by_hand():
    """Four hyperedges; one of the second clustering has an object on either side."""
    table = np.array([[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 1]])
    result = solve(HGPA(k=2), Ensemble.from_labels(table))
    least = 0.75 if result.labels[2] == result.labels[0] else 2 / 3  # object 2 goes with the pair or with the three
    kept, torn = result.value("kept"), result.value("torn")
    assert torn == 1 and sorted(kept.tolist()) == pytest.approx([least, 1, 1, 1])


@pytest.mark.parametrize("name", ["Ecoli", "Aggregation", "UMIST", "Lung"])
def test_golden_files(golden, name):
    file = golden(f"hgpa_{name}")
    ensemble = Ensemble.from_labels(file["base"])
    result = solve(HGPA(k=int(file["K"])), ensemble)
    theirs = file["eigenvalues"].ravel()
    assert result.value("sigma")[: len(theirs)] == pytest.approx(theirs, abs=1e-10)
    X = result.value("X")[ensemble.member_of[:50]]
    assert X @ X.T == pytest.approx(file["gram_first50_objects"], abs=1e-7)
    best = file["labels_best_of_100"].ravel().astype(int)
    best = spread_of(result.value("X")[ensemble.member_of], best - best.min(), np.ones(ensemble.n))
    assert result.objective <= best * (1 + 1e-4)
