"""Linkage, exact numbers of groups and spectral cuts, held to scipy, to exact fractions and to the repeated objects."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, leaves_list
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import squareform

from consensus_core.errors import InputError
from consensus_core.partition import (
    Columns,
    discretise,
    exactly,
    linkage,
    merge_to,
    relabel,
    spectral_cut,
    split_to,
    weighted_kmeans,
)

HOW = ("average", "complete", "single")


def same_partition(a, b):
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def random_similarity(rng, q, within=1.0):
    S = rng.random((q, q))
    S = (S + S.T) / 2
    S[np.diag_indices(q)] = within
    return S


def expanded(S, counts):
    return np.repeat(np.repeat(S, counts, axis=0), counts, axis=1)


def label_table(rng, q, m, k):
    """Distinct label rows in lexicographic order."""
    return np.unique(rng.integers(0, k, (3 * q, m)), axis=0)[:q]


def together(rows):
    return (rows[:, None] == rows).sum(axis=2)


def planted(rng, sizes=(20, 30, 15), inside=0.8, between=0.2):
    truth = np.repeat(np.arange(len(sizes)), sizes)
    S = np.where(truth[:, None] == truth, inside, between) + 0.05 * rng.random((len(truth), len(truth)))
    return (S + S.T) / 2, truth


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), q=st.integers(2, 25), how=st.sampled_from(HOW), most=st.integers(1, 5))
def test_linkage_with_counts_is_scipys_on_the_repeated_objects(seed, q, how, most):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, most + 1, q)
    S = random_similarity(rng, q, within=1.0 + rng.random(q))
    tree = linkage(S, counts, how, top=2.0)
    distance = 2.0 - expanded(S, counts)
    np.fill_diagonal(distance, 0)
    Z = scipy_linkage(squareform(distance, checks=False), how)
    ours = tree.scipy(counts)
    assert is_valid_linkage(ours)
    np.testing.assert_allclose(ours[:, 2], Z[:, 2], atol=1e-12)
    for k in range(1, min(q, 6) + 1):
        assert same_partition(np.repeat(tree.cut(k), counts), fcluster(Z, k, "maxclust"))


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), q=st.integers(2, 12), most=st.integers(1, 4), within=st.floats(0, 1.2))
def test_alike_objects_are_kept_together_exactly_where_scipys_tree_of_all_objects_does(seed, q, most, within):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, most + 1, q)
    S = random_similarity(rng, q, within=within + 0.1 * rng.random(q))
    tree = linkage(S, counts, top=2.0)
    distance = 2.0 - expanded(S, counts)
    np.fill_diagonal(distance, 0)
    Z = scipy_linkage(squareform(distance, checks=False), "average") if counts.sum() > 1 else np.empty((0, 4))
    # in scipy's tree, a leaf is kept where some merge makes exactly its objects
    made = [{at} for at in range(counts.sum())]
    for a, b in Z[:, :2].astype(int):
        made.append(made[a] | made[b])
    ends = np.cumsum(counts)
    leaves = [set(range(end - many, end)) for end, many in zip(ends, counts, strict=True)]
    assert tree.keeps_alike(counts) == all(leaf in made for leaf in leaves)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), q=st.integers(2, 12), how=st.sampled_from(HOW), m=st.integers(1, 4))
def test_the_tie_rule_by_exact_fractions(seed, q, how, m):
    """Co-association counts are full of ties. A literal program in fractions, looking at every pair every time."""
    rng = np.random.default_rng(seed)
    rows = label_table(rng, q, m, 3)
    K, counts = together(rows), rng.integers(1, 4, len(rows))
    clusters = [[p] for p in range(len(rows))]
    expected = []

    def similarity(a, b):
        if how == "average":
            total = sum(int(K[i, j] * counts[i] * counts[j]) for i in a for j in b)
            return Fraction(total, int(counts[a].sum() * counts[b].sum()))
        return (min if how == "complete" else max)(int(K[i, j]) for i in a for j in b)

    while len(clusters) > 1:
        pairs = [(i, j) for i in range(len(clusters)) for j in range(i + 1, len(clusters))]
        i, j = max(pairs, key=lambda ij: (similarity(clusters[ij[0]], clusters[ij[1]]), -ij[0], -ij[1]))
        expected.append((float(1 - Fraction(similarity(clusters[i], clusters[j])) / m), {*clusters[i], *clusters[j]}))
        clusters[i] = sorted(clusters[i] + clusters.pop(j))  # its index stays that of its lowest row
    tree = linkage(K, counts, how, scale=m)
    made = [{p} for p in range(len(rows))]
    for (a, b), height, size, (expected_height, members) in zip(
        tree.merges, tree.heights, tree.sizes, expected, strict=True
    ):
        made.append(made[a] | made[b])
        assert made[-1] == members
        assert height == pytest.approx(expected_height, abs=1e-14)
        assert size == counts[sorted(members)].sum()


@given(
    seed=st.integers(0, 10**6), q=st.integers(2, 40), m=st.integers(1, 6), k=st.integers(1, 6), whole=st.booleans(),
)  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_the_tree_from_the_columns_is_that_of_the_matrix(seed, q, m, k, whole):
    """S = H diag(w) Hᵀ / m is never formed, and every merge is the same, ties included."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, size=(q, m)) + k * np.arange(m)
    H = np.zeros((q, k * m))
    H[np.arange(q)[:, None], labels] = 1
    counts, weights = rng.integers(1, 5, size=q), np.ones(k * m) if whole else rng.choice([0.25, 0.3, 0.7], size=k * m)
    S = H @ np.diag(weights) @ H.T
    one = linkage(S, counts, scale=m)
    other = linkage(Columns(scipy.sparse.csr_array(H), weights, m), counts)
    np.testing.assert_array_equal(one.merges, other.merges)
    np.testing.assert_array_equal(one.sizes, other.sizes)
    np.testing.assert_allclose(one.heights, other.heights, atol=0 if whole else 1e-14)
    np.testing.assert_allclose(one.within, other.within, atol=1e-15)
    found, wanted = rng.integers(0, max(1, q // 3), size=q), int(rng.integers(1, q + 1))
    columns = Columns(scipy.sparse.csr_array(H), weights, m)
    np.testing.assert_array_equal(exactly(wanted, found, S / m, counts), exactly(wanted, found, columns, counts))


def test_labels_do_not_depend_on_the_order_of_the_objects():
    """scipy's answer does: on UMIST's ties its ARI moves between .313 and .345 as rows are permuted."""
    rng = np.random.default_rng(5)
    objects = rng.integers(0, 3, (80, 3))
    answers, scipys = [], set()
    for _ in range(12):
        order = rng.permutation(len(objects))
        rows, member, counts = np.unique(objects[order], axis=0, return_inverse=True, return_counts=True)
        labels = np.empty(len(objects), dtype=int)
        labels[order] = linkage(together(rows), counts, scale=3).cut(5)[member.reshape(-1)]
        answers.append(relabel(labels))
        Z = scipy_linkage(squareform(1 - together(objects[order]) / 3, checks=False), "average")
        labels = np.empty(len(objects), dtype=int)
        labels[order] = fcluster(Z, 5, "maxclust")
        scipys.add(tuple(relabel(labels)))
    assert all((answer == answers[0]).all() for answer in answers)
    assert len(scipys) > 1  # the input does have ties that matter


def test_multiplying_all_counts_changes_nothing():
    """Averages of integers are compared exactly, so three times the objects meet the same ties."""
    rng = np.random.default_rng(2)
    rows = label_table(rng, 60, 4, 3)
    K, counts = together(rows), rng.integers(1, 9, len(rows))
    one, three = linkage(K, counts, scale=4), linkage(K, 3 * counts, scale=4)
    np.testing.assert_array_equal(one.merges, three.merges)
    np.testing.assert_array_equal(one.heights, three.heights)


def test_similarities_above_one_have_negative_heights_and_distances_may_be_given():
    S = np.array([[1.0, 1.5, 0.2], [1.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    np.testing.assert_allclose(linkage(S).heights, [-0.5, 0.7])
    D = np.array([[0, 1.0, 5.0], [1.0, 0, 3.0], [5.0, 3.0, 0]])
    np.testing.assert_allclose(linkage(-D, top=0).heights, [1, 4])
    np.testing.assert_allclose(linkage(-D, top=0, counts=[3, 1, 1]).heights, [1, 4.5])


def test_linkage_keeps_its_argument_unless_allowed_to_use_it():
    S = random_similarity(np.random.default_rng(0), 8)
    S.flags.writeable = False
    kept = linkage(S, overwrite=True)
    scratch = S.copy()
    used = linkage(scratch, overwrite=True)
    np.testing.assert_array_equal(kept.merges, used.merges)
    assert not np.array_equal(scratch, S)


def test_a_dendrogram_is_read_only_before_and_after_pickling():
    tree = linkage(random_similarity(np.random.default_rng(0), 8))
    again = pickle.loads(pickle.dumps(tree))
    for one in (tree, again):
        for array in (one.merges, one.heights, one.sizes, one.within):
            assert not array.flags.writeable
    np.testing.assert_array_equal(again.cut(3), tree.cut(3))


def test_leaf_order_has_no_crossings():
    rng = np.random.default_rng(1)
    tree = linkage(random_similarity(rng, 30))
    order = tree.leaf_order()
    assert sorted(order) == list(range(30))
    for k in range(1, 31):
        labels = tree.cut(k)[order]
        assert (np.diff(labels) != 0).sum() == k - 1  # every cluster of every cut stands together
    assert sorted(order) == sorted(leaves_list(tree.scipy()))


@pytest.mark.parametrize("q", [1, 2, 3, 6])
@pytest.mark.parametrize("fill", ["ones", "zeros", "identity"])
def test_degenerate_matrices_give_exactly_k(q, fill):
    S = {"ones": np.ones((q, q)), "zeros": np.zeros((q, q)), "identity": np.eye(q)}[fill]
    counts = np.arange(1, q + 1)
    assert linkage(S, counts).scipy(counts).shape == (counts.sum() - 1, 4)
    for k in range(1, q + 1):
        for labels in (
            *(linkage(S, counts, how).cut(k) for how in HOW),
            *(spectral_cut(S, k, counts, how=how) for how in ("kmeans", "discretise")),
            exactly(k, np.zeros(q, dtype=int), S, counts),
            exactly(k, np.arange(q), S, counts),
        ):
            assert sorted(set(labels)) == list(range(k))


def test_cuts_that_cannot_be_are_refused_in_words():
    tree = linkage(np.eye(4))
    for k in (0, 5):
        with pytest.raises(InputError, match=f"k = {k}.*between 1 and 4"):
            tree.cut(k)
        with pytest.raises(InputError, match=f"k = {k}"):
            spectral_cut(np.eye(4), k)
        with pytest.raises(InputError, match=f"k = {k}"):
            exactly(k, np.array([0, 0, 1, 1]), np.eye(4))
    with pytest.raises(ValueError, match="average, complete, single"):
        linkage(np.eye(4), how="ward")
    with pytest.raises(InputError, match="not finite"):
        linkage(np.array([[1, np.nan], [np.nan, 1]]))


def test_cut_at_a_height():
    tree = linkage(np.array([[1, 0.9, 0.2], [0.9, 1, 0.2], [0.2, 0.2, 1]]))
    assert [tree.cut_at(h).max() + 1 for h in (0.05, 0.11, 0.79, 0.81)] == [3, 2, 2, 1]


def test_lifetimes_are_the_ranges_of_heights_with_k_clusters():
    tree = linkage(random_similarity(np.random.default_rng(3), 12))
    heights = np.linspace(0, 1, 20_001)
    clusters = np.array([tree.cut_at(h).max() + 1 for h in heights])
    for k, lifetime in enumerate(tree.lifetimes(), start=2):
        assert lifetime == pytest.approx((clusters == k).mean(), abs=1e-4)
    assert linkage(np.eye(1)).lifetimes().shape == (0,)
    assert (linkage(np.full((3, 3), 1.5)).lifetimes() >= 0).all()


def test_merging_groups_is_average_linkage_of_the_groups():
    """The average over all pairs of objects, by repeated objects and scipy."""
    rng = np.random.default_rng(4)
    S, counts = random_similarity(rng, 40), rng.integers(1, 4, 40)
    labels = rng.integers(0, 9, 40)
    B, member = expanded(S, counts), np.repeat(labels, counts)
    groups = [B[np.ix_(member == a, member == b)].mean() for a in range(9) for b in range(9)]
    Z = np.array(groups).reshape(9, 9)
    tree = linkage(Z, np.bincount(member))
    for k in range(1, 10):
        merged = merge_to(labels, k, S, counts)
        assert same_partition(merged, tree.cut(k)[labels])
        assert same_partition(exactly(k, labels, S, counts), merged)


def test_splitting_undoes_the_loosest_merge_inside_the_groups():
    rng = np.random.default_rng(6)
    S, truth = planted(rng)
    S[:10, 10:20] *= 0.5  # the first group is two
    S[10:20, :10] *= 0.5
    merged = np.where(truth == 2, 1, truth)
    three = split_to(merged, 3, S)
    assert same_partition(three, truth)
    four = split_to(merged, 4, S)
    assert same_partition(four, np.where(np.arange(len(truth)) < 10, 3, truth))
    assert same_partition(split_to(np.zeros(65, dtype=int), 5, S), linkage(S).cut(5))
    np.testing.assert_array_equal(exactly(3, truth, S), truth)


def test_relabel():
    labels = np.array([7, 7, 3, 3, 3, 9])
    np.testing.assert_array_equal(relabel(labels), [0, 0, 1, 1, 1, 2])
    np.testing.assert_array_equal(relabel(labels, by="size"), [1, 1, 0, 0, 0, 2])
    np.testing.assert_array_equal(relabel(labels, by="size", counts=[1, 1, 1, 1, 1, 9]), [2, 2, 1, 1, 1, 0])
    np.testing.assert_array_equal(relabel(["b", "a", "b"]), [0, 1, 0])


@pytest.mark.parametrize("how", ["kmeans", "discretise"])
def test_spectral_cut_finds_planted_groups_whatever_the_counts(how):
    rng = np.random.default_rng(8)
    S, truth = planted(rng)
    counts = rng.integers(1, 6, len(truth))
    assert same_partition(spectral_cut(S, 3, counts, seed=1, how=how), truth)
    np.testing.assert_array_equal(spectral_cut(S, 5, counts, seed=1), spectral_cut(S, 5, counts, seed=1))


def test_discretise_is_the_rotated_indicator():
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 4, 50)
    rotation, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    labels, R = discretise(np.eye(4)[truth] @ rotation, seed=3)
    assert same_partition(labels, truth)
    np.testing.assert_allclose(np.abs(rotation @ R).max(axis=0), 1, atol=1e-12)
    np.testing.assert_allclose(R.T @ R, np.eye(4), atol=1e-12)


def test_weighted_kmeans_is_kmeans_of_the_repeated_rows():
    """Against scikit-learn from many starts: neither finds a lower sum of squares."""
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(10)
    X, counts = rng.normal(size=(30, 2)), rng.integers(1, 5, 30)
    labels = weighted_kmeans(X, 4, counts, seed=0, starts=40)
    centres = np.array([np.average(X[labels == c], axis=0, weights=counts[labels == c]) for c in range(4)])
    cost = (counts * ((X - centres[labels]) ** 2).sum(axis=1)).sum()
    other = KMeans(4, n_init=40, random_state=0).fit(X, sample_weight=counts)
    assert cost == pytest.approx(other.inertia_, rel=1e-9)


def test_linkage_on_a_real_ensemble_with_noise_is_scipys(pool):
    """All 574 objects of UMIST: labels identical and heights to 1e-12 once noise has removed the ties."""
    members, _ = pool("UMIST")
    rows, member, counts = np.unique(members[:, :20], axis=0, return_inverse=True, return_counts=True)
    member = member.reshape(-1)
    rng = np.random.default_rng(0)
    noise = 1e-3 * rng.random((len(rows), len(rows)))
    S = together(rows) / 20 * (1 - 2e-3) + noise + noise.T
    S[np.diag_indices(len(rows))] = 1 + 1e-3 * rng.random(len(rows))
    order = np.argsort(member, kind="stable")
    full = S[np.ix_(member[order], member[order])]
    distance = 2 - full
    np.fill_diagonal(distance, 0)
    Z = scipy_linkage(squareform(distance, checks=False), "average")
    tree = linkage(S, counts, top=2)
    np.testing.assert_allclose(tree.scipy(counts)[:, 2], Z[:, 2], atol=1e-12)
    for k in (2, 5, 20, 60):
        assert same_partition(tree.cut(k)[member[order]], fcluster(Z, k, "maxclust"))
