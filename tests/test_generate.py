"""Base clusterings from features: held to scikit-learn and scipy, the same for a seed, cancelled at once."""

import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.manifold import SpectralEmbedding
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import MinMaxScaler, StandardScaler, normalize

from consensus_core.ensemble import MISSING
from consensus_core.errors import Cancelled, InputError, TooLarge
from consensus_core.generate import RECIPES, SCALINGS, Recipe, estimate, generate, generate_ensemble, making
from consensus_core.generate.features import checked_features, scaled
from consensus_core.generate.hierarchy import LINKAGES, cut, tree
from consensus_core.generate.kmeans import _means, kmeans, lloyd, nearest, random_start
from consensus_core.generate.mixture import expectation_maximisation
from consensus_core.generate.spectral import FACTORS, embedding, pair_distances, spectral
from consensus_core.method import Cost


def blobs(n=300, p=4, groups=4, apart=4.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(groups, size=n)
    return rng.normal(scale=apart, size=(groups, p))[truth] + rng.normal(size=(n, p)), truth


def same_partition(a, b):
    return adjusted_rand_score(a, b) == 1


# --- against other people's programs


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 7, 40])
def test_lloyd_is_scikit_learns_from_the_same_centres(seed, k):
    X, _ = blobs(n=500, apart=1.0, seed=seed)
    start = X[np.random.default_rng(seed).choice(len(X), k, replace=False)]
    theirs = KMeans(k, init=start, n_init=1, max_iter=100, algorithm="lloyd").fit(X)
    assert same_partition(lloyd(X, start), theirs.labels_)


def test_emptied_clusters_move_to_the_farthest_objects_as_scikit_learns_do():
    X, _ = blobs(n=200, seed=3)
    for away in ([1e3] * 4, [-1e3] * 4):  # nobody is near the last centres
        start = np.vstack([X[:3], np.full((2, 4), away)])
        theirs = KMeans(5, init=start, n_init=1).fit(X)
        ours = lloyd(X, start)
        assert len(np.unique(ours)) == 5 and same_partition(ours, theirs.labels_)
    one_step = _means(np.array([[0.0], [1.0], [2.0], [9.0]]), np.zeros(4, dtype=int), np.array([[1.0], [50.0]]))
    assert np.array_equal(one_step, [[1.0], [9.0]])  # the object that moved no longer counts where it was


@pytest.mark.parametrize(("shape", "covariance"), [("diagonal", "diag"), ("full", "full")])
def test_mixtures_take_scikit_learns_steps(shape, covariance):
    X, _ = blobs(n=400, p=3, apart=1.5, seed=1)
    X = X - X.mean(axis=0)
    start = kmeans(X, 4, np.random.default_rng(0))
    ridge = 1e-6 * X.var(axis=0).mean()
    for steps in (1, 3, 10):
        theirs = _FromPartition(4, covariance_type=covariance, reg_covar=ridge, max_iter=steps, tol=0.0)
        theirs.start = start
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            theirs.fit(X)
        # their labels come from one more expectation after the last maximisation, which is our next step's
        ours = expectation_maximisation(X, start, shape=shape, max_iter=steps + 1, tol=0.0)
        assert np.array_equal(ours, theirs.predict(X))


class _FromPartition(GaussianMixture):
    """Their mixture started from a given partition instead of one of its own."""

    def _initialize_parameters(self, X, random_state, **_):
        self._initialize(X, np.eye(self.n_components)[self.start])


@pytest.mark.parametrize("how", LINKAGES)
def test_trees_are_cut_as_scipys_into_exactly_k(how):
    X, _ = blobs(n=120, seed=2)
    theirs = linkage(X, method=how)
    for k in (1, 2, 5, 33, 119, 120):
        ours = cut(tree(X, how), k)
        assert len(np.unique(ours)) == k
        assert same_partition(ours, cut_tree(theirs, n_clusters=k).ravel())


