"""Scores held to scikit-learn, to brute force over objects, and to values worked out by hand."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linear_sum_assignment
from scipy.stats import entropy as scipy_entropy
from sklearn import metrics

from consensus_core import MISSING, Ensemble, scores
from consensus_core.errors import InputError

SEEDS = st.integers(0, 2**32 - 1)
TWO_LABELLINGS = st.integers(1, 40).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 7), min_size=n, max_size=n).map(np.array)] * 2)
)


def table(rng, q, m, k, missing=0.0):
    rows = rng.integers(0, k, (q, m))
    rows[rng.random((q, m)) < missing] = MISSING
    return rows


def together(rows):
    return (rows[:, None] == rows).mean(axis=2)


# ------------------------------------------------------------------------------------------------ with a truth


@settings(max_examples=200, deadline=None)
@given(TWO_LABELLINGS)
def test_scores_are_scikit_learns(both):
    labels, truth = both
    found = scores.all_scores(labels, truth)
    contingency = metrics.cluster.contingency_matrix(labels, truth)
    expected = {
        "ari": metrics.adjusted_rand_score(truth, labels),
        "nmi": metrics.normalized_mutual_info_score(truth, labels),
        "nmi_geometric": metrics.normalized_mutual_info_score(truth, labels, average_method="geometric"),
        "nmi_max": metrics.normalized_mutual_info_score(truth, labels, average_method="max"),
        "acc": contingency[linear_sum_assignment(-contingency)].sum() / len(labels),
        "purity": contingency.max(axis=1).sum() / len(labels),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12), name
    assert (found["scored"], found["left_out"]) == (len(labels), 0)


@settings(max_examples=100, deadline=None)
@given(TWO_LABELLINGS)
def test_pairwise_f_by_looking_at_every_pair(both):
    labels, truth = both
    pairs = list(itertools.combinations(range(len(labels)), 2))
    ours = {(i, j) for i, j in pairs if labels[i] == labels[j]}
    true = {(i, j) for i, j in pairs if truth[i] == truth[j]}
    f = 2 * len(ours & true) / (len(ours) + len(true)) if ours or true else 1.0
    assert scores.f1(labels, truth) == pytest.approx(f, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(TWO_LABELLINGS, SEEDS)
def test_counts_stand_for_repeated_objects_and_names_do_not_matter(both, seed):
    labels, truth = both
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 6, len(labels))
    once = scores.all_scores(labels, truth, counts)
    assert once == pytest.approx(scores.all_scores(np.repeat(labels, counts), np.repeat(truth, counts)), abs=1e-12)
    renamed = scores.all_scores(rng.permutation(8)[labels] * 1000 - 3000, np.array(list("abcdefgh"))[truth], counts)
    assert once == pytest.approx(renamed, abs=1e-12)
    for name in ("ari", "nmi", "acc", "f1", "purity"):
        assert getattr(scores, name)(labels, truth, counts) == once[name]
    for average in ("geometric", "max"):
        assert scores.nmi(labels, truth, counts, average=average) == once[f"nmi_{average}"]


def test_scores_worked_out_by_hand():
    labels, truth = [0, 0, 0, 1, 1, 1], ["a", "a", "b", "b", "b", "b"]
    found = scores.all_scores(labels, truth)
    # 4 of 15 pairs together in both, 6 in the labels, 7 in the truth
    assert found["f1"] == pytest.approx(8 / 13)
    assert found["ari"] == pytest.approx((4 - 6 * 7 / 15) / (6.5 - 6 * 7 / 15))
    assert found["acc"] == found["purity"] == pytest.approx(5 / 6)
    log = math.log
    mutual = log(2) - 4 / 6 * (log(4) - 0.75 * log(3))  # the two "a" share a cluster, of the four "b" three do
    entropy = log(6) - 2 / 6 * log(2) - 4 / 6 * log(4)
    assert found["nmi_max"] == pytest.approx(mutual / log(2))
    assert found["nmi_geometric"] == pytest.approx(mutual / math.sqrt(log(2) * entropy))
    assert scores.acc([0, 1, 2, 3], [0, 0, 1, 1]) == 0.5  # two clusters stay without a class


def test_objects_without_a_label_on_either_side_are_left_out_and_counted():
    truth = pd.Series(["x", None, "y", "", "x", np.nan])
    found = scores.all_scores([0, 0, 1, 1, MISSING, 0], truth, counts=[2, 1, 3, 4, 5, 6])
    assert (found["scored"], found["left_out"]) == (5, 16)
    assert found["ari"] == found["acc"] == 1
    nothing = scores.all_scores([0, 1], [None, None])
    assert (nothing["scored"], nothing["left_out"]) == (0, 2)
    assert all(math.isnan(nothing[name]) for name in ("ari", "nmi", "acc", "f1", "purity")), "nothing is known"
    behind = np.ma.masked_array([0, 7, 1, 1], mask=[False, True, False, False])
    assert scores.all_scores([0, 0, 1, 1], behind) == scores.all_scores([0, 0, 1, 1], [0, None, 1, 1])
    with pytest.raises(InputError, match="2 labels, 3 true ones"):
        scores.ari([0, 1], [0, 1, 1])
    with pytest.raises(InputError, match="one count per label"):
        scores.ari([0, 1], [0, 1], counts=[1])
    with pytest.raises(InputError, match="one column"):
        scores.ari([[0, 1]], [[0, 1]])
    with pytest.raises(ValueError, match="arithmetic, geometric, max"):
        scores.nmi([0], [0], average="min")


def test_as_many_clusters_as_objects_need_no_square_table():
    n = 6000  # a full table would have 36 million cells
    rng = np.random.default_rng(0)
    truth = rng.integers(0, n, n)
    found = scores.all_scores(np.arange(n), truth)
    assert found["purity"] == 1
    assert found["acc"] == len(set(truth)) / n
    assert found["nmi"] == pytest.approx(metrics.normalized_mutual_info_score(truth, np.arange(n)), abs=1e-12)


# ------------------------------------------------------------------------------------------------ many labellings


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 15), m=st.integers(1, 5), missing=st.sampled_from([0, 0.3, 0.9]))
def test_agreement_and_diversity_leave_missing_labels_out_pairwise(seed, q, m, missing):
    rng = np.random.default_rng(seed)
    rows, counts = table(rng, q, m, 4, missing), rng.integers(1, 5, q)
    labels = rng.integers(0, 3, q)
    found = scores.agreement(labels, rows, counts)
    alike = scores.diversity(rows, counts)
    objects, own = np.repeat(rows, counts, axis=0), np.repeat(labels, counts)

    def brute(a, b, score):
        seen = (a != MISSING) & (b != MISSING)
        return score(a[seen], b[seen]) if seen.any() else np.nan

    for i in range(m):
        for values, score in (
            (found.ari, metrics.adjusted_rand_score),
            (found.nmi, metrics.normalized_mutual_info_score),
        ):
            assert values[i] == pytest.approx(brute(own, objects[:, i], score), abs=1e-12, nan_ok=True)
        for j in range(m):
            expected = brute(objects[:, i], objects[:, j], metrics.normalized_mutual_info_score)
            assert alike.nmi[i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    known = found.nmi[~np.isnan(found.nmi)]
    assert found.mean_nmi == pytest.approx(known.mean() if len(known) else np.nan, nan_ok=True)
    upper = alike.nmi[np.triu_indices(m, 1)]
    upper = upper[~np.isnan(upper)]
    assert alike.mean == pytest.approx(upper.mean() if len(upper) else np.nan, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 30), k=st.integers(1, 6))
def test_agreement_above_chance_takes_off_the_exact_mean_over_shuffles(seed, q, k):
    rng = np.random.default_rng(seed)
    labels, rows, counts = rng.integers(0, k, q), table(rng, q, 3, 5, 0.2), rng.integers(1, 20, q)
    found = scores.nmi_above_chance(labels, rows, counts)
    for value, column in zip(found, rows.T, strict=True):
        a, b = (np.repeat(x[column != MISSING], counts[column != MISSING]) for x in (labels, column))
        if not len(a):
            assert math.isnan(value)
            continue
        contingency = metrics.cluster.contingency_matrix(a, b)
        shuffled = metrics.cluster.expected_mutual_information(contingency, len(a))
        entropies = [scipy_entropy(np.bincount(np.unique(x, return_inverse=True)[1])) for x in (a, b)]
        by_chance = shuffled / np.mean(entropies) if sum(entropies) > 0 else 1
        assert value == pytest.approx(metrics.normalized_mutual_info_score(a, b) - by_chance, abs=1e-10)


def test_nothing_is_above_chance_by_the_mean_over_every_shuffle():
    labels, column = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    every = [scores.nmi(labels, column[list(order)]) for order in itertools.permutations(range(5))]
    found = scores.nmi_above_chance(labels, column[:, None])[0]
    assert found == pytest.approx(scores.nmi(labels, column) - np.mean(every), abs=1e-12)


def test_stability_is_the_mean_over_pairs():
    rng = np.random.default_rng(0)
    labellings = [rng.integers(0, 3, 30) for _ in range(4)]
    pairs = [metrics.adjusted_rand_score(a, b) for a, b in itertools.combinations(labellings, 2)]
    assert scores.stability(labellings) == pytest.approx(np.mean(pairs), abs=1e-12)
    assert scores.stability([labellings[0]] * 3) == 1
    assert math.isnan(scores.stability(labellings[:1]))
    matrix = scores.pairwise_ari(labellings)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_allclose(matrix[np.triu_indices(4, 1)], pairs, atol=1e-12)


# ------------------------------------------------------------------------------------------------ from the consensus


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 12), k=st.integers(1, 4))
def test_confidence_object_by_object(seed, q, k):
    rng = np.random.default_rng(seed)
    rows, counts = table(rng, q, 6, 3), rng.integers(1, 4, q)
    S = together(rows)
    S[np.diag_indices(q)] -= 0.1 * rng.random(q)  # two objects of one row need not be fully alike
    labels = rng.integers(0, k, q) * 10
    found = scores.confidence(S, labels, counts)
    member = np.repeat(np.arange(q), counts)
    A, own = S[np.ix_(member, member)], labels[member]
    n = len(own)
    for i in range(n):
        fellows = [A[i, j] for j in range(n) if j != i and own[j] == own[i]]
        others = {c: np.mean(A[i, own == c]) for c in set(own) - {own[i]}}
        mine = np.mean(fellows) if fellows else 1.0
        best = max(others.values(), default=0.0)
        p = member[i]
        assert found.own[p] == pytest.approx(mine, abs=1e-12)
        assert found.other[p] == pytest.approx(best, abs=1e-12)
        assert found.margin[p] == pytest.approx(mine - best, abs=1e-12)
        assert others.get(found.rival[p], best) == pytest.approx(best, abs=1e-12)
    if 1 < len(set(own)) < n:
        distance = 1 - A
        np.fill_diagonal(distance, 0)
        expected = metrics.silhouette_samples(distance, own, metric="precomputed")
        np.testing.assert_allclose(found.silhouette[member], expected, atol=1e-9)
    else:
        np.testing.assert_array_equal(found.silhouette, 0)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 12), low=st.floats(0, 0.5), high=st.floats(0.5, 1))
def test_distribution_over_pairs_of_objects(seed, q, low, high):
    rng = np.random.default_rng(seed)
    S, counts = together(table(rng, q, 6, 3)), rng.integers(1, 4, q)
    member = np.repeat(np.arange(q), counts)
    pairs = S[np.ix_(member, member)][np.triu_indices(len(member), 1)]
    values, share = scores.consensus_cdf(S, counts)
    np.testing.assert_array_equal(values, np.unique(pairs))
    np.testing.assert_allclose(share, [(pairs <= v).mean() for v in values], atol=1e-12)
    grid = np.sort(rng.choice(np.concatenate([rng.random(5), np.arange(7) / 6]), 8))
    at, share = scores.consensus_cdf(S, counts, at=grid)
    np.testing.assert_array_equal(at, grid)
    expected = [(pairs <= v).mean() if len(pairs) else 0 for v in grid]
    np.testing.assert_allclose(share, expected, atol=1e-12)
    between = ((pairs > low) & (pairs <= high)).mean() if len(pairs) else 0
    assert scores.pac(S, counts, low, high) == pytest.approx(between, abs=1e-12)
    # the area under a step function, step by step
    fine = np.concatenate([[0], np.unique(pairs), [1]])
    area = sum((b - a) * (pairs <= a).mean() for a, b in itertools.pairwise(fine)) if len(pairs) else 0
    assert scores.cdf_area(S, counts) == pytest.approx(area, abs=1e-12)


def test_delta_area():
    np.testing.assert_allclose(scores.delta_area([0.4, 0.5, 0.6]), [0.4, 0.25, 0.2])
    np.testing.assert_array_equal(scores.delta_area([0.0, 0.5]), [0, 0])
    assert scores.pac(np.eye(4)) == 0  # crisp
    assert scores.pac(np.full((4, 4), 0.5)) == 1


def test_the_authors_own_scores_of_their_labels(golden):
    """ARI, NMI and F that the EC-CMS program printed for its labels and for LWEA's."""
    for name in ("Ecoli", "UMIST", "Aggregation"):
        file = golden(f"ec_cms_{name}_1_20")
        for labels, printed in (("labels", "scores_eccms"), ("labels_lwea", "scores_lwea")):
            found = scores.all_scores(file[labels].ravel(), file["gt"].ravel())
            np.testing.assert_allclose([found[s] for s in ("ari", "nmi", "f1")], file[printed], atol=1e-12)


