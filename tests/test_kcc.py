"""KCC: scikit-learn's k-means on one-hot labels, mutual information, the authors' package, mean scores."""

from __future__ import annotations

import numpy as np
import pytest
from draws import ari_over_draws, paper_draws, some_of
from label_tables import planted, same_groups
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, mutual_info_score

from consensus_core import METHODS, Ensemble, iterate, solve
from consensus_core.ensemble.incidence import incidence

KCC = METHODS["kcc"]
GOLDEN = [("u_c", False), ("u_h", False), ("u_cos", False), ("u_h", True), ("u_c", True)]


def from_start(method, ensemble, objects) -> list:
    """The states of one start on the label rows of these objects, the last that lowered the total being the last."""
    states = [method.begun(ensemble.canonical, ensemble.member_of[objects])]
    while True:
        new = method.step(ensemble.canonical, states[-1])
        if method.converged(states[-1], new):
            return states
        states.append(new)


def total(state) -> float:
    return float(state.by_clustering.sum())


def different(ensemble, k, seed=0) -> np.ndarray:
    return ensemble.first_of[np.random.default_rng(seed).choice(ensemble.q, k, replace=False)]


@pytest.mark.parametrize("seed", range(6))
def test_category_utility_is_k_means_on_one_hot_labels(seed):
    table = planted(n=90, m=8, k=4, wrong=0.35, seed=seed)
    ensemble = Ensemble.from_labels(table)
    X = ensemble.expand(incidence(ensemble.canonical).toarray())
    states = from_start(KCC(k=4), ensemble, different(ensemble, 4, seed))
    # from the first means: between rows as they are there are ties, which rounding would decide
    theirs = KMeans(4, init=states[1].C, n_init=1, tol=0).fit(X)
    assert total(states[-1]) == pytest.approx(theirs.inertia_, rel=1e-12)
    assert (ensemble.expand(states[-1].y) == theirs.labels_).all()


@pytest.mark.parametrize("utility", ["u_c", "u_h"])
def test_the_distance_is_what_the_utility_leaves(utility):
    """u_c: total + n Σ U_i = n Σ (1 − ‖P_i‖²); u_h: total / n = Σ H(P_i) − MI_i, in bits; at exact centroids."""
    table = planted(n=80, m=6, k=3, wrong=0.3, seed=2)
    ensemble, method = Ensemble.from_labels(table), KCC(k=3, utility=utility)
    state = from_start(method, ensemble, different(ensemble, 3))[-1]  # nothing moves: centroids are means
    labels, left = ensemble.expand(state.y), 0.0
    for column in table.T:
        P = np.bincount(column) / len(column)
        if utility == "u_h":
            left += -(P * np.log2(P)).sum() - mutual_info_score(labels, column) / np.log(2)
            continue
        shares = [np.bincount(column[labels == c], minlength=len(P)) / (labels == c).sum() for c in range(3)]
        U = sum((labels == c).mean() * (shares[c] ** 2).sum() for c in range(3)) - (P**2).sum()
        left += 1 - (P**2).sum() - U
    assert total(state) / len(table) == pytest.approx(left, rel=1e-9)


@pytest.mark.parametrize("utility", ["u_c", "u_h", "u_cos", "u_lp"])
def test_missing_labels_on_all_objects(utility):
    """Object by object: sums over the labels there are, blocks nobody has a label in are those of all objects."""
    table = planted(n=40, m=5, k=3, wrong=0.3, seed=4, missing=0.4)
    ensemble, method = Ensemble.from_labels(table), KCC(k=3, utility=utility, p=5)
    start = different(ensemble, 3, 1)
    labels = np.arange(0)
    for t, state in enumerate(from_start(method, ensemble, start)):
        groups = [[i] for i in start] if t == 0 else [np.flatnonzero(labels == c) for c in range(3)]
        cost = np.zeros((len(table), 3))
        for column in table.T:
            every = np.bincount(column[column >= 0], minlength=3)
            for c, members in enumerate(groups):
                own = np.bincount(column[members][column[members] >= 0], minlength=3)
                C = own / own.sum() if own.sum() else every / every.sum()
                for i in np.flatnonzero(column >= 0):
                    x = C[column[i]]
                    cost[i, c] += {
                        "u_c": 1 + C @ C - 2 * x,
                        "u_h": -np.log2(x + 2.0**-52),
                        "u_cos": 1 - x / np.sqrt(C @ C),
                        "u_lp": 1 - (x / (C**5).sum() ** 0.2) ** 4,
                    }[utility]
        labels = cost.argmin(axis=1)
        assert total(state) == pytest.approx(cost.min(axis=1).sum(), rel=1e-9)
        assert (ensemble.expand(state.y) == labels).all()


