"""Many labellings of the same objects, each held to each: agreement, diversity, stability."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..ensemble import MISSING
from .against_truth import ari


@dataclass(frozen=True)
class Agreement:
    """How well labels agree with each base clustering; NaN where the two have no labelled object in common."""

    nmi: np.ndarray  # (m,) arithmetic mean
    ari: np.ndarray  # (m,)

    @property
    def mean_nmi(self):
        return _mean(self.nmi)

    @property
    def mean_ari(self):
        return _mean(self.ari)


@dataclass(frozen=True)
class Diversity:
    """How alike the base clusterings are: the less, the more diverse."""

    nmi: np.ndarray  # (m, m) arithmetic mean, 1 on the diagonal
    ari: np.ndarray  # (m, m) 1 on the diagonal

    @property
    def mean(self):
        """Mean NMI of two different base clusterings; NaN with fewer than two."""
        return _mean(self.nmi[np.triu_indices(len(self.nmi), 1)])


def agreement(labels, rows, counts=None):
    """NMI and ARI of labels (q,) with every column of rows (q, m); objects MISSING in either are left out pairwise."""
    labels, rows = np.asarray(labels), np.asarray(rows)
    return Agreement(*_held_to_all(labels, *_clusters(rows), _counts(counts, len(rows))))


def diversity(rows, counts=None):
    """NMI and ARI between all base clusterings, the columns of rows (q, m) with MISSING where there is no label."""
    rows = np.asarray(rows)
    clusters, starts = _clusters(rows)
    counts = _counts(counts, len(rows))
    both = np.array([_held_to_all(column, clusters, starts, counts) for column in rows.T])  # (m, 2, m)
    both = (both + both.transpose(2, 1, 0)) / 2  # equal up to rounding
    return Diversity(both[:, 0], both[:, 1])


def stability(labellings, counts=None):
    """Mean adjusted Rand index over all pairs of label vectors; NaN with fewer than two."""
    pairs = pairwise_ari(labellings, counts)
    return _mean(pairs[np.triu_indices(len(pairs), 1)])


def pairwise_ari(labellings, counts=None):
    """(r, r) adjusted Rand index of each label vector with each."""
    labellings = list(labellings)
    table = np.ones((len(labellings), len(labellings)))
    for i, first in enumerate(labellings):
        for j in range(i):
            table[i, j] = table[j, i] = ari(first, labellings[j], counts)
    return table


def _mean(values):
    values = values[~np.isnan(values)]
    return float(values.mean()) if values.size else float("nan")


def _counts(counts, q):
    return np.ones(q) if counts is None else np.asarray(counts, dtype=float)


def _clusters(rows):
    """Membership (q, K) of all clusters of all columns, side by side, and where each column's begin (m + 1,)."""
    q, m = rows.shape
    codes = np.full((q, m), MISSING, dtype=np.int64)
    starts = np.zeros(m + 1, dtype=np.int64)
    for j, column in enumerate(rows.T):
        seen = column != MISSING
        names, code = np.unique(column[seen], return_inverse=True)
        codes[seen, j] = starts[j] + code.reshape(-1)
        starts[j + 1] = starts[j] + len(names)
    p, j = np.nonzero(codes != MISSING)
    return sp.csr_array((np.ones(len(p)), (p, codes[p, j])), shape=(q, int(starts[-1]))), starts


def _held_to_all(labels, clusters, starts, counts):
    """NMI and ARI (m,) of one labelling with each column, from all contingency tables side by side (k, K)."""
    seen = np.flatnonzero(labels != MISSING)
    names, code = np.unique(labels[seen], return_inverse=True)
    own = sp.csr_array((counts[seen], (code.reshape(-1), seen)), shape=(len(names), len(labels)))
    shared = (own @ clusters).tocoo()
    m = len(starts) - 1
    owner = np.repeat(np.arange(m), np.diff(starts))
    column = owner[shared.col]
    n = np.bincount(column, weights=shared.data, minlength=m)
    sides = (
        np.bincount(shared.row * m + column, weights=shared.data, minlength=len(names) * m),
        np.bincount(shared.col, weights=shared.data, minlength=len(owner)),
    )
    owners = (np.tile(np.arange(m), len(names)), owner)
    some = n > 0
    return _nmi_of_tables(shared.data, column, sides, owners, n, some), _ari_of_tables(
        shared.data, column, sides, owners, n, some
    )


def _nmi_of_tables(shared, column, sides, owners, n, some):
    m = len(n)
    log_n = np.log(np.where(some, n, 1))

    def entropy(sizes, owner):
        present = sizes > 0
        sizes, owner = sizes[present], owner[present]
        total = np.bincount(owner, weights=sizes * (log_n[owner] - np.log(sizes)), minlength=m)
        return total / np.where(some, n, 1)

    one, other = (entropy(*side) for side in zip(sides, owners, strict=True))
    information = one + other - entropy(shared, column)
    normaliser = (one + other) / 2
    nmi = np.where(information > 1e-14, information / np.where(normaliser > 0, normaliser, 1), 0.0)
    trivial = normaliser <= 0  # one cluster on both sides
    return np.where(some, np.where(trivial, 1.0, nmi), np.nan)


def _ari_of_tables(shared, column, sides, owners, n, some):
    m = len(n)
    both = np.bincount(column, weights=shared**2, minlength=m)
    first, second = (np.bincount(owner, weights=s**2, minlength=m) for s, owner in zip(sides, owners, strict=True))
    pairs = n * (n - 1)
    together, one, other = both - n, first - n, second - n
    expected = one * other / np.where(pairs > 0, pairs, 1)
    below = (one + other) / 2 - expected
    same = (one == together) & (other == together)
    value = np.where(same, 1.0, (together - expected) / np.where(same | (below == 0), 1, below))
    return np.where(some, value, np.nan)
