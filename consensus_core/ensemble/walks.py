"""The random walk of every base clustering, mixed and summed without ever forming one.

A⁽ᵏ⁾ is co-membership in base clustering k with rows that sum to one: from an object of a cluster C every object of C is
reached with probability 1 / |C|. For one row, a mixture of all m walks is one look-up per plane of bit masks (`masks`),
and the sums over its m clusters are one histogram per plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..linalg import canonical_signs, row_tiles
from .ensemble import Ensemble
from .incidence import cluster_sizes, contingency, incidence
from .masks import Votes, look_up, once

ROUNDING = 1e-12  # divergences below it are equality
SHALLOW = 1e-4  # eigenvalues of ZᵀZ below it leave vectors that are not orthonormal to rounding
KEPT = 1 << 29  # bytes of masks kept between passes; larger ones are made again, tile by tile
TILE = 1 << 16  # entries handled together: few enough to stay in cache, many enough for numpy's overhead
MADE = 1 << 17  # masks made together


@dataclass(frozen=True, eq=False)
class Walks:
    """The m walks over q distinct rows of labels. No label may be missing."""

    votes: Votes
    counts: np.ndarray  # (q,) floats
    sizes: np.ndarray  # (q, m) objects in the cluster of each row
    kept: tuple[np.ndarray, ...]  # masks (q, q) uint16, or none where they would be too large

    def tiles(self) -> Iterator[tuple[slice, list[np.ndarray]]]:
        """Some rows at a time, with their masks."""
        q = len(self.counts)
        for rows in row_tiles(q, q, TILE):
            yield rows, self.masks(rows)

    def masks(self, rows: slice) -> list[np.ndarray]:
        """Who puts these rows together with every row, as places in tables of which each row has its own."""
        masks = [mask[rows] for mask in self.kept] or self.votes.together(rows)
        return self.votes.planes.in_rows(masks)

    def mixture(self, rows: slice, masks: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
        """Σ_k weights_k A⁽ᵏ⁾ at these rows: (r, q)."""
        return look_up(self.votes.planes.tables(weights / self.sizes[rows]), masks)

    def means(self, rows: slice, masks: list[np.ndarray], values: np.ndarray) -> np.ndarray:
        """Σ_j A⁽ᵏ⁾_ij values_ij over all objects j, for every k: (r, m). `values` (r, q) come times counts."""
        planes = self.votes.planes
        return planes.per_clustering(planes.histograms(masks, values, len(values))) / self.sizes[rows]

    def divergences(self, rows: slice, masks: list[np.ndarray], B: np.ndarray) -> np.ndarray:
        """KL(A⁽ᵏ⁾_i ‖ B_i) = −log |C_k(i)| − (mean of log B_ij over C_k(i)), for every k: (r, m).

        B (r, q) must be positive wherever some base clustering puts the two together; elsewhere it may be anything.
        """
        logs = np.log(B, out=np.zeros_like(B), where=B > 0)
        logs *= self.counts
        KL = -np.log(self.sizes[rows]) - self.means(rows, masks, logs)
        KL[KL < ROUNDING] = 0
        return KL


@once
def walks_of(ensemble: Ensemble) -> Walks:
    """The walks of an ensemble."""
    q, sizes = ensemble.q, cluster_sizes(ensemble)[ensemble.rows + ensemble.offsets[:-1]]
    votes = Votes.of(ensemble, most=int(np.clip(np.log2(q) - 1, 4, 10)))  # a row's tables stay shorter than the row
    kept: tuple[np.ndarray, ...] = ()
    if 2 * q * q * len(votes.planes.bits) <= KEPT:
        kept = tuple(np.empty((q, q), dtype=np.uint16) for _ in votes.planes.bits)
        for rows in row_tiles(q, q, MADE):
            for whole, part in zip(kept, votes.together(rows), strict=True):
                whole[rows] = part
    for array in (votes.codes, sizes, *kept):
        array.flags.writeable = False
    return Walks(votes, ensemble.weights, sizes, kept)


def slowest_modes(ensemble: Ensemble, k: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The k smallest eigenpairs of I − (mean of the walks): values (k,), vectors (q, k), orthonormal with counts.

    The mean walk is Z Zᵀ with one column of Z per cluster, √counts [in the cluster] / √(m size), so its eigenvectors
    follow from the K x K matrix ZᵀZ, and all its rows sum to one. For connected ensembles; None where there are more
    clusters than rows, or fewer than k modes that are not mere rounding.
    """
    K = ensemble.K
    if not k <= K < ensemble.q:
        return None
    scale = 1 / np.sqrt(ensemble.m * cluster_sizes(ensemble))
    gram = contingency(ensemble).toarray() * scale * scale[:, None]
    squares, V = scipy.linalg.eigh(gram, subset_by_index=(K - k, K - 1), check_finite=False)
    if squares[0] < SHALLOW:
        return None
    F = incidence(ensemble) @ (scale[:, None] * V[:, ::-1]) / np.sqrt(squares[::-1])
    F[:, 0] = 1 / np.sqrt(ensemble.n)
    return 1 - squares[::-1], canonical_signs(F, ensemble.weights)
