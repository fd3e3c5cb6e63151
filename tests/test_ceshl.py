"""CESHL: the literal n-row algorithm round by round, its sub-problems against other solvers, its variants."""

from __future__ import annotations

import itertools
import tracemalloc

import cvxpy
import numpy as np
import pytest
from contract import run
from contract_told import shown_is_explained
from draws import paper_draws
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import hard_draws, planted, same_groups
from oracles import ceshl_nrow as oracle
from scipy.optimize import Bounds, minimize
from sklearn.metrics import adjusted_rand_score

from consensus_core import CESHL, Ensemble, begin, conclude, iterate, scores, solve
from consensus_core.ensemble.incidence import incidence
from consensus_core.linalg.hypergraph import NOISE, Hypergraph, _Active, follow, learn
from consensus_core.linalg.line_search import line_search
from consensus_core.method.path import Path
from consensus_core.method.telling import Address


def uneven(seed=0, n=60, m=6, wrong=0.12):
    """Base clusterings with 2 to 5 clusters around three uneven groups, rows repeated."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(3), [n // 6, n // 3, n - n // 6 - n // 3])
    columns = []
    for i in range(m):
        split = truth * 2 + (rng.random(n) < 0.5) if i % 3 == 0 else truth
        column = np.where(rng.random(n) < wrong, rng.integers(split.max() + 1, size=n), split)
        columns.append(column if i % 3 < 2 else np.minimum(column, 1))
    return np.column_stack(columns)


TABLES = {"even": planted(n=48, m=7, k=3, wrong=0.12, seed=1), "uneven": uneven()}


def objects(ensemble, step):
    return ensemble.expand(step.value("Y")), ensemble.expand(step.value("F"))


# --- the literal algorithm ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weights", ["learned", "score", "one"])
def test_scores_and_weights_are_the_literal_ones(name, weights):
    ensemble = Ensemble.from_labels(TABLES[name])
    step = begin(CESHL(k=3, lam=2.0, weights=weights), ensemble)
    H = oracle.incidence(ensemble.labels())
    s = oracle.scores(H, ensemble.m)
    assert step.value("s") == pytest.approx(s, abs=1e-12)
    if weights == "learned":
        w = cvxpy.Variable(len(s))
        least = cvxpy.quad_form(w, cvxpy.psd_wrap(oracle.smoothness(H))) + 2.0 * cvxpy.sum_squares(w - s)
        cvxpy.Problem(cvxpy.Minimize(least), [w >= 0, w <= 1]).solve(solver="CLARABEL")
        assert step.value("w") == pytest.approx(w.value, abs=1e-6)
    else:
        assert step.value("w") == pytest.approx(s if weights == "score" else np.ones(len(s)))


@pytest.mark.parametrize("variant", ["paper", "released"])
@pytest.mark.parametrize("name", TABLES)
def test_every_round_is_the_literal_one_on_all_objects(name, variant):
    """Each round from our own state before it, so that rounding cannot add up: Y of SciPy's L-BFGS-B on n rows."""
    ensemble, method = Ensemble.from_labels(TABLES[name]), CESHL(k=3, variant=variant)
    assert ensemble.q < ensemble.n
    H = oracle.incidence(ensemble.labels())
    path = run(method, ensemble, steps=8)
    assert len(path) > 2
    for before, after in itertools.pairwise(path):
        Y0, F0 = objects(ensemble, before)
        Y1, F1 = objects(ensemble, after)
        Y = oracle.learn(Y0, H, before.value("w"), F0, before.state.rho)
        assert Y1 == pytest.approx(Y, abs=1e-8)
        L = oracle.laplacian(np.maximum(Y1, 1e-300), before.value("w"), variant == "paper")
        values = np.linalg.eigvalsh(L)[:4]
        assert after.state.spectrum == pytest.approx(values, abs=1e-8)
        if after.state.rho >= before.state.rho:
            assert F1.T @ F1 == pytest.approx(np.eye(3), abs=1e-8)
            assert np.trace(F1.T @ L @ F1) == pytest.approx(values[:3].sum(), abs=1e-8)
        assert same_groups(oracle.parts(Y1), ensemble.expand(CESHL(k=3, exact_k=False).labels(ensemble, after.state)))
        a, b = values[:3].sum(), values.sum()
        factor = 2 if a > 1e-9 else 0.5 if b < 1e-11 else 1
        assert after.state.rho == before.state.rho * factor


