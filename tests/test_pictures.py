"""Pictures: true proportion, means under each pixel, packing to the promised accuracy, orders, names and places."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consensus_core import Ensemble
from consensus_core.drawing import palettes
from consensus_core.drawing.orders import cluster_order, leaf_rank, member_of, ordered
from consensus_core.drawing.pixels import Axis, pack, reduced
from consensus_core.drawing.places import flattened, map_of
from consensus_core.linalg.paired import Paired


def an_ensemble(n=60, m=4, k=3, seed=0) -> Ensemble:
    rng = np.random.default_rng(seed)
    return Ensemble.from_labels(rng.integers(k, size=(n, m)))


def block_means(full, pixels):
    """The mean under each pixel, by midpoints of a far finer grid over the n x n picture: slow, obviously right."""
    n, fine = len(full), 60
    at = np.minimum(((np.arange(pixels * fine) + 0.5) * n / (pixels * fine)).astype(int), n - 1)
    large = full[np.ix_(at, at)]
    return large.reshape(pixels, fine, pixels, fine).mean(axis=(1, 3))


def test_one_pixel_per_object_shows_every_entry():
    ensemble = an_ensemble(40)
    S = np.random.default_rng(1).random((ensemble.q, ensemble.q))
    order = np.random.default_rng(2).permutation(ensemble.n)
    axis = Axis.of_objects(ensemble, order, 400)
    member = member_of(ensemble)[order]
    assert np.array_equal(reduced(S, axis, axis), S[np.ix_(member, member)])
    assert np.array_equal(reduced(S[0], axis), S[0][member])


@pytest.mark.parametrize("pixels", [6, 7, 20])
def test_a_pixel_is_the_mean_of_the_objects_under_it(pixels):
    ensemble = an_ensemble(60)
    S = np.random.default_rng(3).random((ensemble.q, ensemble.q))
    axis = Axis.of_objects(ensemble, np.arange(60), pixels)
    member = member_of(ensemble)
    picture = reduced(S, axis, axis)
    assert picture.shape == (pixels, pixels)
    # the integral by midpoints is exact where pixel edges fall between its points
    tolerance = 1e-12 if (60 * 60) % (pixels * 60) == 0 and 60 % pixels == 0 else 0.02
    np.testing.assert_allclose(picture, block_means(S[np.ix_(member, member)], pixels), atol=tolerance)


@pytest.mark.parametrize("pixels", [15, 100])
def test_self_pairs_have_their_own_value(pixels):
    ensemble = an_ensemble(60)
    rng = np.random.default_rng(4)
    value = Paired(rng.random((ensemble.q, ensemble.q)), rng.random(ensemble.q) + 5)
    order = rng.permutation(60)
    member = member_of(ensemble)[order]
    full = value.B[np.ix_(member, member)]
    full[np.diag_indices(60)] = value.d[member]
    axis = Axis.of_objects(ensemble, order, pixels)
    expected = full if pixels >= 60 else full.reshape(15, 4, 15, 4).mean(axis=(1, 3))
    np.testing.assert_allclose(reduced(value, axis, axis), expected, atol=1e-12)
    # the axis itself is unharmed by having been used: a shared buffer once was not
    np.testing.assert_allclose(reduced(value, axis, axis), expected, atol=1e-12)


def test_sparse_and_dense_give_the_same_picture():
    ensemble = an_ensemble(60)
    S = np.random.default_rng(5).random((ensemble.q, ensemble.q))
    S[S < 0.7] = 0
    axis = Axis.of_objects(ensemble, np.arange(60), 13)
    np.testing.assert_allclose(reduced(scipy.sparse.csr_array(S), axis, axis), reduced(S, axis, axis), atol=1e-12)


def test_a_window_is_that_part_of_the_whole():
    ensemble = an_ensemble(60)
    S = np.random.default_rng(6).random((ensemble.q, ensemble.q))
    order = np.random.default_rng(7).permutation(60)
    whole = reduced(S, *[Axis.of_objects(ensemble, order, 60)] * 2)
    rows, cols = (Axis.of_objects(ensemble, order, 60, window) for window in ((10, 25), (40, 60)))
    assert np.array_equal(reduced(S, rows, cols), whole[10:25, 40:60])


@settings(max_examples=40, deadline=None)
@given(length=st.integers(1, 90), pixels=st.integers(1, 90))
def test_every_thing_takes_the_same_room(length, pixels):
    shares = Axis.of_things(length, pixels).shares
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares.sum(axis=0), min(length, pixels) / length)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
@example([0.0, 2.2e-308])  # the scale's inverse would overflow
def test_packing_is_right_to_half_a_code(numbers):
    values = np.array([numbers])
    picture = pack(values)
    assert np.abs(picture.values() - values).max() <= (picture.high - picture.low) / 254 * 0.501 + 1e-9


def test_scales():
    values = np.array([[-2.0, 0.0, 1.0, np.nan]])
    around_zero = pack(values, diverging=True)
    assert (around_zero.low, around_zero.high) == (-2.0, 2.0)
    assert around_zero.codes()[0, 1] == 127
    assert np.isnan(around_zero.values()[0, 3])
    fixed = pack(np.array([[0.25, 3.0]]), span=(0, 1))
    assert fixed.values()[0, 0] == pytest.approx(0.25, abs=0.002)
    assert fixed.values()[0, 1] == 1.0
    wide = pack(np.array([[0.0, 1e-6, 1.0]]), log=True)
    assert wide.values()[0, 1:] == pytest.approx([1e-6, 1.0], rel=0.03)


def test_orders_keep_clusters_together_and_neighbours_alike():
    ensemble = an_ensemble(80)
    rank = leaf_rank(ensemble)
    assert sorted(rank) == list(range(ensemble.q))
    labels = np.random.default_rng(8).integers(4, size=ensemble.q)
    order = ordered(ensemble, rank, labels)
    assert sorted(order) == list(range(80))
    assert (np.diff(ensemble.expand(labels)[order]) >= 0).all()
    inside = order[ensemble.expand(labels)[order] == 2]
    assert (np.diff(rank[member_of(ensemble)][inside]) >= 0).all()
    by_object = np.arange(80)[::-1]
    assert np.array_equal(ordered(ensemble, rank, by_object), by_object)


def test_base_clusters_stand_with_the_consensus_cluster_they_hold():
    ensemble = Ensemble.from_labels([[0, 1], [0, 1], [1, 0], [1, 0]])
    labels = ensemble.rows[:, 0].astype(int)
    order = cluster_order(ensemble, labels)
    assert sorted(order) == [0, 1, 2, 3]
    first = {tuple(np.flatnonzero(ensemble.labels()[:, c // 2] == c % 2)) for c in order[:2]}
    assert first == {(0, 1)} or first == {(2, 3)}


def test_maps():
    ensemble = an_ensemble(50)
    two = np.random.default_rng(9).random((50, 2))
    assert np.array_equal(map_of(ensemble, two), two)
    five = np.random.default_rng(10).random((50, 5))
    places = map_of(ensemble, five)
    scaled = (five - five.mean(axis=0)) / five.std(axis=0)
    assert places.var(axis=0).sum() == pytest.approx(np.linalg.eigvalsh(np.cov(scaled.T, bias=True))[-2:].sum())
    own = map_of(ensemble)
    assert own.shape == (50, 2)
    assert np.isfinite(own).all()
    member = member_of(ensemble)
    assert (own[member == member[0]] == own[0]).all()
    alone = Ensemble.from_labels([[0], [0], [0]])
    assert map_of(alone).shape == (3, 2)


def test_corners_of_a_simplex_stay_apart():
    flat = flattened(np.eye(7)[np.repeat(np.arange(7), 3)])
    distances = np.linalg.norm(flat[::3, None] - flat[None, ::3], axis=2)[~np.eye(7, dtype=bool)]
    assert distances.min() > 0.8
    assert np.array_equal(flattened(np.array([[1.0, 3.0], [2.0, 4.0]])), [[1.0, 3.0], [2.0, 4.0]])
    assert np.array_equal(flattened(np.array([[1.0, 3.0], [1.0, 4.0]])), [[3.0, 0.0], [4.0, 0.0]])


def luminance(colour):
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_colours_grow_lighter_and_clusters_stand_out_on_any_paper():
    assert (np.diff([luminance(stop) for stop in palettes.SEQUENTIAL]) > 0).all()
    for stops, paper in ((palettes.DIVERGING, 1), (palettes.DIVERGING_DARK, -1)):
        light = np.array([luminance(stop) for stop in stops]) * paper
        assert (np.diff(light[:6]) > 0).all()
        assert (np.diff(light[5:]) < 0).all()
    for colour in palettes.CLUSTERS:
        assert 1.05 / (luminance(colour) + 0.05) >= 3
        assert (luminance(colour) + 0.05) / (luminance("#11141b") + 0.05) >= 3
