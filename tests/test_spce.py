"""SPCE against the authors' program (golden files), the published tables, and a literal n-object implementation."""

import dataclasses
import itertools
import math
import pickle

import cvxpy
import numpy as np
import pytest
import scipy.optimize
import scipy.sparse
from draws import paper_draws
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import planted, same_groups
from oracles import spce_nrow

from consensus_core import SPCE, Ensemble, InputError, begin, iterate, scores, solve
from consensus_core.ensemble import shortlist
from consensus_core.ensemble.together import pairs_of
from consensus_core.linalg import upper as upper_matrix
from consensus_core.method.path import Path
from consensus_core.method.telling import Address
from consensus_core.methods import spce
from consensus_core.partition import exactly

GOLDEN = [f"{name}_{theta}" for name in ("Lung", "Ecoli", "Aggregation") for theta in (2, 5, 8)]
GOLDEN += ["UMIST_3_mergedstart", "UMIST_5", "UMIST_8"]
DENSE = ("S_hat", "S", "W", "B", "consensus")


def run(method, ensemble):
    return list(iterate(method, ensemble))


def on_objects(method, ensemble, state, name):
    """A matrix over all objects."""
    return method.value(ensemble, state, name)[np.ix_(ensemble.member_of, ensemble.member_of)]


def upper(golden, name):
    """The strictly upper triangle of a golden matrix."""
    n = len(golden["members"])
    parts = golden[f"{name}_data"], golden[f"{name}_indices"], golden[f"{name}_indptr"]
    return np.triu(scipy.sparse.csr_array(parts, shape=(n, n)).toarray(), 1)


# --- the authors' program -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN)
def test_released_variant_equals_the_authors_program(golden, name):
    theirs = golden(f"spce_{name}")
    ensemble = Ensemble.from_labels(theirs["members"].astype(int))
    method = SPCE(k=int(theirs["c"]), theta=float(theirs["theta"]), variant="released", exact_k=False)
    path = run(method, ensemble)
    state = path[-1].state
    assert np.abs(np.triu(on_objects(method, ensemble, state, "S"), 1) - upper(theirs, "S_upper")).max() < 1e-6
    assert (
        np.abs(np.triu(1 - on_objects(method, ensemble, state, "W"), 1) - upper(theirs, "oneminusW_upper")).max() < 1e-6
    )
    assert np.abs(path[-1].value("alpha") - theirs["p"]).max() < 1e-9
    assert state.components == theirs["ncomp"]
    assert same_groups(ensemble.expand(method.labels(ensemble, state)), theirs["labels"])
    inner = {step.state.r: step.state.inner for step in path[1:]}
    assert list(inner.values()) == theirs["inner_per_r"].tolist()
    prices = [step.state.rho for step in path[:-1]]
    assert prices == theirs["trace"][:, theirs["trace_cols"].item().split().index("lambda_used")].tolist()


def test_the_literal_implementation_equals_the_authors_program_too(golden):
    theirs = golden("spce_Lung_2")
    path = spce_nrow.spce(theirs["members"], int(theirs["c"]), 0.2)
    assert len(path) - 1 == theirs["inner_per_r"].sum()
    assert np.abs(np.triu(path[-1]["S"], 1) - upper(theirs, "S_upper")).max() < 1e-6
    assert np.abs(path[-1]["alpha"] - theirs["p"]).max() < 1e-9


def test_on_umist_microclusters_find_the_twenty_clusters_single_objects_miss(golden):
    """There the authors' eigenvectors lie inside groups of equal objects, and their run ends at 19 components."""
    theirs = golden("spce_UMIST_2")
    ensemble = Ensemble.from_labels(theirs["members"].astype(int))
    result = solve(SPCE(k=20, theta=0.2, exact_k=False), ensemble)
    assert theirs["ncomp"] == 19 and result.found == 20
    assert any("single objects" in remark for remark in result.remarks)
    assert scores.ari(theirs["labels"], theirs["gt"]) == pytest.approx(0.303, abs=5e-4)
    assert scores.ari(result.labels, theirs["gt"]) == pytest.approx(0.354, abs=5e-4)


