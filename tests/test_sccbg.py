"""SCCBG: two rounds written down object by object, quadratic programs by another solver, stored runs."""

from __future__ import annotations

import itertools
import os

import numpy as np
import pytest
from contract_told import shown_is_explained
from draws import ari_over_draws, lexicographic, over_lung, some_of
from label_tables import planted, same_groups
from scipy.optimize import minimize
from sklearn.metrics import adjusted_rand_score

from consensus_core import METHODS, Ensemble, iterate, solve
from consensus_core.ensemble.incidence import incidence
from consensus_core.linalg import m_matrices
from consensus_core.linalg.m_matrices import m_matrix_boxes

SCCBG = METHODS["sccbg"]


@pytest.mark.parametrize("seed", range(20))
def test_m_matrix_boxes_are_the_least_points(seed):
    """Of each row by itself; where nothing is asked, the start stays."""
    rng = np.random.default_rng(seed)
    size, rows = int(rng.integers(1, 12)), 4
    ties = rng.random((size, size)) * (rng.random((size, size)) < 0.6)
    ties = ties + ties.T
    np.fill_diagonal(ties, 0)
    w = rng.choice([0.0, 0.3, 1.0], (rows, size), p=[0.2, 0.3, 0.5])
    diagonal = w * (w @ ties) + np.where(w > 0, rng.choice([1e-3, 1.0, 5.0], (rows, size)), 0.0)
    b = rng.normal(size=(rows, size)) * rng.choice([0.1, 1, 10])
    start = rng.choice([0.0, 0.5, 1.0], (rows, size))
    found = m_matrix_boxes(ties, w, diagonal, b, start)
    assert (found[w == 0] == start[w == 0]).all()
    for p in range(rows):
        asked = np.flatnonzero(w[p])
        Q, x = (np.diag(diagonal[p]) - w[p, :, None] * ties * w[p])[np.ix_(asked, asked)], found[p, asked]
        slope = Q @ x + b[p, asked]
        assert (x >= 0).all() and (x <= 1).all()
        assert (slope[x == 0] >= -1e-12).all() and (slope[x == 1] <= 1e-12).all()
        assert np.abs(slope[(x > 0) & (x < 1)]).max(initial=0) < 1e-11
        theirs = minimize(_value_and_slope, np.full(len(asked), 0.5), (Q, b[p, asked]), jac=True,
                          bounds=[(0, 1)] * len(asked), method="L-BFGS-B").fun if len(asked) else 0.0  # fmt: skip
        assert x @ Q @ x / 2 + b[p, asked] @ x <= theirs + 1e-9


def _value_and_slope(y, Q, b):
    return y @ Q @ y / 2 + b @ y, Q @ y + b


@pytest.mark.parametrize("seed", range(3))
def test_m_matrix_boxes_coordinate_by_coordinate(seed, monkeypatch):
    """What is left when sets of bounds go round in a circle comes to the same."""
    rng = np.random.default_rng(seed)
    ties = rng.random((6, 6))
    ties = np.triu(ties, 1) + np.triu(ties, 1).T
    w = rng.choice([0.0, 0.5, 1.0], (3, 6))
    diagonal, b, start = w * (w @ ties) + np.where(w > 0, 0.5, 0.0), rng.normal(size=(3, 6)), np.full((3, 6), 0.5)
    known = m_matrix_boxes(ties, w, diagonal, b, start)
    monkeypatch.setattr(m_matrices, "ROUNDS", 1)
    assert m_matrix_boxes(ties, w, diagonal, b, start) == pytest.approx(known, abs=1e-9)


def one_round(H, A, S, lam, rho, gamma, k):
    """W, the next λ and S, object by object, from the eigenvectors of the whole graph of objects and clusters."""
    n, K = H.shape
    W = np.full((n, K), 0.5)
    for p in range(n):
        for _ in range(50):
            for a in range(K):
                slack = rho - 2 * gamma * sum(A[a, b] * (S[p, a] - S[p, b]) ** 2 * W[p, b] for b in range(K) if b != a)
                twice = 2 * (S[p, a] - H[p, a]) ** 2
                W[p, a] = min(max(slack / twice, 0), 1) if twice else 1.0 * (slack > 0) if slack else W[p, a]
    graph = np.zeros((n + K, n + K))
    graph[:n, n:], graph[n:, :n] = S, S.T
    d = np.sqrt(graph.sum(axis=1))
    values, vectors = np.linalg.eigh(graph / np.outer(d, d))
    values, vectors = (
        values[::-1][: k + 1],
        vectors[:, ::-1][:, :k] / d[:, None],
    )  # of length 1 over both sides together
    e = values**2
    lam *= 2 if e[:k].sum() < k - 1e-7 else 0.5 if e.sum() > k + 1 - 1e-7 else 1
    T = ((vectors[:n, None] - vectors[None, n:]) ** 2).sum(axis=2)
    new = S.copy()
    for p in range(n):
        for _ in range(5000):
            before = new[p].copy()
            for a in range(K):
                w, others = W[p, a], A[a] * W[p] * (np.arange(K) != a)
                below = 2 * w**2 + 4 * gamma * w * others.sum()
                above = 2 * w**2 * H[p, a] + 4 * gamma * w * (others @ new[p]) - lam * T[p, a]
                new[p, a] = min(max(above / below, 0), 1) if below else 0.0
            if np.abs(new[p] - before).max() < 1e-13:
                break
    return W, lam, np.where(new < 1e-4, 0, new)


