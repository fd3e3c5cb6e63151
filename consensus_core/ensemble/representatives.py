"""Where rows hardly repeat: some rows chosen to stand for all, and which of them stands for each.

An approximation, and said to be one wherever it is used. Rows are taken one after another, the next always the one with
the most objects times distance to the rows taken so far (distance: the share of base clusterings that part the two);
every other row goes to the one it shares most labels with. Linear in rows times rows taken; no matrix of pairs.
"""

from __future__ import annotations

import numpy as np

from .labels import MISSING


def representatives(rows: np.ndarray, counts: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """(numbers of at most `most` rows, for each row which of these stands for it). Rows in canonical order."""
    q = len(rows)
    columns = np.ascontiguousarray(rows.T, dtype=np.int8 if rows.max(initial=0) <= 127 else np.int32)
    observed = columns != MISSING
    gaps = not observed.all()
    weights, near, nearest = counts.astype(float), np.full(q, -1.0), np.zeros(q, dtype=np.intp)
    chosen, upcoming = [], int(weights.argmax())
    while len(chosen) < min(most, q):
        nearer = (share := _agreement(columns, observed, upcoming, gaps)) > near
        nearer[upcoming] = True  # itself, even where it has not a single label
        near[nearer], nearest[nearer] = share[nearer], len(chosen)
        near[upcoming] = 1.0
        chosen.append(upcoming)
        far = weights * (1.0 - near)
        upcoming = int(far.argmax())
        if far[upcoming] <= 0:
            break
    return np.array(chosen), nearest


def _agreement(columns, observed, p: int, gaps: bool) -> np.ndarray:
    """(q,) of the base clusterings with a label for both, the share that puts row p and each row together."""
    m, q = columns.shape
    same = np.zeros(q, dtype=np.uint8 if m <= 255 else np.uint32)
    if not gaps:
        for column in columns:
            same += column == column[p]
        return same / m
    seen = np.zeros_like(same)
    for j in np.flatnonzero(observed[:, p]):
        seen += observed[j]
        same += columns[j] == columns[j, p]
    return np.divide(same, seen, out=np.zeros(q), where=seen > 0)
