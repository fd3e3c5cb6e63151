"""k-means from stated starts, and the transfer cut: against scikit-learn and the graph written out."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from label_tables import planted, same_groups
from sklearn.cluster import KMeans

from consensus_core import Ensemble
from consensus_core.ensemble.incidence import incidence
from consensus_core.linalg import unit_rows
from consensus_core.partition import settled_kmeans, starting_kmeans, weighted_kmeans
from consensus_core.partition.transfer_cut import transfer_cut


@given(st.integers(0, 10_000), st.integers(2, 6), st.booleans())
def test_equal_rows_are_one_row_with_its_counts(seed, k, coarse):
    """Every start, ties on a grid included, is the same on the repeated rows; so are its end and what it ends with."""
    rng = np.random.default_rng(seed)
    X = rng.integers(4, size=(25, 2)).astype(float) if coarse else rng.normal(size=(25, 3))
    counts = rng.integers(1, 5, len(X))
    for of in (starting_kmeans, settled_kmeans):
        once, whole = of(X, k, counts, seed=seed), of(np.repeat(X, counts, axis=0), k, seed=seed)
        assert once.spread == pytest.approx(whole.spread, rel=1e-9, abs=1e-9)
        assert np.array_equal(np.repeat(once.labels, counts), whole.labels)
    assert settled_kmeans(X, k, counts, seed=seed).spread.min() <= starting_kmeans(X, k, counts, seed=seed).spread.min()


def test_nothing_moves_any_more_and_scikit_learn_agrees():
    rng = np.random.default_rng(10)
    X, counts = rng.normal(size=(40, 2)), rng.integers(1, 5, 40)
    found = settled_kmeans(X, 4, counts, starts=40)
    centres = np.array([np.average(X[found.labels == c], axis=0, weights=counts[found.labels == c]) for c in range(4)])
    fitted = KMeans(4, init=centres, n_init=1).fit(X, sample_weight=counts)
    assert same_groups(found.labels, fitted.labels_) and fitted.inertia_ == pytest.approx(found.spread.min())
    assert found.spread.min() <= KMeans(4, n_init=40, random_state=0).fit(X, sample_weight=counts).inertia_ * (1 + 1e-9)


def test_fewer_places_than_groups_and_groups_that_run_empty():
    X = np.repeat([[0.0, 0], [1, 1]], 3, axis=0)
    assert len(set(weighted_kmeans(X, 4).tolist())) == 2
    far = np.array([[0.0], [0.1], [0.2], [100], [101], [200]])
    assert len(set(weighted_kmeans(far, 5, starts=1).tolist())) == 5


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_transfer_cut_is_the_cut_of_the_whole_graph(missing):
    """Objects and clusters in one graph, every object for itself: σ = (1 − λ)², and its
    eigenvectors, of which the step from the clusters to their objects leaves √σ."""
    table = planted(n=50, m=6, wrong=0.3, seed=1, missing=missing)
    ensemble = Ensemble.from_labels(table)
    assert ensemble.q < ensemble.n
    weight = np.random.default_rng(0).random(ensemble.K) + 0.5
    G = incidence(ensemble) * weight
    cut = transfer_cut(G, 5, ensemble.weights)
    whole = G.toarray()[ensemble.member_of]
    graph = np.block([[np.zeros((50, 50)), whole], [whole.T, np.zeros((ensemble.K,) * 2)]])
    root = np.sqrt(graph.sum(axis=1))
    values, vectors = scipy.linalg.eigh(graph / root / root[:, None])
    assert cut.values == pytest.approx(values[::-1][:5] ** 2, abs=1e-12)
    theirs = unit_rows((vectors[:, ::-1][:, :4] / root[:, None])[:50] * np.sqrt(cut.values[:4]))
    ours = unit_rows(cut.X[:, :4])[ensemble.member_of]
    assert ours @ ours.T == pytest.approx(theirs @ theirs.T, abs=1e-9)
    assert cut.Y @ cut.V == pytest.approx(cut.d[:, None] * cut.V * cut.values, abs=1e-10)
    dense = transfer_cut(G.toarray(), 5, ensemble.weights)
    assert dense.X == pytest.approx(cut.X, abs=1e-9)


def test_parts_of_the_graph_come_first():
    ensemble = Ensemble.from_labels(np.array([[0, 0], [0, 1], [1, 2], [1, 2], [2, 3]]))
    cut = transfer_cut(incidence(ensemble), 5, ensemble.weights)
    assert cut.values[:3] == pytest.approx(1) and (cut.values[3:] < 1 - 1e-6).all()
    assert len(np.unique(unit_rows(cut.X[:, :3]).round(9), axis=0)) == 3
