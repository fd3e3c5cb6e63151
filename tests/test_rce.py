"""RCE: equal to the published program, to a literal n-row implementation with all its noise matrices, and to optima."""

from __future__ import annotations

import numpy as np
import pytest
from draws import paper_draws, some_of
from label_tables import planted, same_groups
from scipy.optimize import minimize_scalar

from consensus_core import RCE, Ensemble, iterate, solve
from consensus_core.linalg import smallest_eigenvectors, unit_rows
from consensus_core.partition import discretise
from consensus_core.scores import acc, ari, nmi

NEAR = {"1_1": (1, 1, 1e-9, 1e-8), "001_001": (0.01, 0.01, 1e-9, 1e-8), "100_1": (100, 1, 1e-6, 1e-5)}


def kl(a, b):
    a, b = np.clip(a, 1e-16, 1 - 1e-16), np.clip(b, 1e-16, 1 - 1e-16)
    return a * np.log(a / b) + (1 - a) * np.log((1 - a) / (1 - b))


def n_rows(table, lam1, lam2, rounds, inner=20, mu=1e-3):
    """Every round on all objects: A, and E of every base clustering."""
    S = np.array([column[:, None] == column for column in table.T]).astype(float)
    (m, n, _), A = S.shape, S.mean(axis=0)
    move, T = (A > 0) & (A < 1), np.zeros((n, n))
    for turn in range(rounds + 1):
        if turn:
            C = np.log(np.maximum((1 - S + E) / np.maximum(S - E, 2.2e-16), 2.2e-16)).sum(axis=0)  # noqa: F821
            for _ in range(inner):
                up, down, a = np.maximum(T, 0) @ A, np.maximum(-T, 0) @ A, np.where(move, A, 0.5)
                alpha = (2 * m + np.maximum(C, 0) + 2 * up) / a + 2 * m / (1 - a)
                beta = m * np.log(a / (1 - a)) - 2 * m / (1 - a)
                delta = (np.maximum(-C, 0) + 2 * down) * a
                new = np.minimum((np.sqrt(beta**2 + 4 * alpha * delta) - beta) / (2 * alpha), 1)
                A = np.where(move, new, A)
            values, vectors = np.linalg.eigh(A @ A.T + mu * np.eye(n))
            T = lam2 * (vectors / np.sqrt(values)) @ vectors.T
        s, one = A + A.T, 1 + lam1
        b0 = (one - np.sqrt(np.maximum(one**2 - 2 * lam1 * s, 0))) / (2 * lam1)
        b1 = 1 - (one - np.sqrt(np.maximum(one**2 - 2 * lam1 * (2 - s), 0))) / (2 * lam1)
        E = np.where(S == 1, 1 - b1, -b0)
        norm = np.sqrt(np.maximum(np.linalg.eigvalsh(A @ A.T), 0) + mu).sum()
        yield A, E, (kl(A, S - E).sum(), lam1 * np.abs(E).sum(), lam2 * norm)