def test_ties_do_not_cost_a_tree_its_clusters():
    X = np.tile(np.arange(6.0), 5)[:, None]  # many equal objects, equal gaps
    for how in LINKAGES:
        assert [len(np.unique(cut(tree(X, how), k))) for k in (1, 3, 6, 20)] == [1, 3, 6, 20]


def test_spectral_is_the_papers_kernel_and_scikit_learns_embedding():
    X, truth = blobs(n=150, p=3, groups=3, seed=4)
    distances = squareform(pdist(X))
    d = pdist(X).mean()  # the mean over all pairs
    assert np.allclose(pair_distances(X), (distances / d) ** 2, atol=1e-14)
    sigma = d * 0.5
    affinity = np.exp(-(distances**2) / (2 * sigma**2))
    theirs = SpectralEmbedding(n_components=3, affinity="precomputed", eigen_solver="arpack", random_state=0)
    rows = theirs.fit(affinity).embedding_
    root = np.sqrt(affinity.sum(axis=1))
    vectors = eigh(np.eye(150) - affinity / root[:, None] / root)[1][:, :3]  # Ng, Jordan and Weiss, written out
    expected = normalize(vectors)
    found = embedding(pair_distances(X), 0.5, 3)
    assert np.allclose(found @ found.T, expected @ expected.T, atol=1e-8)  # equal but for a rotation
    ours = spectral(pair_distances(X), 0.5, 3, np.random.default_rng(0))
    assert same_partition(ours, truth)
    assert same_partition(ours, KMeans(3, n_init=10, random_state=0).fit_predict(normalize(rows)))


def test_spectral_separates_rings_that_k_means_cannot():
    angle = np.linspace(0, 2 * np.pi, 150, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    X, truth = np.vstack([ring, 4 * ring]), np.repeat([0, 1], 150)
    table = generate(X, "spectral", m=9, k=2)
    agreements = [adjusted_rand_score(truth, column) for column in table.T]
    assert agreements[FACTORS.index(0.1)] == 1
    assert max(adjusted_rand_score(truth, c) for c in generate(X, "kmeans_k", m=9, k=2).T) < 0.2


@pytest.mark.parametrize(
    ("how", "theirs"), [("z-score", StandardScaler()), ("min-max", MinMaxScaler()), ("unit rows", None)]
)
def test_scalings_are_scikit_learns(how, theirs):
    X, _ = blobs(seed=5)
    X[:, 2] = 0.1  # a constant feature, whose mean is not quite 0.1
    expected = normalize(X) if theirs is None else theirs.fit_transform(X)
    assert np.allclose(scaled(X, how), expected, atol=1e-12)
    assert theirs is None or (scaled(X, how)[:, 2] == 0).all()
    assert np.isfinite(scaled(X * 1e-300, how)).all() and np.allclose(scaled(X * 1e300, how), expected, atol=1e-12)


# --- what each recipe promises


@pytest.mark.parametrize("key", RECIPES)
def test_every_recipe_gives_labels_from_zero_up_and_the_same_for_a_seed_whatever_n_jobs(key):
    X, _ = blobs()
    table = generate(X, key, m=8, k=4, seed=3)
    assert table.shape == (300, 8) and table.dtype == np.int32
    for column in table.T:
        found = np.unique(column[column != MISSING])
        first = [np.flatnonzero(column == label)[0] for label in range(len(found))]
        assert np.array_equal(found, np.arange(len(found))) and first == sorted(first)  # numbered by first object
    assert (table == MISSING).any() == RECIPES[key].leaves_missing
    for n_jobs in (2, 3):
        assert np.array_equal(table, generate(X, key, m=8, k=4, seed=3, n_jobs=n_jobs))
    assert np.array_equal(table, generate(X, key, m=8, k=4, seed=3, cancel=lambda: False))
    assert np.array_equal(table[:, :3], generate(X, key, m=3, k=4, seed=3))
    if key not in ("agglomerative", "spectral"):  # the first has no chance in it, the second finds the same groups
        assert not np.array_equal(table, generate(X, key, m=8, k=4, seed=4))


@pytest.mark.parametrize("key", ["kmeans_k", "spectral", "gaussian_mixture", "agglomerative", "object_subset"])
def test_recipes_find_groups_that_stand_apart(key):
    X, truth = blobs(n=200, groups=3, apart=20.0, seed=6)
    best = 0.0
    for column in generate(X, key, m=9, k=3).T:
        seen = column != MISSING
        best = max(best, adjusted_rand_score(truth[seen], column[seen]))
    assert best == 1


def test_drawn_numbers_of_clusters_cover_two_to_root_n_evenly():
    X = np.random.default_rng(0).random((101, 2))  # √101 → 10
    table = generate(X, "kmeans_random_k", m=900)
    counts = np.bincount(table.max(axis=0) + 1, minlength=11)
    assert counts[:2].sum() == 0 and counts.sum() == counts[2:11].sum() == 900
    assert (abs(counts[2:11] - 100) < 45).all()  # ± 4.7 σ
    assert generate(X, "kmeans_random_k", m=50, k=90).max() < 10  # k is the consensus' affair there


def test_a_feature_subset_does_not_look_at_the_others():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([0.0, 100.0], 50), rng.random(100)])
    halves = type(RECIPES["feature_subset"])(share=0.5)
    agreements = np.array([adjusted_rand_score(X[:, 0], c) for c in generate(X, halves, m=20, k=2).T])
    assert 5 <= (agreements == 1).sum() <= 15 and 5 <= (agreements < 0.5).sum() <= 15


