"""Projections, polar factor, Laplacian eigenvectors, components and quadratic programs, held to laws and to others."""

import cvxpy
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse.csgraph import connected_components

from consensus_core.linalg import (
    bipartite_components,
    box_qp,
    canonical_signs,
    components,
    huge,
    krylov,
    leading_by_columns,
    polar_factor,
    project_simplex,
    shares_of_roots,
    simplex_qp,
    smallest_eigenvectors,
    spectrum,
    squared_distances,
    upper,
)

SEEDS = st.integers(0, 2**32 - 1)
NUMBERS = st.floats(-100, 100, width=32)


# ------------------------------------------------------------------------------------------------ simplex projection


@settings(max_examples=150, deadline=None)
@given(data=st.data(), q=st.integers(1, 12), rows=st.integers(1, 4), seed=SEEDS)
def test_simplex_projection_laws(data, q, rows, seed):
    V = data.draw(arrays(float, (rows, q), elements=NUMBERS))
    counts = data.draw(arrays(np.int64, q, elements=st.integers(1, 6)))
    X = project_simplex(V, counts)
    assert (X >= 0).all()
    np.testing.assert_allclose(X @ counts, 1, atol=1e-12)
    np.testing.assert_allclose(project_simplex(X, counts), X, atol=1e-14)
    rng = np.random.default_rng(seed)
    for near in (0.0, rng.normal(size=rows) * 100, V.max()):  # a guess of the threshold changes nothing
        np.testing.assert_allclose(project_simplex(V, counts, near=near), X, atol=1e-13)
    other = rng.exponential(size=(rows, 20, q)) ** rng.choice([1, 4])
    other /= (other @ counts)[..., None]
    nearest = ((X - V) ** 2) @ counts
    assert (nearest[:, None] <= ((other - V[:, None]) ** 2) @ counts * (1 + 1e-12) + 1e-9).all()


@settings(max_examples=150, deadline=None)
@given(data=st.data(), q=st.integers(1, 10))
def test_simplex_projection_is_the_sorted_one_of_the_repeated_vector(data, q):
    v = data.draw(arrays(float, q, elements=NUMBERS))
    counts = data.draw(arrays(np.int64, q, elements=st.integers(1, 6)))
    long = np.repeat(v, counts)
    descending = np.sort(long)[::-1]
    thresholds = (np.cumsum(descending) - 1) / np.arange(1, len(long) + 1)
    tau = thresholds[np.flatnonzero(descending > thresholds)[-1]]
    np.testing.assert_allclose(np.repeat(project_simplex(v, counts), counts), np.maximum(long - tau, 0), atol=1e-11)


def test_simplex_projection_is_exact_at_ties_and_far_away():
    np.testing.assert_array_equal(project_simplex([0.5, 0.5, -0.5]), [0.5, 0.5, 0])  # on the simplex, one below
    np.testing.assert_array_equal(project_simplex([3.0, 2.0, 2.0]), [1, 0, 0])  # entries at the threshold get zero
    np.testing.assert_array_equal(project_simplex([7.0, 7.0, 7.0, 7.0]), [0.25] * 4)
    np.testing.assert_allclose(project_simplex([1e12, 1e12 - 0.5]), [0.75, 0.25])
    np.testing.assert_array_equal(project_simplex([-1e300, 1.0]), [0, 1])
    np.testing.assert_array_equal(project_simplex([[2.0]], [4]), [[0.25]])
    V = np.random.default_rng(0).normal(size=(3, 200_000))  # rows longer than a block
    np.testing.assert_allclose(project_simplex(V).sum(axis=1), 1)


def test_shares_of_roots_are_the_best_point_of_the_simplex():
    rng = np.random.default_rng(0)
    for size in (1, 2, 7):
        d = rng.random(size) * 10.0 ** rng.integers(-3, 3, size)
        x = shares_of_roots(d)
        assert x.sum() == pytest.approx(1)
        for other in rng.dirichlet(np.ones(size), 200):
            assert (d / x).sum() <= (d / other).sum() * (1 + 1e-12)
    floored = shares_of_roots(np.array([0.0, 4.0, 1.0]), floor=0.25)
    np.testing.assert_allclose(floored, np.array([0.5, 2, 1]) / 3.5)


