"""DREC: equal to a port of the published program, to a literal implementation, and to its own conditions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from draws import ari_over_draws, lexicographic, over_lung, paper_draws, some_of
from label_tables import planted, same_groups

from consensus_core import DREC, Ensemble, iterate, solve
from consensus_core.partition.kmeans import spread_of
from consensus_core.scores import ari


def last(method, ensemble):
    return list(iterate(method, ensemble))[-1]


def indicators(table):
    """X (K, q) of the distinct rows, and whose row each object has."""
    rows, at = np.unique(table, axis=0, return_inverse=True)
    columns = [(rows[:, [i]] == np.unique(rows[rows[:, i] >= 0, i])).T for i in range(rows.shape[1])]
    return np.concatenate(columns).astype(float), at.reshape(-1)


@pytest.mark.parametrize("lam", [0.7, 2.0, 100.0])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_passes_written_out(lam, missing):
    """z_j by normal equations, residuals by multiplying out, B from numpy's SVD of Z."""
    table = planted(n=50, m=6, k=3, wrong=0.25, missing=missing, seed=6)
    ensemble, (X, at) = Ensemble.from_labels(table), indicators(table)
    q, K = X.shape[1], X.T @ X
    mu = np.full(q, lam)
    for step in iterate(DREC(k=3, lam=lam), ensemble):
        Z = np.column_stack([np.linalg.solve(K + mu[j] * np.eye(q), K[:, j]) for j in range(q)])
        r = np.sqrt(((X - X @ Z) ** 2).sum(axis=0) + 1e-10)
        ours = ensemble.member_of
        assert step.value("mu")[ours] == pytest.approx(mu[at], rel=1e-7)
        assert step.value("r")[ours] == pytest.approx(r[at], rel=1e-6, abs=1e-9)
        assert step.value("Z")[np.ix_(ours, ours)] == pytest.approx(Z[np.ix_(at, at)], abs=1e-8)
        assert step.objective == pytest.approx(r.sum() + lam * (Z**2).sum(), rel=1e-8)
        U, s, _ = np.linalg.svd(Z)
        G = U * np.sqrt(np.where(s > 1e-4 * s[0], s, 0))
        G /= np.linalg.norm(G, axis=1, keepdims=True)
        assert step.value("B")[np.ix_(ours, ours)] == pytest.approx(((G @ G.T) ** 4)[np.ix_(at, at)], abs=1e-7)
        mu = 2 * lam * r


@pytest.mark.parametrize("lam", [1, 10, 100])
@pytest.mark.parametrize("name", some_of(["Lung", "Ecoli", "Aggregation", "UMIST"]))
def test_golden_results(golden, name, lam):
    told = golden(f"drec_{name}")
    table, k = told["base"].astype(int), int(told["K"])
    ensemble, at = Ensemble.from_labels(table), lexicographic(told["base"])
    row = np.empty(ensemble.q, dtype=int)  # where each of ours stands in the golden file
    row[ensemble.member_of] = at
    steps = list(iterate(DREC(k=k, lam=lam, starts=100), ensemble))  # theirs is the best of a hundred, too
    assert len(steps) == told["iters"]
    assert steps[-1].value("mu") == pytest.approx(told[f"mu_{lam}"][row], rel=1e-8)
    for step, r in zip(steps, told[f"r_{lam}"], strict=True):
        assert step.value("r") == pytest.approx(r[row], rel=1e-7, abs=1e-9)
    B = np.empty((ensemble.q, ensemble.q))
    B[np.ix_(row, row)] = steps[-1].value("B")
    assert B[:50, :50] == pytest.approx(told[f"W_corner_{lam}"], abs=1e-8)
    d = np.sqrt(B.sum(axis=1))
    assert np.linalg.eigvalsh(B / d / d[:, None])[::-1][: k + 2] == pytest.approx(told[f"eigenvalues_{lam}"], abs=1e-8)
    theirs = told[f"labels_best_of_100_{lam}"]
    F = steps[-1].value("F")
    unit = F / np.linalg.norm(F, axis=1, keepdims=True)
    left = [
        spread_of(unit, np.unique(labels[ensemble.first_of], return_inverse=True)[1], np.ones(ensemble.q))
        for labels in (steps[-1].labels, theirs)
    ]
    assert left[0] <= 1.01 * left[1], "another program's k-means leaves less"
    assert ari(steps[-1].labels, told["gt"]) == pytest.approx(ari(theirs, told["gt"]), abs=0.05)


def test_a_pass_comes_to_the_least_point_of_the_bound():
    """What the fixed point minimises, one column by itself, against scipy."""
    table, lam = planted(n=24, m=5, k=3, wrong=0.3, seed=1), 1.5
    (X, _), ensemble = indicators(table), Ensemble.from_labels(table)
    step = last(DREC(k=3, lam=lam, max_iter=500), ensemble)
    assert step.stop == "converged"
    x = X[:, 0]
    found = scipy.optimize.minimize(
        lambda z: np.sqrt(((x - X @ z) ** 2).sum() + 1e-10) + lam * (z**2).sum(), np.zeros(X.shape[1]), tol=1e-12
    )
    first = int(ensemble.member_of[np.unique(table, axis=0, return_index=True)[1][0]])
    ours = step.value("r")[first] + lam * (step.value("Z")[:, first] ** 2).sum()
    assert ours == pytest.approx(found.fun, rel=1e-6)


