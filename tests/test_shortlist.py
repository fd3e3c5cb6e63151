"""SPCE's short ways give what the long ones give: the short list of pairs, and the first embedding by clusters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import planted

from consensus_core import SPCE, Ensemble, iterate
from consensus_core.ensemble import shortlist
from consensus_core.ensemble.shortlist import shortened
from consensus_core.ensemble.together import pairs_of
from consensus_core.linalg import krylov, smallest_eigenvectors, spectrum
from consensus_core.linalg.gram import GramLaplacian
from consensus_core.linalg.pool import Room
from consensus_core.methods import spce
from consensus_core.similarity import coassociation
from consensus_core.similarity.spectrum import coassociation_spectrum, components_and_spectrum


def drawn(seed, n=60, m=8, k=4, missing=0.0):
    rng = np.random.default_rng(seed)
    return Ensemble.from_labels(planted(n=n, m=m, k=k, wrong=rng.uniform(0.1, 0.4), seed=seed % 2**31, missing=missing))


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.15]), st.floats(0.05, 0.9), st.floats(0.0, 1.0))
@settings(deadline=None, max_examples=60)
def test_no_pair_left_out_can_reach_the_threshold(seed, missing, theta, far):
    ensemble = drawn(seed, missing=missing)
    pairs, rng = pairs_of(ensemble), np.random.default_rng(seed)
    weights, W = rng.uniform(0.5, 2, ensemble.m) * ensemble.m, rng.uniform(0, 1, len(pairs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist, "FEWEST", 0)
        short = shortened(None, pairs, weights, W, theta * ensemble.m)
    later = weights * np.exp(far * rng.uniform(-1, 1, ensemble.m))
    if short.at is None or not short.holds(later):
        return
    tables, reach = pairs.planes.tables(later), np.zeros(len(pairs), dtype=bool)
    for block in pairs.blocks():
        T, s = block.say(tables), block.total(tables)
        reach[block.pairs] = T * W[block.pairs] >= theta * ensemble.m * np.sqrt(s) * (1 - 1e-12)
    assert np.isin(np.flatnonzero(reach), short.at).all()
    values = rng.standard_normal(len(pairs))
    full, change = short.full(short.values(values), None, np.zeros(len(pairs)), Room())
    assert np.array_equal(full[short.at], values[short.at]) and np.count_nonzero(full) <= len(short.at)
    assert change == np.abs(values[short.at]).max(initial=0)
    for mine, all_ in zip(pairs.some(short.at).ends(), pairs.ends(), strict=True):
        assert np.array_equal(mine, all_[short.at])
    trusted = [trust for _, trust in short.blocks(pairs, W)]
    assert np.array_equal(np.concatenate([*trusted, np.empty(0)]), W[short.at]) and short.length(pairs) == len(short.at)


@given(
    st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.15]), st.sampled_from([0.0, 0.2, 0.6]),
    st.sampled_from([{}, {"variant": "paper"}, {"pace": "none"}, {"pace": "fixed"}, {"learn_alpha": False}]),
)  # fmt: skip
@settings(deadline=None, max_examples=12)
def test_runs_on_a_short_list_are_the_runs_on_all_pairs(seed, missing, theta, setting):
    ensemble, method = drawn(seed, missing=missing), SPCE(k=4, theta=theta, max_iter=25, **setting)
    whole = list(iterate(method, ensemble))
    assert all(step.state.near is None or step.state.near.at is None for step in whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist, "FEWEST", 0)
        short = list(iterate(method, ensemble))
    assert len(short) == len(whole)
    for one, other in zip(short, whole, strict=True):
        assert np.abs(one.state.links - other.state.links).max() < 1e-9
        assert one.state.links_total == other.state.links_total and one.state.settled == other.state.settled
        np.testing.assert_allclose(one.state.d, other.state.d, rtol=1e-9, atol=1e-9)
        assert np.array_equal(one.state.member, other.state.member)


def test_a_short_list_is_made_and_kept_within_an_r(monkeypatch):
    monkeypatch.setattr(shortlist, "FEWEST", 0)
    lists = [step.state.near for step in iterate(SPCE(k=4, theta=0.5), drawn(3, n=200, m=20))][1:]
    assert any(short.at is not None for short in lists)
    assert len({id(short) for short in lists}) < len(lists)


# --- the first embedding ---------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(spectrum, "is_large", lambda size, k: True)


def projector(Y, counts):
    scaled = Y * np.sqrt(counts)[:, None]
    return scaled @ scaled.T


@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
@settings(deadline=None, max_examples=20)
def test_the_spectrum_by_clusters_is_the_spectrum(seed, k):
    ensemble = drawn(seed, n=220, m=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectrum, "is_large", lambda size, k: True)
        found = coassociation_spectrum(ensemble, k)
    S, counts = coassociation(ensemble), ensemble.weights
    values, Y = smallest_eigenvectors(S, k + 1 if k < ensemble.q else k, counts)
    if found is None:  # told by the long way then
        assert ensemble.K * 3 >= ensemble.q or values[1] < 1e-9 or ensemble.q < 60
        return
    sigma, mine, degree = found
    np.testing.assert_allclose(sigma, values[:k], rtol=1e-8, atol=1e-8 * values.max())
    np.testing.assert_allclose(degree, S @ counts)
    assert np.abs(mine.T @ (counts[:, None] * mine) - np.eye(k)).max() < 1e-9
    if values[k] - values[k - 1] > 1e-3 * values[k]:
        assert np.abs(projector(mine, counts) - projector(Y[:, :k], counts)).max() < 1e-7


def test_the_inverse_by_columns_is_the_inverse():
    rng = np.random.default_rng(0)
    Z = spectrum.sp.csr_array(rng.random((30, 6)) * (rng.random((30, 6)) < 0.5))
    M = GramLaplacian(Z, Z @ (Z.T @ np.ones(30)))
    full, X = np.diag(M.degree) - (Z @ Z.T).toarray(), rng.standard_normal((30, 3))
    assert np.abs(M @ X - full @ X).max() < 1e-12
    assert np.abs(M.diagonal() - full.diagonal()).max() < 1e-12
    assert np.abs(M.inverse(0.1)(X) - np.linalg.solve(full + 0.1 * np.eye(30), X)).max() < 1e-9
    with pytest.raises(np.linalg.LinAlgError):
        M.inverse(-0.5 * M.degree.min())(X)


def test_where_it_does_not_converge_the_long_way_is_gone(small, monkeypatch):
    ensemble, method = drawn(1, n=220, m=5), SPCE(k=3, max_iter=5)
    whole = [step.state for step in iterate(method, ensemble)]
    assert coassociation_spectrum(ensemble, 3) is not None
    monkeypatch.setattr(krylov, "TRIAL", 0)
    monkeypatch.setattr(krylov, "_steps_to_come", lambda residuals, wanted: np.inf)
    assert coassociation_spectrum(ensemble, 3) is None
    monkeypatch.setattr(spce, "components_and_spectrum", components_and_spectrum.__wrapped__)  # not the one kept
    for one, other in zip([step.state for step in iterate(method, ensemble)], whole, strict=True):
        assert np.abs(one.links - other.links).max() < 1e-8
        np.testing.assert_allclose(one.sigma, other.sigma, atol=1e-7)


def test_missing_labels_and_parts_go_the_long_way(small):
    assert coassociation_spectrum(drawn(1, n=220, m=5, missing=0.1), 3) is None
    apart = np.concatenate([drawn(1, n=120, m=5).labels(), 10 + drawn(2, n=120, m=5).labels()])
    assert coassociation_spectrum(Ensemble.from_labels(apart), 3) is None


def test_entries_on_a_diagonal_are_added_in_either_form():
    rng = np.random.default_rng(0)
    A = spectrum.sp.random_array((20, 20), density=0.2, rng=rng, format="csr")
    for graph in (A, spectrum.sp.csr_array(A + spectrum.sp.eye_array(20))):
        values = rng.random(20)
        assert np.abs(krylov.with_diagonal(graph, values).toarray() - graph.toarray() - np.diag(values)).max() < 1e-15