def test_squared_distances_of_rows():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    np.testing.assert_allclose(squared_distances(X, Y), ((X[:, None] - Y) ** 2).sum(axis=2), atol=1e-13)


# ------------------------------------------------------------------------------------------------ polar factor, signs


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, rows=st.integers(1, 7), cols=st.integers(1, 7), rank=st.integers(0, 7))
def test_polar_factor_is_orthonormal_and_nearest(seed, rows, cols, rank):
    rng = np.random.default_rng(seed)
    rank = min(rank, rows, cols)
    M = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, cols))
    Q = polar_factor(M)
    small = min(rows, cols)
    np.testing.assert_allclose(Q.T @ Q if rows >= cols else Q @ Q.T, np.eye(small), atol=1e-12)
    # tr(QᵀM) attains its bound, the sum of the singular values
    assert (Q * M).sum() == pytest.approx(np.linalg.svd(M, compute_uv=False).sum(), abs=1e-10)
    np.testing.assert_allclose(polar_factor(Q), Q, atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, n=st.integers(2, 6), rank=st.integers(0, 5))
def test_polar_factor_without_full_rank_is_the_limit_from_the_identity(seed, n, rank):
    rng = np.random.default_rng(seed)
    rank = min(rank, n - 1)
    M = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n))
    if rank == 0 or np.linalg.svd(M, compute_uv=False)[rank - 1] < 0.1:
        M = np.diag(np.arange(n) % 2.0) @ scipy.linalg.circulant(np.arange(n) == 1)
    U, s, Vt = np.linalg.svd(M)
    left, right = U[:, s < 1e-9], Vt[s < 1e-9].T
    if np.linalg.svd(left.T @ right, compute_uv=False).min() < 0.1:
        return  # the limit is then not reached at a small ε
    gap = [np.abs(polar_factor(M) - polar_factor(M + eps * np.eye(n))).max() for eps in (1e-5, 1e-6)]
    assert gap[1] < 0.2 * gap[0] + 1e-9  # first order in ε


def test_polar_factor_of_nothing_is_the_identity_pattern():
    np.testing.assert_array_equal(polar_factor(np.zeros((3, 3))), np.eye(3))
    np.testing.assert_array_equal(polar_factor(np.zeros((2, 4))), np.eye(2, 4))
    # the identity pattern leaves the last direction open here: still orthonormal, still one answer
    M = np.array([[0, 1.0], [0, 0]])
    np.testing.assert_allclose(np.abs(polar_factor(M)), [[0, 1], [1, 0]], atol=1e-15)
    np.testing.assert_array_equal(polar_factor(M), polar_factor(M.copy()))


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 20), k=st.integers(1, 5))
def test_canonical_signs_are_blind_to_row_order_to_repetition_and_to_the_signs_given(seed, q, k):
    rng = np.random.default_rng(seed)
    V, counts = rng.normal(size=(q, k)), rng.integers(1, 5, q)
    W = canonical_signs(V, counts)
    np.testing.assert_array_equal(np.abs(W), np.abs(V))
    np.testing.assert_array_equal(canonical_signs(V * rng.choice([-1, 1], k), counts), W)
    order = rng.permutation(q)
    np.testing.assert_array_equal(canonical_signs(V[order], counts[order]), W[order])
    np.testing.assert_array_equal(canonical_signs(np.repeat(V, counts, axis=0)), np.repeat(W, counts, axis=0))


def test_canonical_signs_of_symmetric_zero_and_empty_columns():
    V = np.array([[0.0, -1.0, 0.0, 1e-200], [2.0, 1.0, 0.0, -3e-200], [-2.0, 0.0, 0.0, 1e-200]])
    np.testing.assert_array_equal(canonical_signs(V), V * [1, -1, 1, -1])
    assert canonical_signs(np.empty((0, 2))).shape == (0, 2)


# ------------------------------------------------------------------------------------------------ components


