"""Is one method better than another, or was it luck? The tests the papers use, over repeats or over data sets.

`paired_t` holds two methods to each other over the same draws of base clusterings; `signed_rank` (Wilcoxon) and
`friedman` over several data sets, where means of scores say nothing because data sets differ in difficulty (Demšar,
Journal of Machine Learning Research 7, 2006). Equal to scipy.stats, which is too heavy to import for a page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, ndtr, stdtr

LEVEL = 0.05
EXACT = 50  # differences up to which the rank test counts instead of approximating


@dataclass(frozen=True)
class Tested:
    """`p`: how often a difference like this one would come of chance alone; NaN where nothing can be said."""

    statistic: float
    p: float
    count: int  # pairs that were used

    @property
    def significant(self) -> bool:
        return self.p < LEVEL


def paired_t(one, other) -> Tested:
    """Student's t-test of the differences, two-sided. The draws of base clusterings must be independent of each other
    for p to be what it says; draws from one pool overlap, so it is a little too small."""
    d = _differences(one, other)
    n = len(d)
    if n < 2:
        return Tested(math.nan, math.nan, n)
    mean, spread = float(d.mean()), float(d.std(ddof=1)) / math.sqrt(n)
    if spread == 0:  # always the same difference: certain, or none at all
        return Tested(math.nan, math.nan, n) if mean == 0 else Tested(math.copysign(math.inf, mean), 0.0, n)
    t = mean / spread
    return Tested(t, float(2 * stdtr(n - 1, -abs(t))), n)


def signed_rank(one, other) -> Tested:
    """Wilcoxon's signed ranks, two-sided; differences of 0 are left out. Exact up to 50 differences without ties."""
    d = _differences(one, other)
    d = d[d != 0]
    n = len(d)
    if n == 0:
        return Tested(math.nan, math.nan, 0)
    ranks = ranked(np.abs(d))
    up = float(ranks[d > 0].sum())
    down = n * (n + 1) / 2 - up
    tied = len(np.unique(np.abs(d))) < n
    least = min(up, down)
    if n <= EXACT and not tied:
        ways = _ways(n)
        p = min(1.0, 2 * float(ways[: int(least) + 1].sum() / ways.sum()))
    else:
        _, times = np.unique(np.abs(d), return_counts=True)
        variance = n * (n + 1) * (2 * n + 1) / 24 - float((times**3 - times).sum()) / 48
        p = min(1.0, 2 * float(ndtr((least - n * (n + 1) / 4) / math.sqrt(variance))))
    return Tested(least, p, n)


def friedman(scores) -> Tested:
    """Whether any of several methods stands out over several data sets: scores (data sets, methods), more is better."""
    scores = np.asarray(scores, dtype=float)
    n, k = scores.shape
    if n < 2 or k < 3:
        return Tested(math.nan, math.nan, n)
    ranks = np.array([ranked(row) for row in scores])
    ties = sum(float((times**3 - times).sum()) for row in ranks for times in [np.unique(row, return_counts=True)[1]])
    below = 1 - ties / (n * k * (k * k - 1))
    if below <= 0:
        return Tested(math.nan, math.nan, n)
    statistic = (12 / (n * k * (k + 1)) * float((ranks.sum(axis=0) ** 2).sum()) - 3 * n * (k + 1)) / below
    return Tested(statistic, float(chdtrc(k - 1, statistic)), n)


def mean_ranks(scores) -> np.ndarray:
    """(methods,) mean rank over data sets, 1 the best; scores (data sets, methods), more is better."""
    return np.mean([ranked(-row) for row in np.asarray(scores, dtype=float)], axis=0)


def ranked(values) -> np.ndarray:
    """1 for the least; equal values share the mean of their ranks."""
    values = np.asarray(values, dtype=float)
    _, inverse, times = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return (last - (times - 1) / 2)[inverse.reshape(-1)]


def _differences(one, other) -> np.ndarray:
    """Pairs in which both have a score."""
    d = np.asarray(one, dtype=float) - np.asarray(other, dtype=float)
    return d[np.isfinite(d)]


def _ways(n: int) -> np.ndarray:
    """How many of the 2ⁿ choices of signs give each sum of ranks."""
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.concatenate([ways, np.zeros(rank)]) + np.concatenate([np.zeros(rank), ways])
    return ways