@pytest.mark.parametrize("gamma", [1e-3, 0.03])
def test_two_rounds_on_all_objects(gamma):
    ensemble = Ensemble.from_labels(planted(n=22, m=3, k=3, wrong=0.3, seed=3))
    assert ensemble.q < ensemble.n
    H = ensemble.expand(incidence(ensemble.canonical).toarray())
    A, S, lam, rho = H.T @ H, H, 1.0, 0.5
    steps = list(iterate(SCCBG(k=3, gamma=gamma, max_iter=2), ensemble))
    assert len(steps) == 3
    for step in steps[1:]:
        W, lam, S = one_round(H, A, S, lam, rho, gamma, 3)
        rho *= 2
        assert ensemble.expand(step.state.W) == pytest.approx(W, abs=1e-8)
        assert ensemble.expand(step.state.S) == pytest.approx(S, abs=1e-7)
        assert (step.state.lam, step.state.rho) == (lam, rho)


def test_the_cut_is_what_the_singular_values_lack():
    """Σ s_pa ‖u/√d − v/√d‖² = k − Σ √e_j."""
    ensemble = Ensemble.from_labels(planted(n=60, m=6, k=3, wrong=0.3, seed=1))
    for step in iterate(SCCBG(k=3, max_iter=5), ensemble):
        state = step.state
        assert step.terms["cut"] / state.lam == pytest.approx(3 - np.sqrt(state.e[:3]).sum(), abs=1e-8)


def as_listed(members) -> Ensemble:
    """Columns and codes in the order of the file, in which the stored runs went through them."""
    ensemble = Ensemble.from_labels(members)
    codes = np.column_stack([np.unique(column, return_inverse=True)[1].reshape(-1) for column in members.T])
    return Ensemble(codes[ensemble.first_of].astype(np.int32), ensemble.counts, ensemble.member_of, ensemble.names,
                    as_given=np.arange(ensemble.m))  # fmt: skip


def _trust_agrees(start, ours, theirs):
    """But for a row or two where as much spoke for an edge as against it: rounding decided, and ours is no worse."""
    apart = np.flatnonzero(np.abs(ours - theirs).max(axis=1) > 1e-6)
    assert len(apart) <= 2
    for p in apart:
        torn = start.A * (start.S[p][:, None] - start.S[p]) ** 2
        assert np.abs(0.5 - 2e-3 * torn @ theirs[p]).min() < 1e-12, "no tie"
        assert 1e-3 * ours[p] @ torn @ ours[p] - ours[p].sum() / 2 <= (
            1e-3 * theirs[p] @ torn @ theirs[p] - theirs[p].sum() / 2 + 1e-9
        )


LONG = pytest.mark.skipif(os.environ.get("QUORUM_WALK") != "all", reason="takes ten seconds; with QUORUM_WALK=all")


@pytest.mark.parametrize(
    ("name", "rounds", "score", "near"),
    [
        ("Ecoli", 15, 0.751, 1e-5),
        pytest.param("Aggregation", 17, 0.990, 1e-6, marks=LONG),
        pytest.param("UMIST", 17, 0.152, 1e-3, marks=LONG),
    ],
)
def test_golden(golden, name, rounds, score, near):
    """The stored sweeps were cut off before they had settled in the middle rounds: hence sums to a few thousandths."""
    file = golden(f"sccbg_{name}")
    ensemble, k = as_listed(file["members"]), int(file["K"])
    steps = list(iterate(SCCBG(k=k), ensemble))
    assert len(steps) - 1 == rounds and steps[-1].stop == "converged"
    where = lexicographic(file["members"])[ensemble.first_of]
    _trust_agrees(steps[0].state, steps[1].state.W, file["W_round1"][where])
    assert steps[-1].state.W == pytest.approx(file["W_last"][where], abs=1e-6)
    assert steps[-1].state.S == pytest.approx(file["S"][where], abs=near)
    for before, (lam, rho, first, more, *_) in zip(steps, file["trace"], strict=False):
        assert (before.state.lam, before.state.rho) == (lam, rho)
        assert before.state.e[:k].sum() == pytest.approx(first, abs=2e-2)
        assert before.state.e.sum() == pytest.approx(more, abs=2e-2)
    assert same_groups(steps[-1].labels, file["labels"])
    assert round(adjusted_rand_score(file["gt"], steps[-1].labels), 3) == score