@pytest.mark.parametrize("name, tolerance", [("even", 1e-5), ("uneven", 0.05)])
def test_a_whole_run_is_the_literal_one(name, tolerance):
    """On "uneven" a step as long as the box allows ends on a bound. SciPy leaves 0 or 1e-17 there, as rounding has it,
    and a residue shortens the next step: its path then hangs on the last bit of F. Here the entry is put on its bound.
    """
    ensemble = Ensemble.from_labels(TABLES[name])
    path = list(iterate(CESHL(k=3), ensemble))
    literal = list(oracle.rounds(ensemble.labels(), 3, 100.0, path[0].value("w")))
    assert len(literal) == len(path)
    assert same_groups(oracle.parts(literal[-1][0]), conclude(CESHL(k=3), ensemble, path[-1]).labels)
    assert np.abs(objects(ensemble, path[-1])[0] - literal[-1][0]).max() < tolerance


# --- sub-problems -------------------------------------------------------------------------------------------------


def problem_of(seed=0, rho=150.0, table=None):
    ensemble = Ensemble.from_labels(uneven(seed) if table is None else table).canonical
    method = CESHL(k=3)
    state = begin(method, ensemble).state
    problem = method._problem(ensemble, state)._replace(rho=rho)
    return ensemble, problem, incidence(ensemble).toarray()


def J(problem, Y):
    """The objective by definition, rows counted."""
    H = np.zeros(problem.shape)
    H.ravel()[problem.ones] = 1
    dv, de = Y @ problem.w, problem.counts @ Y
    f = problem.F / np.sqrt(dv)[:, None]
    B = (problem.counts[:, None] * f).T @ Y
    fit = problem.counts @ (((Y - H) * problem.w) ** 2).sum(axis=1)
    return fit + problem.rho * (problem.F.shape[1] - (B**2 * problem.w / de).sum())


