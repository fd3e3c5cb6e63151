"""How often pairs of microclusters are together."""

from __future__ import annotations

import numpy as np
import scipy.sparse
from scipy.linalg import blas

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..ensemble.masks import once
from ..linalg import mirrored

_BLOCK = 512  # columns of the dense incidence held at a time


def together(ensemble: Ensemble, weights: np.ndarray | None = None) -> np.ndarray:
    """(q, q) float64: in how many base clusterings each pair is together (exact whole numbers).

    With `weights` (K,) a cluster that holds both counts with its weight instead of 1.
    """
    return _same(ensemble.rows + ensemble.offsets[:-1], ~ensemble.missing, int(ensemble.offsets[-1]), weights)


def thin_shares(ensemble: Ensemble, weights: np.ndarray) -> scipy.sparse.csr_array:
    """The mean of the weights (K,) of the clusters that hold both, without the zeros of pairs that none holds."""
    H = incidence(ensemble)
    found = scipy.sparse.csr_array((H * weights) @ H.T)
    found.data /= ensemble.m
    found.sort_indices()
    return found


def coverage(ensemble: Ensemble) -> np.ndarray:
    """(q, q) float64: in how many base clusterings both of a pair have a label."""
    if not ensemble.has_missing:
        return np.full((ensemble.q, ensemble.q), float(ensemble.m))
    observed = (~ensemble.missing).astype(float)
    return observed @ observed.T


def coassociation(ensemble: Ensemble) -> np.ndarray:
    """A (q, q): the share of base clusterings that put a pair together, among those that have a label for both.

    A pair that no base clustering has seen together gets 0: nothing says that it belongs together. Its coverage is 0.
    """
    return shares(ensemble, together(ensemble))


@once
def steady_coassociation(ensemble: Ensemble) -> np.ndarray:
    """The same, read-only and computed once as long as the ensemble lives: for methods that need it in every step."""
    A = coassociation(ensemble)
    A.flags.writeable = False
    return A


def shares(ensemble: Ensemble, sums: np.ndarray) -> np.ndarray:
    """Sums (q, q) over base clusterings, each by how many have a label for both; 0 where none has. Sums are used up."""
    if not ensemble.has_missing:
        sums /= ensemble.m
        return sums
    seen = coverage(ensemble)
    return np.divide(sums, seen, out=np.zeros_like(sums), where=seen > 0)


def _same(columns: np.ndarray, observed: np.ndarray, K: int, weights: np.ndarray | None) -> np.ndarray:
    """H diag(weights) Hᵀ by symmetric rank updates on blocks of the dense incidence: half the work of a product."""
    q = len(columns)
    # counts below 2²⁴ are exact in single precision, at twice the speed
    dtype, update = (np.float32, blas.ssyrk) if weights is None else (np.float64, blas.dsyrk)
    total = np.zeros((q, q), dtype=dtype, order="F")
    p, i = np.nonzero(observed)
    column = columns[p, i]
    value = np.ones(len(p), dtype=dtype) if weights is None else np.sqrt(weights)[column]
    for start in range(0, K, _BLOCK):
        inside = (column >= start) & (column < start + _BLOCK)
        block = np.zeros((q, min(_BLOCK, K - start)), dtype=dtype, order="F")
        block[p[inside], column[inside] - start] = value[inside]
        total = update(1.0, block, beta=1.0, c=total, lower=1, overwrite_c=1)
    upper = total.T
    return mirrored(upper, out=None if weights is None else upper)  # in place where it is float64 already