def test_over_single_objects_the_nineteen_components_come_out_too(golden):
    """The same solver with one row per object: the authors' program, deadlock included, from either of its starts."""
    theirs, merged = golden("spce_UMIST_2"), golden("spce_UMIST_2_mergedstart")
    ensemble = Ensemble.from_labels(theirs["members"].astype(int))
    ones = np.ones(ensemble.n, dtype=np.int64)
    single = Ensemble(ensemble.labels(), ones, np.arange(ensemble.n), ensemble.names)
    method = SPCE(k=20, theta=0.2, exact_k=False)
    *_, last = iterate(method, single)
    assert (last.iteration, last.state.components) == (40, 19)
    for file in (theirs, merged):
        assert np.abs(np.triu(method.S(single, last.state), 1) - upper(file, "S_upper")).max() < 1e-6
        assert np.abs(last.value("alpha") - file["p"]).max() < 1e-9
        assert same_groups(last.state.member, file["labels"])


# --- published tables -----------------------------------------------------------------------------------------------


def ari_over_draws(pool, name, theta, exact_k=False):
    members, truth = pool(name)
    k = len(np.unique(truth))
    method = SPCE(k=k, theta=theta, exact_k=exact_k)
    ensembles = [Ensemble.from_labels(members[:, draw]) for draw in paper_draws()]
    return np.array([scores.ari(solve(method, ensemble).labels, truth) for ensemble in ensembles])


@pytest.mark.parametrize(
    ("name", "theta", "mean", "spread"),
    [("Ecoli", 0.2, 0.737, 0.057), ("Aggregation", 0.1, 0.965, 0.054), ("UMIST", 0.6, 0.370, 0.034)],
)
def test_ec_cms_paper_table_iv_row_spce(pool, name, theta, mean, spread):
    """ARI over the paper's twenty draws; UMIST is printed as 0.369±0.039."""
    found = ari_over_draws(pool, name, theta)
    assert round(found.mean(), 3) == mean
    assert round(found.std(ddof=1), 3) == spread


def test_spce_paper_tables_iii_and_iv_row_spce_column_lung(pool):
    """Ten subsets of twenty; the published figure takes the best θ per subset and metric, knowing the truth."""
    members, truth = pool("Lung")
    acc, nmi = np.zeros((10, 10)), np.zeros((10, 10))
    for subset in range(10):
        ensemble = Ensemble.from_labels(members[:, 20 * subset : 20 * subset + 20])
        for at in range(10):
            labels = solve(SPCE(k=5, theta=at / 10, exact_k=False), ensemble).labels
            acc[subset, at] = scores.acc(labels, truth)
            nmi[subset, at] = scores.nmi(labels, truth, average="max")
    assert (round(acc.max(axis=1).mean(), 3), round(acc.max(axis=1).std(ddof=1), 3)) == (0.913, 0.005)
    assert nmi.max(axis=1).mean() == pytest.approx(0.742, abs=6e-4)  # 0.7415, on single objects too
    assert round(nmi.max(axis=1).std(ddof=1), 3) == 0.010
    assert round(acc[:, 1].mean(), 3) == 0.911 and round(nmi[:, 1].mean(), 3) == 0.738  # one θ = 0.1 for all


def test_exactly_k_repairs_what_large_theta_breaks(pool):
    """Aggregation at θ = 0.8: up to 5k components; merged by the weighted co-association nearly all is right."""
    assert ari_over_draws(pool, "Aggregation", 0.8).mean() == pytest.approx(0.405, abs=5e-4)
    assert ari_over_draws(pool, "Aggregation", 0.8, exact_k=True).mean() == pytest.approx(0.961, abs=5e-4)


# --- the literal implementation, step by step -----------------------------------------------------------------------