def test_when_a_column_collapses():
    """2 λ κ ≤ 1: then, and only then, the least point is the exact fit."""
    ensemble = Ensemble.from_labels(planted(n=24, m=5, k=3, wrong=0.3, seed=1))
    kappa = last(DREC(k=3), ensemble).value("kappa")
    lam = float(1 / (2 * np.median(kappa) * 1.02))
    step = last(DREC(k=3, lam=lam, max_iter=1000), ensemble)
    limit = 2 * lam * kappa
    assert (limit < 0.95).any() and (limit > 1.05).any()
    assert (step.value("r")[limit < 0.95] < 1e-3).all() and (step.value("r")[limit > 1.05] > 1e-2).all()
    assert step.value("collapsed") == (limit <= 1).mean()


MEASURED = {"Ecoli": (2.0, 0.710), "Aggregation": (1.0, 0.896), "UMIST": (10.0, 0.372)}


@pytest.mark.parametrize("name", some_of(MEASURED))
def test_one_price_for_each_pool_comes_out_as_the_published_tuned_row(pool, name):
    """EC-CMS's Table IV, tuned: .679 ± .079, .897 ± .076, .367 ± .038; measured with the λ given."""
    members, truth = pool(name)
    lam, mean = MEASURED[name]
    method = DREC(k=len(np.unique(truth)), lam=lam)
    reached = [ari(solve(method, Ensemble.from_labels(members[:, draw])).labels, truth) for draw in paper_draws()]
    assert np.mean(reached) == pytest.approx(mean, abs=0.03)


# the page's ARI over the 20 draws by λ; below .7 the labels of Ecoli and UMIST are noise
BY_PRICE = {
    "Ecoli": {0.7: 0.423, 1: 0.668, 2: 0.710, 3: 0.609, 10: 0.447, 100: 0.428, 1e4: 0.423},
    "Aggregation": {0.5: 0.802, 0.7: 0.841, 1: 0.896, 2: 0.883, 3: 0.859, 10: 0.742, 100: 0.711, 1e4: 0.707},
    "UMIST": {0.7: 0.057, 1: 0.165, 2: 0.286, 3: 0.333, 10: 0.372, 100: 0.349, 1e4: 0.340},
}


@pytest.mark.skipif(not some_of("ab")[1:], reason="440 runs: with QUORUM_POOLS=all")
@pytest.mark.parametrize("name", BY_PRICE)
def test_what_the_price_does(pool, name):
    k = len(np.unique(pool(name)[1]))
    found = [ari_over_draws(DREC(k=k, lam=lam), pool(name))[0] for lam in BY_PRICE[name]]
    assert found == pytest.approx(list(BY_PRICE[name].values()), abs=0.012)


@pytest.mark.parametrize(("name", "share"), [("Ecoli", 0.01), ("Aggregation", 0.18), ("UMIST", 0.01), ("Lung", 0.59)])
def test_how_many_columns_collapse_at_1(golden, name, share):
    told = golden(f"drec_{name}")
    method, ensemble = DREC(k=int(told["K"]), lam=1.0), Ensemble.from_labels(told["base"].astype(int))
    assert round(last(method, ensemble).value("collapsed"), 2) == share


def test_lung_at_the_programs_own_price(pool):
    """SPCE's Tables III and V: ACC .638 ± .072, NMI .465 ± .039, with λ = 100; the page's at 100 and at 2."""
    means, _ = over_lung(DREC(k=5, lam=100), pool)
    assert (np.abs(means - [0.638, 0.465]) < [0.072, 0.039]).all()
    assert (np.abs(means - [0.623, 0.458]) <= 3 * np.array([0.081, 0.046]) / np.sqrt(10)).all()
    assert over_lung(DREC(k=5, lam=2), pool)[0] == pytest.approx([0.832, 0.614], abs=0.02)


def test_most_rows_alone_is_said():
    ensemble = Ensemble.from_labels(planted(n=30, m=3, k=3, wrong=0.1, seed=2))
    said = [solve(DREC(k=3, lam=lam), ensemble).remarks for lam in (0.5, 100)]
    assert bool(said[0]) == (DREC(k=3, lam=0.5).collapsed(ensemble, last(DREC(k=3, lam=0.5), ensemble).state) > 0.5)
    assert not said[1]


def test_objects_that_are_alike_count_once():
    table = planted(n=30, m=5, k=3, wrong=0.2, seed=3)
    once, more = solve(DREC(k=3), Ensemble.from_labels(table)), np.concatenate([table, table[:10], table[:4]])
    assert same_groups(once.labels, solve(DREC(k=3), Ensemble.from_labels(more)).labels[:30])