@pytest.mark.parametrize(("lam1", "lam2"), [(1.0, 1.0), (0.05, 10.0), (20.0, 0.1)])
def test_microclusters_give_the_n_row_answer(lam1, lam2):
    table = planted(n=30, m=6, k=3, wrong=0.2, seed=3)
    ensemble, method = Ensemble.from_labels(table), RCE(k=3, lam1=lam1, lam2=lam2, max_iter=4)
    at = ensemble.member_of
    assert ensemble.q < len(table)
    for step, (A, E, parts) in zip(iterate(method, ensemble), n_rows(table, lam1, lam2, 4), strict=True):
        where = np.ix_(at, at)
        assert step.value("A")[where] == pytest.approx(A, abs=1e-10)
        for i, column in enumerate(table.T):
            together = column[:, None] == column
            left = np.where(together, 1 - step.value("b1")[where], -step.value("b0")[where])
            assert left == pytest.approx(E[i], abs=1e-9)
        assert list(step.terms.values()) == pytest.approx(parts, rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("setting", NEAR)
@pytest.mark.parametrize("name", some_of(["Lung", "Ecoli"]))
def test_golden_results_of_the_published_program(golden, name, setting):
    told, (lam1, lam2, entries, sums) = golden(f"rce_{name}"), NEAR[setting]
    ensemble, k = Ensemble.from_labels(told["base"].astype(int)), int(told["K"])
    result, at = solve(RCE(k=k, lam1=lam1, lam2=lam2), ensemble), ensemble.member_of
    S = result.value("S")[np.ix_(at, at)]
    assert S[:60, :60] == pytest.approx(told[f"A_first60_objects_{setting}"], abs=entries)
    assert S.sum(axis=1) == pytest.approx(told[f"A_rowsum_{setting}"], abs=sums)
    if setting == "1_1":
        first = result.step.run.step(1).value("A")[np.ix_(at, at)]
        assert first[:60, :60] == pytest.approx(told["A_round1_first60_objects_1_1"], abs=entries)
        _, Y = smallest_eigenvectors(result.value("S"), k, ensemble.weights, normalised=True)
        labels, _ = discretise(unit_rows(Y), ensemble.counts, first=int(at[0]))
        assert same_groups(labels[at], told["labels_first0_1_1"])


# λ₁, λ₂: means and deviations of ACC and NMI on Lung, by discretisation from row 0, as the page has them
LUNG = {
    (100, 100): ([0.715, 0.526], [0.071, 0.031]), (100, 1): ([0.716, 0.524], [0.075, 0.034]),
    (1, 1): ([0.711, 0.525], [0.070, 0.031]), (0.01, 1): ([0.697, 0.524], [0.060, 0.030]),
}  # fmt: skip


@pytest.mark.parametrize(("lam1", "lam2"), some_of(LUNG))
def test_lung_comes_out_as_published(pool, lam1, lam2):
    """SPCE's Tables III and V: ACC .714 ± .071, NMI .525 ± .032."""
    members, truth = pool("Lung")
    reached = []
    for part in range(10):
        ensemble = Ensemble.from_labels(members[:, 20 * part : 20 * part + 20])
        S = solve(RCE(k=5, lam1=lam1, lam2=lam2), ensemble).value("S")
        _, Y = smallest_eigenvectors(S, 5, ensemble.weights, normalised=True)
        labels = discretise(unit_rows(Y), ensemble.counts, first=int(ensemble.member_of[0]))[0][ensemble.member_of]
        reached.append((acc(labels, truth), nmi(labels, truth, average="max")))
    found = np.round(np.mean(reached, axis=0), 3).tolist(), np.round(np.std(reached, axis=0, ddof=1), 3).tolist()
    assert found == LUNG[lam1, lam2]


MEASURED = {
    ("Ecoli", 1): (0.420, 0.02), ("Aggregation", 1): (0.868, 0.04), ("UMIST", 1): (0.324, 0.015),
    ("Ecoli", 100): (0.418, 0.02), ("Aggregation", 100): (0.787, 0.04),
}  # fmt: skip


@pytest.mark.skipif(not some_of("ab")[1:], reason="twenty runs on each of three pools: with QUORUM_POOLS=all")
@pytest.mark.parametrize(("name", "lam2"), MEASURED)
def test_the_quality_that_was_measured(pool, name, lam2):
    members, truth = pool(name)
    method = RCE(k=len(np.unique(truth)), lam2=lam2)
    reached = [ari(solve(method, Ensemble.from_labels(members[:, draw])).labels, truth) for draw in paper_draws()]
    mean, luck = MEASURED[name, lam2]
    assert np.mean(reached) == pytest.approx(mean, abs=luck)


@pytest.mark.parametrize("a", [0.03, 0.4, 0.8, 0.99])
@pytest.mark.parametrize("lam1", [1e-3, 1.0, 50.0])
def test_what_is_left_without_noise_is_the_best(a, lam1):
    b0, b1 = RCE(k=2, lam1=lam1).left_of_noise(np.array([[a]]))
    for said, found in ((0, b0), (1, b1)):
        best = minimize_scalar(lambda b, said=said: kl(a, b) + lam1 * abs(said - b), bounds=(0, 1), method="bounded",
                               options={"xatol": 1e-10})  # fmt: skip
        assert found[0, 0] == pytest.approx(best.x, abs=1e-6)