def test_an_empty_cluster_begins_on_the_row_that_lies_worst():
    """Nothing ever runs empty for good on data with as many groups as clusters."""
    for seed in range(5):
        table = planted(n=40, m=3, k=4, wrong=0.5, seed=seed)
        result = solve(KCC(k=8, starts=1, seed=seed), Ensemble.from_labels(table))
        assert result.found == 8 and not result.remarks


@pytest.mark.parametrize("name", ["Ecoli", "Aggregation", "UMIST"])
def test_golden(golden, name):
    file = golden(f"kcc_{name}")
    ensemble, k = Ensemble.from_labels(file["members"]), int(file["K"])
    for utility, normalised in GOLDEN:
        key = utility + "_norm" * normalised
        if f"{key}_path" not in file:
            continue
        states = from_start(KCC(k=k, utility=utility, normalised=normalised), ensemble, file["start_objects"])
        tolerance = 1e-8 if utility == "u_cos" else 1e-9
        assert [total(state) for state in states] == pytest.approx(file[f"{key}_path"].tolist(), rel=tolerance), key
        assert (ensemble.expand(states[-1].y) == file[f"{key}_labels"]).all(), key
        assert np.sort(states[-1].C.ravel()) == pytest.approx(np.sort(file[f"{key}_C"].ravel()), abs=1e-6), key


# the page's own ten starts are others by chance: means over 20 draws may differ by three times their standard error
SCORES = {"Ecoli": (0.355, 0.047), "Aggregation": (0.707, 0.074), "UMIST": (0.328, 0.023), "SPF": (0.052, 0.024)}


@pytest.mark.parametrize("name", SCORES)
def test_mean_scores_over_the_draws(pool, name):
    members, truth = pool(name)
    k, (mean, spread) = len(np.unique(truth)), SCORES[name]
    ensembles = [Ensemble.from_labels(members[:, draw]) for draw in paper_draws()]
    found = [adjusted_rand_score(truth, solve(KCC(k=k), ensemble).labels) for ensemble in ensembles]
    print(f"{name}: {np.mean(found):.3f} ± {np.std(found, ddof=1):.3f}")
    assert abs(np.mean(found) - mean) <= 3 * spread / np.sqrt(20)


# the same of the other utilities: Ecoli, Aggregation, UMIST, SPF
OTHERS = {
    ("u_h", False): ((0.376, 0.040), (0.676, 0.074), (0.322, 0.026), (0.046, 0.019)),
    ("u_cos", False): ((0.362, 0.041), (0.704, 0.080), (0.333, 0.021), (0.054, 0.024)),
    ("u_c", True): ((0.352, 0.044), (0.685, 0.079), (0.334, 0.017), (0.045, 0.016)),
    ("u_h", True): ((0.374, 0.039), (0.686, 0.073), (0.322, 0.026), (0.048, 0.019)),
}


@pytest.mark.skipif(not some_of("ab")[1:], reason="eighty runs each: with QUORUM_POOLS=all")
@pytest.mark.parametrize(("utility", "normalised"), OTHERS)
def test_mean_scores_of_the_other_utilities(pool, utility, normalised):
    for name, (mean, spread) in zip(SCORES, OTHERS[utility, normalised], strict=True):
        method = KCC(k=len(np.unique(pool(name)[1])), utility=utility, normalised=normalised)
        assert abs(ari_over_draws(method, pool(name))[0] - mean) <= 3 * spread / np.sqrt(20), name


def test_the_best_of_the_starts_is_shown():
    ensemble = Ensemble.from_labels(planted(n=60, m=6, k=5, wrong=0.4, seed=1))
    one = [solve(KCC(k=5, starts=1, seed=0), ensemble).objective]
    many = solve(KCC(k=5, starts=30, seed=0), ensemble)
    assert many.objective <= one[0]
    *_, last = iterate(KCC(k=5, starts=30, seed=0), ensemble)
    assert last.objective == many.objective and same_groups(last.labels, many.labels)