def test_the_text_of_the_derivative_is_ours_and_its_error_has_slope_two():
    ensemble, problem, H = problem_of()
    rng = np.random.default_rng(0)
    Y = 0.05 + 0.9 * rng.random(H.shape)
    active = _Active(problem, Y)
    active.evaluate()
    gradient = np.zeros(H.shape)
    gradient.ravel()[active.at] = active.g / active.high
    each = ensemble.expand
    whole = oracle.slope(each(Y), each(H), problem.w, each(problem.F), problem.rho)
    assert each(gradient) == pytest.approx(whole, rel=1e-9, abs=1e-9)
    assert active.value == pytest.approx(oracle.objective(each(Y), each(H), problem.w, each(problem.F), problem.rho))
    direction = rng.normal(size=H.shape)
    promised = (problem.counts @ (gradient * direction)).sum()
    errors = []
    for step in (1e-2, 1e-3, 1e-4):
        ahead, behind = J(problem, Y + step * direction), J(problem, Y - step * direction)
        errors.append(abs((ahead - behind) / (2 * step) - promised))
    slopes = np.diff(np.log10(errors)) / -1
    assert slopes == pytest.approx([2, 2], abs=0.1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rho, steps", [(20.0, 10), (150.0, 20), (2000.0, 20)])
def test_sparse_quasi_newton_is_scipys_on_all_entries(seed, rho, steps):
    """To 1e-8. On some of these problems one last digit of the slope decides which bound SciPy reaches first, and 20
    steps make a hundredth of that; so it runs once as it is and eight times with last digits shaken, and ours must
    be one of its answers. A slope on a bound that is rounding is given to SciPy as 0: its sign would decide too."""
    _, problem, H = problem_of(seed, rho)
    root = np.sqrt(problem.counts)[:, None]

    def theirs(shake):
        rng = np.random.default_rng(shake)

        def dense(z):
            Y = z.reshape(H.shape) / root
            active = _Active(problem, np.maximum(Y, 1e-300))
            active.evaluate()
            on_bound = (Y.ravel() <= 0) | (Y.ravel() >= 1)
            slope = np.where(on_bound & (np.abs(active.g) < NOISE * active.high), 0, active.g)
            return active.value, slope * (1 + 2e-16 * rng.integers(-1, 2, slope.size) * (shake > 0))

        found = minimize(
            dense, (root * H).ravel(), jac=True, method="L-BFGS-B",
            bounds=Bounds(np.zeros(H.size), np.broadcast_to(root, H.shape).ravel()),
            options={"maxcor": 5, "maxiter": steps, "gtol": 0, "ftol": 0},
        )  # fmt: skip
        return found.x.reshape(H.shape) / root, found.nit

    Y, path = learn(problem, H, memory=5, steps=steps, tol=0.0)
    answers = (theirs(shake) for shake in range(9))
    assert any(len(path.turns) == nit and np.abs(Y - answer).max() < 1e-8 for answer, nit in answers)


def test_a_round_never_raises_what_it_minimises():
    for seed in range(5):
        _, problem, H = problem_of(seed)
        values = [J(problem, learn(problem, H, 5, steps, 0.0)[0]) for steps in range(1, 21)]
        assert (np.diff([J(problem, H), *values]) <= 1e-10 * values[0]).all()


def test_every_entry_can_be_followed():
    _, problem, H = problem_of(3, rho=800.0)
    Y, path = learn(problem, H, 5, 20, 0.0)
    for p, e in itertools.product(range(0, len(H), 3), range(H.shape[1])):
        assert follow(problem, path, 5, H[p, e], p, e)[-1].after == pytest.approx(Y[p, e], abs=1e-9)


def moves_told(table, rounds, objects):
    """(how Y is told, how its quasi-Newton steps are) for entries of these rounds."""
    ensemble, method = Ensemble.from_labels(table).canonical, CESHL(k=3)
    path = Path(method, ensemble, run(method, ensemble, rounds).__getitem__)
    for iteration, i, e in itertools.product(range(1, rounds + 1), objects, range(0, ensemble.K, 3)):
        Y = path.tell(Address("Y", (i, e), iteration))
        if Y.case == "":
            yield Y, [path.tell(Address("move", (i, e, r), iteration)) for r in range(len(Y.terms["move"]))]


def test_every_quasi_newton_step_moves_as_its_formula_says():
    """The moves in an explanation are at hand as numbers; each must be what its own explanation comes to."""
    kinds = set()
    for name in TABLES:
        for Y, moves in moves_told(TABLES[name], 2, (0, 31)):
            assert [move.value for move in moves] == pytest.approx(Y.terms["move"].values, abs=1e-9)
            kinds |= {move.case for move in moves}
    assert kinds >= {"", "given", "steepest", "bound"}


def test_a_step_cut_short_at_a_bound_is_told_too():
    """A step whose way to the model's least point is cut where the first entry meets its bound."""
    method = CESHL(k=3)
    for seed in range(12):
        ensemble = Ensemble.from_labels(planted(n=40, m=5, wrong=0.4, seed=seed)).canonical
        steps = run(method, ensemble, 1)
        (before, after), path = (step.state for step in steps), Path(method, ensemble, steps.__getitem__)
        problem = method._problem(ensemble, before)
        for p, e in itertools.product(range(ensemble.q), range(ensemble.K)):
            moves = follow(problem, after.path, 5, before.Y[p, e], p, e)
            for r in [r for r, move in enumerate(moves) if move.kind == "short"]:
                told = path.tell(Address("move", (int(ensemble.first_of[p]), e, r), 1))
                assert told.case == "short"
                assert told.value == pytest.approx(moves[r].after - moves[r].y, abs=1e-9)
                return
    raise AssertionError("no ensemble tried has a step that is cut short")


def test_links_are_what_their_explanations_come_to():
    for variant in ("paper", "released"):
        ensemble = Ensemble.from_labels(TABLES["uneven"])
        step = run(CESHL(k=3, variant=variant), ensemble, 2)[-1]
        A = step.why("F", 4, 1).told.terms["A"]
        assert [A.term(r).value for r in range(len(A))] == pytest.approx(A.values, abs=1e-12)


def test_what_falls_apart_at_once_is_explained_too():
    """More components than wanted: coordinates mark the greatest of them, and F and ρ have words of their own."""
    table = np.repeat([[0], [0], [1], [1], [1], [2], [3]], 3, axis=1)
    for variant in ("paper", "released"):
        shown_is_explained(CESHL(k=2, variant=variant), Ensemble.from_labels(table), tries=8)
        step = run(CESHL(k=2, variant=variant), Ensemble.from_labels(table))[-1]
        assert step.why("F", 0, 0).told.case == "same" and step.why("rho").told.case == "less"
    marks = run(CESHL(k=2), Ensemble.from_labels(table))[0]
    assert (marks.why("F", 3, 0).told.case, marks.why("F", 0, 0).told.case) == ("mark", "given")


def test_bytes_are_foretold():
    ensemble = Ensemble.from_labels(planted(n=400, m=20, k=6, wrong=0.4))
    method = CESHL(k=6, max_iter=3)
    foretold = method.cost(ensemble).bytes
    tracemalloc.start()
    solve(method, ensemble)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / 3 < foretold < 3 * peak


def test_no_sign_of_a_rounding_error_moves_an_entry_off_its_bound():
    """It once did: an entry at 1 with the slope 1e-15 was free or not, by the order of a sum, and Y moved by 0.03."""
    rng = np.random.default_rng(8)
    for draw, table in enumerate(hard_draws(16, seed=1)):
        if draw not in (8, 15):
            continue
        ensemble = Ensemble.from_labels(table).canonical
        method = CESHL(k=3)
        problem, H = method._problem(ensemble, begin(method, ensemble).state), incidence(ensemble).toarray()
        Y, _ = learn(problem, H, 5, 20, 1e-3)
        for _ in range(4):
            F = problem.F * (1 + 4e-16 * rng.integers(-1, 2, problem.F.shape))
            assert np.abs(learn(problem._replace(F=F), H, 5, 20, 1e-3)[0] - Y).max() < 1e-8


def test_line_search_finds_the_valley():
    for shape in (lambda t: (t - 0.3) ** 2, lambda t: np.cosh(3 * t - 1) - t**3 / 9, lambda t: -t + 4 * t**4):
        slope = lambda t, shape=shape: (shape(t + 1e-6) - shape(t - 1e-6)) / 2e-6  # noqa: E731
        at = lambda t, shape=shape, slope=slope: (shape(t), slope(t))  # noqa: E731
        step = line_search(at, shape(0.0), slope(0.0), lambda: 1.0)
        assert 0 < step <= 1 and shape(step) <= shape(0.0) + 1e-3 * step * slope(0.0)
    assert line_search(lambda t: (1.0 + t, -1.0), 1.0, -1.0, lambda: 1.0) is None  # a slope that lies


# --- text against program -----------------------------------------------------------------------------------------


def test_the_laplacian_of_F_tells_the_variants_apart():
    ensemble = Ensemble.from_labels(TABLES["uneven"])
    paper, released = (begin(CESHL(k=3, variant=variant), ensemble).state for variant in ("paper", "released"))
    assert np.abs(paper.spectrum - released.spectrum).max() > 0.1
    assert paper.Y == pytest.approx(released.Y) and paper.w == pytest.approx(released.w)


def test_released_may_tell_equal_objects_apart_and_says_so():
    """The difference of two equal objects is an eigenvector with the eigenvalue d_v: here below the fourth smallest."""
    table = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [4, 2, 1, 3], axis=0)
    ensemble = Ensemble.from_labels(table)
    states = {variant: begin(CESHL(k=3, variant=variant), ensemble).state for variant in ("paper", "released")}
    Y = oracle.incidence(ensemble.canonical.labels())
    for variant, state in states.items():
        whole = np.linalg.eigvalsh(oracle.laplacian(Y, state.w, variant == "paper"))[:4]
        assert state.exact == (np.abs(whole - state.spectrum).max() < 1e-8)
    assert states["paper"].exact and not states["released"].exact
    said = CESHL(k=3, variant="released").remarks(ensemble, states["released"])
    assert any("equal labels apart" in sentence for sentence in said)


