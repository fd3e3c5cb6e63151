"""EC-CMS: the authors' results, the published tables, the n-object equations, the convex optimum, the ablations."""

import itertools
from collections import Counter

import contract_told
import label_tables
import numpy as np
import pytest
from draws import paper_draws, some_of
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.ec_cms_nrow import admm, ec_cms, high_confidence
from scipy.cluster.hierarchy import cut_tree
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from consensus_core import ECCMS, LWEA, Ensemble, begin, iterate, solve
from consensus_core.linalg.paired import Paired
from consensus_core.similarity import cluster_indices

# nine objects, five base clusterings; objects 1 and 2 and the last two share all labels
TABLE = np.array(
    [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 1, 0, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 2],
        [1, 1, 2, 1, 2],
        [1, 2, 2, 2, 2],
        [1, 2, 2, 2, 2],
    ]
)


def over_objects(ensemble, value):
    """The (n, n) matrix a quantity stands for."""
    at = ensemble.member_of
    if not isinstance(value, Paired):
        return value[np.ix_(at, at)]
    full = value.B[np.ix_(at, at)].copy()
    np.fill_diagonal(full, value.d[at])
    return full


def omega(state):
    """Where E is held to 0."""
    return Paired(*state.held.masks())


def draws(pool, name):
    members, truth = pool(name)
    return [Ensemble.from_labels(members[:, columns]) for columns in paper_draws()], truth


def mean_and_spread(values):
    return f"{np.mean(values):.3f}±{np.std(values, ddof=1):.3f}"


# --- the authors' program ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", ["1_20", "21_40"])
@pytest.mark.parametrize("data", ["Ecoli", "UMIST", "Aggregation"])
def test_released_gives_the_authors_results(golden, data, draw):
    theirs = golden(f"ec_cms_{data}_{draw}")
    ensemble = Ensemble.from_labels(theirs["base"])
    method = ECCMS(k=int(theirs["K"]), variant="released")
    result = solve(method, ensemble)

    def ours(name):
        return over_objects(ensemble, method.value(ensemble, result.state, name))

    assert np.abs(ours("A") - theirs["LWCA"]).max() <= 1e-12
    assert np.abs(ours("plain") - theirs["CA"]).max() <= 1e-12
    assert np.abs(ours("H") - theirs["HC"]).max() <= 1e-12
    assert np.abs(cluster_indices(ensemble) - theirs["ECI"].ravel()).max() <= 1e-12
    assert result.iterations == theirs["n_iter"]
    assert np.abs(ours("C") - theirs["C"]).max() <= (1e-10 if theirs["C"].dtype == np.float64 else 1e-7)
    assert label_tables.same_groups(result.labels, theirs["labels"])


# --- the published tables, on the paper's own twenty draws --------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "setting", "ari", "nmi"),
    [
        ("Ecoli", {}, "0.489±0.105", 0.635),
        ("Aggregation", {}, "0.989±0.004", 0.984),
        ("UMIST", {}, "0.367±0.052", 0.682),
        *[("SPF", {}, "0.103±0.020", 0.180) for every in some_of("ab")[1:]],
        ("Ecoli", {"alpha": 0.75, "lam": 0.01}, "0.755±0.019", None),
    ],
)
def test_table_iv_proposed(pool, data, setting, ari, nmi):
    """EC-CMS paper, Table IV (ARI), rows Proposed: the authors' program on its own draws, to the digit.

    The print has Aggregation 0.969±0.065; two draws stand on an edge that λ between .4 and .5 flips. SPF, which takes
    as long as two others, with QUORUM_POOLS=all.
    """
    ensembles, truth = draws(pool, data)
    k = len(np.unique(truth))
    found = [solve(ECCMS(k=k, variant="released", **setting), e).labels for e in ensembles]
    assert mean_and_spread([adjusted_rand_score(truth, labels) for labels in found]) == ari
    if nmi is not None:
        assert round(float(np.mean([normalized_mutual_info_score(truth, labels) for labels in found])), 3) == nmi


