"""A hypergraph's incidence moved towards c parts, near a given one, by L-BFGS-B on the entries that can move.

    J(Y) = Σ_p n_p Σ_e w_e² (Y_pe − H_pe)² + ρ (c − Σ_e (w_e / d_e) ‖B_e‖²)   over 0 ≤ Y ≤ 1
    d_v = Yw,   d_e = Σ_p n_p Y_pe,   f_p = F_p / √d_v,   B_e = Σ_p n_p Y_pe f_p

Row p stands for n_p equal objects. The slope of J for one object is 2w²(Y − H) + ρ U Vᵀ with U = [1, u, f] and
V = [t, w, −2 (w/d_e) B], where t_e = w_e ‖B_e‖² / d_e² and u_p = f_p · Σ_e Y_pe (w_e/d_e) B_e / d_v: never more than the
entries asked for are computed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse
from scipy.optimize import fmin_l_bfgs_b

TINY = float(np.finfo(float).eps)  # least degree, so that nothing is divided by zero
CLOSE = 1e-12  # share of the way between the bounds that is no distance
NOISE = 1e-10  # slope of an entry at 0 that is rounding; such an entry is left alone
BLOCK = 1 << 16  # entries of U Vᵀ made at once: they stay in the cache


class Hypergraph(NamedTuple):
    """The problem. H as the flat indices of its ones, ascending."""

    ones: np.ndarray
    shape: tuple[int, int]
    counts: np.ndarray  # n
    w: np.ndarray
    F: np.ndarray
    rho: float

    def parts(self, Y) -> tuple[np.ndarray, np.ndarray, float]:
        """ρ U, V and the second term of J at a sparse Y."""
        n, w = self.counts, self.w
        d_v = np.maximum(Y @ w, TINY)
        f = self.F / np.sqrt(d_v)[:, None]
        sums = Y.T @ (n[:, None] * np.column_stack([np.ones(len(f)), f]))
        d_e, B = np.maximum(sums[:, 0], TINY), sums[:, 1:]
        pull = B * (w / d_e)[:, None]
        held = (B * pull).sum(axis=1)
        u = (f * (Y @ pull)).sum(axis=1) / d_v
        U = np.column_stack([np.ones(len(f)), u, f])
        V = np.column_stack([held / d_e, w, -2 * pull])
        return self.rho * U, V, self.rho * (self.F.shape[1] - float(held.sum()))

    def slope(self, Y: np.ndarray) -> np.ndarray:
        """(q, K): the slope of J at Y for one object of each row."""
        U, V, _ = self.parts(scipy.sparse.csr_array(Y))
        slope = U @ V.T
        slope += 2 * self.w**2 * Y
        slope.ravel()[self.ones] -= 2 * self.w[self.ones % self.shape[1]] ** 2
        return slope


def projected(Y: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """How far each entry would go down its slope inside [0, 1], at most as far as the slope is steep."""
    return np.minimum(np.where(slope < 0, 1 - Y, Y), np.abs(slope))


def learn(problem: Hypergraph, Y: np.ndarray, memory: int, steps: int, tol: float) -> tuple[np.ndarray, np.ndarray]:
    """Y after at most so many steps of L-BFGS-B from the Y given, and the slope of J there.

    Entries move that are 1 in H, above 0 in Y, or that J wants to raise; the others stay 0 until it does. It ends
    sooner where no entry's projected slope exceeds tol, or nothing is gained any more.
    """
    slope = problem.slope(Y)
    if projected(Y, slope).max() <= tol:
        return Y, slope
    moves = (Y > 0) | (slope < -NOISE)
    moves.ravel()[problem.ones] = True
    J = _Moving(problem, np.flatnonzero(moves))
    box = list(zip([0.0] * len(J.at), J.high.tolist(), strict=True))

    def enough(_):
        if projected(J.y, J.slope).max() <= tol:
            raise StopIteration

    start = J.high * Y.ravel()[J.at]
    x, _, _ = fmin_l_bfgs_b(J, start, bounds=box, m=memory, factr=0, pgtol=0, maxiter=steps, callback=enough)
    y = x / J.high
    learned = np.zeros(problem.shape)
    learned.ravel()[J.at] = np.where(y < CLOSE, 0, np.where(y > 1 - CLOSE, 1, y))
    return learned, problem.slope(learned)


class _Moving:
    """J and its slope as functions of x = √n Y at some entries: coordinates in which q rows move as n objects do."""

    def __init__(self, problem: Hypergraph, at: np.ndarray):
        q, K = problem.shape
        self.problem, self.at = problem, at
        starts = np.searchsorted(at, np.arange(q + 1) * K)
        rows = np.repeat(np.arange(q), np.diff(starts))
        columns = at - rows * K
        self.high = np.sqrt(problem.counts)[rows]
        self.h = np.zeros(len(at))
        self.h[np.searchsorted(at, problem.ones)] = 1
        self.bend = 2 * problem.w[columns] ** 2
        self.Y = scipy.sparse.csr_array((np.zeros(len(at)), columns, starts), shape=problem.shape)
        tall = max(1, BLOCK // K)
        cuts = [(low, min(low + tall, q)) for low in range(0, q, tall)]
        self.blocks = [(low, high, at[starts[low] : starts[high]] - low * K) for low, high in cuts]

    def __call__(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        self.y = self.Y.data = np.clip(x / self.high, 0, 1)
        U, V, structure = self.problem.parts(self.Y)
        apart = self.y - self.h
        fit = self.bend * apart
        self.slope = np.concatenate([(U[low:high] @ V.T).ravel().take(at) for low, high, at in self.blocks]) + fit
        return float((self.high**2 * fit) @ apart) / 2 + structure, self.high * self.slope
