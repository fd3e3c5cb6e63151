"""Where rows are too many for a matrix of them: the same answers by another way, and no such matrix is held."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse

from consensus_core import METHODS, Ensemble, solve
from consensus_core.linalg import huge

KEYS = ("eac", "lwea", "spce")


@pytest.fixture
def all_is_huge(monkeypatch):
    return lambda rows=30: monkeypatch.setattr(huge, "HUGE", rows)


def cells(n, m=10, k=12, seed=0) -> Ensemble:
    """Points in the plane, cut into the cells of points chosen among them: rows hardly repeat."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 5)) + 3 * rng.normal(size=(4, 5))[rng.integers(4, size=n)]
    middles = (points[rng.choice(n, k, replace=False)] for _ in range(m))
    return Ensemble.from_labels(
        np.column_stack([((points[:, None] - some) ** 2).sum(axis=2).argmin(axis=1) for some in middles])
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", KEYS)
def test_labels_are_the_same_by_either_way(key, seed, all_is_huge):
    ensemble = cells(400, seed=seed)
    method = METHODS[key](k=4)
    few = solve(method, ensemble)
    all_is_huge()
    many = solve(method, cells(400, seed=seed))  # not the very same: what it keeps was made the other way
    np.testing.assert_array_equal(few.labels, many.labels)
    assert many.iterations == few.iterations
    np.testing.assert_allclose(many.objective, few.objective, rtol=1e-8)


@pytest.mark.parametrize("steps", [2, 12])
def test_what_is_no_answer_yet_is_cut_into_k_the_same(steps, all_is_huge):
    """SPCE stopped with too few or too many components: they are merged and split without the matrix, too."""
    method = METHODS["spce"](k=7, max_iter=steps)
    few = solve(method, cells(400))
    assert few.found != 7
    all_is_huge()
    np.testing.assert_array_equal(few.labels, solve(method, cells(400)).labels)


@pytest.mark.parametrize("key", ["eac", "lwea"])
def test_the_matrix_that_is_shown_has_no_zeros_and_the_same_entries(key, all_is_huge):
    ensemble, method = cells(300), METHODS[key](k=3)
    full, why = solve(method, ensemble).state.A, solve(method, ensemble).why("A", 3, 250)
    all_is_huge()
    result = solve(method, ensemble)
    assert scipy.sparse.issparse(result.state.A)
    np.testing.assert_allclose(result.state.A.toarray(), full, atol=1e-15)
    assert (result.state.A.data > 0).all()
    assert result.why("A", 3, 250).value == pytest.approx(why.value, abs=1e-15)


def test_pictures_of_pairs_are_the_same_without_their_zeros(all_is_huge):
    method = METHODS["spce"](k=4)
    names = ("S", "S_hat", "consensus", "B", "W")
    step = solve(method, cells(300)).step
    full = {name: step.value(name) for name in names}
    all_is_huge()
    step = solve(method, cells(300)).step
    for name in names:
        value = step.value(name)
        assert scipy.sparse.issparse(value) == (name != "W"), "W is 1 nearly everywhere"
        np.testing.assert_allclose(value.toarray() if name != "W" else value, full[name], atol=1e-9)
        p, q = step.run.ensemble.member_of[[5, 17]]
        assert step.entry(name, 5, 17) == pytest.approx(full[name][p, q], abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_no_array_of_rows_times_rows_is_made(key, all_is_huge):
    ensemble = cells(3000, m=8, k=60)
    q = ensemble.q
    assert q > 2400
    all_is_huge(1000)
    solve(METHODS[key](k=4), cells(60))  # imports and caches
    tracemalloc.start()
    solve(METHODS[key](k=4), ensemble)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * q * q
    assert METHODS[key](k=4).cost(ensemble).bytes / 3 < peak < 3 * METHODS[key](k=4).cost(ensemble).bytes


@pytest.mark.parametrize("key", ["eac", "lwea"])
def test_what_has_gaps_or_other_linkage_still_has_its_matrix(key, all_is_huge):
    all_is_huge()
    rows = cells(100).rows.copy()
    rows[::7, 2] = -1
    assert not scipy.sparse.issparse(solve(METHODS[key](k=3), Ensemble.from_labels(rows)).state.A)
    if key == "eac":
        assert not scipy.sparse.issparse(solve(METHODS[key](k=3, linkage="single"), cells(100)).state.A)
