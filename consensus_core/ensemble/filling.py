"""Missing labels replaced by what the other rows say."""

from __future__ import annotations

import numpy as np

from .labels import MISSING


def nearest_labels(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Missing labels replaced by the commonest label among the rows that agree best on the labels both have.

    Agreement is the share of co-observed base clusterings in which two rows have the same label. Of equally common
    labels the lowest is taken; a row that shares no observed base clustering with any other takes the commonest label.
    """
    filled = rows.copy()
    q, m = rows.shape
    # column by column in small integers, eight bits where they do: comparing is most of the work
    columns = np.ascontiguousarray(rows.T, dtype=np.int8 if rows.max(initial=0) <= 127 else np.int32)
    observed = columns != MISSING
    count = np.uint8 if m <= 255 else np.uint32
    shares = np.arange(m + 1)[:, None] / np.maximum(np.arange(m + 1), 1)  # [same, seen]: their ranks compare like them
    rank = np.unique(shares, return_inverse=True)[1].reshape(shares.shape).astype(np.int32)
    for p in np.flatnonzero(~observed.all(axis=0)):
        seen, same = np.zeros(q, dtype=count), np.zeros(q, dtype=count)
        for j in np.flatnonzero(observed[:, p]):
            seen += observed[j]
            same += columns[j] == columns[j, p]
        agreement = rank[same, seen]
        for j in np.flatnonzero(~observed[:, p]):
            near = np.where(observed[j], agreement, -1)
            best = np.flatnonzero(near == near.max())
            filled[p, j] = np.bincount(columns[j, best], weights=counts[best]).argmax()
    return filled
