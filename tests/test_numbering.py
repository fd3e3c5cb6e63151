"""One numbering of clusters: a function of the ensemble and the partition alone."""

from __future__ import annotations

from types import SimpleNamespace

import contract
import label_tables
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus_core import METHODS, Ensemble, iterate, solve
from consensus_core.partition import linkage, numbering
from consensus_core.partition.numbering import numbered, reference
from consensus_core.similarity import coassociation

ENSEMBLE = label_tables.ensemble_of(n=60, m=8, k=5, wrong=0.3, seed=4)
partitions = st.lists(st.integers(0, 5), min_size=ENSEMBLE.q, max_size=ENSEMBLE.q).map(np.array)


def without_gaps(labels):
    return np.unique(labels, return_inverse=True)[1].reshape(-1)


@given(partitions, st.randoms(use_true_random=False))
def test_the_names_a_method_gives_do_not_matter(labels, random):
    labels = without_gaps(labels)
    other = list(range(labels.max() + 1))
    random.shuffle(other)
    one, two = numbered(ENSEMBLE, labels), numbered(ENSEMBLE, np.array(other)[labels])
    assert (one == two).all()
    assert label_tables.same_groups(one, labels)
    assert sorted(set(one.tolist())) == list(range(labels.max() + 1))


def test_splitting_a_cluster_leaves_the_other_numbers():
    """The cuts of the tree itself: where one cluster more is wanted, one is split and every other keeps its number."""
    tree = linkage(coassociation(ENSEMBLE), ENSEMBLE.counts)
    before = numbered(ENSEMBLE, tree.cut(1))
    for k in range(2, 12):
        labels = numbered(ENSEMBLE, tree.cut(k))
        moved = labels != before
        assert set(labels[moved].tolist()) == {k - 1}, "only the new number is given to somebody"
        sizes = np.bincount(labels, weights=ENSEMBLE.counts)
        parent = before[moved][0]
        assert sizes[k - 1] <= sizes[parent], "the smaller part gets it"
        before = labels


def test_a_group_keeps_its_number_across_methods_settings_and_iterations():
    """Groups that all base clusterings agree on, whatever is done with them."""
    truth = np.repeat(np.arange(4), [9, 12, 15, 18])
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.permutation(4)[truth] for _ in range(7)])
    table[rng.random(table.shape) < 0.05] = 3
    ensemble = Ensemble.from_labels(table)
    seen = set()
    for cls in METHODS.values():
        for setting in contract.settings(cls)[:4]:
            for step in iterate(cls(k=4, **setting), ensemble):
                if label_tables.same_groups(step.labels, truth):
                    seen.add(tuple(step.labels.tolist()))
    assert len(seen) == 1


def placed(monkeypatch, shared):
    """What the clusters are called which share so many objects with each place of a tree; each is one row or more."""
    k, pairs = len(shared), np.argwhere(shared > 0)
    labels, slots = pairs.T
    counts = shared[labels, slots]
    ensemble = Ensemble(np.arange(len(pairs))[:, None].astype(np.int32), counts, None, ["made"])
    monkeypatch.setattr(numbering, "reference", lambda _: SimpleNamespace(cut=lambda _: slots))
    names = numbered(ensemble, labels)
    return [int(names[labels == c][0]) for c in range(k)]


def test_among_equals_the_first_cluster_takes_the_first_place(monkeypatch):
    """Two ways to place as many objects: the one in which the first clusters keep their places."""
    for ways in (((0, 1, 3, 2), (1, 2, 0, 3)), ((0, 2, 1, 3), (2, 1, 3, 0))):
        shared = np.zeros((4, 4), dtype=int)
        for way in ways:
            shared[np.arange(4), way] = 5
        assert placed(monkeypatch, shared) == list(ways[0])
    assert placed(monkeypatch, np.full((5, 5), 3)) == [0, 1, 2, 3, 4]


def test_a_single_object_outweighs_what_decides_among_equals(monkeypatch):
    """However many clusters there are."""
    k = 300
    shared = np.zeros((k, k), dtype=int)
    shared[np.arange(k), np.arange(k)] = 1
    shared[[0, -1], [-1, 0]] = 1, 2  # exchanged, these two keep one object more
    names = placed(monkeypatch, shared)
    assert (names[0], names[1], names[-1]) == (k - 1, 1, 0)


def test_large_ensembles_are_numbered_by_their_largest_microclusters(monkeypatch):
    """The rows that stand for most objects make the tree; the others follow, and the rule is the same."""
    monkeypatch.setattr(numbering, "MOST", 40)
    ensemble = Ensemble.from_labels(label_tables.planted(n=400, m=9, k=4, wrong=0.12, seed=2))
    tree = reference(ensemble)
    assert len(tree.chosen) == 40 < ensemble.q
    places = tree.cut(4)
    assert places.min() >= 0, "every row shares a cluster with one of the tree"
    assert (numbered(ensemble, places) == places).all()
    assert (numbered(ensemble, 3 - places) == places).all()
    assert label_tables.same_groups(places[tree.chosen], linkage(
        coassociation(Ensemble(ensemble.rows[tree.chosen], ensemble.counts[tree.chosen], None, ensemble.names)),
        ensemble.counts[tree.chosen],
    ).cut(4))  # fmt: skip
    rows, counts = ensemble.rows, ensemble.counts
    for p in np.setdiff1d(np.arange(ensemble.q), tree.chosen):
        share = np.zeros(4)
        for label, column in zip(rows[p], rows[tree.chosen].T, strict=True):
            mates = tree.chosen[column == label]
            if len(mates):
                share += np.bincount(places[mates], counts[mates], 4) / counts[mates].sum()
        assert share[places[p]] == pytest.approx(share.max()), "where most of the clusters it is in are"


def test_where_a_cluster_falls_into_equal_parts_the_first_keeps_the_number():
    ensemble = Ensemble.from_labels([[0], [0], [1], [1]])
    np.testing.assert_array_equal(numbering.Reference(ensemble).cut(2), [0, 1])
    larger = Ensemble.from_labels([[0], [0], [1], [1], [1]])
    places = numbering.Reference(larger).cut(2)[larger.canonical.member_of]
    assert (places[2:] == 0).all() and (places[:2] == 1).all(), "else the larger one"


def test_who_shares_no_cluster_with_those_in_the_tree_has_no_place_in_it(monkeypatch):
    """Of two groups that have nothing in common the larger one is in the tree; the other has no say about numbers."""
    monkeypatch.setattr(numbering, "MOST", 2)
    ensemble = Ensemble.from_labels([[0, 0]] * 5 + [[0, 1]] * 4 + [[2, 2]] * 2 + [[2, 3]])
    places = numbering.Reference(ensemble).cut(2)[ensemble.canonical.member_of]
    assert (places[:9] >= 0).all() and len(set(places[:9])) == 2
    assert (places[9:] == -1).all()


@pytest.mark.parametrize("key", METHODS)
def test_results_steps_and_entries_have_one_numbering(key):
    ensemble = label_tables.ensemble_of(n=40, missing=0.0)
    result = solve(METHODS[key](k=4), ensemble)
    assert (result.labels == result.step.labels).all()
    for i in (0, 7, 39):
        assert result.why("cluster", i).value == result.labels[i] + 1


def test_nobody_is_left_out_where_nothing_is_known():
    table = np.array([[0, 0], [0, 0], [1, 1], [-1, -1], [1, 0]])
    ensemble = Ensemble.from_labels(table)
    assert sorted(set(numbered(ensemble, np.arange(ensemble.q)).tolist())) == list(range(ensemble.q))