def test_the_text_is_as_good_in_a_fifth_of_the_steps(pool):
    """The default: squared ratios stop it after 9 or 10 steps; ARI on Ecoli, read as the authors do, 0.492±0.106."""
    ensembles, truth = draws(pool, "Ecoli")
    ours, in_file_order = [], []
    for ensemble in ensembles:
        result = solve(ECCMS(k=8), ensemble)
        assert result.iterations in (9, 10)
        ours.append(adjusted_rand_score(truth, result.labels))
        C = over_objects(ensemble, result.state.C)
        distance = np.tril(1 - C, -1)
        tree = scipy_linkage(squareform(distance + distance.T, checks=False), "average")
        in_file_order.append(adjusted_rand_score(truth, cut_tree(tree, 8).ravel()))
    assert mean_and_spread(in_file_order) == "0.492±0.106"
    assert mean_and_spread(ours) == "0.488±0.104"  # both triangles' mean: the order of the file decides nothing


@pytest.mark.parametrize(("data", "alone", "enhanced"), [("Ecoli", 0.340, 0.738), ("Aggregation", 0.600, 0.896)])
def test_table_vii_trajectories_are_lifted(pool, data, alone, enhanced):
    """EC-CMS paper, Table VII: PTA alone and enhanced; direction and size (its tuned settings are not told)."""
    ensembles, truth = draws(pool, data)
    k = len(np.unique(truth))
    method = ECCMS(k=k, similarity="trajectories", alpha=0.75, lam=0.01)
    scores = [adjusted_rand_score(truth, solve(method, e).labels) for e in ensembles]
    assert abs(np.mean(scores) - enhanced) < 0.05
    assert np.mean(scores) > alone + 0.25


def test_table_viii_without_the_laplacian(pool):
    """EC-CMS paper, Table VIII: w/o tr(CᵀΦC) is LWEA, 0.430 on Ecoli; w/o E = 0 on Ω loses."""
    ensembles, truth = draws(pool, "Ecoli")
    for ensemble in ensembles[:5]:
        bare = solve(ECCMS(k=8, smooth=False), ensemble)
        assert label_tables.same_groups(bare.labels, solve(LWEA(k=8), ensemble).labels)
    tuned = {"k": 8, "alpha": 0.75, "lam": 0.01, "variant": "released"}
    full, loose = (
        np.mean([adjusted_rand_score(truth, solve(ECCMS(hold=hold, **tuned), e).labels) for e in ensembles[:8]])
        for hold in (True, False)
    )
    assert loose < full


