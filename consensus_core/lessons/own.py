"""Data made by hand: a small table of base labels, or points that are clustered many times."""

from __future__ import annotations

import functools

import numpy as np

from ..data import Data, Origin
from ..data.samples import load
from ..ensemble import MISSING, Ensemble
from ..errors import InputError
from ..generate import generate_ensemble

BY_HAND = "made by hand"
MOST_LABELS = 6  # names a label may have: 1 to 6
MOST_OBJECTS, MOST_COLUMNS, MOST_POINTS = 12, 8, 300
FEWEST_POINTS = 6
COLUMNS = 12  # base clusterings of painted points
Table = tuple[tuple[int, ...], ...]  # rows of labels 1, 2, …; 0 where there is none


def first_table(sample: str) -> Table:
    """The table one begins with: of a sample with few objects."""
    ensemble = load(sample).ensemble
    return tuple(tuple(int(code) + 1 for code in ensemble.rows[p]) for p in ensemble.member_of)


def table_of(said) -> Table:
    """What a page sends, held to what a table can be; an InputError where it is none."""
    try:
        rows = tuple(tuple(int(label) for label in row) for row in said)
    except (TypeError, ValueError):
        raise InputError("A table of labels was expected.") from None
    fits = 2 <= len(rows) <= MOST_OBJECTS and 1 <= len(rows[0]) <= MOST_COLUMNS
    if not fits or any(len(row) != len(rows[0]) for row in rows):
        raise InputError(f"A table has 2 to {MOST_OBJECTS} rows and 1 to {MOST_COLUMNS} columns.")
    if any(not 0 <= label <= MOST_LABELS for row in rows for label in row):
        raise InputError(f"Labels are 1 to {MOST_LABELS}, or 0 for none.")
    return rows


def points_of(said) -> tuple[tuple[float, float], ...]:
    """Points in the unit square."""
    try:
        points = tuple((float(x), float(y)) for x, y in said)
    except (TypeError, ValueError):
        raise InputError("A list of points was expected.") from None
    if len(points) > MOST_POINTS or not all(0 <= part <= 1 for point in points for part in point):
        raise InputError(f"At most {MOST_POINTS} points, each within the picture.")
    return points


@functools.lru_cache(maxsize=64)
def by_hand(table: Table, k: int) -> Data:
    labels = np.array(table)
    ensemble = Ensemble.from_labels(
        np.where(labels == 0, MISSING, labels), names=[f"C{t}" for t in range(1, labels.shape[1] + 1)]
    )
    ids = np.array([f"x{i}" for i in range(1, len(labels) + 1)])
    return Data(Origin(file=BY_HAND), "A table by hand", ensemble, ids, k=max(1, min(k, ensemble.q)))


@functools.lru_cache(maxsize=16)
def by_points(points: tuple[tuple[float, float], ...], k: int) -> Data:
    """Painted points under k-means of many grains, as the papers make base clusterings."""
    if len(points) < FEWEST_POINTS:
        raise InputError(f"Paint at least {FEWEST_POINTS} points.")
    X = np.array(points)
    ensemble = generate_ensemble(X, "kmeans_random_k", m=COLUMNS, seed=0)
    return Data(Origin(file=BY_HAND), "Painted points", ensemble, None, X, ("x", "y"), k=max(1, min(k, ensemble.q)))
