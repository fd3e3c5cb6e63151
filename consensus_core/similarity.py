"""How much pairs of microclusters belong together, according to an ensemble."""

from __future__ import annotations

import numpy as np
import scipy.sparse
from scipy.linalg import blas

from .ensemble import Ensemble
from .microclusters import MISSING

_BLOCK = 512  # columns of the dense incidence held at a time


def incidence(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """H (q, K): 1 where a microcluster is in a cluster; the clusters of all base clusterings are numbered through."""
    return indicators(ensemble.rows, ensemble.offsets)


def indicators(rows: np.ndarray, offsets: np.ndarray) -> scipy.sparse.csr_array:
    """(q, K): the incidence of any label rows (q, m), column i having the clusters offsets[i] .. offsets[i + 1] − 1."""
    observed = rows != MISSING
    columns = (rows + offsets[:-1])[observed]
    starts = np.concatenate([[0], np.cumsum(observed.sum(axis=1))])
    shape = (len(rows), int(offsets[-1]))
    return scipy.sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)


def marks(rows: np.ndarray, k: int) -> np.ndarray:
    """(q, k): a fixed pattern told by an object's labels alone, for directions the base clusterings leave open."""
    told = ((rows + 2) * np.sqrt(np.arange(2, rows.shape[1] + 2))).sum(axis=1)
    return np.cos(told[:, None] * np.arange(1, k + 1))


def cluster_sizes(ensemble: Ensemble) -> np.ndarray:
    """(K,): objects in each cluster of each base clustering."""
    return incidence(ensemble).T @ ensemble.counts.astype(float)


def cluster_names(ensemble: Ensemble) -> tuple[str, ...]:
    """(K,): whose cluster, and which: "k-means 3: 2"."""
    return tuple(
        f"{name}: {c}" for name, k in zip(ensemble.names, ensemble.k_each, strict=True) for c in range(1, k + 1)
    )


def contingency(ensemble: Ensemble) -> scipy.sparse.csr_array:
    """(K, K): objects that two clusters share."""
    H = incidence(ensemble)
    return scipy.sparse.csr_array(H.T @ H.multiply(ensemble.counts[:, None].astype(float)))


def together(ensemble: Ensemble, weights: np.ndarray | None = None) -> np.ndarray:
    """(q, q) float64: in how many base clusterings each pair is together (exact whole numbers).

    With `weights` (K,) a cluster that holds both counts with its weight instead of 1.
    """
    return _same(ensemble.rows + ensemble.offsets[:-1], ~ensemble.missing, int(ensemble.offsets[-1]), weights)


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
    return _shares(ensemble, together(ensemble))


def entropies(ensemble: Ensemble) -> np.ndarray:
    """(K,): how much each cluster is torn by the whole ensemble, −Σ_i Σ_j p log₂ p with p = |C ∩ C_j⁽ⁱ⁾| / |C|.

    Shares are taken among the members that have a label in base clustering i.
    """
    shared = contingency(ensemble).tocoo()
    owner = np.repeat(np.arange(ensemble.m), ensemble.k_each)
    observed = np.zeros((shared.shape[0], ensemble.m))  # members of each cluster with a label in each base clustering
    np.add.at(observed, (shared.row, owner[shared.col]), shared.data)
    p = shared.data / observed[shared.row, owner[shared.col]]
    return np.bincount(shared.row, weights=-p * np.log2(p), minlength=shared.shape[0])


def cluster_indices(ensemble: Ensemble, theta: float = 0.4) -> np.ndarray:
    """(K,): the ensemble-driven cluster index ECI = exp(−entropy / (θ m)) of Huang, Wang and Lai (2018), in (0, 1]."""
    return np.exp(-entropies(ensemble) / (theta * ensemble.m))


def local_weighting(ensemble: Ensemble, theta: float = 0.4) -> np.ndarray:
    """(q, q): the locally weighted co-association, Σ_i ECI(C⁽ⁱ⁾) [together] / m: clusters count with their index.

    With missing labels the mean is over the base clusterings that have a label for both, 0 where there is none.
    """
    return _shares(ensemble, together(ensemble, cluster_indices(ensemble, theta)))


def probability_trajectories(ensemble: Ensemble, elite: int | None = None, steps: int | None = None) -> np.ndarray:
    """(q, q): how alike random walks from two microclusters are, the PTS of Huang, Lai and Wang (2016).

    Each microcluster keeps its links to its `elite` nearest others by co-association (ties included), a link stays if
    either end keeps it. A walker moves with q_pr ∝ counts_r w_pr; after 1 … T steps its distributions, one after the
    other, are its trajectory, and the similarity is the cosine of two trajectories:

        S = Σ_t Qᵗ(Qᵗ)ᵀ,   A_pr = S_pr / √(S_pp S_rr)

    `elite` and `steps` are ⌊√q / 2⌋, at least 1, unless given. A walker without links stays where it is.
    """
    Q, steps = trajectory_walk(ensemble, elite, steps)
    S = _walked(Q, steps)
    length = np.sqrt(S.diagonal())
    for row, own in zip(S, length, strict=True):
        row /= own * length  # one product, so that A is symmetric to the last digit
    np.fill_diagonal(S, 1.0)
    return np.minimum(S, 1.0, out=S)


def trajectory_walk(ensemble: Ensemble, elite: int | None = None, steps: int | None = None) -> tuple[np.ndarray, int]:
    """Q (q, q), how a walker moves between microclusters, and T, how many steps it takes."""
    usual = max(1, int(np.sqrt(ensemble.q) / 2))
    return _transitions(ensemble, min(elite or usual, ensemble.q - 1)), steps or usual


def _transitions(ensemble: Ensemble, elite: int) -> np.ndarray:
    if ensemble.q == 1:
        return np.ones((1, 1))
    links = coassociation(ensemble)
    np.fill_diagonal(links, 0.0)
    weakest = np.partition(links, ensemble.q - elite, axis=1)[:, ensemble.q - elite]
    kept = links >= weakest[:, None]
    links[~(kept | kept.T)] = 0.0
    links *= ensemble.counts
    reach = links.sum(axis=1)
    lost = np.flatnonzero(reach == 0)
    links[lost, lost] = reach[lost] = 1.0
    links /= reach[:, None]
    return links


def _walked(Q: np.ndarray, steps: int) -> np.ndarray:
    """Σ_{t=1}^{steps} Qᵗ(Qᵗ)ᵀ, by doubling: S_2a = S_a + Qᵃ S_a (Qᵃ)ᵀ and S_a+1 = S_1 + Q S_a Qᵀ."""
    first = Q @ Q.T
    S, power, done = first, Q, 1
    for bit in bin(steps)[3:]:
        S = S + power @ S @ power.T
        done *= 2
        if bit == "1":
            S = first + Q @ S @ Q.T
            done += 1
        if done < steps:
            power = power @ power if bit == "0" else power @ power @ Q
    return (S + S.T) / 2


def _shares(ensemble: Ensemble, sums: np.ndarray) -> np.ndarray:
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
    return _mirrored(total)


def _mirrored(lower: np.ndarray) -> np.ndarray:
    """A C-ordered float64 matrix from the lower triangle, in tiles that stay in cache."""
    q, tile = len(lower), 256
    full = np.empty((q, q))
    for a in range(0, q, tile):
        for b in range(0, a + 1, tile):
            part = lower[a : a + tile, b : b + tile]
            if a == b:
                part = np.tril(part) + np.tril(part, -1).T
            full[a : a + tile, b : b + tile] = part
            full[b : b + tile, a : a + tile] = part.T
    return full