# --- the equations, object by object ------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.25])
@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"variant": "released"},
        {"variant": "released", "hold": False, "alpha": 0.6},
        {"gamma1": 0.3, "gamma2": 2.5, "lam": 0.05},
        {"gamma1": 4.0, "gamma2": 0.5, "lam": 4.0, "variant": "released"},
        {"alpha": 0.5, "lam": 10.0},
    ],
)
def test_rows_give_what_objects_give(setting, missing):
    table = label_tables.planted(n=40, m=6, wrong=0.15, missing=missing, seed=3)
    table = np.concatenate([table, table[:15], table[:4]])
    ensemble = Ensemble.from_labels(table)
    assert ensemble.q < len(table) - 10
    method = ECCMS(k=3, tol=0.0, max_iter=12, **setting)
    A, H, _, literal = ec_cms(table, steps=12, **setting)
    steps = list(iterate(method, ensemble))
    assert np.abs(over_objects(ensemble, steps[0].state.A) - A).max() <= 1e-12
    assert np.abs(over_objects(ensemble, method.H(ensemble, steps[0].state)) - H).max() <= 1e-12
    for step, theirs in zip(steps[1:], literal, strict=True):
        for name in ("C", "E", "F", "Y1", "Y2", "P3"):
            ours = over_objects(ensemble, method.value(ensemble, step.state, name))
            assert np.abs(ours - theirs[name]).max() <= 1e-8, (name, step.iteration)
        np.testing.assert_allclose(step.state.squares, theirs["squares"], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(step.state.changes, theirs["changes"], rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(list(step.terms.values()), theirs["terms"], rtol=1e-9, atol=1e-9)


def test_values_of_our_own():
    """Two objects together in 4 of 5 base clusterings, α = 0.8, λ = 1: three steps by hand.

    With H = 0.8 the sum of a row stays, the difference shrinks by 1 + 2·0.8: R = 2A in step 1, so C = A + (difference).
    """
    table = np.array([[0, 0, 0, 0, 0], [0, 0, 0, 0, 1]])
    ensemble = Ensemble.from_labels(table)
    method = ECCMS(k=1, lam=1.0, similarity="co-association")
    first = list(iterate(method, ensemble))[1].state
    # rows of A are (1, .8) and (.8, 1): mean (.9, .9), half differences ±(.1, −.1), shrunk by 1/(1 + 1.6)
    expected = 0.9 + np.array([[0.1, -0.1], [-0.1, 0.1]]) / 2.6
    assert np.abs(first.C.B - expected).max() < 1e-15
    assert np.abs(first.Y1.B - (2 * first.A.B - first.C.B)).max() < 1e-15  # all four pairs are in Ω


# --- what the variants differ in ----------------------------------------------------------------------------------


def test_variants_differ_in_self_pairs_and_in_stopping():
    ensemble = Ensemble.from_labels(TABLE)
    paper, released = ECCMS(k=3), ECCMS(k=3, variant="released")
    A, B = begin(paper, ensemble).state, begin(released, ensemble).state
    # (i, i) in Ω: yes, no
    assert omega(A).d.all() and not omega(B).d.any()
    # A_ii: mean ECI, 1
    assert (A.A.d < 1).all() and (B.A.d == 1).all()
    assert np.array_equal(A.A.d, A.A.B.diagonal())
    # stop: squared ratios at most ε, plain ratios below ε
    ensemble = label_tables.ensemble_of(n=60, m=9, wrong=0.1)
    short, long = solve(paper, ensemble), solve(released, ensemble)
    assert short.stop == long.stop == "converged" and 4 * short.iterations < long.iterations
    (*_, last, end) = iterate(released, ensemble)
    state, before = end.state, last.state
    for name, change, size in zip(released.matrices, state.changes, before.squares, strict=True):
        assert getattr(state, f"sigma_{name}") == pytest.approx(np.sqrt(change / size))
    *_, before, end = iterate(paper, ensemble)
    assert end.state.sigma_C == pytest.approx(end.state.changes[0] / before.state.squares[0])
    # and so the results differ
    assert np.abs(short.state.C.B - long.state.C.B).max() > 1e-3


def test_the_first_step_does_not_stop_the_run():
    """All matrices but Y₁ are 0 before it: no ratio exists, and a 0/0 must neither stop nor prolong the run."""
    ensemble = Ensemble.from_labels(TABLE)
    for variant in ("paper", "released"):
        first = list(iterate(ECCMS(k=3, variant=variant, tol=0.5), ensemble))[1]
        assert first.stop == "" and first.state.sigma_C == 1.0
    everything_sure = solve(ECCMS(k=3, alpha=0.0), ensemble)  # E stays 0: its ratio is 0, not NaN
    assert everything_sure.stop == "converged" and everything_sure.state.sigma_E == 0.0


def test_a_matrix_that_vanishes_does_not_prolong_the_run():
    """Where nothing is sure the answer is A, and E shrinks by the same share in every step: its ratio never falls.

    The sample of five objects ran to its 100th step for that.
    """
    ensemble = Ensemble.from_labels(np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 2, 2]]))
    for variant in ("paper", "released"):
        result = solve(ECCMS(k=2, variant=variant), ensemble)
        assert result.stop == "converged" and result.state.sigma_E > 0.01
        assert np.abs(result.state.C.B - result.state.A.B)[~np.eye(4, dtype=bool)].max() < 1e-4