def uneven(seed=5, missing=0.0):
    """A label table whose path is long: groups of different size, one coarse base clustering."""
    table = planted(n=70, m=9, k=4, wrong=0.18, seed=seed, missing=missing)
    table[:, 0] = np.where(table[:, 0] < 0, -1, table[:, 0] // 2)
    return table


def compare(path, literal, method, ensemble):
    assert len(path) == len(literal)
    for step, state in zip(path, literal, strict=True):
        mine = step.state
        assert (mine.components, mine.r, mine.inner) == (state["components"], state["r"], state["inner"])
        assert mine.rho == pytest.approx(state["rho"], rel=1e-12)
        for name, key in (("S", "S"), ("W", "W")):
            assert np.abs(on_objects(method, ensemble, mine, name) - state[key]).max() < 1e-8, (name, step.iteration)
        np.testing.assert_allclose(step.value("alpha"), state["alpha"], atol=1e-8)
        np.testing.assert_allclose(step.value("d"), state["d"], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
@pytest.mark.parametrize("pace", ["self-paced", "fixed", "none"])
@pytest.mark.parametrize("variant", ["released", "paper"])
def test_microclusters_give_the_path_of_all_objects(variant, pace, missing):
    table = uneven(missing=missing)
    ensemble = Ensemble.from_labels(table)
    assert ensemble.q < ensemble.n
    for theta, k in ((0.2, 4), (0.5, 3)):
        method = SPCE(k=k, theta=theta, variant=variant, pace=pace, max_iter=40)
        path = run(method, ensemble)
        assert path[-1].state.exact, "on this input the answer must be well defined"
        compare(path, spce_nrow.spce(table, k, theta, variant, pace, steps=40)[: len(path)], method, ensemble)


def test_many_base_clusterings_and_either_form_of_the_graph_give_the_same_path(monkeypatch):
    table = np.concatenate([uneven(seed=5), uneven(seed=5)[:, ::-1] // 2, uneven(seed=5)[:, :6]], axis=1)
    ensemble, method = Ensemble.from_labels(table), SPCE(k=4, max_iter=12)
    assert len(pairs_of(ensemble).planes.bits) == 3
    literal = spce_nrow.spce(table, 4, 0.2, steps=12)
    monkeypatch.setattr(upper_matrix, "is_large", lambda q, k: True)
    for share in (0.0, 2.0):
        monkeypatch.setattr(upper_matrix, "SPARSE_SHARE", share)
        path = run(method, ensemble)
        compare(path, literal[: len(path)], method, ensemble)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("kept", [0, 1 << 20])
def test_a_short_list_of_pairs_gives_the_path_of_all(monkeypatch, missing, kept):
    table = uneven()
    table[np.random.default_rng(3).random(table.shape) < missing] = -1
    ensemble, method = Ensemble.from_labels(table), SPCE(k=4, theta=0.6)
    whole = run(method, ensemble)
    assert all(step.state.near is None or step.state.near.at is None for step in whole)
    monkeypatch.setattr(shortlist, "FEWEST", 0)
    monkeypatch.setattr(shortlist, "KEPT", kept)
    path = run(method, ensemble)
    assert len(path) == len(whole) and any(step.state.near.at is not None for step in path[1:])
    for mine, other in zip(path, whole, strict=True):
        assert mine.objective == pytest.approx(other.objective, rel=1e-12)
        np.testing.assert_allclose(mine.state.links, other.state.links, atol=1e-10)
        np.testing.assert_allclose(mine.state.d, other.state.d, rtol=1e-10)
        assert (mine.state.settled, mine.state.rho) == (other.state.settled, other.state.rho)
    resumed = list(iterate(method, ensemble, start=pickle.loads(pickle.dumps(path[3]))))
    assert [step.objective for step in resumed] == [step.objective for step in path[3:]]


def test_the_objective_is_that_of_the_paper():
    table = uneven()
    ensemble = Ensemble.from_labels(table)
    for variant in ("released", "paper"):
        for step in run(SPCE(k=4, theta=0.4, variant=variant, max_iter=12), ensemble):
            state = step.state
            whole = {"S": None, "W": None, "alpha": step.value("alpha"), "Y": state.Y[ensemble.member_of]}
            for name in ("S", "W"):
                whole[name] = on_objects(SPCE(k=4), ensemble, state, name)
            value = spce_nrow.objective(whole, table, 0.4, state.rho, state.lam)
            assert step.objective == pytest.approx(value, rel=1e-10)


def test_values_of_our_own():
    """A small run written down: what changes these numbers changes the method."""
    ensemble = Ensemble.from_labels(uneven())
    result = solve(SPCE(k=4), ensemble)
    assert result.iterations == 29 and result.found == 4
    literal = spce_nrow.spce(uneven(), 4, 0.2)[-1]
    np.testing.assert_allclose(result.value("alpha"), literal["alpha"], atol=1e-10)


# --- text against released program ----------------------------------------------------------------------------------


def paths(**how):
    ensemble = Ensemble.from_labels(uneven(**how.pop("table", {})))
    return tuple(run(SPCE(variant=variant, **how), ensemble) for variant in ("released", "paper"))


def test_the_text_goes_on_at_the_first_r_until_rho_has_done_its_doubling():
    released, paper = paths(k=4, table={"seed": 2})
    ends = [[step.state for step in path if step.state.r == 0.9][-1] for path in (released, paper)]
    assert ends[0].inner == 5 and ends[0].components == 3
    assert ends[1].inner > 5 and ends[1].components == 4 and ends[1].rho > ends[0].rho
    assert [step.state.inner for step in paper if step.state.r == 0.8] == [1], (
        "nothing is left to learn with harder pairs"
    )


def test_the_text_leaves_an_r_at_once_the_program_from_the_second_step_on():
    released, paper = paths(k=4, table={"seed": 2})
    for path, least in ((paper, 1), (released, 2)):
        last = {step.state.r: step.state.inner for step in path}
        assert last[0.7] == least and last[0.5] == least


def test_with_too_many_components_the_program_keeps_the_old_Y_the_text_a_new_one():
    released, paper = paths(k=2, theta=0.6)
    kept = [(a.state, b.state) for a, b in itertools.pairwise(released) if b.state.components > 2]
    assert kept and all(b.Y_kept and (b.Y == a.Y).all() for a, b in kept)
    assert not any(step.state.Y_kept for step in paper)
    assert any(step.state.components > 2 for step in paper)


def test_half_rho_is_the_exact_minimiser_of_the_objective_and_never_lets_it_rise():
    """Within an r, and at the ρ of the step, (10) falls with "paper" and rises somewhere with the printed factor."""

    def rises(path):
        found = []
        for a, b in itertools.pairwise(path):
            if a.state.r == b.state.r:
                after = b.objective + (a.state.rho - b.state.rho) * b.state.pull
                found.append((after - a.objective) / abs(a.objective))
        return np.array(found)

    worst = {"released": -np.inf, "paper": -np.inf}
    for seed in range(8):
        for theta in (0.1, 0.3):
            for path, variant in zip(paths(k=4, theta=theta, table={"seed": seed}), worst, strict=True):
                worst[variant] = max(worst[variant], rises(path).max())
    assert worst["paper"] < 1e-11
    assert worst["released"] > 1e-7


# --- the updates are solutions ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def halfway():
    ensemble = Ensemble.from_labels(uneven())
    method = SPCE(k=4, variant="paper", theta=0.3)
    path = run(method, ensemble)
    turn = next(i for i in range(2, len(path)) if path[i].state.inner == 1)
    return ensemble, method, path, turn


def test_W_solves_12(halfway):
    ensemble, method, path, turn = halfway
    before, after = path[turn - 1].state, path[turn].state
    B, W = method.B(ensemble, before), method.W(ensemble, after)
    for p, q in [(0, 1), (0, 5), (2, 9), (3, 17), (8, 20)]:
        best = scipy.optimize.minimize_scalar(
            lambda w, b=B[p, q]: b * w**2 - after.lam * w, bounds=(0, 1), method="bounded", options={"xatol": 1e-9}
        )
        assert W[p, q] == pytest.approx(best.x, abs=1e-6)


def test_S_solves_15(halfway):
    """Against every value of a fine grid, zero and its jump included."""
    ensemble, method, path, turn = halfway
    before, after = path[turn - 1].state, path[turn].state
    S, W, gamma = method.S(ensemble, after), method.W(ensemble, after), (ensemble.m * 0.3) ** 2
    alpha = path[turn - 1].value("alpha")
    grid = np.linspace(0, 1, 20001)
    for p in range(0, ensemble.q, 5):
        for q in range(p + 1, ensemble.q, 3):
            same = ensemble.rows[p] == ensemble.rows[q]
            if not same.any():
                assert S[p, q] == 0
                continue
            apart = ((before.Y[p] - before.Y[q]) ** 2).sum()

            def cost(s, same=same, W=W[p, q], apart=apart):
                fit = sum((s - x) ** 2 / a for x, a in zip(same, alpha, strict=True))
                return fit * W**2 + gamma * (s > 0) + before.rho / 2 * apart * s

            assert cost(S[p, q]) <= cost(grid).min() + 1e-9


def test_alpha_solves_19(halfway):
    _, _, path, turn = halfway
    state = path[turn].state
    x = cvxpy.Variable(len(state.d))
    best = cvxpy.Problem(cvxpy.Minimize(state.d @ cvxpy.inv_pos(x)), [cvxpy.sum(x) == 1]).solve()
    assert (state.d / state.alpha).sum() == pytest.approx(best, rel=1e-6)
    np.testing.assert_allclose(state.alpha, x.value, atol=1e-4)


def test_Y_solves_18(halfway):
    ensemble, method, path, _ = halfway
    few = [step.state for step in path if step.state.components < 4]
    assert few
    for state in few[:4]:
        S = on_objects(method, ensemble, state, "S")
        L = np.diag(S.sum(axis=1)) - S
        values = np.linalg.eigvalsh(L)
        Y = state.Y[ensemble.member_of]
        np.testing.assert_allclose(Y.T @ Y, np.eye(4), atol=1e-10)
        assert np.trace(Y.T @ L @ Y) == pytest.approx(values[:4].sum(), rel=1e-9)
        np.testing.assert_allclose(state.sigma, values[:4], atol=1e-9)


# --- exactly k, switches, schedule ----------------------------------------------------------------------------------


def nested(fine, coarse):
    return len(set(zip(fine.tolist(), coarse.tolist(), strict=True))) == len(set(fine.tolist()))


def test_exactly_k_merges_or_splits_what_was_found_and_leaves_the_right_number_alone():
    ensemble = Ensemble.from_labels(uneven())
    too_many = SPCE(k=2, theta=0.7)
    state = run(too_many, ensemble)[-1].state
    assert too_many.found(ensemble, state) > 2
    repaired = too_many.labels(ensemble, state)
    assert len(set(repaired.tolist())) == 2 and nested(state.member, repaired)
    assert "merged into 2" in too_many.remarks(ensemble, state)[0]
    plain = dataclasses.replace(too_many, exact_k=False)
    assert (plain.labels(ensemble, state) == state.member).all()
    assert "left as they are" in plain.remarks(ensemble, state)[0]

    too_few = SPCE(k=6, theta=0.0, laplacian=False)
    state = run(too_few, ensemble)[-1].state
    assert too_few.found(ensemble, state) < 6
    repaired = too_few.labels(ensemble, state)
    assert len(set(repaired.tolist())) == 6 and nested(repaired, state.member)

    right = SPCE(k=4)
    state = run(right, ensemble)[-1].state
    assert (right.labels(ensemble, state) == state.member).all() and not right.remarks(ensemble, state)


def test_merging_takes_the_two_components_with_the_greatest_weighted_co_association():
    ensemble = Ensemble.from_labels(uneven())
    method = SPCE(k=2, theta=0.7)
    state = run(method, ensemble)[-1].state
    one_less = SPCE(k=state.components - 1, theta=0.7)
    weight = method.consensus(ensemble, state)[np.ix_(ensemble.member_of, ensemble.member_of)]
    member = state.member[ensemble.member_of]
    groups = range(state.components)
    averages = {
        (a, b): weight[np.ix_(member == a, member == b)].mean() for a in groups for b in groups if a < b
    }  # fmt: skip
    a, b = max(averages, key=averages.get)
    merged = one_less.labels(ensemble, state)[ensemble.member_of]
    assert same_groups(merged, np.where(member == b, a, member))


def test_switches_do_what_they_say():
    ensemble = Ensemble.from_labels(uneven())
    no_trust = run(SPCE(k=4, pace="none"), ensemble)
    assert all((step.state.trust == 1).all() for step in no_trust)
    fixed = run(SPCE(k=4, pace="fixed"), ensemble)
    assert all((step.state.trust == fixed[0].state.trust).all() for step in fixed)
    assert (fixed[0].state.trust < 1).any() and len({step.state.r for step in fixed}) == 5
    equal = run(SPCE(k=4, learn_alpha=False), ensemble)
    assert all((step.state.alpha == 1 / ensemble.m).all() for step in equal)
    free = run(SPCE(k=4, laplacian=False), ensemble)
    assert all(step.state.rho == 0 and step.terms["separation"] == 0 for step in free)
    default = run(SPCE(k=4), ensemble)
    ends = [path[-1].state.links for path in (default, no_trust, fixed, equal, free)]
    assert all(not np.array_equal(ends[0], other) for other in ends[1:])


def test_the_schedule_is_the_papers_and_can_be_moved():
    assert SPCE(k=2).rs == (0.9, 0.8, 0.7, 0.6, 0.5)
    assert SPCE(k=2, r_first=0.8, r_last=0.7, r_step=0.05).rs == (0.8, 0.75, 0.7)
    assert SPCE(k=2, r_first=0.6, r_last=0.9).rs == (0.6,)
    assert SPCE(k=2).age(0.9, 20) == pytest.approx(2 * 0.9 * 0.1 * 400)  # λ = 72, (23)
    assert SPCE(k=2, theta=0.5).gamma(20) == 100  # γ = 0.25 m², the example after (25)
    ensemble = Ensemble.from_labels(uneven())
    path = run(SPCE(k=9, theta=0.0, inner_cap=2, last_cap=3, laplacian=False), ensemble)
    assert len(path) == 1 + 4 * 2 + 3


def test_where_the_text_has_no_bound_a_cap_ends_an_r():
    ensemble = Ensemble.from_labels(uneven())
    assert max(step.state.inner for step in run(SPCE(k=4, variant="paper"), ensemble)) == 17
    path = run(SPCE(k=4, variant="paper", text_cap=7), ensemble)
    assert max(step.state.inner for step in path) == 7
    assert (path[-1].stop, path[-1].cap) == ("capped", "text_cap")


def test_a_price_that_nothing_can_follow_stays_finite():
    """Missing labels can tie all objects together for certain; then no ρ brings three components."""
    ensemble = Ensemble.from_labels(np.array([[0, -1, 0], [0, 0, 0], [-1, 0, 0], [0, 0, -1]]))
    for step in run(SPCE(k=3, variant="paper", rho_factor=10, text_cap=400, max_iter=5000), ensemble):
        assert math.isfinite(step.objective) and step.state.rho <= spce.RHO_MOST and step.state.components == 1
    assert step.stop == "converged" and step.state.settled


# --- explanations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("variant", ["released", "paper"])
def test_every_entry_is_explained(variant, missing):
    ensemble = Ensemble.from_labels(planted(n=26, m=6, wrong=0.25, missing=missing, seed=2))
    method = SPCE(k=3, variant=variant, theta=0.35)
    path = run(method, ensemble)
    told_of = Path(method, ensemble, path.__getitem__)
    firsts = told_of.ensemble.first_of.tolist()
    sizes = {"object": firsts, "clustering": range(ensemble.m), "rank": range(3), "coordinate": range(3)}
    for at in (0, 1, len(path) // 2, len(path) - 1):
        for name in (quantity.name for quantity in method.quantities()):
            for where in itertools.product(*(sizes[axis] for axis in told_of.axes(name))):
                told, truth = told_of.tell(Address(name, where, at)), told_of.entry(name, where, at)
                assert abs(told.value - truth) <= 1e-9 * (1 + abs(truth)), (name, where, at)
                found = told.formula.value(told.numbers)
                if told.formula.is_condition:
                    assert abs(found) <= 1e-9, (name, where, at)
                else:
                    assert abs(found - truth) <= 1e-9 * (1 + abs(truth)), (name, where, at)
                assert told.words and all(told.conditions), (name, where, at)


def test_what_is_said_about_a_pair_can_be_checked_by_hand():
    rows = np.array([[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 1, 0, 1, 1], [1, 1, 1, 1, 1]])
    first, second, *_ = run(SPCE(k=2), Ensemble.from_labels(rows))
    why = first.why("W", 0, 1)
    # 4 of 5 agree: B = (0.2² · 4 + 0.8² · 1) · 5 = 4, λ = 2 · 0.9 · 0.1 · 25 = 4.5
    assert why.value == pytest.approx(4.5 / 8) and why.filled == "min(4.5 / (2 · 4), 1)"
    assert why.words.startswith("The base clusterings disagree about 1 and 2 by B = 4, with λ = 4.5")
    assert first.why("S_hat", 0, 1).words.startswith("4 of the 5 base clusterings")
    for step in (first, second):
        assert step.why("S", 0, 3).value == 0 and step.why("S", 2, 2).value == 1
    assert second.why("S", 0, 3).words == "No base clustering puts 1 and 4 together."
    assert "itself" in second.why("S", 2, 2).words and "itself" in first.why("S_hat", 2, 2).words
    # T = 4 · 5 and s = 5 · 5 at the start; both lie in one component of the first consensus
    C = second.why("C", 0, 1)
    assert C.ask("T").value == pytest.approx(20) and C.ask("s").value == pytest.approx(25)
    assert second.why("gamma").filled == "(5 · 0.2)²" and second.why("lam").value == pytest.approx(4.5)
    assert second.why("limit", 0, 1).value == pytest.approx(np.sqrt(1 / 25) / (4.5 / 8))
    assert second.why("inner").value == 1 and first.why("rho").words == "Where the run starts."


def test_without_a_laplacian_or_self_pacing_the_words_say_so():
    ensemble = Ensemble.from_labels(uneven())
    free, plain = (run(SPCE(k=4, max_iter=2, **off), ensemble)[-1] for off in ({"laplacian": False}, {"pace": "none"}))
    assert free.why("C", 0, 1).formula == "T / s" and "switched off" in free.why("rho").words
    assert "switched off" in plain.why("W", 0, 1).words


# --- laws and odd inputs ---------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(
    st.integers(1, 14).flatmap(
        lambda n: st.integers(1, 4).flatmap(
            lambda m: st.lists(st.lists(st.integers(-1, 3), min_size=m, max_size=m), min_size=n, max_size=n)
        )
    ),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.2, 0.5, 0.9]),
    st.sampled_from(["released", "paper"]),
)
def test_laws_hold_on_any_small_table(table, k, theta, variant):
    ensemble = Ensemble.from_labels(np.array(table))
    method = SPCE(k=k, theta=theta, variant=variant, text_cap=12)
    if k > ensemble.q:
        with pytest.raises(InputError, match="Ask for at most"):
            begin(method, ensemble)
        return
    for step in iterate(method, ensemble):
        state = step.state
        assert (state.links >= 0).all() and (state.links <= 1).all()
        assert (state.trust > 0).all() and (state.trust <= 1).all()
        assert state.alpha.sum() == pytest.approx(1) and (state.alpha > 0).all() and math.isfinite(step.objective)
        gram = (state.Y * ensemble.counts[:, None]).T @ state.Y
        np.testing.assert_allclose(gram, np.eye(k), atol=1e-8)
    answered = state.components == k or (variant == "paper" and state.settled)
    assert (step.stop, state.r) == ("converged" if answered else "capped", 0.5)
    labels = method.labels(ensemble, state)
    assert sorted(set(labels.tolist())) == list(range(k))


def test_a_base_clustering_that_equals_the_consensus_does_not_break_the_run():
    """d_i = 0 asks for α_i = 0 and an infinite say; it gets a very large one."""
    truth = np.repeat([0, 1, 2], 8)
    table = np.column_stack([truth, truth, truth, (np.arange(24) * 7) % 5])
    result = solve(SPCE(k=3), Ensemble.from_labels(table))
    assert same_groups(result.labels, truth) and (result.state.alpha > 0).all()


def test_memory_is_foreseen_and_lists_are_shared_by_states():
    ensemble = Ensemble.from_labels(uneven())
    method = SPCE(k=4)
    path = run(method, ensemble)
    assert method.cost(ensemble).bytes > 2 * path[-1].state.links.nbytes
    assert path[2].state.trust is path[1].state.trust, "W is learned once per r, and kept once"
    assert pairs_of(ensemble) is pairs_of(Ensemble.from_labels(uneven()))


@given(st.integers(0, 2**32 - 1), st.booleans(), st.lists(st.integers(2, 4), min_size=2, max_size=4))
@settings(deadline=None, max_examples=25)
def test_what_is_kept_of_the_start_is_what_is_found_anew(seed, gaps, ks):
    """Y, the parts and their repair hang on no dial but k, and are kept for the k asked for last."""
    ensemble = Ensemble.from_labels(planted(n=30, seed=seed, missing=0.2 if gaps else 0.0))
    for k in ks:
        method = SPCE(k=min(k, ensemble.q), theta=0.4)
        kept = begin(method, ensemble).state
        dialled = begin(dataclasses.replace(method, theta=0.7), ensemble).state
        anew = dataclasses.replace(kept, **method._embedded(ensemble, kept, pairs_of(ensemble).linked(kept.links)))
        for state in (dialled, anew):
            assert state.components == kept.components
            np.testing.assert_array_equal(state.member, kept.member)
            np.testing.assert_array_equal(state.Y, kept.Y)
            np.testing.assert_array_equal(state.sigma, kept.sigma)
        alone = exactly(method.k, kept.member, method.likeness(ensemble, kept), ensemble.counts)
        np.testing.assert_array_equal(method.labels(ensemble, kept), alone)


def test_a_bound_is_named_and_is_no_answer():
    ensemble = Ensemble.from_labels(uneven())
    result = solve(SPCE(k=4, variant="paper", text_cap=7), ensemble)
    assert result.stop == "capped"
    assert "at a bound" in result.stopped and "= 7" in result.stopped and "not converged" in result.stopped
    assert SPCE(k=4).param("text_cap").title in result.stopped


def test_why_an_r_ended_speaks_of_the_step_before():
    ensemble = Ensemble.from_labels(planted(n=40, m=7, wrong=0.3, seed=3))
    changes = 0
    for before, now in itertools.pairwise(run(SPCE(k=3), ensemble)):
        if now.state.r == before.state.r:
            continue
        told = now.why("r").told
        assert told.terms["c"].value == before.state.components and told.terms["inner"].value == before.state.inner
        changes += now.state.components != before.state.components
    assert changes