@settings(max_examples=80, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 200), degree=st.floats(0, 4), threshold=st.sampled_from([0.0, 0.3]))
def test_components_are_scipys_numbered_by_first_occurrence(seed, q, degree, threshold):
    rng = np.random.default_rng(seed)
    A = rng.random((q, q)) * (rng.random((q, q)) < degree / q)
    A = np.maximum(A, A.T)
    count, labels = components(A, threshold)
    expected, theirs = connected_components(sp.csr_array(A > threshold), directed=False)
    assert count == expected == len(set(zip(labels, theirs, strict=True)))
    assert list(dict.fromkeys(labels)) == list(range(count))
    for form in (sp.csr_array(A), sp.coo_array(A), A.astype(np.float32) if threshold == 0 else A):
        again, same = components(form, threshold)
        assert again == count
        np.testing.assert_array_equal(same, labels)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 60), degree=st.floats(0, 4), short=st.sampled_from([0, 10**6]))
def test_components_by_the_entries_above_the_diagonal_are_those_of_the_matrix(seed, q, degree, short):
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((q, q)) * (rng.random((q, q)) < degree / q), 1)
    entries = sp.csr_array(A)
    expected, labels = components(A + A.T)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upper, "SHORT", short)
        count, found = upper.Upper(entries.indptr, entries.indices, entries.data).components()
    assert count == expected
    np.testing.assert_array_equal(found, labels)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, parts=st.lists(st.integers(1, 9), min_size=2, max_size=6), more=st.integers(1, 6))
def test_components_whose_bound_is_too_high_would_have_given_no_vector(seed, parts, more):
    rng = np.random.default_rng(seed)
    S = scipy.linalg.block_diag(*[rng.uniform(rng.random(), 1, (size, size)) for size in parts])
    S, counts = (S + S.T) / 2, rng.integers(1, 4, len(S))
    k = min(len(parts) + more, len(S))
    values, Y = smallest_eigenvectors(S, k, counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectrum, "SMALL", 1)
        expected, Z = smallest_eigenvectors(S, k, counts)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(Y, Z)
    np.testing.assert_allclose(smallest_eigenvectors(sp.csr_array(S), k, counts)[0], expected, atol=1e-12 * S.size)


def test_components_of_long_paths_stars_and_nothing():
    q = 500
    path = np.diag(np.ones(q - 1), 1)
    assert components(path + path.T)[0] == 1
    star = np.zeros((q, q))
    star[0] = star[:, 0] = 1
    assert components(star)[0] == 1
    count, labels = components(np.zeros((q, q)))
    assert count == q
    np.testing.assert_array_equal(labels, np.arange(q))
    assert components(np.ones((1, 1)))[0] == 1


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 40), k=st.integers(1, 8), share=st.floats(0, 0.5))
def test_bipartite_components_are_those_of_objects_sharing_hyperedges(seed, q, k, share):
    rng = np.random.default_rng(seed)
    Y = rng.random((q, k)) * (rng.random((q, k)) < share)
    count, labels = bipartite_components(Y, 0.05)
    Z = (Y > 0.05).astype(float)
    expected, theirs = components(Z @ Z.T)
    assert count == expected
    np.testing.assert_array_equal(labels, theirs)
    assert bipartite_components(sp.csr_array(Y), 0.05)[0] == count


# ------------------------------------------------------------------------------------------------ eigenvectors


def similarity(rng, q, groups=1, density=0.5):
    """A symmetric non-negative matrix of `groups` connected blocks with planted structure inside."""
    block = np.sort(rng.integers(0, groups, q))
    hidden = rng.integers(0, 4, q)
    S = rng.random((q, q)) * (rng.random((q, q)) < density) * np.where(hidden[:, None] == hidden, 1, 0.1)
    S = (S + S.T) * (block[:, None] == block)
    S[np.diag_indices(q)] = 1
    for b in range(groups):
        chain = np.flatnonzero(block == b)
        S[chain[:-1], chain[1:]] += 0.3
        S[chain[1:], chain[:-1]] += 0.3
    return S