def test_sixteen_of_twenty_are_eight_tenths():
    table = np.repeat([[0] * 20, [0] * 16 + [1] * 4], 2, axis=0)
    for m, both, alpha in [(20, 16, 0.8), (20, 14, 0.7), (20, 12, 0.6), (15, 9, 0.6), (30, 21, 0.7), (100, 57, 0.57)]:
        table = np.array([[0] * m, [0] * both + [1] * (m - both)])
        state = begin(ECCMS(k=1, alpha=alpha), Ensemble.from_labels(table)).state
        assert omega(state).B.all(), (m, both)


# --- the optimum --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{}, {"variant": "released", "lam": 0.1}, {"hold": False, "lam": 2.0}])
def test_the_limit_is_the_convex_optimum(setting):
    """cvxpy (test only) on problem (5), symmetric C as its variable, to 1e-6."""
    cvxpy = pytest.importorskip("cvxpy")
    table, n = TABLE, len(TABLE)
    ensemble = Ensemble.from_labels(table)
    method = ECCMS(k=3, alpha=0.6, tol=1e-16, max_iter=5000, **{"lam": 0.4, **setting})
    result = solve(method, ensemble)
    assert result.stop == "converged"
    A = over_objects(ensemble, result.state.A)
    H, _ = high_confidence(table, 0.6)
    fixed = over_objects(ensemble, omega(result.state))
    C = cvxpy.Variable((n, n), symmetric=True)
    rough = sum(
        H[i, j] * cvxpy.sum_squares(C[i] - C[j]) for i in range(n) for j in range(i) if H[i, j]
    )  # ½ Σ_ij counts each pair twice
    held = [C[i, j] == A[i, j] for i, j in zip(*np.nonzero(fixed), strict=True) if j <= i]
    problem = cvxpy.Problem(cvxpy.Minimize(rough + method.lam / 2 * cvxpy.sum_squares(A - C)), [C >= 0, C <= 1, *held])
    problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    assert np.abs(over_objects(ensemble, result.state.C) - C.value).max() <= 1e-6
    assert result.objective == pytest.approx(problem.value, abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.05, 0.4, 3.0]), st.sampled_from([0.5, 0.7, 0.9]))
@settings(max_examples=12, deadline=None)
def test_no_feasible_point_is_better(seed, lam, alpha):
    rng = np.random.default_rng(seed)
    table = rng.integers(3, size=(9, 5))
    table[rng.random(table.shape) < 0.15] = -1
    table = np.concatenate([table, table[:3]])
    ensemble = Ensemble.from_labels(table)
    result = solve(ECCMS(k=1, lam=lam, alpha=alpha, tol=1e-14, max_iter=1500), ensemble)
    A, fixed, C = (over_objects(ensemble, x) for x in (result.state.A, omega(result.state), result.state.C))
    H, sure = high_confidence(table, alpha)
    assert (fixed == sure).all()
    assert np.abs(C - C.T).max() < 1e-4 and C.min() > -1e-4 and C.max() < 1 + 1e-4
    assert np.abs((C - A)[fixed]).max(initial=0) < 1e-4

    def objective(X):
        return 0.5 * np.einsum("ij,ijl->", H, (X[:, None] - X[None]) ** 2) + lam / 2 * ((A - X) ** 2).sum()

    best = objective(C)
    assert result.objective == pytest.approx(best, rel=1e-3, abs=1e-4)
    for size in (1e-2, 1.0):
        other = C + size * rng.standard_normal(C.shape)
        other = np.where(fixed, A, np.clip((other + other.T) / 2, 0, 1))
        assert objective(other) >= best - 1e-3
    assert objective(A) >= best - 1e-3


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 5), st.floats(0.1, 5))
@settings(max_examples=20, deadline=None)
def test_each_step_solves_its_subproblems(seed, gamma1, gamma2):
    """(8), (10), (12): C makes its gradient vanish, E too off Ω; F is the nearest symmetric matrix in [0, 1]."""
    rng = np.random.default_rng(seed)
    table = rng.integers(3, size=(8, 5))
    ensemble = Ensemble.from_labels(table)
    method = ECCMS(k=1, alpha=0.6, gamma1=gamma1, gamma2=gamma2, max_iter=3, tol=0.0)
    *_, before, after = iterate(method, ensemble)

    def at(step, name):
        return over_objects(ensemble, method.value(ensemble, step.state, name))

    H, sure = high_confidence(table, 0.6)
    Phi = np.diag(H.sum(axis=1)) - H
    A, C = at(after, "A"), at(after, "C")
    P1, P2 = A - at(before, "E") + at(before, "Y1") / gamma1, at(before, "F") - at(before, "Y2") / gamma2
    assert np.abs(2 * Phi @ C + gamma1 * (C - P1) + gamma2 * (C - P2)).max() < 1e-10
    E, F = at(after, "E"), at(after, "F")
    slope = gamma1 * (E - (A - C)) + method.lam * E - at(before, "Y1")
    assert np.abs(slope[~sure]).max(initial=0) < 1e-12 and (E[sure] == 0).all()
    P3 = C + at(before, "Y2") / gamma2
    nearest = ((F - P3) ** 2).sum()
    for size in (1e-3, 0.3):
        other = F + size * rng.standard_normal(F.shape)
        other = np.clip((other + other.T) / 2, 0, 1)
        assert ((other - P3) ** 2).sum() >= nearest


