"""Memory used again is never memory still in use."""

import gc
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus_core.linalg import paired
from consensus_core.linalg.paired import Paired, PairSet, clip_symmetric, pair_sum, row_tiles, tiles
from consensus_core.linalg.pool import Room


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_is_used_again_when_the_last_view_is_gone():
    room = Room()
    first = room.array(30, 40)
    where, view = address(first), first[3:5].T
    del first
    gc.collect()
    other = room.array(30, 40)
    assert address(other) != where  # a view still stands on it
    del view
    gc.collect()
    assert address(room.array(40, 30)) == where


def test_memory_that_is_given_is_used_once():
    room, done = Room(), np.zeros((30, 40))
    where = address(done)
    room.give(done)
    del done
    first, second = room.array(1200), room.array(1200)
    assert address(first) == where != address(second)
    del first
    gc.collect()
    assert address(room.array(40, 30)) == where


@given(st.lists(st.tuples(st.sampled_from([4, 9]), st.booleans()), max_size=60))
def test_no_two_living_arrays_share_memory(requests):
    room, living = Room(), []
    for number, (size, dies) in enumerate(requests):
        array = room.array(size, size)
        array[:] = number
        living.append((number, array))
        del array
        if dies:
            living.pop(len(living) // 2)
        assert all((array == number).all() for number, array in living)


def test_a_room_travels_empty_and_arrays_outlive_it():
    room = Room()
    array = room.array(3, 3)
    array[:] = 7.0
    assert np.array_equal(pickle.loads(pickle.dumps(array)), array)
    assert pickle.loads(pickle.dumps(room)).array(3, 3).shape == (3, 3)
    del room
    gc.collect()
    assert (array == 7.0).all()
    del array  # must not complain that its room is gone


@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_sums_over_pairs_are_sums_over_pairs_of_objects(seed, q):
    rng = np.random.default_rng(seed)
    counts, X = rng.integers(1, 4, q).astype(float), rng.standard_normal((q, q))
    of = np.repeat(np.arange(q), counts.astype(int))
    full = X[np.ix_(of, of)]
    kept = X.copy()
    rows = slice(q // 3, q)
    inside = np.isin(of, np.arange(q)[rows])
    expected = full[inside].sum() - full.diagonal()[inside].sum()
    assert abs(pair_sum(rows, counts, X[rows]) - expected) < 1e-9 * (1 + np.abs(full).sum())
    assert np.array_equal(X, kept)
    ones = np.ones(q)
    assert pair_sum(slice(0, q), ones, np.diag(np.full(q, 1e20))) == 0.0  # no rounding where there is no pair


def test_tiles_cover_every_row_once_and_clip():
    rng = np.random.default_rng(0)
    for q in (1, 7, 600):
        X = 3 * rng.standard_normal((q, q))
        out = np.empty_like(X)
        seen = np.zeros(q, dtype=int)
        for rows in row_tiles(q):
            clip_symmetric(X, rows, out=out[rows])
            seen[rows] += 1
        assert (seen == 1).all()
        assert np.array_equal(out, np.clip((X + X.T) / 2, 0, 1))


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 7))
def test_what_is_clipped_in_halves_is_the_whole_projection(seed, q, height):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, q).astype(float)
    X, old = (Paired(rng.normal(0.5, 1, (q, q)), rng.normal(0.5, 1, q)) for _ in range(2))
    old = Paired(old.B + old.B.T, old.d)
    new = Paired(np.clip((X.B + X.B.T) / 2, 0, 1), np.clip(X.d, 0, 1))
    pairs = np.outer(counts, counts) - np.diag(counts)  # of different objects
    sums = [np.sum(pairs * B**2) + counts @ d**2 for B, d in (new, (new.B - old.B, new.d - old.d))]
    none = PairSet.where(np.zeros((q, q), dtype=bool), np.zeros(q, dtype=bool))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired, "TILE_ENTRIES", height * q)
        found = sum(tile.clip(X, old) for tile in tiles(counts, none))
    assert np.array_equal(old.B, new.B) and np.array_equal(old.d, new.d)
    assert found == pytest.approx(sums, rel=1e-12)