def test_the_authors_program(golden):
    """Lung: the program itself, its quadratic programs solved exactly: S over all objects, 14 rounds."""
    file = golden("sccbg_Lung")
    ensemble = as_listed(file["members"])
    *_, last = steps = list(iterate(SCCBG(k=int(file["K"])), ensemble))
    assert len(steps) - 1 == 14
    assert ensemble.expand(last.state.S) == pytest.approx(file["S_objects"], abs=1e-6)
    assert same_groups(last.labels, file["labels"])


def test_the_order_of_clusters_moves_no_label(golden):
    """As a user has it, with clusters in the order of the ensemble: the same clusters."""
    file = golden("sccbg_Ecoli")
    *_, last = iterate(SCCBG(k=int(file["K"])), Ensemble.from_labels(file["members"]))
    assert same_groups(last.labels, file["labels"])


EVERY = pytest.mark.skipif(not some_of("ab")[1:], reason="up to minutes each: with QUORUM_POOLS=all")
# The page's ARI over the 20 draws, components as found. Where there are more than k of them λ goes back, and which of
# the equally good eigenvectors are taken decides: ours are those of the parts with most clusters. Three draws of Ecoli
# hang on it at γ = 1e-3: .59, .64, .57 here; with the vectors that LAPACK happens to give .41, .44, .41.
SCORES = {
    ("Ecoli", 1e-3): (0.632, 0.116), ("Aggregation", 1e-3): (0.990, 0.002), ("UMIST", 1e-3): (0.268, 0.079),
    ("SPF", 1e-3): (0.048, 0.020), ("Ecoli", 1e-4): (0.551, 0.130), ("Aggregation", 1e-4): (0.981, 0.027),
    ("UMIST", 1e-4): (0.272, 0.077), ("SPF", 1e-4): (0.053, 0.011),
}  # fmt: skip


@EVERY
@pytest.mark.parametrize(("name", "gamma"), SCORES)
def test_mean_scores_over_the_draws(pool, name, gamma):
    k, (mean, spread) = len(np.unique(pool(name)[1])), SCORES[name, gamma]
    found, _ = ari_over_draws(SCCBG(k=k, gamma=gamma, exact_k=False), pool(name))
    assert abs(found - mean) <= 3 * spread / np.sqrt(20)


@EVERY
@pytest.mark.parametrize(("mu", "ecoli", "umist"), [(0.1, 0.729, 0.304), (1.0, 0.521, 0.273)])
def test_ties_learned_over_the_first_four_draws(pool, mu, ecoli, umist):
    """The page's prototype of the extension, SCCABG."""
    for name, k, mean in (("Ecoli", 8, ecoli), ("UMIST", 20, umist)):
        found, _ = ari_over_draws(SCCBG(k=k, mu=mu, exact_k=False), pool(name), of=4)
        assert found == pytest.approx(mean, abs=2e-3)


# ACC, NMI by γ over the ten subsets of Lung, as the page has them; 1e-5 ends, as above, where LAPACK decides
LUNG = {1e-4: (0.832, 0.605), 1e-3: (0.883, 0.666), 1e-2: (0.861, 0.624), 0.1: (0.763, 0.395), 1.0: (0.721, 0.532)}


@EVERY
@pytest.mark.parametrize("gamma", LUNG)
def test_lung_as_measured(pool, gamma):
    means, _ = over_lung(SCCBG(k=5, gamma=gamma), pool)
    assert means == pytest.approx(LUNG[gamma], abs=0.01 if gamma < 1e-2 else 0.04)  # from 1e-2 the order has a say


def test_ties_that_are_strong_at_once_end_it_at_once(golden):
    """γ = 1: there are as many parts as wanted after a round, and the second ends the run."""
    file = golden("sccbg_Lung")
    result = solve(SCCBG(k=int(file["K"]), gamma=1.0, exact_k=False), Ensemble.from_labels(file["members"]))
    assert result.iterations == 2 and result.found == int(file["K"])


@pytest.mark.parametrize("gamma", [0.01, 0.1])
def test_what_is_told_holds_while_edges_are_trusted_by_half(gamma):
    """With μ > 0 clusters are tied less where edges disagree, each pair of edges by its trust."""
    fractions = 0
    for seed in range(3):
        ensemble = Ensemble.from_labels(planted(n=30, m=5, wrong=0.3, seed=seed))
        method = METHODS["sccbg"](k=3, mu=0.05, gamma=gamma)
        trust = np.concatenate([step.state.W.ravel() for step in itertools.islice(iterate(method, ensemble), 5)])
        fractions += int(((trust > 0) & (trust < 1) & (trust != 0.5)).sum())
        shown_is_explained(method, ensemble, steps=4, tries=12)
    assert fractions
