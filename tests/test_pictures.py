"""Pictures: true proportion, means under each pixel, packing to the promised accuracy, orders, names and places."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consensus_core import Ensemble
from consensus_core.drawing import palettes, tuned
from consensus_core.drawing.arrangement import arranged
from consensus_core.drawing.figures import columns_of
from consensus_core.drawing.orders import (
    by_microclusters,
    by_objects,
    column_order,
    leaf_rank,
    member_of,
    orders_of,
    row_order,
)
from consensus_core.drawing.owners import classes, owners
from consensus_core.drawing.pixels import Axis, pack, pack_numbers, reduced
from consensus_core.drawing.places import flattened, map_of
from consensus_core.drawing.scales import Scale, reach_of, scale_of
from consensus_core.ensemble.truth import truth_codes
from consensus_core.linalg.paired import Paired
from consensus_core.method import Matrix
from consensus_core.method.quantities import Quantity


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


def quantity(**more) -> Quantity:
    return Quantity("X", Matrix, "X", "a quantity", axes=("object", "object"), **more)


def scale(values, **more) -> Scale:
    return scale_of(quantity(**more), reach_of(pack(np.array(values, dtype=float), more.get("log", False))))


def test_a_picture_keeps_its_values_whatever_its_scale():
    values = np.array([[-2.0, 0.0, 1.0, np.nan]])
    packed = pack(values)
    assert (packed.low, packed.high) == (-2.0, 1.0) and np.isnan(packed.values()[0, 3])
    np.testing.assert_allclose(packed.values()[0, :3], values[0, :3], atol=0.5 * 3 / 254)
    wide = pack(np.array([[0.0, 1e-6, 1.0]]), log=True)
    assert wide.values()[0, 1:] == pytest.approx([1e-6, 1.0], rel=0.03)
    assert pack(np.zeros((3, 3))).values().tolist() == np.zeros((3, 3)).tolist()


def test_colours_follow_the_values_where_these_use_little_of_the_declared_span():
    """Matrices of EC-CMS and TRCE on real data, with a span of [0, 1] and values up to 0.35, were nearly black."""
    assert scale([[0, 0.35]], span=(0, 1)) == Scale(0, 0.35)
    assert scale([[0, 0.5]], span=(0, 1)) == Scale(0, 1)
    assert scale([[0.9, 1.0]], span=(0, 1)) == Scale(0.9, 1.0)
    assert scale([[0.3, 4.0]]) == Scale(0.3, 4.0)
    assert scale([[-0.3, 0.1]], diverging=True) == Scale(-0.3, 0.3)
    assert scale([[-0.3, 0.1]], diverging=True, span=(-1, 1)) == Scale(-0.3, 0.3)
    assert scale([[-0.8, 0.6]], diverging=True, span=(-1, 1)) == Scale(-1, 1)
    assert scale([[1e-4, 1.0]], log=True, span=(0, 1)) == Scale(-4, 0)
    assert scale([[0, 0]], span=(0, 1)) == Scale(0, 0)


def test_one_value_everywhere_is_not_drawn_as_nothing():
    """W of SPCE without pair weights, 1 for every pair, was as dark as 0 is in all other pictures."""
    assert scale([[1, 1]], span=(0, 1)) == Scale(0, 1)
    assert scale([[3, 3]]) == Scale(0, 3)
    assert scale([[-2, -2]]) == Scale(-2, 0)
    assert scale([[0.1, 0.1]], log=True, span=(0, 1)) == Scale(-1, -1)


def test_a_few_entries_far_outside_do_not_set_the_scale_and_lose_nothing():
    """A matrix whose diagonal is 1 and whose other values end at 0.02 would be black but for a line."""
    rng = np.random.default_rng(0)
    S = rng.random((600, 600)) * 0.02
    np.fill_diagonal(S, 1.0)
    picture = pack(S)
    found = scale_of(quantity(span=(0, 1)), reach_of(picture))
    assert found.over and not found.under and found.low < 0.001 and 0.018 < found.high < 0.021
    values = picture.values()
    inside = S < 0.02
    assert np.abs(values - S)[inside].max() < 0.02 / 254 and np.abs(values - S).max() < 0.02
    assert np.diagonal(values).tolist() == [1.0] * 600
    # but a share of a half is no outlier, and neither is a matrix of zeros and some ones
    assert not scale(rng.random((50, 50)), span=(0, 1)).over
    assert scale(np.eye(1000), span=(0, 1)) == Scale(0, 1)


def test_a_scale_grows_with_the_pictures_it_is_for():
    reach = reach_of(pack(np.array([[0.0, 0.2]]))).with_(reach_of(pack_numbers(np.array([[0.1, 0.4]]))))
    assert (reach.low, reach.high) == (0.0, pytest.approx(0.4))
    assert scale_of(quantity(span=(0, 1)), reach).high == pytest.approx(0.4)


def test_orders_keep_clusters_together_and_neighbours_alike():
    ensemble = an_ensemble(80)
    rank = leaf_rank(ensemble)
    assert sorted(rank) == list(range(ensemble.q))
    labels = np.random.default_rng(8).integers(4, size=ensemble.q)
    order = by_microclusters(ensemble, rank, labels)
    assert sorted(order) == list(range(80))
    assert (np.diff(ensemble.expand(labels)[order]) >= 0).all()
    inside = order[ensemble.expand(labels)[order] == 2]
    assert (np.diff(rank[member_of(ensemble)][inside]) >= 0).all()
    by_object = np.arange(80)[::-1]
    assert np.array_equal(by_objects(ensemble, rank, np.arange(80)[::-1]), by_object)
    assert np.array_equal(row_order(ensemble, rank, "consensus", labels), order)


def test_keys_of_objects_and_of_microclusters_are_never_taken_for_each_other():
    """Where q = n the one was once taken for the other by its length, and every matrix was drawn in a wrong order."""
    ensemble = an_ensemble(200, m=3)
    assert ensemble.q < 200
    for wrong in (
        lambda: by_microclusters(ensemble, leaf_rank(ensemble), np.zeros(200)),
        lambda: by_objects(ensemble, leaf_rank(ensemble), np.zeros(ensemble.q)),
    ):
        with pytest.raises(ValueError, match="must have the shape"):
            wrong()
    distinct = an_ensemble(12, m=9, k=4)
    assert distinct.q == 12
    labels = np.arange(12)[::-1]  # of microclusters
    order = row_order(distinct, np.arange(12), "consensus", labels)
    assert (np.diff(labels[distinct.member_of[order]]) >= 0).all()
    assert orders_of(distinct) == ("consensus", "leaf", "given", *(f"base:{i}" for i in range(9)))


def test_base_clusters_stand_with_the_consensus_cluster_they_hold():
    ensemble = Ensemble.from_labels([[0, 1], [0, 1], [1, 0], [1, 0]])
    labels = ensemble.rows[:, 0].astype(int)
    order = column_order(ensemble, "consensus", labels)
    assert sorted(order) == [0, 1, 2, 3]
    first = {tuple(np.flatnonzero(ensemble.labels()[:, c // 2] == c % 2)) for c in order[:2]}
    assert first == {(0, 1)} or first == {(2, 3)}
    assert column_order(ensemble, "given", labels).tolist() == [0, 1, 2, 3]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_a_base_cluster_belongs_to_the_consensus_cluster_that_holds_most_of_it(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(-1, 3, size=(40, 4))
    table[:, 0] = np.arange(40) % 3
    ensemble = Ensemble.from_labels(table)
    labels = rng.integers(4, size=ensemble.q)
    labels[0] = 3
    everyone, codes, found = ensemble.expand(labels), ensemble.labels(), owners(ensemble, labels)
    for i, start in enumerate(ensemble.offsets[:-1]):
        for c in range(ensemble.k_each[i]):
            held = np.bincount(everyone[codes[:, i] == c], minlength=4)
            assert found[start + c] == held.argmax()


def test_each_class_has_a_colour_of_its_own_that_of_the_cluster_it_shares_most_with():
    truth = np.array([0] * 5 + [1] * 5 + [2] * 5 + [-1])
    labels = np.array([1] * 5 + [0] * 4 + [1] + [1] * 3 + [2] * 2 + [0])
    assert classes(truth, labels, 3).tolist() == [1, 0, 2]
    assert classes(truth, np.zeros(16, int), 3).tolist() == [0, 1, 2]  # the others take the colours after the clusters'
    assert classes(np.full(4, -1), np.zeros(4, int), 0).tolist() == []


def test_the_exported_track_plot_has_the_screens_colours_and_parts_clusters_of_one_colour():
    """The export once painted raw codes, and 46 clusters looked like 5 on the screen."""
    table = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 2, 0], [1, 2, 0]])
    ensemble = Ensemble.from_labels(table, truth=np.array(["a", "a", "b", "b", "b"]))
    labels = ensemble.rows[:, 0].astype(int)
    columns = columns_of(arranged(ensemble, labels, "given"))
    assert columns.names[:3] == ["consensus", "truth", ensemble.names[0]]
    numbers = columns.numbers()
    assert numbers[:, 0].tolist() == ensemble.expand(labels).tolist() == numbers[:, 2].tolist()
    assert numbers[:, 3].tolist() == [0, 0, 0, 1, 1]  # its clusters 0 and 1 both lie in consensus cluster 0
    rows, cols = columns.borders()
    assert (1, 3) in set(zip(rows.tolist(), cols.tolist(), strict=True))
    assert truth_codes(ensemble)[1] == ["a", "b"]


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


@pytest.mark.parametrize("mean", [[0.7, 0.7, 0.7], [0.2, 1.0, float("nan")], [-0.3, 0.5, 0.9]])
def test_a_curve_of_a_measure_that_ends_at_one_has_an_axis_that_does(mean):
    """A flat one had an axis from −.3 to 1.7."""
    figure = tuned.curve([0.1, 0.2, 0.3], mean, [0.0, 0.05, 0.0], most=1.0)
    low, high = figure.layout.yaxis.range
    known = [value for value in mean if value == value]
    assert min(known) - 0.3 < low < min(known) and max(known) < high < 1.15


def test_colours_grow_lighter_and_clusters_stand_out_on_any_paper():
    assert (np.diff([luminance(stop) for stop in palettes.SEQUENTIAL]) > 0).all()
    for stops, paper in ((palettes.DIVERGING, 1), (palettes.DIVERGING_DARK, -1)):
        light = np.array([luminance(stop) for stop in stops]) * paper
        assert (np.diff(light[:6]) > 0).all()
        assert (np.diff(light[5:]) < 0).all()
    for colour in palettes.CLUSTERS:
        assert 1.05 / (luminance(colour) + 0.05) >= 3
        assert (luminance(colour) + 0.05) / (luminance("#11141b") + 0.05) >= 3
