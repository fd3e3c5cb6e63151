"""Large matrices in tiles that stay in cache: a few rows at a time, and square tiles with their mirror images."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

TILE = 256  # rows and columns: half a megabyte, so that a tile and its mirror image stay in the second cache


def row_tiles(rows: int, width: int, entries: int) -> Iterator[slice]:
    """Consecutive rows, each `width` wide, so many at a time as make about so many entries."""
    height = max(1, entries // max(width, 1))
    for start in range(0, rows, height):
        yield slice(start, min(start + height, rows))


def mirrored(upper: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The symmetric matrix (q, q) of which only the upper triangle is known; `out` may be the very array."""
    out = np.empty(upper.shape) if out is None else out
    for a, b in _upper_tiles(len(upper)):
        part = upper[a, b]
        if a == b:
            part = np.triu(part) + np.triu(part, 1).T
        if a == b or out is not upper:
            out[a, b] = part
        out[b, a] = part.T
    return out


def symmetrise(A: np.ndarray) -> np.ndarray:
    """(A + Aᵀ) / 2, written over A (q, q)."""
    for a, b in _upper_tiles(len(A)):
        mean = A[a, b] + A[b, a].T
        mean *= 0.5
        A[a, b] = mean
        A[b, a] = mean.T
    return A


def _upper_tiles(q: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles of the upper triangle, those on the diagonal too."""
    cuts = [slice(start, min(start + TILE, q)) for start in range(0, q, TILE)]
    for i, a in enumerate(cuts):
        for b in cuts[i:]:
            yield a, b