def test_left_out_objects_are_the_asked_share_and_do_not_influence_the_others():
    X, _ = blobs(n=200)
    quarter = type(RECIPES["object_subset"])(left_out=0.25)
    table = generate(X, quarter, m=10, k=4, seed=1)
    assert ((table == MISSING).sum(axis=0) == 50).all()
    hidden = X.copy()
    hidden[table[:, 0] == MISSING] += 0.5
    assert np.array_equal(table[:, 0], generate(hidden, quarter, m=1, k=4, seed=1)[:, 0])


def test_a_mix_is_its_parts_side_by_side_with_names():
    X, _ = blobs()
    ensemble = generate_ensemble(X, [("kmeans_k", 2), (RECIPES["spectral"], 1), ("agglomerative", 2)], k=4, truth=_)
    assert ensemble.names == (
        "k-means 1 (k = 4)",
        "k-means 2 (k = 4)",
        "spectral 3 (k = 4, σ = 0.01 d)",
        "agglomerative 4 (k = 4, ward)",
        "agglomerative 5 (k = 4, average)",
    )
    assert ensemble.m == 5 and ensemble.n == 300 and np.array_equal(ensemble.truth, _)
    assert np.array_equal(ensemble.labels()[:, :2].max(axis=0), [3, 3])


def test_parameters_are_declared_and_refused_by_name():
    for recipe in RECIPES.values():
        assert isinstance(recipe, Recipe) and recipe.title and recipe.what and hash(recipe) is not None
        for declared in recipe.params():
            assert declared.meaning and getattr(recipe, declared.name) == declared.default
    with pytest.raises(InputError, match="left_out must be a number in"):
        type(RECIPES["object_subset"])(left_out=1.5)
    with pytest.raises(InputError, match="shape must be one of"):
        type(RECIPES["gaussian_mixture"])(shape="round")


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 30), st.integers(1, 3), st.integers(1, 6), st.integers(0, 99), st.sampled_from(SCALINGS))
def test_lattices_full_of_equal_objects_and_ties_give_labels(n, p, values, seed, scaling):
    rng = np.random.default_rng(seed)
    X = rng.integers(values, size=(n, p)).astype(float)
    k = int(rng.integers(1, n + 1))
    for key in RECIPES:
        asked = 1 if RECIPES[key].leaves_missing else k
        try:
            table = generate(X, key, m=3, k=asked, seed=seed, scaling=scaling)
        except InputError as refused:
            assert "all objects" in str(refused)
            continue
        equal = np.unique(X, axis=0, return_inverse=True)[1]
        assert table.max() < max(asked, 5) and table.min() >= MISSING
        if key in ("kmeans_k", "gaussian_mixture") and scaling == "raw":
            for column in table.T:  # equal objects have equal labels, and there are as many clusters as can be
                assert len(np.unique(equal * 100 + column)) == len(np.unique(equal))
            if key == "kmeans_k" and k >= len(np.unique(equal)):
                assert (table.max(axis=0) + 1 == len(np.unique(equal))).all()