def test_a_plain_projected_step_would_not_be_the_same():
    """One step of steepest descent per round is no substitute: 20 quasi-Newton steps get much further down."""
    _, problem, H = problem_of(1)
    plain = J(problem, learn(problem, H, 5, 1, 0.0)[0])
    assert J(problem, learn(problem, H, 5, 20, 0.0)[0]) < plain - 0.1 * abs(J(problem, H) - plain)


def test_runs_that_come_to_nothing_are_stopped_and_said():
    ensemble = Ensemble.from_labels(TABLES["uneven"])
    result = solve(CESHL(k=3, rho_limit=150.0), ensemble)
    assert result.stop == "diverged" and any("given up" in said for said in result.remarks)
    assert len(np.unique(result.labels)) == 3


@pytest.mark.parametrize("variant", ["paper", "released"])
def test_no_rho_is_tried_where_the_given_hypergraph_falls_apart_further(variant):
    table = np.repeat([[0], [0], [1], [1], [2], [3]], 3, axis=1)
    result = solve(CESHL(k=2, variant=variant), Ensemble.from_labels(table))
    assert (result.stop, result.iterations, result.found) == ("converged", 1, 4)
    assert len(np.unique(result.labels)) == 2 and any("merged into 2" in said for said in result.remarks)


# --- weights ------------------------------------------------------------------------------------------------------


