"""Ensembles as microclusters: exact, ordered, frozen, whatever the labels look like."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from consensus_core import MISSING, Ensemble, InputError
from consensus_core.ensemble import incidence as incidence_file
from consensus_core.ensemble.incidence import cluster_sizes, held_by, incidence, indicators

tables = hnp.arrays(
    np.int64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(-1, 4)
)  # labels, with some missing
wild = hnp.arrays(
    np.int64,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=8),
    elements=st.sampled_from([-(2**62), -7, -2, -1, 0, 1, 2**40, 2**62]),
)


def coded(table):
    """Codes per column in ascending order of label, −1 missing."""
    found = np.empty(table.shape, dtype=np.int64)
    for j, column in enumerate(table.T):
        labels = sorted(set(column.tolist()) - {-1})
        found[:, j] = [labels.index(x) if x != -1 else -1 for x in column]
    return found


@given(st.one_of(tables, wild))
def test_rows_are_numpys_distinct_rows(table):
    ensemble = Ensemble.from_labels(table)
    rows, counts = np.unique(coded(table), axis=0, return_counts=True)
    order = np.lexsort(ensemble.rows.T[::-1])
    assert (ensemble.rows[order] == rows).all() and (ensemble.counts[order] == counts).all()
    assert (ensemble.rows[ensemble.member_of] == coded(table)).all()
    assert (ensemble.labels() == coded(table)).all()
    for given_labels, column in zip(ensemble.labels_given, table.T, strict=True):
        assert given_labels.tolist() == sorted(set(column.tolist()) - {-1})
    assert (ensemble.member_of[ensemble.first_of] == np.arange(ensemble.q)).all()


def otherwise(table, rng):
    """The same ensemble with objects and columns in another order and other names for the clusters of each."""
    table = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    return np.column_stack([np.where(c < 0, -1, rng.permutation(9)[c]) for c in table.T])


symmetric = st.sampled_from([
    np.repeat(np.arange(5)[:, None], 4, axis=1),  # singletons under equal clusterings
    np.array([[a, b] for a in range(3) for b in range(3)]),  # every pair of labels once
    np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 0, 0], [1, 1, 1], [2, 2, 2]]),
    np.array([[0, 0, -1], [0, -1, 0], [-1, 0, 0], [1, 1, 1]]),
    np.kron(np.eye(3, dtype=int), np.ones((2, 2), dtype=int)),
    np.full((4, 3), -1),
])  # fmt: skip


@given(st.one_of(tables, symmetric), st.integers(0, 2**32 - 1))
def test_names_and_places_decide_nothing_ties_included(table, seed):
    one = Ensemble.from_labels(table).canonical
    two = Ensemble.from_labels(otherwise(table, np.random.default_rng(seed))).canonical
    assert one.rows.tolist() == two.rows.tolist()
    assert one.counts.tolist() == two.counts.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_which_of_two_tied_clusters_comes_first_does_not_hang_on_its_column(seed):
    """A cluster was singled out by the place of its base clustering: two of three orders of these columns differed."""
    table = np.array([[2, 2], [-1, 1], [0, 0]])
    test_names_and_places_decide_nothing_ties_included.hypothesis.inner_test(table, seed)


@given(tables, st.integers(0, 99))
def test_a_large_table_is_ordered_like_a_small_one(table, seed):
    """The way of large tables, forced on small ones: colours of a few rows first, columns one by one."""
    from consensus_core.ensemble import order

    kept, order.AT_ONCE = order.AT_ONCE, 0
    try:
        test_names_and_places_decide_nothing_ties_included.hypothesis.inner_test(table, seed)
    finally:
        order.AT_ONCE = kept


@given(tables)
def test_the_canonical_form_is_the_same_ensemble(table):
    ensemble = Ensemble.from_labels(table, names=[f"c{i}" for i in range(table.shape[1])])
    canonical = ensemble.canonical
    assert canonical.canonical is canonical and (canonical.counts == ensemble.counts).all()
    place = ensemble.inward("clustering")
    assert [canonical.names[i] for i in place] == list(ensemble.names)
    assert canonical.as_given.tolist() == place.tolist()
    clusters = ensemble.inward("hyperedge")
    assert sorted(clusters.tolist()) == list(range(ensemble.K))
    for c in range(ensemble.K):
        (i, code), (j, other) = ensemble.cluster(c), canonical.cluster(int(clusters[c]))
        assert j == place[i] and ((ensemble.rows[:, i] == code) == (canonical.rows[:, j] == other)).all()
        assert ensemble.labels_given[i][code] == canonical.labels_given[j][other]
        assert ensemble.outward("hyperedge", int(clusters[c])) == c
    direct = Ensemble(ensemble.rows, ensemble.counts, ensemble.member_of, ensemble.names)
    assert direct.canonical.rows.tolist() == canonical.rows.tolist()


@given(st.integers(1, 9).flatmap(lambda m: hnp.arrays(np.int64, (6, m * 9), elements=st.integers(-1, 200))))
def test_many_wide_columns_do_not_overflow_the_keys(table):
    ensemble = Ensemble.from_labels(table)
    assert (ensemble.labels() == coded(table)).all()


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_the_objects_decides_nothing(table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    one, two = Ensemble.from_labels(table), Ensemble.from_labels(table[order])
    assert (one.rows == two.rows).all() and (one.counts == two.counts).all()
    assert (one.member_of[order] == two.member_of).all()


@given(tables)
def test_every_way_to_write_a_label_is_understood(table):
    plain = Ensemble.from_labels(table)
    as_floats = np.where(table == -1, np.nan, table)
    words = [[None if x == -1 else f"{x}" for x in row] for row in table.tolist()]
    empty = [["" if x == -1 else f"{x}" for x in row] for row in table.tolist()]
    for other in (
        table.astype(np.int8),
        as_floats,
        table.astype(float),
        words,
        np.array(words, dtype=object),
        np.array(empty),
        pd.DataFrame(as_floats),
        pd.DataFrame(empty),
        pd.DataFrame(words).astype("category"),
        pd.DataFrame(as_floats).astype("Int64"),
        table.tolist(),
    ):
        found = Ensemble.from_labels(other, names=plain.names)
        assert found == plain, f"{type(other)} is read otherwise"


def test_numbers_and_text_in_one_column():
    ensemble = Ensemble.from_labels(pd.DataFrame({"a": ["x", 2, None, 1, "x", -1, np.nan]}, dtype=object))
    assert ensemble.labels().ravel().tolist() == [2, 1, MISSING, 0, 2, MISSING, MISSING]
    assert ensemble.names == ("a",)


def test_booleans_and_unsigned():
    assert Ensemble.from_labels(np.array([[True], [False]])).rows.ravel().tolist() == [0, 1]
    big = np.array([[255, 3], [0, 3]], dtype=np.uint8)
    assert Ensemble.from_labels(big).labels().tolist() == [[1, 0], [0, 0]]


def test_no_digit_of_a_label_is_lost():
    """Neighbours that are one number as a float: lists, mixed widths, and integers beyond those with a sign."""
    near = [2**60, 2**60 + 1]
    for table in (
        [[x] for x in near],
        [[x, None] for x in near],
        [[x, 0.5] for x in near],
        [[x * 2**10] for x in near],
        near,
        pd.DataFrame({"a": np.array(near), "b": np.array([7, 7], dtype=np.uint64)}),
        np.array([[2**64 - 3], [2**64 - 2]], dtype=np.uint64),
        np.array([[2**63 + 1], [2**63 + 2]], dtype=np.uint64),
    ):
        assert Ensemble.from_labels(table).labels()[:, 0].tolist() == [0, 1]


def test_tables_of_other_makes():
    import pyarrow

    table = np.array([[0, 1], [1, 2], [1, -1]])
    plain = Ensemble.from_labels(table, names=["a", "b"])
    frame = pd.DataFrame(table, columns=["a", "b"])
    assert Ensemble.from_labels(pyarrow.Table.from_pandas(frame)) == plain
    assert Ensemble.from_labels(table.astype(">f8"), names=["a", "b"]) == plain
    for dtype in (int, float, object):
        masked = np.ma.masked_array(np.abs(table).astype(dtype), mask=table < 0)
        assert Ensemble.from_labels(masked, names=["a", "b"]) == plain, "what is masked is missing"
    assert Ensemble.from_labels(np.array([[b"x"], [b""]])).has_missing


def test_a_single_base_clustering_may_be_a_plain_list():
    for column in (["x", "y", "x"], [0, 1, 0], np.array(["x", "y", "x"], dtype=object), pd.Series(["x", "y", "x"])):
        ensemble = Ensemble.from_labels(column)
        assert ensemble.labels().ravel().tolist() == [0, 1, 0] and ensemble.names == ("clustering 1",)
    assert Ensemble.from_labels(pd.Series([0, 1], name="mine")).names == ("mine",)


def test_a_truth_of_any_kind_has_a_fingerprint():
    table = [[0], [1]]
    days = Ensemble.from_labels(table, truth=np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]"))
    assert days == days.select([0]) and days != Ensemble.from_labels(table)
    masked = Ensemble.from_labels(table, truth=np.ma.masked_array([5, 6], mask=[False, True]))
    assert masked.truth.tolist() == [5, None]


@given(tables, st.integers(1, 4))
def test_counts_alone_are_enough(table, times):
    whole = Ensemble.from_labels(np.repeat(table, times, axis=0))
    counted = Ensemble.from_counts(table, np.full(len(table), times))
    assert (whole.rows == counted.rows).all() and (whole.counts == counted.counts).all()
    assert counted.member_of is None and counted.n == whole.n
    assert (counted.labels() == whole.labels()[np.argsort(whole.member_of, kind="stable")]).all()
    assert [counted.microcluster_of(i) for i in range(counted.n)] == counted.expand(np.arange(counted.q)).tolist()


def test_equality_is_of_content():
    table = np.array([[0, 1], [1, 1], [0, 1]])
    one = Ensemble.from_labels(table, truth=["a", "b", "a"])
    assert one == Ensemble.from_labels(table + 5, truth=["a", "b", "a"])
    assert hash(one) == hash(Ensemble.from_labels(table + 5, truth=["a", "b", "a"]))
    assert one != Ensemble.from_labels(table[[1, 0, 2]], truth=["a", "b", "a"])
    assert one != Ensemble.from_labels(table, truth=["a", "b", "b"])
    assert one != Ensemble.from_labels(table, names=["x", "y"], truth=["a", "b", "a"])
    assert one != table.tolist()


def test_frozen_and_read_only_even_after_a_pickle():
    table = np.array([[0, 1], [1, 1]])
    for ensemble in (Ensemble.from_labels(table), pickle.loads(pickle.dumps(Ensemble.from_labels(table)))):
        for array in (ensemble.rows, ensemble.counts, ensemble.member_of, ensemble.missing, ensemble.k_each):
            with pytest.raises(ValueError):
                array[0] = 7
        with pytest.raises(AttributeError):
            ensemble.rows = table
    mine = np.array([[5, 5], [6, 6]])
    ensemble = Ensemble.from_labels(mine)
    mine[0] = 9
    assert ensemble.labels().tolist() == [[0, 0], [1, 1]], "an ensemble does not share the caller's array"


@given(tables, st.integers(0, 3))
def test_filled_leaves_what_is_there_and_fills_the_rest(table, seed):
    table[0] = 0  # no column without any label
    ensemble = Ensemble.from_labels(table)
    for how in ("random", "nearest", "own cluster"):
        filled = ensemble.filled(how, seed)
        assert not filled.has_missing and filled.n == ensemble.n and filled.names == ensemble.names
        there = table != -1
        for j in range(table.shape[1]):  # the same partition of those that had a label
            old, new = ensemble.labels()[there[:, j], j], filled.labels()[there[:, j], j]
            assert (
                len(set(zip(old.tolist(), new.tolist(), strict=True)))
                == len(set(old.tolist()))
                == len(set(new.tolist()))
            )
        assert filled == ensemble.filled(how, seed)
    own = ensemble.filled("own cluster")
    for j in range(table.shape[1]):
        for i in np.flatnonzero(~there[:, j]):
            mates = np.flatnonzero(own.labels()[:, j] == own.labels()[i, j])
            assert (ensemble.member_of[mates] == ensemble.member_of[i]).all()


def test_nearest_takes_the_label_of_the_rows_that_agree_best():
    table = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, -1], [1, 1, -1, -1]])
    assert Ensemble.from_labels(table).filled("nearest").labels()[[4, 5]].tolist() == [[0, 0, 0, 1], [1, 1, 1, 0]]


@given(tables)
def test_nearest_by_its_definition(table):
    table[0] = 0  # no column without any label
    ensemble = Ensemble.from_labels(table)
    rows, counts = ensemble.rows.tolist(), ensemble.counts.tolist()
    for row, filled in zip(
        rows, ensemble.filled("nearest").labels()[np.unique(ensemble.member_of, True)[1]], strict=True
    ):
        for j in (j for j, label in enumerate(row) if label == MISSING):
            votes = {}
            for other, count in zip(rows, counts, strict=True):
                both = [a == b for a, b in zip(row, other, strict=True) if MISSING not in (a, b)]
                if other[j] != MISSING:
                    near = Fraction(sum(both), len(both)) if both else Fraction(0)
                    here = votes.setdefault(near, Counter())
                    here[other[j]] += count
            best = votes[max(votes)]
            expected = min(best, key=lambda label: (-best[label], label))
            donor = next(at for at, other in enumerate(rows) if other[j] == expected)
            assert filled[j] == ensemble.filled("nearest").labels()[ensemble.member_of == donor][0, j]


def test_random_filling_follows_its_seed():
    table = np.where(np.random.default_rng(0).random((60, 5)) < 0.4, -1, np.arange(60)[:, None] % 3)
    ensemble = Ensemble.from_labels(table)
    assert ensemble.filled("random", 1) == ensemble.filled("random", 1)
    assert ensemble.filled("random", 1) != ensemble.filled("random", 2)


def test_select_keeps_objects_and_truth():
    table = np.array([[0, 1, 2], [1, 1, 0], [0, 0, 2], [0, 1, 1]])
    part = Ensemble.from_labels(table, names="abc", truth=[1, 2, 3, 4]).select([2, 0])
    assert part == Ensemble.from_labels(table[:, [2, 0]], names="ca", truth=[1, 2, 3, 4])
    counted = Ensemble.from_counts(table, [1, 2, 3, 4]).select([1])
    assert sorted(zip(counted.rows[:, 0].tolist(), counted.counts.tolist(), strict=True)) == [(0, 3), (1, 7)]


def test_select_by_number_name_or_mask():
    whole = Ensemble.from_labels(np.array([[0, 1, 2], [1, 1, 0]]), names="abc")
    expected = whole.select([0, 2])
    assert expected.names == ("a", "c")
    for chosen in (["a", "c"], [True, False, True], np.array([True, False, True]), (0, -1)):
        assert whole.select(chosen) == expected
    for wrong in ([3], ["d"], [0.5], [True, False], slice(2)):
        with pytest.raises(InputError, match=r"3 base clusterings, numbered from 0 and named a, b, c; .* not among"):
            whole.select(wrong)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (np.zeros((0, 3)), "no row"),
        (np.zeros((3, 0)), "no column"),
        (np.zeros((2, 2, 2)), "one row per object"),
        ([[1.0, np.inf], [0, 1]], "clustering 2, row 1: an infinite number is not a label"),
        (np.array([[1 + 2j]]), "not complex"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "not datetime64"),
        (pd.DataFrame({"a": [1], "b": pd.to_datetime(["2020-01-01"])}), "b: labels must be .* not datetime64"),
        ([[1, 2], [3]], "one row per object"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], "one row per object"),
        ({"a": [1, 2]}, "got something of type dict"),
        (pd.DataFrame({"a": []}, dtype=int), "no row"),
        ([["x"], [np.inf]], "clustering 1, row 2: an infinite number is not a label"),
        (pd.DataFrame({"a": [[1], [2]]}), "a: a label must be one number or one text"),
    ],
)
def test_bad_tables_get_a_sentence(table, sentence):
    with pytest.raises(InputError, match=sentence):
        Ensemble.from_labels(table)


def test_bad_arguments_get_a_sentence():
    table = np.array([[0, 1], [1, -1]])
    for call, sentence in [
        (lambda: Ensemble.from_labels(table, names=["one"]), "2 base clusterings but 1 names"),
        (lambda: Ensemble.from_labels(table, truth=[1, 2, 3]), "each of the 2 objects"),
        (lambda: Ensemble.from_counts(table, [1]), "one count per row"),
        (lambda: Ensemble.from_counts(table, [1, 0]), "at least 1"),
        (lambda: Ensemble.from_counts(table, [1.5, 2]), "whole numbers"),
        (lambda: Ensemble.from_counts(table, [2**62, 2**62]), "at most 2⁵³"),
        (lambda: Ensemble.from_labels(table, truth=[[1], [2, 3]]), "not lists of them"),
        (lambda: Ensemble.from_labels(table).filled("guess"), "'nearest'"),
        (lambda: Ensemble.from_labels([[0, -1], [1, -1]]).filled("random"), "no label at all"),
        (lambda: Ensemble.from_labels(table).microcluster_of(2), "object 2"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()


def test_what_it_says_of_itself():
    ensemble = Ensemble.from_labels([[0, 1], [0, 1], [1, -1], [-1, -1]])
    assert repr(ensemble) == "Ensemble(n=4, m=2, q=3, missing=37.5%)"
    assert ensemble.k_each.tolist() == [2, 1] and ensemble.offsets.tolist() == [0, 2, 3]
    assert ensemble.never_observed.tolist() == [True, False, False]


def test_the_incidence_is_made_once_unless_it_is_large(monkeypatch):
    """Some methods ask for it a hundred times; a table of millions is not held twice."""
    table = np.random.default_rng(0).integers(4, size=(40, 5))
    one = Ensemble.from_labels(table)
    assert incidence(one) is incidence(one) and cluster_sizes(one) is cluster_sizes(one)
    assert not incidence(one).data.flags.writeable and not cluster_sizes(one).flags.writeable
    monkeypatch.setattr(incidence_file, "KEPT", 10)
    again = incidence(one)
    assert again is not incidence(one) and (again != indicators(one.rows, one.offsets)).nnz == 0
    assert held_by(one, np.arange(one.q) % 3, 3).sum() == one.n * one.m


@pytest.mark.parametrize("names", [5, 1.5, True])
def test_names_that_are_no_list_are_a_sentence(names):
    with pytest.raises(InputError, match="Names must be given as a list, one for each of the 2 base clusterings"):
        Ensemble.from_labels([[1, 2]], names=names)
