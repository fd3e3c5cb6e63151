"""PCE: the literal n-row algorithm step by step, its sub-problems against other solvers, its variants and gaps."""

from __future__ import annotations

import itertools

import cvxpy
import numpy as np
import pytest
from contract import run
from contract_told import shown_is_explained
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import planted, same_groups
from oracles import pce_nrow as oracle
from sklearn.metrics import adjusted_rand_score

from consensus_core import MISSING, PCE, Ensemble, InputError, begin, conclude, iterate, solve
from consensus_core.linalg import orthonormaliser, stiefel_minimum
from consensus_core.method.path import Path
from consensus_core.method.telling import Address
from consensus_core.partition import split_scattered


def table_of(kind: str) -> np.ndarray:
    """Duplicated rows on purpose: q is well below n."""
    if kind == "complete":
        return planted(n=40, m=5, k=3, wrong=0.1, seed=3)
    if kind == "with gaps":
        return planted(n=40, m=5, k=3, wrong=0.08, seed=4, missing=0.1)
    rng = np.random.default_rng(5)  # "k_i other than c": 2, 3, 4 and 6 clusters
    truth = np.repeat(np.arange(3), [10, 14, 16])
    columns = [truth > 0, truth, truth + (rng.random(40) < 0.3), 2 * truth + (np.arange(40) % 3 == 0), truth]
    table = np.column_stack(columns).astype(int)
    table[rng.random(table.shape) < 0.05] = MISSING
    return table


KINDS = ("complete", "with gaps", "k_i other than c")
SETTINGS = (
    {}, {"scale": "paper"}, {"gamma": 0.01}, {"self_paced": False}, {"diversity": False}, {"start": "mean"},
)  # fmt: skip


def rows_of(ensemble, step):
    """A step on all n objects, its base clusterings and clusters as they were given, as the oracle has it."""
    base = ensemble.expand(step.value("base"))
    Ys = [(column[:, None] == np.arange(k)).astype(float) for column, k in zip(base.T, ensemble.k_each, strict=True)]
    H, v = ensemble.expand(step.value("H")), ensemble.expand(step.value("v"))
    return H, v, Ys, turns_of(ensemble, step), ensemble.expand(step.state.y)


def turns_of(ensemble, step):
    return np.split(step.value("R_each"), ensemble.offsets[1:-1])


def order_of(ensemble, step):
    return [ensemble.outward("clustering", i) for i in step.state.order]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_pass_is_the_literal_one_on_all_objects(kind, setting):
    table = table_of(kind)
    ensemble, method = Ensemble.from_labels(table), PCE(k=3, **setting)
    assert ensemble.q < ensemble.n
    if method.start == "mean":  # base clusters beyond the third begin at one place, where the first of them is taken
        ensemble = ensemble.canonical
    gaps = ensemble.labels()
    radius = np.sqrt(ensemble.n / 3) if method.scale == "balanced" else 1.0
    path = run(method, ensemble, steps=12)
    for before, after in itertools.pairwise(path):
        H0, _, Ys0, R0, y0 = rows_of(ensemble, before)
        H1, v1, Ys1, R1, y1 = rows_of(ensemble, after)
        old, new, order = before.state, after.state, order_of(ensemble, before)
        alpha0, alpha1 = before.value("alpha"), after.value("alpha")
        error = oracle.distances(H0, Ys0, R0, alpha0, method.diversity)
        v = np.minimum(old.lam / np.maximum(2 * error, 1e-300), 1) if method.self_paced else np.ones(len(H0))
        assert v1 == pytest.approx(v, abs=1e-8)
        C = method.gamma * np.eye(3)[y0] @ old.turn.T + v[:, None] ** 2 * sum(
            a * Y @ R for a, Y, R in zip(alpha0, Ys0, R0, strict=True)
        )
        H = oracle.H_by_steps(C, v**2 + method.gamma, H0, radius)
        assert H1 == pytest.approx(H, abs=1e-8)
        Ys = oracle.fill(gaps, Ys0, R0, H, alpha0, order, method.diversity)
        assert all((mine == theirs).all() for mine, theirs in zip(Ys1, Ys, strict=True))
        G, f = oracle.weights_program(Ys, R0, H, v, method.diversity)
        alpha = oracle.weights_by_slsqp(G, f)
        mine, theirs = (a @ G @ a - 2 * f @ a for a in (alpha1, alpha))
        assert mine <= theirs + 1e-9 * (1 + abs(theirs))
        R = oracle.turn(Ys, R0, H, alpha1, v, order, method.diversity)
        for mine, theirs in zip(R1, R, strict=True):
            assert mine == pytest.approx(theirs, abs=1e-8)
        R_out = oracle.polar(H.T @ np.eye(3)[y0])
        assert new.turn == pytest.approx(R_out, abs=1e-8)
        assert (y1 == (H @ R_out).argmax(axis=1)).all()
        shown = ensemble.expand(after.value("Y"))  # numbered as clusters are, R with it
        assert shown @ after.value("R").T == pytest.approx(np.eye(3)[y1] @ new.turn.T, abs=1e-12)
        assert new.lam == pytest.approx(old.lam * (1.1 if before.iteration < 9 else 1.0))