def object_laplacian(S, counts, normalised):
    A = np.repeat(np.repeat(S, counts, axis=0), counts, axis=1)
    d = A.sum(axis=1)
    L = np.diag(d) - A
    return L / np.sqrt(np.outer(d, d)) if normalised else L


def row_laplacian(S, counts, normalised=False):
    d, root = S @ counts, np.sqrt(counts)
    M = np.diag(d) - root[:, None] * S * root
    return M / np.sqrt(np.outer(d, d)) if normalised else M


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, q=st.integers(1, 12), groups=st.integers(1, 4), k=st.integers(1, 12), normalised=st.booleans())
def test_smallest_eigenvectors_are_those_of_the_n_objects(seed, q, groups, k, normalised):
    rng = np.random.default_rng(seed)
    k, counts = min(k, q), rng.integers(1, 5, q)
    S = similarity(rng, q, min(groups, q))
    values, Y = smallest_eigenvectors(S, k, counts, normalised=normalised)
    L = object_laplacian(S, counts, normalised)
    Z = np.repeat(Y, counts, axis=0)
    np.testing.assert_allclose(L @ Z, Z * values, atol=1e-11)
    np.testing.assert_allclose(Z.T @ Z, np.eye(k), atol=1e-12)
    # the smallest of those that are constant within rows
    spread = np.repeat(np.eye(q), counts, axis=0) / np.sqrt(counts)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(spread.T @ L @ spread)[:k], atol=1e-11)
    sparse_values, sparse_Y = smallest_eigenvectors(sp.csr_array(S), k, counts, normalised=normalised)
    np.testing.assert_allclose(sparse_values, values, atol=1e-12)
    assert sparse_Y.shape == Y.shape


def test_components_come_first_the_greatest_before_all_and_need_no_eigenproblem(monkeypatch):
    def fail(*_):
        raise AssertionError("no eigenproblem was needed")

    monkeypatch.setattr(spectrum, "smallest_by_lapack", fail)
    S = scipy.linalg.block_diag(np.ones((2, 2)), np.ones((3, 3)), np.ones((1, 1)))
    counts = np.array([1, 1, 1, 1, 1, 9])
    values, Y = smallest_eigenvectors(S, 2, counts)  # of three components the two with most objects
    np.testing.assert_array_equal(values, 0)
    np.testing.assert_allclose(Y, np.array([[0, 0, 0, 0, 0, 1 / 3], [0, 0, *[3**-0.5] * 3, 0]]).T)
    _, Y = smallest_eigenvectors(S, 3, counts, normalised=True)
    np.testing.assert_allclose(Y[:, 2], [0.5**0.5, 0.5**0.5, 0, 0, 0, 0])


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("case", ["ones", "zeros", "identity", "one row", "isolated"])
def test_degenerate_graphs(case, normalised):
    q = 1 if case == "one row" else 6
    S = {"ones": np.ones((q, q)), "zeros": np.zeros((q, q)), "identity": np.eye(q), "one row": np.ones((1, 1))}.get(
        case
    )
    if case == "isolated":
        S = np.ones((q, q))
        S[2] = S[:, 2] = 0
    counts = np.arange(1, q + 1)
    for k in range(1, q + 1):
        values, Y = smallest_eigenvectors(S, k, counts, normalised=normalised)
        assert np.isfinite(values).all()
        np.testing.assert_allclose((Y.T * counts) @ Y, np.eye(k), atol=1e-12)
        assert (np.diff(values) >= -1e-12).all()
    with pytest.raises(ValueError, match="between 1 and"):
        smallest_eigenvectors(S, q + 1, counts)


def test_bipartite_graphs_whose_spectrum_reaches_its_bound():
    """Its greatest eigenvalue is twice the degree, where the null vector was once moved to: the two came out mixed."""
    for S in (np.array([[0.0, 1], [1, 0]]), np.kron([[0.0, 1], [1, 0]], np.ones((3, 3)))):
        for normalised in (False, True):
            values, Y = smallest_eigenvectors(S, len(S), normalised=normalised)
            L = object_laplacian(S, np.ones(len(S), dtype=int), normalised)
            np.testing.assert_allclose(L @ Y, Y * values, atol=1e-12)
            np.testing.assert_allclose(Y.T @ Y, np.eye(len(S)), atol=1e-12)