def test_fewer_distinct_objects_than_clusters_is_no_warning_but_each_its_own_cluster():
    X = np.repeat(np.eye(3), 10, axis=0)
    names = generate_ensemble(X, "kmeans_k", m=2, k=7).names
    assert names == ("k-means 1 (k = 3)", "k-means 2 (k = 3)")


@given(st.integers(1, 12), st.integers(1, 40), st.integers(0, 1000))
def test_first_centres_are_distinct_objects(k, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(4, size=(n, 2)).astype(float)
    centres = random_start(X, min(k, n), rng)
    assert len(np.unique(centres, axis=0)) == len(centres) == min(k, len(np.unique(X, axis=0)))
    assert all((X == c).all(axis=1).any() for c in centres)


def test_the_nearest_centre_is_found_in_blocks_too():
    X, _ = blobs(n=20_000, p=3)
    centres = X[:64]
    distance = ((X[:, None, :] - centres) ** 2).sum(axis=2)
    assert (distance[np.arange(len(X)), nearest(X, centres)] <= distance.min(axis=1) + 1e-9).all()


# --- progress and cancellation


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_told_in_the_callers_thread(n_jobs):
    X, _ = blobs()
    told, threads = [], set()

    def progress(done, total, name):
        told.append((done, total, name))
        threads.add(threading.current_thread())

    ensemble = generate_ensemble(X, m=7, n_jobs=n_jobs, progress=progress)
    assert [t[:2] for t in told] == [(i, 7) for i in range(1, 8)]
    assert {t[2] for t in told} == set(ensemble.names)
    assert threads == {threading.current_thread()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cancelling_takes_effect_while_a_base_clustering_is_made(n_jobs):
    """The work never ends by itself: only a cancellation that does not wait for it lets this test end."""
    release, begun = threading.Event(), []

    class Endless(type(RECIPES["kmeans_k"])):
        def base_clustering(self, material, index, rng, stopped):
            begun.append(index)
            release.wait()
            return kmeans(material.X, 2, rng, stopped), ""

    with pytest.raises(Cancelled):
        generate(np.eye(9), Endless(), m=50, k=2, n_jobs=n_jobs, cancel=lambda: len(begun) >= n_jobs)
    release.set()
    for thread in threading.enumerate():
        if thread.name == "base clusterings":
            thread.join()
    assert len(begun) == n_jobs  # those under way came to their end, and nobody began another


def test_long_work_looks_whether_it_is_still_wanted():
    X, _ = blobs(n=50)
    rng = np.random.default_rng(0)
    for work in (
        lambda: kmeans(X, 3, rng, lambda: True),
        lambda: expectation_maximisation(X, np.arange(50) % 3, lambda: True),
        lambda: spectral(pair_distances(X), 1.0, 3, rng, lambda: True),
    ):
        with pytest.raises(Cancelled):
            work()


def test_a_failure_in_a_worker_reaches_the_caller():
    class Broken(type(RECIPES["kmeans_k"])):
        def base_clustering(self, material, index, rng, stopped):
            raise RuntimeError("broken on purpose")

    for n_jobs in (1, 2):
        with pytest.raises(RuntimeError, match="on purpose"):
            generate(np.eye(5), Broken(), m=4, k=2, n_jobs=n_jobs)


# --- refusals


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"features": [[1.0, np.nan], [1, 2]]}, "row 1, column 2 is missing"),
        ({"features": np.ma.masked_array([[1, 5], [1, 2]], [[0, 1], [0, 0]])}, "row 1, column 2 is missing"),
        ({"features": pd.DataFrame({"a": [1, 2], "b": [np.inf, 1]})}, "row 1, column 'b' is infinite"),
        ({"features": pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})}, "column 'b' is not numeric"),
        ({"features": [1.0, 2.0]}, "one row per object and one column per feature"),
        ({"features": np.empty((3, 0))}, "one row per object and one column per feature"),
        ({"features": [["a"], ["b"]]}, "real numbers"),
        ({"features": [[1.0], [1.0, 2.0]]}, "real numbers"),
        ({"features": np.ones((3, 2)) * 1j}, "real numbers"),
        ({"features": [[1.0, 2.0]]}, "At least two objects"),
        ({"features": np.ones((5, 2))}, "all objects are the same"),
        ({"features": [[1.0, 2.0], [2.0, 4.0]], "scaling": "unit rows"}, "point the same way"),
        ({"scaling": "log"}, "Scaling must be one of"),
        ({"recipe": "kmeans"}, "There is no recipe 'kmeans'; there are kmeans_random_k"),
        ({"recipe": [("kmeans_k", -1)], "k": 2}, "whole number"),
        ({"recipe": ["kmeans_k"]}, "list of pairs"),
        ({"recipe": [(7, 2)]}, "or a Recipe"),
        ({"m": 0}, "m must be at least 1"),
        ({"m": 2.5}, "whole number"),
        ({"recipe": "kmeans_k"}, "needs the number of clusters k"),
        ({"recipe": "spectral"}, "needs the number of clusters k"),
        ({"recipe": "kmeans_k", "k": 0}, "at least 1, got 0"),
        ({"recipe": "kmeans_k", "k": 41}, "40 objects cannot be split into k = 41"),
        ({"recipe": "object_subset", "k": 39}, "28 are left"),
        ({"seed": -1}, "seed must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
def test_what_cannot_be_used_gets_a_sentence(arguments, sentence):
    features = arguments.pop("features", np.random.default_rng(0).random((40, 2)))
    with pytest.raises(InputError, match=sentence) as refused:
        generate(features, **arguments)
    assert str(refused.value).rstrip().endswith(".")


@pytest.mark.parametrize("key", ["spectral", "agglomerative"])
def test_pairs_that_do_not_fit_are_refused_before_anything_is_allocated(key, monkeypatch):
    monkeypatch.setattr(making, "available_bytes", lambda: 10_000_000)
    X = np.random.default_rng(0).random((5000, 2))
    with pytest.raises(TooLarge, match=r"5,000 objects takes about .* 10 MB to spare, enough for about [\d,]+ obj"):
        generate(X, key, m=2, k=3)
    assert generate(X[:200], key, m=1, k=3).shape == (200, 1)
    assert generate(X, "kmeans_k", m=1, k=3).shape == (5000, 1)


def test_features_may_be_frames_lists_and_integers():
    X = np.random.default_rng(0).integers(50, size=(30, 3))
    table = generate(X, m=3)
    assert np.array_equal(table, generate(X.tolist(), m=3))
    assert np.array_equal(table, generate(pd.DataFrame(X), m=3))
    assert np.array_equal(table, generate(pd.DataFrame(X).astype("Int64"), m=3))
    before = X.astype(float)
    generate(before, m=3, scaling="z-score")
    assert np.array_equal(before, X)  # the caller's array is left alone
    assert checked_features(X).dtype == float


def test_estimates_add_up_and_grow():
    small, large = estimate((1000, 5), m=20), estimate((100_000, 5), m=20)
    assert isinstance(small, Cost) and small.bytes < large.bytes and small.seconds < large.seconds
    twice = estimate((1000, 5), "kmeans_k", m=40, k=4)
    assert twice.seconds == pytest.approx(2 * estimate((1000, 5), "kmeans_k", m=20, k=4).seconds)
    assert estimate((20_000, 5), "spectral", 9, k=4).bytes > 8 * 20_000**2
    assert estimate((1000, 5), [("kmeans_k", 3), ("spectral", 2)], k=4).bytes > 8 * 1000**2
