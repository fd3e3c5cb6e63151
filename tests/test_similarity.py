"""Similarities of microclusters against brute force over objects, and against the authors' programs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from consensus_core import Ensemble
from consensus_core import similarity as sim
from consensus_core.ensemble.incidence import cluster_names, cluster_sizes, contingency, incidence

tables = hnp.arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(-1, 3))


def by_hand(table, i, j):
    """(together, seen) of two objects."""
    pairs = [(a, b) for a, b in zip(table[i].tolist(), table[j].tolist(), strict=True) if a != -1 and b != -1]
    return sum(a == b for a, b in pairs), len(pairs)


@given(tables)
def test_coassociation_and_coverage_by_hand(table):
    ensemble = Ensemble.from_labels(table)
    A, seen, both = sim.coassociation(ensemble), sim.coverage(ensemble), sim.together(ensemble)
    at = ensemble.member_of
    for i in range(len(table)):
        for j in range(len(table)):
            t, s = by_hand(table, i, j)
            assert both[at[i], at[j]] == t and seen[at[i], at[j]] == s
            assert A[at[i], at[j]] == (t / s if s else 0.0)


@given(tables)
def test_entropies_by_hand(table):
    ensemble = Ensemble.from_labels(table)
    labels = ensemble.labels()
    found = sim.entropies(ensemble)
    at = 0
    for column in labels.T:
        for c in range(column.max() + 1 if column.max() >= 0 else 0):
            members = labels[column == c]
            entropy = 0.0
            for other in members.T:
                other = other[other != -1]
                for x in set(other.tolist()):
                    p = float((other == x).mean())
                    entropy -= p * math.log2(p)
            assert found[at] == pytest.approx(entropy, abs=1e-12)
            at += 1
    assert at == len(found)


@given(tables, st.floats(0.1, 4))
def test_local_weighting_is_the_mean_index_of_shared_clusters(table, theta):
    ensemble = Ensemble.from_labels(table)
    index = sim.cluster_indices(ensemble, theta)
    A = sim.local_weighting(ensemble, theta)
    columns = ensemble.rows + ensemble.offsets[:-1]
    for p in range(ensemble.q):
        for r in range(ensemble.q):
            seen = (ensemble.rows[p] >= 0) & (ensemble.rows[r] >= 0)
            same = seen & (ensemble.rows[p] == ensemble.rows[r])
            expected = index[columns[p][same]].sum() / seen.sum() if seen.any() else 0.0
            assert A[p, r] == pytest.approx(expected, abs=1e-12)


def test_more_clusters_than_one_block_holds():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 60, size=(300, 21))
    ensemble = Ensemble.from_labels(table)
    assert ensemble.offsets[-1] > 1024
    H = incidence(ensemble).toarray()
    assert (sim.together(ensemble) == H @ H.T).all()
    weights = rng.random(H.shape[1])
    assert np.abs(sim.together(ensemble, weights) - (H * weights) @ H.T).max() < 1e-13
    assert (sim.together(ensemble) == sim.together(ensemble).T).all()


def test_incidence_contingency_and_names():
    ensemble = Ensemble.from_labels(np.array([[0, 1], [0, 1], [1, -1], [1, 0]]), names=["a", "b"])
    assert incidence(ensemble).toarray().tolist() == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0]]
    assert cluster_sizes(ensemble).tolist() == [2, 2, 1, 2]
    assert cluster_names(ensemble) == ("a: 0", "a: 1", "b: 0", "b: 1")
    assert contingency(ensemble).toarray().tolist() == [[2, 0, 0, 2], [0, 2, 1, 0], [0, 1, 1, 0], [2, 0, 0, 2]]


@pytest.mark.parametrize("name", [f"{d}_{c}" for d in ("Ecoli", "UMIST", "Aggregation") for c in ("1_20", "21_40")])
def test_equal_to_the_authors_program(golden, name):
    """EC-CMS's own program: co-association, cluster indices and locally weighted co-association, to 1e-12."""
    file = golden(f"ec_cms_{name}")
    ensemble = Ensemble.from_labels(file["base"])
    at = np.ix_(ensemble.member_of, ensemble.member_of)
    assert np.abs(sim.coassociation(ensemble)[at] - file["CA"]).max() <= 1e-12
    assert np.abs(sim.cluster_indices(ensemble, float(file["theta"])) - file["ECI"]).max() <= 1e-12
    A = sim.local_weighting(ensemble, float(file["theta"]))[at]
    np.fill_diagonal(A, 1)  # the program sets the self-pairs to 1
    assert np.abs(A - file["LWCA"]).max() <= 1e-12