# --- certainty ----------------------------------------------------------------------------------------------------


def certainty_by_hand(table, labels):
    """Object by object from the definition: (own, other, the clusters that are that near) of each."""
    n, found = len(table), []
    for i in range(n):
        shares = {}
        for label in set(labels.tolist()):
            others = [j for j in range(n) if labels[j] == label and j != i]
            seen = [(j, t) for j in others for t in range(table.shape[1]) if table[i, t] >= 0 and table[j, t] >= 0]
            same = sum(table[i, t] == table[j, t] for j, t in seen)
            shares[label] = 1.0 if label == labels[i] and not others else same / len(seen) if seen else 0.0
        own = shares.pop(labels[i])
        other = max(shares.values(), default=0.0)
        near = {label for label, share in shares.items() if share > other - 1e-12} or {labels[i]}
        found.append((own, other, near))
    return found


@given(
    hnp.arrays(np.int64, st.tuples(st.integers(2, 9), st.integers(1, 5)), elements=st.integers(-1, 2)),
    st.lists(st.integers(0, 3), min_size=9, max_size=9),
)
def test_certainty_is_what_its_definition_says(table, named):
    ensemble = Ensemble.from_labels(table)
    rows = np.unique(np.array(named)[np.arange(ensemble.q) % 9], return_inverse=True)[1].reshape(-1)
    sure = scores.certainty(ensemble, rows)
    by_hand = certainty_by_hand(table, rows[ensemble.member_of])
    own, other, second, margin = (ensemble.expand(x) for x in sure)
    assert own == pytest.approx([x[0] for x in by_hand], abs=1e-12)
    assert other == pytest.approx([x[1] for x in by_hand], abs=1e-12)
    assert margin == pytest.approx(own - other, abs=1e-12)
    assert all(one in by[2] for one, by in zip(second, by_hand, strict=True))


def test_certainty_is_the_margin_of_co_association_where_nothing_is_missing():
    from consensus_core.similarity import coassociation

    table = np.random.default_rng(0).integers(0, 4, (80, 6))
    ensemble = Ensemble.from_labels(table)
    labels = np.arange(ensemble.q) % 5
    margin = scores.confidence(coassociation(ensemble), labels, ensemble.counts).margin
    assert scores.certainty(ensemble, labels).margin == pytest.approx(margin, abs=1e-12)
