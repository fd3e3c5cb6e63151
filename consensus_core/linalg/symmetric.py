"""Making a square matrix symmetric."""

TILE = 256  # half a megabyte: a tile and its mirror image stay in the second cache


def symmetrise(A):
    """(A + Aᵀ) / 2, written over A (q, q)."""
    for a in range(0, len(A), TILE):
        for b in range(a, len(A), TILE):
            mean = A[a : a + TILE, b : b + TILE] + A[b : b + TILE, a : a + TILE].T
            mean *= 0.5
            A[a : a + TILE, b : b + TILE] = mean
            A[b : b + TILE, a : a + TILE] = mean.T
    return A