def test_small_lambda_forgets_the_quality_and_large_keeps_it():
    ensemble = Ensemble.from_labels(uneven(seed=2, n=120, m=9))
    at = {}
    for lam in (1e-3, 1e3):
        method = CESHL(k=3, lam=lam)
        state = begin(method, ensemble).state
        at[lam] = method.w_and_size(ensemble, state), method.w_and_s(ensemble, state), method.remarks(ensemble, state)
    assert at[1e-3][0] > 0.99 and at[1e3][1] > 0.9999
    assert at[1e3][0] < at[1e-3][0]


def test_the_upper_bound_binds_where_sizes_are_uneven():
    table = np.column_stack([np.repeat([0, 1], [57, 3])] * 3 + [np.arange(60) % 6])
    ensemble = Ensemble.from_labels(table)
    state = begin(CESHL(k=2, lam=1e-3), ensemble).state
    ensemble = ensemble.canonical
    H = oracle.incidence(ensemble.labels())
    free = np.linalg.solve(oracle.smoothness(H) + 1e-3 * np.eye(len(state.s)), 1e-3 * state.s)
    assert free.max() > 1 and state.w.max() == pytest.approx(1.0) and state.w.min() > 0
    slope = oracle.smoothness(H) @ state.w + 1e-3 * (state.w - state.s)  # KKT
    assert np.abs(slope[state.w < 1 - 1e-9]).max() < 1e-9 and (slope[state.w >= 1 - 1e-9] <= 1e-9).all()


# --- number of components -----------------------------------------------------------------------------------------


def test_exactly_k_or_what_was_found():
    ensemble = Ensemble.from_labels(TABLES["uneven"])
    start = begin(CESHL(k=3), ensemble)
    assert start.state.components == 1  # before any round everything hangs together
    exact, honest = (conclude(CESHL(k=3, exact_k=e), ensemble, start) for e in (True, False))
    assert len(np.unique(exact.labels)) == 3 and len(np.unique(honest.labels)) == 1
    assert exact.found == honest.found == 1 and any("split into 3" in said for said in exact.remarks)
    assert any("left as they are" in said for said in honest.remarks)
    many = Ensemble.from_labels(np.repeat(np.repeat(np.arange(5), [3, 4, 5, 6, 7])[:, None], 4, axis=1))
    exact, honest = (conclude(CESHL(k=3, exact_k=e), many, begin(CESHL(k=3), many)) for e in (True, False))
    assert len(np.unique(exact.labels)) == 3 and len(np.unique(honest.labels)) == 5
    assert any("5 components where 3" in said for said in exact.remarks)


def test_right_numbers_are_left_alone():
    ensemble = Ensemble.from_labels(TABLES["even"])
    repaired, plain = (solve(CESHL(k=3, exact_k=e), ensemble) for e in (True, False))
    assert plain.found == 3 and (repaired.labels == plain.labels).all() and not plain.remarks


# --- the rest -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{}, {"variant": "released"}, {"weights": "score"}, {"lam": 0.01}], ids=str)
def test_every_entry_is_explained(setting):
    shown_is_explained(CESHL(k=3, **setting), Ensemble.from_labels(TABLES["uneven"]), steps=6, tries=5)


