"""Probability trajectories: the published rows, a walk by hand, and the definition walked step by step."""

import label_tables
import numpy as np
import pytest
from draws import paper_draws
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from consensus_core import Ensemble
from consensus_core.partition import linkage
from consensus_core.similarity import coassociation, probability_trajectories, trajectory_walk


@pytest.mark.parametrize(
    ("how", "data", "ari"),
    [
        ("average", "Ecoli", "0.340±0.043"),
        ("average", "Aggregation", "0.600±0.128"),
        ("average", "UMIST", "0.323±0.027"),
        ("average", "SPF", "0.081±0.015"),
        ("complete", "Ecoli", "0.342±0.045"),
        ("complete", "Aggregation", "0.529±0.181"),
        ("single", "Ecoli", "0.441±0.133"),
        ("single", "Aggregation", "0.739±0.078"),
    ],
)
def test_table_iv_pta(pool, how, data, ari):
    """EC-CMS paper, Table IV, rows PTA-AL and PTA-CL (its PTA-CL on Ecoli prints ±0.043), and PTA-SL as measured.

    Trees over microclusters, each counting once, as the authors grow them.
    """
    members, truth = pool(data)
    scores = []
    for columns in paper_draws():
        ensemble = Ensemble.from_labels(members[:, columns])
        tree = linkage(probability_trajectories(ensemble), how=how)
        scores.append(adjusted_rand_score(truth, ensemble.expand(tree.cut(len(np.unique(truth))))))
    assert f"{np.mean(scores):.3f}±{np.std(scores, ddof=1):.3f}" == ari


def test_a_walk_by_hand():
    """Three rows in a chain, the middle one standing for two objects; one link each is kept, so is its other end."""
    ensemble = Ensemble.from_labels(np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 1]]))
    chain = ensemble.member_of[[0, 1, 3]]
    assert ensemble.counts[chain].tolist() == [1, 2, 1]
    chain = np.ix_(chain, chain)
    Q, steps = trajectory_walk(ensemble)
    assert steps == 1
    # links .75 (0–1) and .5 (1–2); 0–2 with .25 is nobody's nearest. From 1: .75·1 against .5·1
    assert np.abs(Q[chain] - [[0, 1, 0], [0.6, 0, 0.4], [0, 1, 0]]).max() < 1e-15
    A = probability_trajectories(ensemble)[chain]
    assert np.abs(A - [[1, 0, 1], [0, 1, 0], [1, 0, 1]]).max() < 1e-15  # after one step 0 and 2 stand on 1, 1 does not
    twice = probability_trajectories(ensemble, steps=2)[chain]
    # Q² has rows (.6, 0, .4), (0, 1, 0), (.6, 0, .4)
    inner, ends, middle = 0.6 * 0.6 + 0.4 * 0.4, 1 + 0.52, 0.52 + 1
    assert abs(twice[0, 1] - 0 / np.sqrt(ends * middle)) < 1e-15
    assert abs(twice[0, 2] - (1 + inner) / ends) < 1e-15


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_doubling_is_walking(seed, steps, elite):
    rng = np.random.default_rng(seed)
    ensemble = Ensemble.from_labels(rng.integers(-1, 3, size=(14, 5)))
    Q, _ = trajectory_walk(ensemble, elite)
    assert np.abs(Q.sum(axis=1) - 1).max() < 1e-12 and (Q >= 0).all()
    power, S = np.eye(ensemble.q), 0.0
    for _ in range(steps):
        power = power @ Q
        S = S + power @ power.T
    length = np.sqrt(np.diag(S))
    A = probability_trajectories(ensemble, elite, steps)
    assert np.abs(A - S / np.outer(length, length)).max() < 1e-10
    assert np.array_equal(A, A.T) and A.max() <= 1.0 and (A.diagonal() == 1).all()


def test_only_elite_links_are_walked():
    ensemble = label_tables.ensemble_of(n=40, m=9, wrong=0.2)
    links = coassociation(ensemble)
    np.fill_diagonal(links, 0)
    for elite in (1, 3, 6):
        Q, _ = trajectory_walk(ensemble, elite)
        for p in range(ensemble.q):
            weakest = np.sort(links[p])[-elite]
            assert (Q[p][(links[p] >= weakest) & (links[p] > 0)] > 0).all()
        assert ((Q > 0) <= (links > 0)).all() and np.array_equal(Q > 0, (Q > 0).T)


def test_a_walker_without_links_stays():
    ensemble = Ensemble.from_labels(np.array([[0, 0], [0, 0], [1, 1], [0, 1]]))
    lone = Ensemble.from_labels(np.array([[0], [1], [2]]))
    assert np.array_equal(probability_trajectories(lone), np.eye(3))
    assert np.isfinite(probability_trajectories(ensemble)).all()
    assert np.array_equal(probability_trajectories(Ensemble.from_labels(np.array([[0, 0]]))), np.ones((1, 1)))