# --- ablations, inputs, remarks -----------------------------------------------------------------------------------


def test_without_the_laplacian_nothing_is_enhanced():
    ensemble = Ensemble.from_labels(TABLE)
    for variant in ("paper", "released"):
        result = solve(ECCMS(k=3, smooth=False, variant=variant), ensemble)
        assert result.iterations == 1 and result.stop == "converged"
        assert np.abs(result.state.C.B - result.state.A.B).max() < 1e-15
        assert label_tables.same_groups(result.labels, solve(LWEA(k=3), ensemble).labels)


def test_without_holding_the_sure_pairs_move():
    ensemble = Ensemble.from_labels(TABLE)
    held, free = (solve(ECCMS(k=3, hold=hold, tol=1e-9, max_iter=500), ensemble).state for hold in (True, False))
    sure = omega(held).B
    assert sure.any() and not omega(free).B.any()
    assert np.abs((held.C.B - held.A.B)[sure]).max() < 1e-3
    assert np.abs((free.C.B - free.A.B)[sure]).max() > 0.05


def test_large_lambda_gives_A_back_and_small_lambda_the_sure_pairs():
    """Figure 3 of the paper: at λ ≥ 100 the method is LWEA."""
    ensemble = label_tables.ensemble_of(n=60, m=9, wrong=0.25)
    stiff = solve(ECCMS(k=3, lam=1000.0, tol=1e-8), ensemble)
    assert np.abs(stiff.state.C.B - stiff.state.A.B).max() < 0.005
    assert label_tables.same_groups(stiff.labels, solve(LWEA(k=3), ensemble).labels)
    soft = solve(ECCMS(k=3, lam=0.01, tol=1e-8), ensemble)
    assert np.abs(soft.state.C.B - soft.state.A.B).max() > 0.05


def test_the_three_inputs_differ_only_in_A():
    ensemble = label_tables.ensemble_of(n=40, m=7)
    states = [
        begin(ECCMS(k=3, similarity=s), ensemble).state for s in ("local weighting", "co-association", "trajectories")
    ]
    assert len({state.A.B.tobytes() for state in states}) == 3
    assert len({state.held.pairs.tobytes() for state in states}) == 1
    assert np.array_equal(states[1].A.B, ECCMS(k=3).plain(ensemble, states[1]))


