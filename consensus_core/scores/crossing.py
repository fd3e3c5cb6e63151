"""Two labellings of the same objects, crossed: how many objects each pair of clusters shares."""

from dataclasses import dataclass

import numpy as np

from ..ensemble import MISSING
from ..ensemble.labels import encoded, without_masked
from ..errors import InputError

DENSE = 1 << 22  # cells of a table that is counted without sorting


@dataclass(frozen=True)
class Crossing:
    """The cells of a contingency table that are not empty, and its margins. Numbers of objects, exact."""

    row: np.ndarray  # (cells,) cluster of the first labelling
    col: np.ndarray  # (cells,) cluster of the second
    shared: np.ndarray  # (cells,) objects in both, > 0
    left_out: int  # objects without a label on either side

    @property
    def rows(self):
        return np.bincount(self.row, weights=self.shared)

    @property
    def cols(self):
        return np.bincount(self.col, weights=self.shared)

    @property
    def n(self):
        return float(self.shared.sum())


def cross(labels, truth, counts=None):
    """The crossing of two label vectors of any kind (numbers, text; None, NaN, "" and −1 are missing)."""
    a, ka = _codes(labels)
    b, kb = _codes(truth)
    if len(a) != len(b):
        raise InputError(f"Labels and truth must speak of the same objects: {len(a)} labels, {len(b)} true ones.")
    counts = None if counts is None else np.asarray(counts)
    if counts is not None and counts.shape != a.shape:
        raise InputError(f"There must be one count per label: {len(a)} labels, counts of shape {counts.shape}.")
    seen = (a != MISSING) & (b != MISSING)
    absent = len(a) - int(seen.sum()) if counts is None else int(counts[~seen].sum())
    if absent:
        a, b, counts = a[seen], b[seen], None if counts is None else counts[seen]
    cell = a * kb + b
    if ka * kb <= DENSE:
        table = np.bincount(cell, weights=counts, minlength=ka * kb)
        cells = np.flatnonzero(table)
        shared = table[cells]
    else:
        cells, inverse = np.unique(cell, return_inverse=True)
        shared = np.bincount(inverse.reshape(-1), weights=counts, minlength=len(cells))
    _, row = np.unique(cells // max(kb, 1), return_inverse=True)
    _, col = np.unique(cells % max(kb, 1), return_inverse=True)
    return Crossing(row.reshape(-1), col.reshape(-1), shared.astype(float), absent)


def _codes(labels):
    """Labels as 0 … k − 1 (some perhaps unused) with MISSING, and k."""
    values = labels.to_numpy() if hasattr(labels, "to_numpy") else labels
    if isinstance(values, np.ma.MaskedArray):
        values = without_masked(values)
    values = np.asarray(values) if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if values.ndim != 1:
        raise InputError(f"Labels to be scored must be one column, got an array of shape {values.shape}.")
    if not len(values):
        return np.empty(0, dtype=np.int64), 0
    if values.dtype == object and all(isinstance(x, (int, np.integer)) for x in values):
        values = values.astype(np.int64)
    codes = encoded(values[:, None]).table[:, 0].astype(np.int64)
    if codes.min() < MISSING or codes.max() >= max(len(codes), 1024):
        kept = codes != MISSING
        codes[kept] = np.unique(codes[kept], return_inverse=True)[1].reshape(-1)
    return codes, int(codes.max()) + 1