OBJECTIVE = [46.001947117, 23.423775401, 20.878425608]
WEIGHTS = [0.6929018513, 0.8510286349, 0.7839503172, 0.8610208428, 0.9064466907, 0.8667101765]


def test_values_of_our_own():
    """Kept from this program: a change of the path must be a decision."""
    path = list(iterate(CESHL(k=3), Ensemble.from_labels(TABLES["uneven"])))
    assert [path[i].objective for i in (0, 1, 2)] == pytest.approx(OBJECTIVE, rel=1e-6)
    assert path[0].value("w")[:6] == pytest.approx(WEIGHTS, abs=1e-8)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_laws_on_small_random_ensembles(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 4, size=(int(rng.integers(3, 25)), int(rng.integers(1, 6))))
    ensemble = Ensemble.from_labels(table)
    k = int(rng.integers(1, ensemble.q + 1))
    method = CESHL(k=k, max_iter=25)
    path = list(iterate(method, ensemble))
    for step in path:
        state = step.state
        assert (state.Y >= 0).all() and (state.Y <= 1).all() and (state.w > 0).all() and (state.w <= 1).all()
        assert (np.diff(state.spectrum) >= -1e-12).all() and state.spectrum.min() >= -1e-12
        assert state.F.T @ (ensemble.counts[:, None] * state.F) == pytest.approx(np.eye(k), abs=1e-8)
    assert len(np.unique(conclude(method, ensemble, path[-1]).labels)) == k


def test_hypergraph_knows_its_own_ones():
    problem = Hypergraph(np.array([1, 3]), (2, 2), np.ones(2), np.ones(2), np.eye(2), 1.0)
    assert [problem.has(p, e) for p in range(2) for e in range(2)] == [False, True, False, True]


@pytest.mark.parametrize("name, k", [("Ecoli", 8), ("Aggregation", 7)])
def test_on_real_ensembles_rows_are_exact(pool, name, k):
    """One round each, from the start and from a middle state: q rows against n rows."""
    members, _ = pool(name)
    ensemble = Ensemble.from_labels(members[:, :20])
    each, own = np.ones(ensemble.n, dtype=np.int64), np.arange(ensemble.n)
    whole = Ensemble(ensemble.labels(), each, own, ensemble.names, order=ensemble.order)
    method = CESHL(k=k)
    one, two = run(method, ensemble, 1)[1], run(method, whole, 1)[1]
    assert ensemble.expand(one.value("Y")) == pytest.approx(two.value("Y"), abs=1e-8)
    assert one.state.spectrum == pytest.approx(two.state.spectrum, abs=1e-8)
    assert one.objective == pytest.approx(two.objective, rel=1e-8)


@pytest.mark.parametrize("name, k, least", [("Ecoli", 8, 0.35), ("Aggregation", 7, 0.85)])
def test_real_ensembles_end_with_exactly_k_components(pool, name, k, least):
    members, truth = pool(name)
    result = solve(CESHL(k=k), Ensemble.from_labels(members[:, :20]))
    assert result.found == k and result.stop == "converged"
    assert adjusted_rand_score(truth, result.labels) > least


def test_the_path_does_not_hang_on_rounding():
    """It once did: an entry 1e-17 from its bound cut the next step short, and 1e-15 of noise in F moved Y by 0.04."""
    _, problem, H = problem_of(0, rho=100.0)
    Y, _ = learn(problem, H, 5, 20, 1e-3)
    noise = np.random.default_rng(0).normal(size=problem.F.shape)
    moved, _ = learn(problem._replace(F=problem.F + 1e-14 * noise), H, 5, 20, 1e-3)
    assert np.abs(moved - Y).max() < 1e-9


def test_aggregation_on_ten_of_the_papers_draws(pool):
    """Accuracy .995 and NMI .984 at one λ, fixed in advance."""
    members, truth = pool("Aggregation")
    found = [solve(CESHL(k=7), Ensemble.from_labels(members[:, draw])).labels for draw in paper_draws()[:10]]
    assert np.mean([scores.acc(labels, truth) for labels in found]) == pytest.approx(0.995, abs=0.002)
    assert np.mean([scores.nmi(labels, truth, average="max") for labels in found]) == pytest.approx(0.984, abs=0.003)
