"""The random walk of every base clustering, mixed and summed without ever forming one.

A⁽ᵏ⁾ is co-membership in base clustering k with rows that sum to one: from an object of a cluster C every object of C is
reached with probability 1 / |C|. Which base clusterings put two microclusters together is a bit mask, cut into planes
of a few bits. For one row, a mixture of all m walks is then one look-up per plane, and the sums over its m clusters
are one histogram per plane.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..linalg import canonical_signs
from .ensemble import Ensemble
from .incidence import cluster_sizes, contingency, incidence

ROUNDING = 1e-12  # divergences below it are equality
SHALLOW = 1e-4  # eigenvalues of ZᵀZ below it leave vectors that are not orthonormal to rounding
KEPT = 1 << 29  # bytes of masks kept between passes; larger ones are made again, tile by tile


@dataclass(frozen=True, eq=False)
class Transitions:
    """The m walks over q distinct rows of labels. No label may be missing."""

    codes: np.ndarray  # (m, q) labels in the smallest integers that hold them
    counts: np.ndarray  # (q,) floats
    sizes: np.ndarray  # (q, m) objects in the cluster of each row
    bits: tuple[int, ...]  # base clusterings in each plane
    planes: tuple[np.ndarray, ...]  # (q, q) uint16 each, or none where they would be too large

    @property
    def q(self) -> int:
        return self.codes.shape[1]

    @property
    def m(self) -> int:
        return self.codes.shape[0]

    def tiles(self, entries: int) -> Iterator[slice]:
        """Consecutive rows, about as many as make `entries` pairs."""
        height = max(1, entries // self.q)
        for start in range(0, self.q, height):
            yield slice(start, min(start + height, self.q))

    def indices(self, rows: slice) -> list[np.ndarray]:
        """Per plane (r, q): where each pair's mask stands in the flattened tables (r, 2^bits) of these rows."""
        planes = [plane[rows] for plane in self.planes] or masks(self.codes, self.bits, rows)
        row = np.arange(planes[0].shape[0])[:, None]
        return [plane + (row << bits) for plane, bits in zip(planes, self.bits, strict=True)]

    def mixture(self, rows: slice, indices: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
        """Σ_k weights_k A⁽ᵏ⁾ at these rows: (r, q)."""
        shares = weights / self.sizes[rows]
        total = None
        for index, first, last in self._spans(indices):
            found = _subset_sums(shares[:, first:last]).take(index)
            total = found if total is None else np.add(total, found, out=total)
        return total

    def means(self, rows: slice, indices: list[np.ndarray], values: np.ndarray) -> np.ndarray:
        """Σ_j A⁽ᵏ⁾_ij values_ij over all objects j, for every k: (r, m). `values` (r, q) come times counts."""
        sums = np.empty((values.shape[0], self.m))
        for index, first, last in self._spans(indices):
            size = 1 << (last - first)
            histogram = np.bincount(index.ravel(), values.ravel(), minlength=size * len(values))
            has = np.arange(size)[:, None] >> np.arange(last - first) & 1
            sums[:, first:last] = histogram.reshape(-1, size) @ has.astype(float)
        return sums / self.sizes[rows]

    def divergences(self, rows: slice, indices: list[np.ndarray], B: np.ndarray) -> np.ndarray:
        """KL(A⁽ᵏ⁾_i ‖ B_i) = −log |C_k(i)| − (mean of log B_ij over C_k(i)), for every k: (r, m).

        B (r, q) must be positive wherever some base clustering puts the two together; elsewhere it may be anything.
        """
        logs = np.log(B, out=np.zeros_like(B), where=B > 0)
        logs *= self.counts
        KL = -np.log(self.sizes[rows]) - self.means(rows, indices, logs)
        KL[KL < ROUNDING] = 0
        return KL

    def _spans(self, indices):
        ends = np.cumsum(self.bits)
        return zip(indices, ends - self.bits, ends, strict=True)


def masks(codes: np.ndarray, bits: tuple[int, ...], rows: slice) -> list[np.ndarray]:
    """Per plane (r, q) uint16: bit i is set where base clustering i of the plane puts the two rows together."""
    planes, k = [], 0
    for size in bits:
        plane = None
        for bit in range(size):
            term = np.multiply(codes[k, rows, None] == codes[k, None], np.uint16(1 << bit))
            plane = term if plane is None else np.bitwise_or(plane, term, out=plane)
            k += 1
        planes.append(plane)
    return planes


def _subset_sums(values: np.ndarray) -> np.ndarray:
    """(r, 2^b) from (r, b): entry s of a row is the sum of its values whose bits are set in s."""
    sums = np.zeros((len(values), 1 << values.shape[1]))
    for bit in range(values.shape[1]):
        half = 1 << bit
        np.add(sums[:, :half], values[:, bit, None], out=sums[:, half : 2 * half])
    return sums


def slowest_modes(ensemble: Ensemble, k: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The k smallest eigenpairs of I − (mean of the walks): values (k,), vectors (q, k), orthonormal with counts.

    The mean walk is Z Zᵀ with one column of Z per cluster, √counts [in the cluster] / √(m size), so its eigenvectors
    follow from the K x K matrix ZᵀZ, and all its rows sum to one. For connected ensembles; None where there are more
    clusters than rows, or fewer than k modes that are not mere rounding.
    """
    K, counts = int(ensemble.offsets[-1]), ensemble.counts.astype(float)
    if not k <= K < ensemble.q:
        return None
    scale = 1 / np.sqrt(ensemble.m * cluster_sizes(ensemble))
    gram = contingency(ensemble).toarray() * scale * scale[:, None]
    squares, V = scipy.linalg.eigh(gram, subset_by_index=(K - k, K - 1), check_finite=False)
    if squares[0] < SHALLOW:
        return None
    F = incidence(ensemble) @ (scale[:, None] * V[:, ::-1]) / np.sqrt(squares[::-1])
    F[:, 0] = 1 / np.sqrt(counts.sum())
    return 1 - squares[::-1], canonical_signs(F, counts)


_known: weakref.WeakKeyDictionary[Ensemble, Transitions] = weakref.WeakKeyDictionary()


def transitions_of(ensemble: Ensemble) -> Transitions:
    """The walks of an ensemble, prepared once and kept as long as the ensemble lives."""
    found = _known.get(ensemble)
    if found is None:
        found = _known[ensemble] = _prepare(ensemble)
    return found


def _prepare(ensemble: Ensemble) -> Transitions:
    q, m = ensemble.q, ensemble.m
    most = int(np.clip(np.log2(q) - 1, 4, 10))  # a row's tables stay shorter than the row
    count = -(-m // most)
    bits = tuple(int(size) for size in np.diff(np.linspace(0, m, count + 1).astype(int)))
    small = np.uint8 if ensemble.rows.max() < 256 else np.uint16 if ensemble.rows.max() < 65536 else np.uint32
    codes = np.ascontiguousarray(ensemble.rows.T.astype(small))
    sizes = cluster_sizes(ensemble)[ensemble.rows + ensemble.offsets[:-1]]
    planes: tuple[np.ndarray, ...] = ()
    if 2 * q * q * count <= KEPT:
        planes = tuple(np.empty((q, q), dtype=np.uint16) for _ in bits)
        height = max(1, (1 << 17) // q)
        for start in range(0, q, height):
            rows = slice(start, start + height)
            for whole, part in zip(planes, masks(codes, bits, rows), strict=True):
                whole[rows] = part
    for array in (codes, sizes, *planes):
        array.flags.writeable = False
    return Transitions(codes, ensemble.counts.astype(float), sizes, bits, planes)
