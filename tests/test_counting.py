"""The number of clusters: every rule against a direct computation, and what is said where there is nothing."""

import itertools

import numpy as np
import pytest
import scipy.cluster.hierarchy as hierarchy
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from consensus_core import Ensemble
from consensus_core.data.samples import load
from consensus_core.generate import generate_ensemble
from consensus_core.similarity import local_weighting
from consensus_core.sweep import Draw, Pool
from consensus_core.trust.counting import (
    RULES,
    consensus_of,
    distribution,
    from_redraws,
    hint,
    read_off,
    splits,
    tree_of,
)  # fmt: skip
from consensus_core.trust.stability import apart, halves

KS = tuple(range(2, 8))


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 40)
    return Ensemble.from_labels(np.where(rng.random((40, 12)) < 0.3, rng.integers(0, 5, (40, 12)), truth[:, None]))


def redraws(ensemble, ks=KS, pairs=3):
    source, found = Pool(ensemble, halves(ensemble.m, pairs)), {k: [] for k in ks}
    for number in range(2 * pairs):
        half = source.drawn(Draw(number, ensemble.m // 2))
        tree = tree_of(half)
        for k in ks:
            if k <= half.q:
                found[k].append(half.expand(tree.cut(k)))
    return found


def by_company(a, b) -> float:
    """Element-centric similarity as Gates and Ahn define it, by the walk that restarts: object by object, over all."""
    walks = []
    for labels in (a, b):
        together = labels[:, None] == labels[None]
        step = together / together.sum(axis=1, keepdims=True)
        walks.append(0.1 * np.linalg.inv(np.eye(len(labels)) - 0.9 * step))
    return 1 - np.abs(walks[0] - walks[1]).sum(axis=1).mean() / (2 * 0.9)


def test_halves_share_nothing():
    for one, other in zip(halves(9, 4)[::2], halves(9, 4)[1::2], strict=True):
        assert not set(one[:4]) & set(other[:4]) and sorted(one) == sorted(other) == list(range(9))


def test_lifetimes_and_component_counts_are_those_of_scipys_trees(small):
    found = read_off(small, tree_of(small), KS)
    table = small.labels()
    A = (table[:, None] == table[None]).mean(axis=2)
    W = small.expand(small.expand(local_weighting(small)).T)
    for matrix, way, key in ((W, "average", "lifetime"), (A, "single", "components")):
        away = 1 - matrix
        np.fill_diagonal(away, 0)
        heights = hierarchy.linkage(squareform(away, checks=False), way)[:, 2]
        # k clusters stand from merge n − k to the next one above
        expected = [heights[len(heights) - k + 1] - heights[len(heights) - k] for k in KS]
        assert found[key] == pytest.approx(expected, abs=1e-12), key
    for threshold in np.arange(1, 12, 2) / 12 + 0.03:  # values of A are twelfths
        assert connected_components(A > threshold)[0] == 1 + (heights >= 1 - threshold).sum()


def test_the_eigengap_is_that_of_the_whole_laplacian(small):
    table = small.labels()
    A = (table[:, None] == table[None]).mean(axis=2)
    d = A.sum(axis=1)
    values = np.linalg.eigvalsh(np.eye(len(A)) - A / np.sqrt(np.outer(d, d)))
    expected = [values[k] - values[k - 1] for k in KS]
    assert read_off(small, tree_of(small), KS)["eigengap"] == pytest.approx(expected, abs=1e-8)


def test_nmi_above_shuffled_is_what_shuffling_shows(small):
    tree, rng = tree_of(small), np.random.default_rng(0)
    labels, table = small.expand(tree.cut(3)), small.labels()
    own = np.mean([normalized_mutual_info_score(column, labels) for column in table.T])
    shuffled = [normalized_mutual_info_score(table[:, i % 12], rng.permutation(labels)) for i in range(3000)]
    assert read_off(small, tree, (3,))["above"][0] == pytest.approx(own - np.mean(shuffled), abs=0.005)


def test_what_redraws_say_is_what_pairs_of_objects_say(small):
    draws = redraws(small)
    found = from_redraws(draws, KS)
    i, j = np.triu_indices(40, 1)
    areas = []
    for at, k in enumerate(KS):
        labels = np.column_stack(draws[k])
        S = (labels[i] == labels[j]).mean(axis=1)
        areas.append(1 - S.mean())
        pairs = [adjusted_rand_score(a, b) for a, b in zip(draws[k][::2], draws[k][1::2], strict=True)]
        assert found["stability"][at] == pytest.approx(np.mean(pairs)) == pytest.approx(apart(draws[k]))
        twos = zip(draws[k][::2], draws[k][1::2], strict=True)
        assert found["element"][at] == pytest.approx(np.mean([by_company(a, b) for a, b in twos]))
        assert found["pac"][at] == pytest.approx(((S > 0.1) & (S <= 0.9)).mean())
        values, shares = distribution(draws[k])
        assert shares == pytest.approx([(S <= value + 1e-12).mean() for value in values])
        assert consensus_of(draws[k])[1].sum() == 40
    gains = [areas[0], *[(b - a) / a for a, b in itertools.pairwise(areas)]]
    assert found["delta"] == pytest.approx(gains)
    assert np.isnan(from_redraws({}, KS)["stability"]).all()


def told(ensemble):
    curves = read_off(ensemble, tree_of(ensemble), KS) | from_redraws(redraws(ensemble, pairs=5), KS)
    assert curves.keys() == RULES.keys()
    return curves, hint(KS, curves)


@pytest.mark.parametrize("what", ["blobs far apart", "the sample of four round groups"])
def test_separated_mixtures_are_found_and_it_is_said_why_that_proves_little(what):
    X, _ = make_blobs(200, centers=[(0, 0), (20, 0), (0, 20), (20, 20)], random_state=1)
    far = what == "blobs far apart"
    curves, said = told(generate_ensemble(X, "kmeans_random_k", m=20, seed=1) if far else load("even").ensemble)
    assert KS[np.argmax(curves["lifetime"])] == KS[np.argmax(curves["above"])] == said.k == 4
    assert "mislead" in said.sentence and "9%" in said.sentence


@pytest.mark.parametrize("what", ["labels by chance", "one Gaussian"])
def test_where_there_is_nothing_no_stable_partition_is_found(what):
    """A hundred seeds of each: python -m benchmarks.counting."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        if what == "one Gaussian":
            ensemble = generate_ensemble(rng.normal(size=(120, 2)), "kmeans_random_k", m=20, seed=seed)
        else:
            ensemble = Ensemble.from_labels(rng.integers(0, 4, (120, 20)))
        _, said = told(ensemble)
        assert said.k is None and said.sentence.startswith("No stable partition found"), seed


def test_who_splits_from_whom(small):
    tree = tree_of(small)
    labels = {k: tree.cut(k) for k in (2, 3, 5)}
    found = splits(labels, small.counts)
    assert sum(one.objects for one in found if one.k == 3) == sum(one.objects for one in found if one.k == 5) == 40
    for one in found:
        before = 2 if one.k == 3 else 3
        both = (labels[before] == one.parent) & (labels[one.k] == one.child)
        assert one.objects == small.counts[both].sum() > 0