def test_pairs_never_seen_together_are_not_sure():
    table = np.array([[0, -1], [0, -1], [-1, 0], [-1, 1], [1, 1], [0, 0]])
    ensemble = Ensemble.from_labels(table)
    state = begin(ECCMS(k=2, alpha=0.0), ensemble).state
    assert not over_objects(ensemble, omega(state))[0, 2]
    assert over_objects(ensemble, omega(state))[0, 4]


def test_what_a_user_must_not_miss_is_said():
    lonely = Ensemble.from_labels(np.array([[0, 1, 2, 3], [0, 0, 0, 0], [1, 1, 1, 1], [-1, -1, -1, -1]]))
    remarks = " ".join(solve(ECCMS(k=2), lonely).remarks)
    assert "nothing sure to spread" in remarks and "1 object has no label" in remarks
    assert solve(ECCMS(k=2), Ensemble.from_labels(TABLE)).remarks == ()
    *_, last = iterate(ECCMS(k=2), Ensemble.from_labels(TABLE))
    assert ECCMS(k=2).stage(last.state).startswith("most change in E: 0.00")


def test_every_setting_is_explained_with_counts_and_missing_labels():
    table = label_tables.planted(n=24, m=6, missing=0.1, seed=5)
    ensemble = Ensemble.from_labels(np.concatenate([table, table[:12], table[:6]]))
    for setting in ({}, {"variant": "released"}, {"gamma1": 0.5, "gamma2": 3.0, "lam": 0.02, "variant": "released"}):
        contract_told.shown_is_explained(ECCMS(k=3, **setting), ensemble, steps=3, tries=12)


def test_the_literal_program_is_itself_at_the_optimum():
    """The oracle's own check: at its limit A = C + E and C = F."""
    A, H, fixed, _ = ec_cms(TABLE, steps=1)
    *_, last = admm(A, H, fixed, 0.4, steps=3000)
    assert np.abs(A - last["C"] - last["E"]).max() < 1e-6
    assert np.abs(last["C"] - last["F"]).max() < 1e-6


def test_two_objects_that_share_nothing_end_without_a_division_by_nothing():
    method = ECCMS(k=1, alpha=0.0, lam=0.001, similarity="trajectories", gamma1=0.01, gamma2=0.01)
    assert solve(method, Ensemble.from_labels([[""], [None]])).labels.tolist() == [0, 0]


def test_sentences_say_what_the_numbers_are():
    """Rises or falls, too great or too small, how many partners: read beside the numbers, over some steps."""
    met = Counter()
    for seed, step in itertools.product(range(3), range(1, 6)):
        ensemble = Ensemble.from_labels(label_tables.planted(n=26, m=6, wrong=0.25, seed=seed))
        now = next(itertools.islice(iterate(ECCMS(k=3), ensemble), step, None))
        sure = omega(now.state)
        for i, j in itertools.product(range(0, 26, 3), range(26)):
            p, q = ensemble.member_of[[i, j]]
            A, C, E = (now.entry(name, i, j) for name in "ACE")
            met["Y1 " + one_of(str(now.why("Y1", i, j)), signs(C + E - A, "rises", "stays", "falls"))] += 1
            words = str(now.why("E", i, j))
            held = (sure.d[p] if i == j else sure.B[p, q]) > 0
            expected = ["no noise is allowed"] if held else signs(E, "too small", "taken as it is", "too great")
            met["E " + one_of(words, expected)] += 1
        for i in range(26):
            p = ensemble.member_of[i]
            others = int(ensemble.counts[now.value("H")[p] > 0].sum()) - 1
            plain = "no partner" if others < 1 else "one sure partner" if others == 1 else f"{others} sure partners"
            met["D " + one_of(str(now.why("D", i)), [f"has {plain} besides itself"])] += 1
    assert len(met) >= 8, met


def signs(value, below, at, above):
    """The sentences that may be said of a number: of one that is 0 but for rounding any."""
    return [below, at, above] if abs(value) < 1e-12 else [below] if value < 0 else [above]


def one_of(words, expected):
    said = [part for part in expected if part in words]
    assert len(said) == 1, (words, expected)
    return said[0]
