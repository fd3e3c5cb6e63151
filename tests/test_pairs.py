"""The list of pairs agrees with looking at every pair, in every form it can be asked for."""

import gc
import weakref

import numpy as np
import pytest
from label_tables import planted

from consensus_core import Ensemble
from consensus_core.ensemble.masks import look_up, subset_sums
from consensus_core.ensemble.together import Distances, pairs_of, together_pairs
from consensus_core.linalg import upper


def ensembles():
    rng = np.random.default_rng(5)
    return {
        "plain": planted(n=40, m=7, wrong=0.3),
        "one clustering": planted(n=12, m=1),
        "three planes": planted(n=40, m=25, wrong=0.4),
        "missing": planted(n=40, m=9, wrong=0.3, missing=0.4),
        "many labels": rng.integers(400, size=(700, 3)),
        "nothing together": np.repeat(np.arange(5)[:, None], 3, axis=1),
        "one row": np.zeros((4, 3), dtype=int),
    }


@pytest.fixture(params=list(ensembles()))
def ensemble(request):
    return Ensemble.from_labels(ensembles()[request.param])


def brute(ensemble):
    """(m, q, q): who puts each pair together, and who has a label for both."""
    rows = ensemble.rows.T
    seen = (rows[:, :, None] >= 0) & (rows[:, None, :] >= 0)
    return (rows[:, :, None] == rows[:, None, :]) & seen, seen


def listed(ensemble):
    together, _ = brute(ensemble)
    return np.nonzero(np.triu(together.any(axis=0), 1))


