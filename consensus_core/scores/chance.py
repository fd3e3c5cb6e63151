"""What agreement is worth once chance has been taken off: against shuffled labels, computed exactly."""

import numpy as np
from scipy.special import gammaln

from .against_truth import entropy
from .against_truth import nmi as normalised_information
from .crossing import cross

TAIL = 12  # standard deviations of a hypergeometric number beyond which nothing is left to add


def nmi_above_chance(labels, rows, counts=None):
    """NMI of labels (q,) with each column of rows (q, m), minus its mean over all ways to shuffle the objects: (m,).

    Arithmetic NMI; the mean over all shuffles is Vinh, Epps and Bailey's (2010) expected information over the same
    entropies, so nothing is drawn. NaN where the two have no labelled object in common.
    """
    return np.array([_above_chance(labels, column, counts) for column in np.asarray(rows).T])


def _above_chance(labels, column, counts):
    crossing = cross(labels, column, counts)
    if not crossing.n:
        return np.nan
    a, b = crossing.rows, crossing.cols
    mean_entropy = (entropy(a) + entropy(b)) / 2
    by_chance = expected_information(a, b) / mean_entropy if mean_entropy > 0 else 1.0
    return normalised_information(labels, column, counts) - by_chance


def expected_information(a, b):
    """Mean mutual information (nats) of two partitions with cluster sizes a and b when objects are shuffled.

    Σ_ij Σ_x (x/n) log(n x / a_i b_j) P(x), x being hypergeometric: objects that cluster i and cluster j share.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    n = a.sum()
    total = 0.0
    for size in a:
        mean = size * b / n
        spread = TAIL * (np.sqrt(mean * (1 - size / n) * (n - b) / max(n - 1, 1)) + 1)
        low = np.maximum.reduce([np.ones_like(b), size + b - n, np.floor(mean - spread)])
        high = np.minimum.reduce([np.full_like(b, size), b, np.ceil(mean + spread)])
        x = low[:, None] + np.arange(max((high - low).max() + 1, 1))
        possible = x <= high[:, None]
        x = np.where(possible, x, low[:, None])
        chance = _log_factorial(size, b[:, None], n - size, n - b[:, None]) - _log_factorial(
            n, x, size - x, b[:, None] - x, np.maximum(n - size - b[:, None] + x, 0)
        )
        terms = x / n * np.log(n * x / (size * b[:, None])) * np.exp(chance)
        total += terms[possible].sum()
    return float(total)


def _log_factorial(*numbers):
    return sum(gammaln(number + 1) for number in numbers)