def test_vectors_beside_a_nearly_loose_part_stay_orthogonal_to_the_constant():
    S = scipy.linalg.block_diag(np.ones((4, 4)), np.ones((3, 3)))
    S[3, 4] = S[4, 3] = 1e-17
    values, Y = smallest_eigenvectors(S, 3)
    np.testing.assert_allclose(Y[:, 0], 7**-0.5)
    np.testing.assert_allclose(Y[:, 1], np.where(np.arange(7) < 4, -3, 4) / np.sqrt(84), atol=1e-12)
    assert values[1] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("failure", ["raises", "repeats a vector", "is not a number"])
def test_the_full_driver_steps_in_where_lapacks_subset_driver_fails(failure, monkeypatch):
    S = similarity(np.random.default_rng(0), 30)
    expected, Y = smallest_eigenvectors(S, 4)
    real = scipy.linalg.eigh
    asked = []

    def failing(M, subset_by_index=None, driver=None, **how):
        asked.append(driver)
        if driver == "evr":
            if failure == "raises":
                raise np.linalg.LinAlgError("Internal Error.")
            values, U = real(M, subset_by_index=subset_by_index, driver=driver, **how)
            U[:, 1] = U[:, 0] if failure == "repeats a vector" else np.nan
            return values, U
        return real(M, driver=driver, **how)

    monkeypatch.setattr(spectrum.scipy.linalg, "eigh", failing)
    values, Z = smallest_eigenvectors(S, 4)
    np.testing.assert_allclose(values, expected, atol=1e-12)
    np.testing.assert_allclose(Z, Y, atol=1e-9)
    assert asked == ["evr", "evd"]


def away(U, exact):
    """Sine of the greatest angle between the spans of two orthonormal bases."""
    return np.linalg.norm(U - exact @ (exact.T @ U), 2)


@pytest.mark.parametrize("density", [0.03, 0.5])
@pytest.mark.parametrize("normalised", [False, True])
def test_large_graphs_by_krylov_steps_equal_dense_lapack(density, normalised, monkeypatch):
    rng = np.random.default_rng(3)
    q, k = 900, 5
    hidden = np.minimum(np.arange(q) // 170, 4)  # five groups tied weakly, and fifty rows apart from them
    S = rng.random((q, q)) * (rng.random((q, q)) < density) * np.where(hidden[:, None] == hidden, 1, 0.02)
    S = S + S.T + np.eye(q)
    S[850:, :850] = S[:850, 850:] = 0
    S[850:, 850:] = 1
    counts = rng.integers(1, 6, q)
    steps = []
    real = spectrum.smallest_by_inversion
    monkeypatch.setattr(spectrum, "smallest_by_inversion", lambda *a: steps.append(real(*a)) or steps[-1])
    values, Y = smallest_eigenvectors(S, k, counts, normalised=normalised)
    assert steps and all(pair is not None for pair in steps)
    exact_values, exact = scipy.linalg.eigh(row_laplacian(S, counts, normalised), subset_by_index=(0, k - 1))
    np.testing.assert_allclose(values, exact_values, atol=1e-10 * max(1, (S @ counts).max()))
    assert away(Y * np.sqrt(counts)[:, None], exact) < 1e-9
    for warm in (Y, Y + 1e-3 * rng.normal(size=Y.shape), np.ones((q, 1)), np.zeros((q, 3))):
        again, Z = smallest_eigenvectors(S, k, counts, warm=warm, normalised=normalised)
        np.testing.assert_allclose(again, values, atol=1e-10 * max(1, (S @ counts).max()))
        np.testing.assert_allclose(Z, Y, atol=1e-7)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, K=st.integers(3, 9), tied=st.integers(2, 4), inside=st.integers(1, 3))