def test_exactly_the_pairs_that_are_together_are_listed(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    first = np.repeat(np.arange(ensemble.q), np.diff(pairs.starts))
    assert (first == p).all() and (pairs.second == q).all()


def test_sums_over_base_clusterings_are_looked_up(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    weights = np.random.default_rng(0).random(ensemble.m)
    together, seen = brute(ensemble)
    tables = pairs.planes.tables(weights)
    for block in pairs.blocks():
        at = p[block.pairs], q[block.pairs]
        assert (block.first == at[0]).all() and (block.second == at[1]).all()
        inside = np.einsum("i,ip->p", weights, together[:, *at])
        every = np.einsum("i,ip->p", weights, seen[:, *at])
        np.testing.assert_allclose(look_up(tables, block.together), inside, atol=1e-13)
        np.testing.assert_allclose(look_up(tables, block.apart), every - inside, atol=1e-13)
        np.testing.assert_allclose(block.total(tables) + np.zeros(len(every)), every, atol=1e-13)


def test_histograms_of_masks_are_sums_for_each_base_clustering(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    values = np.random.default_rng(1).random(len(pairs))
    together, _ = brute(ensemble)
    sums = np.zeros(ensemble.m)
    for block in pairs.blocks():
        sums += pairs.planes.per_clustering(pairs.planes.histograms(block.together, values[block.pairs]))
    np.testing.assert_allclose(sums, together[:, p, q] @ values, atol=1e-12)


def test_base_clusterings_with_the_same_labels_get_the_same_sums_to_the_last_bit():
    """Of two equal columns either may come first in the canonical order; summed along different bits they differed by
    rounding, and so the order of the columns decided a last digit of d in SPCE and of KL in TRCE."""
    table = planted(n=60, m=24, wrong=0.4, missing=0.1)
    table[:, [9, 17, 23]] = table[:, [2]]
    ensemble = Ensemble.from_labels(table)
    pairs = pairs_of(ensemble)
    assert pairs.planes.alike == (*range(9), 2, *range(10, 17), 2, *range(18, 23), 2)
    assert not pairs_of(Ensemble.from_labels(planted(m=9, wrong=0.4))).planes.alike
    values = np.random.default_rng(4).random(len(pairs))
    sums = np.zeros(ensemble.m)
    for block in pairs.blocks():
        sums += pairs.planes.per_clustering(pairs.planes.histograms(block.together, values[block.pairs]))
    assert len(set(sums[[2, 9, 17, 23]].tolist())) == 1 and len(set(sums.tolist())) == 21


def test_distances_of_base_clusterings_and_links_are_those_of_all_pairs(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    rng = np.random.default_rng(6)
    S, W = rng.random(len(pairs)) * (np.arange(len(pairs)) % 3 > 0), rng.random(len(pairs))
    together, seen = brute(ensemble)
    couples = 2 * ensemble.counts[p] * ensemble.counts[q]
    direct = (couples * W**2 * seen[:, p, q] * (S - together[:, p, q]) ** 2).sum(axis=1)
    found = Distances.of(pairs, S, W)
    np.testing.assert_allclose(found.total(), direct, rtol=1e-12, atol=1e-12)
    assert found.links_total == couples[S > 0].sum() + (ensemble.counts**2).sum()
    weights = rng.random(ensemble.m)
    B = np.einsum("i,ip->p", weights, seen[:, p, q] * (S - together[:, p, q]) ** 2)
    np.testing.assert_allclose(pairs.disagreement(weights, S), B, rtol=1e-12, atol=1e-12)


def test_dense_and_sparse_matrices_and_partners_agree(ensemble, monkeypatch):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    values = np.random.default_rng(2).random(len(pairs)) * (np.arange(len(pairs)) % 3 > 0)
    full = np.full((ensemble.q, ensemble.q), 0.25)
    full[p, q] = full[q, p] = values
    np.fill_diagonal(full, 7.0)
    assert (pairs.matrix(values, diagonal=7.0, elsewhere=0.25) == full).all()
    full[full == 0.25] = 0
    linked, (Y, counts) = pairs.linked(values), (np.random.default_rng(3).random((ensemble.q, 3)), ensemble.weights)
    apart = ((Y[:, None] - Y) ** 2).sum(axis=2) * np.outer(counts, counts)
    assert linked.spread(Y, counts) == pytest.approx((full * apart).sum() / 2, rel=1e-12)
    for few in (0.0, 1.0):
        monkeypatch.setattr(upper, "FEW", few)
        assert (linked.dense(7.0) == full).all() and (linked.sparse(7.0).toarray() == full).all()
    at = np.arange(0, len(pairs), 2)
    some = np.where(np.arange(len(pairs)) % 2, 0.0, values)
    assert (pairs.linked(values[at], at).dense(7.0) == pairs.linked(some).dense(7.0)).all()
    for row in range(0, ensemble.q, 7):
        together = (ensemble.rows[row] == ensemble.rows) & (ensemble.rows >= 0)
        others = set(np.flatnonzero(together.any(axis=1)).tolist()) - {row}
        assert set(pairs.partners(row).tolist()) == others and len(pairs.partners(row)) == len(others)


def test_undisputed_pairs_are_known(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    together, seen = brute(ensemble)
    agreed = (together == seen).all(axis=0)[p, q]
    assert (pairs.undisputed is None and not agreed.any()) or (pairs.undisputed == agreed).all()


def test_squared_distances_are_those_of_the_rows(ensemble):
    pairs, (p, q) = pairs_of(ensemble), listed(ensemble)
    Y = np.random.default_rng(3).standard_normal((ensemble.q, 4))
    for block in pairs.blocks():
        direct = ((Y[p[block.pairs]] - Y[q[block.pairs]]) ** 2).sum(axis=1)
        np.testing.assert_allclose(block.squared_distances(Y), direct, atol=1e-12)


def test_a_list_is_made_once_per_ensemble_and_forgotten_with_it():
    ensemble = Ensemble.from_labels(planted(n=20))
    assert pairs_of(ensemble) is pairs_of(ensemble)
    assert not pairs_of(ensemble).second.flags.writeable
    seen = weakref.ref(pairs_of(ensemble))
    del ensemble
    gc.collect()
    assert seen() is None


def test_the_number_of_pairs_is_foreseen(ensemble):
    assert together_pairs(ensemble) == pytest.approx(len(pairs_of(ensemble)), rel=0.25, abs=20)


def test_subset_sums():
    assert subset_sums(np.array([1.0, 10.0, 100.0])).tolist() == [0, 1, 10, 11, 100, 101, 110, 111]
