"""What is factored within its envelope is the inverse; what cannot be is inverted as before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus_core import ECCMS, Ensemble, advance, begin, solve
from consensus_core.linalg import blocks, components, envelope
from consensus_core.linalg.blocks import block_inverse
from consensus_core.linalg.envelope import Envelope


def system(seed, q, reach, extra):
    """A graph whose rows reach a little way, in a random order, with a few long links; counts, diagonal, right side."""
    rng = np.random.default_rng(seed)
    p, r = np.triu_indices(q, 1)
    near = (r - p <= reach) & (rng.random(len(p)) < 0.5) | (r - p == 1)
    graph = np.zeros((q, q))
    graph[p[near], r[near]] = rng.random(near.sum())
    far = rng.integers(q, size=(extra, 2))
    graph[far[:, 0], far[:, 1]] = rng.random(extra)
    graph = np.maximum(graph, graph.T)
    np.fill_diagonal(graph, rng.random(q))
    order = rng.permutation(q)
    graph, counts = graph[np.ix_(order, order)], rng.integers(1, 9, q)
    return graph, counts, graph @ counts + rng.uniform(0.5, 2), rng.standard_normal((q, 17))


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(envelope, "STRIP", 3)
    monkeypatch.setattr(blocks, "FEWEST", 3)


@given(st.integers(0, 2**32 - 1), st.integers(4, 90), st.integers(1, 6), st.integers(0, 6))
@settings(deadline=None, max_examples=60)
def test_the_envelope_gives_what_the_dense_inverse_gives(seed, q, reach, extra):
    graph, counts, diagonal, R = system(seed, q, reach, extra)
    K = np.diag(diagonal) - graph * counts
    X = np.linalg.solve(K, R)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(envelope, "STRIP", 7)
        patch.setattr(envelope, "WORTH", 9.0)  # whatever it costs
        patch.setattr(envelope, "FULL", 2.0)
        rows, found = envelope.enveloped(graph, np.arange(q), diagonal / counts, counts.astype(float))
        ours = np.empty_like(R)
        ours[rows] = found @ R[rows]
    assert sorted(rows.tolist()) == list(range(q)) and len(found) == q
    assert np.abs(ours - X).max() <= 1e-12 * (1 + np.abs(X).max())
    assert found.size == sum(tile.size for tile in found.down) + sum(tile.size for tile in found.up)


@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.sampled_from([0, 40, 4000]))
@settings(deadline=None, max_examples=15)
def test_several_blocks_full_or_sparse_are_solved_as_one(seed, loose, extra):
    """Rows in no order, a few without a partner, blocks of both kinds; the scalar product at hand is the product."""
    one, counts, _, _ = system(seed, 60, 3, 0)
    other, more, _, _ = system(seed + 1, 50, 2, extra)
    q = 110 + loose
    graph, counts = np.zeros((q, q)), np.concatenate([counts, more, np.full(loose, 2)])
    graph[:60, :60], graph[60:110, 60:110] = one, other
    rng = np.random.default_rng(seed)
    order = rng.permutation(q)
    graph, counts = graph[np.ix_(order, order)], counts[order]
    diagonal, R = graph @ counts + 1.5, rng.standard_normal((q, q))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(envelope, "STRIP", 7)
        patch.setattr(blocks, "FEWEST", 3)
        inverse = block_inverse(graph, components(graph)[1], diagonal, counts)
    kinds = {len(rows): type(found) for rows, found in zip(inverse.rows, inverse.inverses, strict=True)}
    assert kinds == {60: Envelope, 50: np.ndarray if extra == 4000 else Envelope} or extra == 40
    X = R.copy()
    product = inverse.solve(X, counts.astype(float))
    assert np.abs(X - np.linalg.solve(np.diag(diagonal) - graph * counts, R)).max() < 1e-11
    assert product == pytest.approx(np.einsum("p,q,pq,pq->", counts, counts, X, R), rel=1e-9, abs=1e-8)
    assert inverse.work <= sum(len(rows) ** 2 for rows in inverse.rows)


def test_what_is_not_positive_definite_is_refused(small):
    graph, counts, diagonal, _ = system(0, 40, 2, 0)
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        block_inverse(graph, components(graph)[1], diagonal - 3 * diagonal.max(), counts)


def table(seed=0, n=250, missing=0.0):
    """A chain of objects cut in many places: sure pairs reach a little way along it."""
    rng = np.random.default_rng(seed)
    at = np.sort(rng.uniform(size=n))
    found = np.column_stack([np.searchsorted(np.sort(rng.uniform(size=9)), at) for _ in range(15)])
    found = found[rng.permutation(n)]
    found[rng.random(found.shape) < missing] = -1
    return np.concatenate([found, found[:20]])


@pytest.mark.parametrize(
    "setting",
    [{}, {"variant": "released"}, {"alpha": 0.5}, {"alpha": 0.3, "gamma1": 0.3, "gamma2": 2.5}, {"hold": False}],
)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_runs_are_those_with_dense_inverses(small, monkeypatch, setting, missing):
    ensemble = Ensemble.from_labels(table(missing=missing))
    method = ECCMS(k=4, **setting)
    ours = solve(method, ensemble)
    kinds = {type(inverse) for inverse in begin(method, ensemble).state.inverse.inverses}
    monkeypatch.setattr(blocks, "FEWEST", 10**9)
    dense = solve(method, ensemble)
    assert {type(inverse) for inverse in dense.state.inverse.inverses} == {np.ndarray}
    assert Envelope in kinds or setting.get("alpha") == 0.3
    assert ours.iterations == dense.iterations and np.array_equal(ours.labels, dense.labels)
    assert ours.objective == pytest.approx(dense.objective, rel=1e-12)
    assert np.abs(ours.state.C.B - dense.state.C.B).max() < 1e-12


def test_a_step_again_has_equal_bits():
    """F is at hand for the first that goes on from a state; who goes on from it later computes it, to the same bits."""
    ensemble, method = Ensemble.from_labels(table()), ECCMS(k=4)
    step = advance(method, ensemble, begin(method, ensemble))
    step = advance(method, ensemble, step)
    first, again = advance(method, ensemble, step), advance(method, ensemble, step)
    for name in ("C", "Y1", "P3"):
        assert getattr(first.state, name).B.tobytes() == getattr(again.state, name).B.tobytes()
    assert first.state.changes == again.state.changes and first.state.squares == again.state.squares