def test_of_tied_eigenvectors_rounding_does_not_choose(seed, K, tied, inside):
    """The k-th eigenvalue and the next are one: a hair of rounding turns LAPACK's vectors by any angle."""
    rng = np.random.default_rng(seed)
    tied = min(tied, K - 1)
    above = int(rng.integers(0, K - tied + 1))
    k = above + min(inside, tied - 1)
    values = np.concatenate([5.0 - np.arange(above) / 10, [2.0] * tied, rng.uniform(0.1, 1, size=K - above - tied)])
    Q = np.linalg.qr(rng.normal(size=(K, K)))[0]
    gram = (Q * values) @ Q.T
    hair = rng.normal(size=(K, K)) * 1e-15
    one, two = leading_by_columns((gram + gram.T) / 2, k), leading_by_columns((gram + gram.T) / 2 + hair + hair.T, k)
    np.testing.assert_allclose(one[0], values[:k], atol=1e-12)
    np.testing.assert_allclose(np.abs(one[1]), np.abs(two[1]), atol=1e-10)
    np.testing.assert_allclose(gram @ one[1], one[1] * one[0], atol=1e-10)
    np.testing.assert_allclose(one[1].T @ gram @ one[1], np.eye(k), atol=1e-10)


@pytest.mark.parametrize("few", [False, True], ids=["Krylov steps", "Lanczos steps"])
def test_coinciding_eigenvalues_are_all_found(few, monkeypatch):
    """Ten equal blocks, each tied weakly to all others: eigenvalues nine-fold, of which one vector would see one."""
    if few:
        monkeypatch.setattr(huge, "HUGE", 100)
    q, blocks = 1000, 10
    S = np.kron(np.eye(blocks), np.ones((q // blocks, q // blocks))) + 0.001
    values, Y = smallest_eigenvectors(S, blocks)
    np.testing.assert_allclose(values, [0, *[1.0] * (blocks - 1)], atol=1e-9)
    indicator = np.kron(np.eye(blocks), np.ones((q // blocks, 1))) / np.sqrt(q / blocks)
    assert away(Y, indicator) < 1e-9


@pytest.mark.parametrize("normalised", [False, True])
def test_lanczos_steps_equal_dense_lapack(normalised, monkeypatch):
    """In the bulk of the spectrum, where steps with the inverse give up, and nothing is factored."""
    rng = np.random.default_rng(1)
    S = sp.random_array((700, 700), density=0.03, rng=rng).toarray()
    S, counts, k = S + S.T + np.eye(700), rng.integers(1, 6, 700), 12
    monkeypatch.setattr(huge, "HUGE", 100)
    monkeypatch.setattr(spectrum, "smallest_by_inversion", None)
    values, Y = smallest_eigenvectors(sp.csr_array(S), k, counts, normalised=normalised)
    exact_values, exact = scipy.linalg.eigh(row_laplacian(S, counts, normalised), subset_by_index=(0, k - 1))
    np.testing.assert_allclose(values, exact_values, atol=1e-10 * max(1, (S @ counts).max()))
    assert away(Y * np.sqrt(counts)[:, None], exact) < 1e-7


def test_krylov_steps_give_up_in_the_bulk_and_lapack_answers():
    rng = np.random.default_rng(1)
    S = rng.random((800, 800))
    S = S + S.T
    d = S.sum(axis=1)
    assert krylov.smallest_by_inversion(np.diag(d) - S, 4, np.ones(800)) is None
    values, Y = smallest_eigenvectors(S, 4)
    np.testing.assert_allclose((np.diag(d) - S) @ Y, Y * values, atol=1e-9)


def test_eigenvectors_of_a_real_large_ensemble(pool):
    """LS, q = 2,622: the co-association kept where 12 of 20 agree (sparse), and all of it (dense), against LAPACK."""
    members, _ = pool("LS")
    rows, counts = np.unique(members[:, :20], axis=0, return_counts=True)
    K = sum((column[:, None] == column).astype(float) for column in rows.T)
    for S, k in ((np.where(K >= 12, K / 20, 0), 20), (K**4 / 20**4, 6)):
        values, Y = smallest_eigenvectors(S, k, counts)
        d, root = S @ counts, np.sqrt(counts)
        U = Y * root[:, None]
        residual = d[:, None] * U - root[:, None] * (S @ (root[:, None] * U)) - U * values
        assert np.abs(residual).max() < 1e-12 * d.max()
        np.testing.assert_allclose(U.T @ U, np.eye(k), atol=1e-12)
        expected = scipy.linalg.eigh(row_laplacian(S, counts), eigvals_only=True, subset_by_index=(0, k - 1))
        np.testing.assert_allclose(values, expected, atol=1e-12 * d.max())


# ------------------------------------------------------------------------------------------------ quadratic programs


@settings(max_examples=80, deadline=None)
@given(seed=SEEDS, m=st.integers(1, 30), rank=st.integers(0, 30), whole=st.booleans())
def test_programs_meet_their_optimality_conditions(seed, m, rank, whole):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(rank, m))
    b = 3 * rng.normal(size=m)
    if whole:  # integers bring ties and degenerate faces
        G, b = np.round(G), np.round(b)
    Q = G.T @ G
    x = simplex_qp(Q, b)
    gradient = Q @ x + b
    scale = max(1, np.abs(Q).max(), np.abs(b).max())
    assert (x >= 0).all()
    assert x.sum() == pytest.approx(1, abs=1e-14)
    assert gradient @ x - gradient.min() < 1e-10 * scale
    low, high = rng.normal(size=(2, m))
    low, high = np.minimum(low, high), np.maximum(low, high)
    y = box_qp(Q, b, low, high)
    gradient = Q @ y + b
    assert ((low <= y) & (y <= high)).all()
    np.testing.assert_allclose(np.clip(y - gradient, low, high), y, atol=1e-10 * scale)


@pytest.mark.parametrize("seed", range(6))
def test_programs_equal_cvxpys(seed):
    rng = np.random.default_rng(seed)
    m = [2, 5, 10, 20, 40, 60][seed]
    G = rng.normal(size=(m + 2, m))
    Q, b = G.T @ G + 0.1 * np.eye(m), 5 * rng.normal(size=m)
    x = cvxpy.Variable(m)
    objective = cvxpy.Minimize(0.5 * cvxpy.quad_form(x, cvxpy.psd_wrap(Q)) + b @ x)
    tight = {"solver": "CLARABEL", "tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}
    cvxpy.Problem(objective, [x >= 0, cvxpy.sum(x) == 1]).solve(**tight)
    np.testing.assert_allclose(simplex_qp(Q, b), x.value, atol=1e-6)
    cvxpy.Problem(objective, [x >= 0, x <= 0.5]).solve(**tight)
    np.testing.assert_allclose(box_qp(Q, b, 0, 0.5), x.value, atol=1e-6)


def test_programs_in_closed_form():
    np.testing.assert_allclose(simplex_qp(np.diag([1.0, 2.0, 4.0]), np.zeros(3)), np.array([4, 2, 1]) / 7)
    np.testing.assert_array_equal(simplex_qp(np.zeros((3, 3)), [2.0, -1.0, 5.0]), [0, 1, 0])
    np.testing.assert_allclose(simplex_qp(np.zeros((2, 2)), np.zeros(2)).sum(), 1)
    np.testing.assert_array_equal(simplex_qp([[3.0]], [7.0]), [1])
    np.testing.assert_allclose(box_qp(np.diag([1.0, 2.0]), [-3.0, 1.0], [0, -9], [2, 9]), [2, -0.5])
    np.testing.assert_allclose(box_qp([[2.0]], [-1.0], -np.inf, np.inf), [0.5])
    v = np.random.default_rng(0).normal(size=50)
    np.testing.assert_allclose(simplex_qp(np.eye(50), -v), project_simplex(v), atol=1e-14)
    with pytest.raises(ValueError, match="unbounded"):
        box_qp([[0.0]], [-1.0], 0, np.inf)
    with pytest.raises(ValueError, match="must not exceed"):
        box_qp([[1.0]], [0.0], 1, 0)
