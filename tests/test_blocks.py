"""Inverses by blocks are the inverse."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus_core.linalg import blocks, components, tiles
from consensus_core.linalg.blocks import block_inverse


def system(seed, q, density):
    rng = np.random.default_rng(seed)
    graph = np.triu(rng.random((q, q)) * (rng.random((q, q)) < density))
    graph = graph + np.triu(graph, 1).T
    counts = rng.integers(1, 5, q)
    return graph, counts, graph @ counts + rng.uniform(0.5, 2), rng.standard_normal((q, q))


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.sampled_from([0.0, 0.03, 0.1, 0.6]))
@settings(deadline=None)
def test_the_solution_is_the_solution(seed, q, density):
    graph, counts, diagonal, R = system(seed, q, density)
    K = np.diag(diagonal) - graph * counts
    _, labels = components(graph)
    inverse = block_inverse(graph, labels, diagonal, counts)
    X = R.copy()
    product = inverse.solve(X, counts.astype(float))
    assert np.abs(K @ X - R).max() < 1e-9
    assert abs(product - np.einsum("p,q,pq,pq->", counts, counts, X, R)) < 1e-8 * (1 + np.abs(X * R).sum() * 25)
    assert inverse.work <= q * q


def test_columns_are_solved_in_chunks(monkeypatch):
    graph, counts, diagonal, R = system(1, 23, 0.1)
    _, labels = components(graph)
    inverse = block_inverse(graph, labels, diagonal, counts)
    whole, parts = R.copy(), R.copy()
    product = inverse.solve(whole, counts.astype(float))
    monkeypatch.setattr(blocks, "CHUNK", 5)
    assert abs(inverse.solve(parts, counts.astype(float)) - product) < 1e-9 * abs(product)
    assert np.abs(whole - parts).max() < 1e-12


def test_blocks_larger_than_a_tile():
    graph, counts, diagonal, R = system(2, 2 * tiles.TILE + 40, 0.05)
    K = np.diag(diagonal) - graph * counts
    inverse = block_inverse(graph, components(graph)[1], diagonal, counts)
    assert max(map(len, inverse.rows)) > 2 * tiles.TILE
    X = R.copy()
    inverse.solve(X, counts.astype(float))
    assert np.abs(X - np.linalg.solve(K, R)).max() < 1e-10