@pytest.mark.parametrize("scale", ["balanced", "paper"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_start_is_the_literal_one(kind, scale):
    ensemble = Ensemble.from_labels(table_of(kind))
    radius = np.sqrt(40 / 3) if scale == "balanced" else 1.0
    step = begin(PCE(k=3, scale=scale), ensemble)
    Ys = oracle.indicators(ensemble.labels())
    H, _, Ys_ours, R, _ = rows_of(ensemble, step)
    assert H == pytest.approx(radius * oracle.eigenvector_start(Ys, 3), abs=1e-8)
    assert all((a == b).all() for a, b in zip(Ys, Ys_ours, strict=True))
    order = oracle.agreement_order(Ys)
    assert order_of(ensemble, step) == list(order)
    alone = [oracle.polar(Y.T @ H) for Y in Ys]
    turned = oracle.turn(Ys, alone, H, np.full(5, 0.2), np.ones(40), order)
    for mine, theirs in zip(R, turned, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-8)
    A = H - sum(0.2 * Y @ r for Y, r in zip(Ys, R, strict=True))
    assert step.state.lam == pytest.approx(oracle.first_age(A), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_the_texts_start_is_the_literal_one(kind):
    """Of the clusters as they are numbered here, the largest first: the text takes their numbers to mean something."""
    ensemble = Ensemble.from_labels(table_of(kind)).canonical
    mean = begin(PCE(k=3, start="mean", scale="paper"), ensemble)
    Ys = oracle.indicators(ensemble.labels())
    assert all((np.diff(Y.sum(axis=0)) <= 0).all() for Y in Ys)
    assert ensemble.expand(mean.value("H")) == pytest.approx(oracle.mean_start(Ys, 3), abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("setting", [{}, {"scale": "paper"}, {"diversity": False}], ids=str)
def test_objective_is_4_and_never_rises_once_gaps_are_filled(kind, setting):
    ensemble, method = Ensemble.from_labels(table_of(kind)), PCE(k=3, **setting)
    path = list(iterate(method, ensemble))
    for step in path:
        H, v, Ys, R, y = rows_of(ensemble, step)
        s = step.state
        assert step.objective == pytest.approx(
            (v**2 * oracle.distances(H, Ys, R, step.value("alpha"), method.diversity)).sum() - s.lam * v.sum()
            + method.gamma * ((np.eye(3)[y] - H @ s.turn) ** 2).sum()
        )  # fmt: skip
    course = [step.objective for step in path[1:]]
    assert (np.diff(course) <= 1e-9).all()


# --- sub-problems against something that is not us ----------------------------------------------------------------


@pytest.mark.parametrize("diversity", [True, False])
def test_weights_are_cvxpys(diversity):
    ensemble, method = Ensemble.from_labels(planted(n=60, m=8, wrong=0.3, seed=2)), PCE(k=3, diversity=diversity)
    for before, after in itertools.pairwise(run(method, ensemble)):
        H, v, Ys, _, _ = rows_of(ensemble, after)
        G, f = oracle.weights_program(Ys, turns_of(ensemble, before), H, v, diversity)
        a = cvxpy.Variable(8)
        least = cvxpy.Minimize(cvxpy.quad_form(a, cvxpy.psd_wrap(G)) - 2 * f @ a)
        value = cvxpy.Problem(least, [a >= 0, cvxpy.sum(a) == 1]).solve(solver="CLARABEL")
        alpha = after.value("alpha")
        assert alpha @ G @ alpha - 2 * f @ alpha == pytest.approx(value, rel=1e-6, abs=1e-8)


def test_weights_satisfy_kkt():
    ensemble = Ensemble.from_labels(planted(n=60, m=8, wrong=0.35, seed=7))
    path = run(PCE(k=3), ensemble)
    before, after = path[2:4]
    H, v, Ys, _, _ = rows_of(ensemble, after)
    G, f = oracle.weights_program(Ys, turns_of(ensemble, before), H, v)
    alpha = after.value("alpha")
    slope = G @ alpha - f
    level = slope[alpha > 1e-9]
    assert np.ptp(level) < 1e-8 and (slope >= level.min() - 1e-8).all()


@pytest.mark.parametrize("seed", range(3))
def test_H_is_stationary_and_no_worse_than_the_texts_curvilinear_search(seed):
    rng = np.random.default_rng(seed)
    C, d = rng.normal(size=(30, 3)), 1 + rng.random(30)
    start = np.linalg.qr(rng.normal(size=(30, 3)))[0]
    H, _ = stiefel_minimum(C, d, start, np.ones(30), tol=1e-13, most=2000)
    mine, theirs = ((d[:, None] * X**2).sum() - 2 * (X * C).sum() for X in (H, oracle.H_by_cayley(C, d, start)))
    assert mine <= theirs + 1e-6 * abs(theirs)
    gradient = d[:, None] * H - C
    assert np.abs(gradient - H @ (gradient.T @ H)).max() < 1e-6  # no direction along the manifold goes down


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_every_step_of_H_goes_down_and_stays_orthonormal(seed):
    rng = np.random.default_rng(seed)
    q, k = int(rng.integers(4, 15)), int(rng.integers(1, 4))
    counts, C, d = rng.integers(1, 5, q).astype(float), rng.normal(size=(q, k)), rng.random(q)
    H = rng.normal(size=(q, k))
    A, _ = orthonormaliser(H, counts, np.zeros((q, k)))
    H, values = H @ A, []
    for _ in range(5):
        assert H.T @ (counts[:, None] * H) == pytest.approx(np.eye(k), abs=1e-10)
        values.append(counts @ (d[:, None] * H**2 - 2 * H * C).sum(axis=1))
        H, _ = stiefel_minimum(C, d, H, counts, most=1)
    assert (np.diff(values) <= 1e-10).all()


def test_the_nearest_orthonormal_matrix_where_rank_is_missing():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 4, 12).astype(float)
    M = np.outer(rng.normal(size=12), [1.0, 2.0, 0.0])
    spare = rng.normal(size=(12, 3))
    A, B = orthonormaliser(M, counts, spare)
    Q = M @ A + spare @ B
    assert Q.T @ (counts[:, None] * Q) == pytest.approx(np.eye(3), abs=1e-10)
    root = np.sqrt(counts)[:, None]
    assert np.trace((root * Q).T @ (root * M)) == pytest.approx(np.linalg.svd(root * M)[1].sum())


# --- text against program: an input for each row of the table ------------------------------------------------------


def test_start_of_H_decides():
    """Clusters of equal size, whose numbers tell nothing: averaging them as the text does loses what the eigenvectors
    find."""
    truth, table, _ = gappy(0.0, seed=1, n=120, m=6, k=4, wrong=0.25)
    ensemble = Ensemble.from_labels(table)
    eigen, mean = (
        adjusted_rand_score(truth, solve(PCE(k=4, start=start), ensemble).labels) for start in ("eigenvectors", "mean")
    )
    assert eigen > mean + 0.1


def test_released_rotates_anew_and_paper_does_not():
    ensemble = Ensemble.from_labels(planted(n=60, m=6, k=4, wrong=0.3, seed=2))
    one, two = (run(PCE(k=4, variant="released", seed=seed), ensemble) for seed in (0, 1))
    assert any((a.state.y != b.state.y).any() for a, b in zip(one, two, strict=True))
    one, two = (run(PCE(k=4, seed=seed), ensemble) for seed in (0, 1))
    assert all((a.state.y == b.state.y).all() for a, b in zip(one, two, strict=True))


def test_released_always_makes_twenty_passes_and_paper_may_stop():
    ensemble = Ensemble.from_labels(np.repeat(np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])[:, None], 5, axis=1))
    assert solve(PCE(k=3, variant="released"), ensemble).iterations == 20
    paper = solve(PCE(k=3, max_iter=200), ensemble)
    assert paper.stop == "converged" and paper.iterations < 60


def test_rectangular_turns_are_orthonormal_the_short_way():
    ensemble = Ensemble.from_labels(table_of("k_i other than c"))
    for R in turns_of(ensemble, solve(PCE(k=3), ensemble)):
        gram = R @ R.T if R.shape[0] < R.shape[1] else R.T @ R
        assert gram == pytest.approx(np.eye(min(R.shape)), abs=1e-10)


def test_both_scales_hold_their_norm():
    ensemble = Ensemble.from_labels(table_of("with gaps"))
    for scale, square in (("paper", 1.0), ("balanced", ensemble.n / 3)):
        H = ensemble.expand(solve(PCE(k=3, scale=scale), ensemble).state.H)
        assert H.T @ H == pytest.approx(square * np.eye(3), abs=1e-8 * square)


# --- gaps ---------------------------------------------------------------------------------------------------------


def gappy(share, seed, n=200, m=10, k=8, wrong=0.15):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    full = np.where(rng.random((n, m)) < wrong, rng.integers(k, size=(n, m)), truth[:, None])
    full = np.column_stack([rng.permutation(k)[column] for column in full.T])
    table = full.copy()
    for column in table.T:
        column[rng.permutation(n)[: int(share * n)]] = MISSING
    return truth, full, table


def right_fills(method, full, table):
    """The share of gaps filled with the label that was taken away."""
    ensemble = Ensemble.from_labels(table)
    filled = ensemble.expand(solve(method, ensemble).value("base"))
    gaps = table == MISSING
    return float((filled == full)[gaps].mean())


def test_much_may_be_missing_and_random_filling_is_worse():
    scores = {"learned": [], "random": []}
    for seed in range(4):
        truth, _, table = gappy(0.5, seed)
        for how, found in scores.items():
            found.append(adjusted_rand_score(truth, solve(PCE(k=8, filling=how), Ensemble.from_labels(table)).labels))
    assert np.mean(scores["learned"]) > 0.7 and np.mean(scores["learned"]) > np.mean(scores["random"]) + 0.05


def test_balanced_scale_fills_far_better():
    paper, balanced = (
        np.mean([right_fills(PCE(k=8, scale=scale), *gappy(0.4, seed)[1:]) for seed in range(4)])
        for scale in ("paper", "balanced")
    )
    assert balanced > paper + 0.15


def test_given_labels_are_never_changed_and_gaps_are_all_filled():
    _, _, table = gappy(0.3, 1)
    ensemble = Ensemble.from_labels(table)
    result = solve(PCE(k=8), ensemble)
    base = ensemble.expand(result.value("base"))
    assert (base[table != MISSING] == table[table != MISSING]).all() and (base != MISSING).all()
    only = result.value("filled")
    assert ((only == MISSING) == ~ensemble.missing).all()


def test_never_observed_objects_are_said():
    table = planted(n=40, m=5, k=3, wrong=0.05)
    table[[3, 17]] = MISSING
    result = solve(PCE(k=3), Ensemble.from_labels(table))
    assert any("2 objects have no label at all" in remark for remark in result.remarks)
    assert set(result.labels) == {0, 1, 2}


def test_a_column_without_labels_gets_no_weight():
    table = planted(n=40, m=5, k=3, wrong=0.05)
    table[:, 2] = MISSING
    result = solve(PCE(k=3), Ensemble.from_labels(table))
    alpha = result.value("alpha")
    assert alpha[2] == 0 and alpha.sum() == pytest.approx(1)
    assert any("clustering 3" in remark for remark in result.remarks)


def test_nothing_observed_at_all_is_refused():
    with pytest.raises(InputError, match="no base clustering has a single label"):
        begin(PCE(k=1), Ensemble.from_labels(np.full((3, 2), MISSING)))


# --- the rest -----------------------------------------------------------------------------------------------------


def test_first_age_counts_whole_objects():
    """21 objects: the second smallest of 2‖A‖², not something between."""
    ensemble = Ensemble.from_labels(planted(n=21, m=5, k=3, wrong=0.3))
    state = begin(PCE(k=3), ensemble).state
    errors = np.sort(np.repeat(state.error, ensemble.counts))
    assert state.lam == pytest.approx(2 * errors[1]) and (state.v[state.error <= errors[1]] == 1).all()


OBJECTIVE = [23.227611947, 21.357466359, 21.117104681]
ALPHA = [0.067906504, 0.212210214, 0.136657322, 0.268367049, 0.314858912]


def test_values_of_our_own():
    """Kept from this program: a change of the path must be a decision."""
    ensemble = Ensemble.from_labels(table_of("with gaps"))
    path = list(iterate(PCE(k=3, scale="paper"), ensemble))
    assert [path[i].objective for i in (0, 1, 5)] == pytest.approx(OBJECTIVE, rel=1e-7)
    assert path[5].value("alpha") == pytest.approx(ALPHA, abs=1e-7)


@pytest.mark.parametrize("setting", [{}, {"scale": "paper"}, {"diversity": False}, {"variant": "released"}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_is_explained(kind, setting):
    shown_is_explained(PCE(k=3, **setting), Ensemble.from_labels(table_of(kind)), steps=3, tries=3)


def test_zero_passes_are_nearly_as_good():
    """The start deserves the credit: the eigenvectors alone find the clusters."""
    truth, _, table = gappy(0.3, 3)
    ensemble = Ensemble.from_labels(table)
    method = PCE(k=8)
    start = conclude(method, ensemble, begin(method, ensemble)).labels
    end = solve(method, ensemble).labels
    assert abs(adjusted_rand_score(truth, start) - adjusted_rand_score(truth, end)) < 0.05


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_laws_on_small_random_ensembles(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(-1, 4, size=(int(rng.integers(4, 25)), int(rng.integers(1, 6))))
    ensemble = Ensemble.from_labels(table)
    if not (ensemble.k_each > 0).any():
        return
    k = int(rng.integers(1, ensemble.q + 1))
    for scale in ("paper", "balanced"):
        path = list(iterate(PCE(k=k, scale=scale), ensemble))
        state = path[-1].state
        assert state.alpha.min() >= -1e-12 and state.alpha.sum() == pytest.approx(1)
        assert ((0 < state.v) & (state.v <= 1)).all()
        assert (np.diff([step.objective for step in path[1:]]) <= 1e-8 * (1 + abs(path[-1].objective))).all()
        assert len(np.unique(conclude(PCE(k=k), ensemble, path[-1]).labels)) == k


def test_splitting_scattered_groups():
    X = np.array([[0.0, 0], [0.1, 0], [5, 0], [5.1, 0], [0, 9], [0, 9]])
    assert split_scattered(np.zeros(6, int), 1, X).tolist() == [0] * 6
    assert same_groups(split_scattered(np.zeros(6, int), 3, X), np.array([0, 0, 1, 1, 2, 2]))
    assert len(np.unique(split_scattered(np.zeros(6, int), 6, X))) == 6


@pytest.mark.parametrize("name, k", [("Ecoli", 8), ("Lung", 5)])
def test_on_real_ensembles_rows_are_exact(pool, name, k):
    members, _ = pool(name)
    ensemble = Ensemble.from_labels(members[:, :20])
    whole = Ensemble(ensemble.labels(), np.ones(ensemble.n, dtype=np.int64), np.arange(ensemble.n), ensemble.names)
    one, two = run(PCE(k=k), ensemble, 5), run(PCE(k=k), whole, 5)
    for a, b in zip(one, two, strict=True):
        assert ensemble.expand(a.state.H) == pytest.approx(b.state.H, abs=1e-8)
        assert a.objective == pytest.approx(b.objective, rel=1e-9)
    assert same_groups(conclude(PCE(k=k), ensemble, one[-1]).labels, conclude(PCE(k=k), whole, two[-1]).labels)


def test_of_an_object_with_one_label_the_others_say_nothing():
    """Before gaps are filled there is no other label: a sum of nothing, which could not be told."""
    table = planted(n=24, m=4)
    table[5, 1:] = MISSING
    ensemble = Ensemble.from_labels(table).canonical
    [i] = np.flatnonzero((ensemble.labels() >= 0).sum(axis=1) == 1)
    t = int((ensemble.labels()[i] >= 0).argmax())
    method = PCE(k=3)
    path = Path(method, ensemble, run(method, ensemble).__getitem__)
    told = path.tell(Address("rest", (int(i), t, 0), 0))
    assert told.value == 0 and not len(told.terms["α"])
