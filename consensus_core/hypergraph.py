"""A hypergraph's incidence moved towards a wanted structure, entry by entry where it can move at all.

    J(Y) = Σ_p counts_p Σ_e w_e² (Y_pe − H_pe)² + ρ (c − Σ_e (w_e / d_e) ‖B_e‖²),   0 ≤ Y ≤ 1
    f = F_p / √d_v,   B_e = Σ_p counts_p Y_pe f_p,   d_v = Yw,   d_e = Σ_p counts_p Y_pe

Its derivative for one object is 2 w²(Y − H) + ρ (U Vᵀ)_pe with U = [1, u, f] and V = [t, w, −2 B w/d_e]: sparse plus
low rank. Nearly all entries are 0 and want to stay there, so L-BFGS-B runs on the few others only, and is still the
one on all entries: what the rest adds to its inner products follows from U and V. Coordinates are √counts · Y, in which
q rows move exactly as the n rows of their objects would.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse

from .linalg.line_search import line_search
from .linalg.quasi_newton import TIE, Memory, cauchy_point, longest_step, subspace_point

TINY = float(np.finfo(float).eps)  # least degree, so that nothing is divided by zero
NOISE = 1e-10  # derivative of an entry at 0 that is rounding; such an entry is left alone


class Slopes(NamedTuple):
    """What every entry's derivative follows from, at one Y."""

    dv: np.ndarray  # (q,)
    u: np.ndarray  # (q,)
    t: np.ndarray  # (k,)
    Bw: np.ndarray  # (k, c)


class Turn(NamedTuple):
    """One quasi-Newton step: enough to follow any single entry through it."""

    slopes: Slopes  # where it began
    forgot: bool  # the memory was emptied first
    theta: float
    time: float  # how far down the projected gradient, and the last bound reached on the way
    last: float
    Mc: np.ndarray | None  # None: no step in the free subspace
    v: np.ndarray | None
    along: float | None
    step: float  # of the line search
    slot: int  # where the pair (s, y) was kept; −1: it was not


class Hypergraph(NamedTuple):
    """The problem. H as the flat indices of its ones, ascending."""

    ones: np.ndarray
    shape: tuple[int, int]
    counts: np.ndarray
    w: np.ndarray
    F: np.ndarray
    rho: float

    def has(self, p: int, e: int) -> bool:
        flat = p * self.shape[1] + e
        place = int(np.searchsorted(self.ones, flat))
        return place < len(self.ones) and int(self.ones[place]) == flat


def learn(
    problem: Hypergraph, Y: np.ndarray, memory: int, steps: int, tol: float
) -> tuple[np.ndarray, tuple[Turn, ...]]:
    """Y after at most so many steps of L-BFGS-B from the Y given, and these steps.

    Ends where no entry's projected derivative exceeds tol, where nothing is gained any more, or after `steps`.
    """
    active = _Active(problem, Y)
    active.evaluate()
    active.admit(None)
    kept, turns = Memory(memory, len(active.at)), []
    while len(turns) < steps and active.steepest() > tol:
        turn = _advance(active, kept, first=not turns)
        if turn is None:
            break
        turns.append(turn)
        if not active.gained:
            break
    return active.dense(), tuple(turns)


def _advance(active, kept, first) -> Turn | None:
    """One accepted step, and what it was; None where none lowers J."""
    x, g, value, slopes, low, forgot = active.x, active.g, active.value, active.slopes, active.low_here, False
    while True:
        target, time, last, free, c = cauchy_point(x, g, active.high, kept)
        Mc = v = along = None
        if kept.kept and len(free):
            target, Mc, v, along = subspace_point(x, g, active.high, target, free, c, kept)
        d = target - x
        slope = float(g @ d)
        if slope < 0:
            longest = 1.0 if first else max(longest_step(x, d, active.high), 1.0)
            step = line_search(partial(active.move, x, d, target), value, slope, longest)
            if step is not None:
                break
        active.back(x, g, value, slopes)
        if not kept.kept:
            return None
        kept.forget(len(active.at))
        forgot = True
    theta = kept.theta
    slot = -1
    change = active.g - g
    after = float(active.g @ d)
    if (after - slope) * step > TINY * -slope * step:
        yy = float(change @ change) + active.elsewhere(slopes, low)
        slot = kept.learn(d if step == 1 else step * d, change, (after - slope) * step, yy)
    active.gained = active.value < value
    active.remember(slot, slopes, forgot)
    active.admit(kept)
    return Turn(slopes, forgot, theta, time, last, Mc, v, along, step, slot)


def follow(problem: Hypergraph, turns: tuple[Turn, ...], memory: int, y: float, p: int, e: int):
    """One entry through the same steps by scalar arithmetic: its value after each, and its derivative before each."""
    h = float(problem.has(p, e))
    high, w = float(np.sqrt(problem.counts[p])), float(problem.w[e])
    inside = h > 0 or y > 0
    x = high * y
    S, Y, met = np.zeros(memory), np.zeros(memory), 0  # its own share of the memory
    waiting, g_before = None, 0.0
    values, slopes = [], []
    for turn in turns:
        at = turn.slopes
        f = problem.F[p] / np.sqrt(at.dv[p])
        structure = problem.rho * float(at.t[e] + at.u[p] * w - 2 * (f @ at.Bw[e]))
        slope = 2 * w * w * (x / high - h) + structure
        g = high * slope
        if waiting is not None:
            slot, s = waiting
            S[slot], Y[slot] = s, g - g_before
            met = max(met, slot + 1)
        if turn.forgot:
            met = 0
        inside = inside or structure < -NOISE
        slopes.append(slope)
        fixed = (x <= 0 and g >= 0) or (x >= high and g <= 0)
        target = x
        if inside and not fixed:
            d = -g
            reach = ((high - x) if d > 0 else x) / abs(d) if d else np.inf
            if reach <= turn.last * (1 + 10 * TIE):
                target = high if d > 0 else 0.0
            else:
                target = x + turn.time * d
                if turn.v is not None:
                    W = np.concatenate([Y[:met], turn.theta * S[:met]])
                    r = -turn.theta * (target - x) - g + float(turn.Mc @ W)
                    wanted = r / turn.theta + float(turn.v @ W) / turn.theta**2
                    target += wanted if turn.along is None else turn.along * wanted
                    target = min(max(target, 0.0), high)
        step = turn.step * (target - x)
        x = min(max(x + step if turn.step != 1 else target, 0.0), high)
        waiting = (turn.slot, step) if turn.slot >= 0 else None
        g_before = g
        values.append(min(x / high, 1.0))
    return values, slopes


class _Active:
    """The entries that can move, and J and its derivative there."""

    def __init__(self, problem: Hypergraph, Y: np.ndarray):
        self.problem = problem
        on = Y > 0
        on.ravel()[problem.ones] = True
        self.at = np.flatnonzero(on)
        self.h = np.zeros(len(self.at))
        self.h[np.searchsorted(self.at, problem.ones)] = 1
        self.y = Y.ravel()[self.at]
        self.pairs = {}  # slot of the memory: slopes before and after
        self.gained = True
        self.pace = 0.0  # how much derivatives change in a step
        self._index()
        self.x = self.high * self.y

    def _index(self):
        q, K = self.problem.shape
        self.rows, self.columns = np.divmod(self.at, K)
        self.starts = np.searchsorted(self.at, np.arange(q + 1) * K)
        self.high = np.sqrt(self.problem.counts)[self.rows]
        self.weight = self.problem.w[self.columns]

    def evaluate(self):
        problem, y = self.problem, self.y
        counts, w, F = problem.counts, problem.w, problem.F
        Y = scipy.sparse.csr_array((y, self.columns, self.starts), shape=problem.shape)
        Yt = Y.T
        dv, de = np.maximum(Y @ w, TINY), np.maximum(Yt @ counts, TINY)
        f = F / np.sqrt(dv)[:, None]
        B = Yt @ (counts[:, None] * f)
        Bw = B * (w / de)[:, None]
        inside = (B * Bw).sum(axis=1)
        u = (f * (Y @ Bw)).sum(axis=1) / dv
        fit = self.weight * (y - self.h)
        self.value = float((self.high * fit) @ (self.high * fit)) + problem.rho * (F.shape[1] - float(inside.sum()))
        self.slopes = Slopes(dv, u, inside / de, Bw)
        U, V = self._low_rank(self.slopes)
        self.low = U @ V.T
        self.low_here = self.low.ravel()[self.at]
        self.g = self.high * (2 * self.weight * fit + self.low_here)

    def _low_rank(self, slopes: Slopes):
        """U and V, ρ included in V."""
        problem = self.problem
        f = problem.F / np.sqrt(slopes.dv)[:, None]
        U = np.column_stack([np.ones(len(f)), slopes.u, f])
        V = np.column_stack([slopes.t, problem.w, -2 * slopes.Bw])
        return U, problem.rho * V

    def move(self, x, d, target, step):
        """To x + step d: J and its slope along d there."""
        self.x = target if step == 1 else np.clip(x + step * d, 0, self.high)
        self.y = np.minimum(self.x / self.high, 1.0)
        self.evaluate()
        return self.value, float(self.g @ d)

    def back(self, x, g, value, slopes):
        self.x, self.y = x, np.minimum(x / self.high, 1.0)
        self.evaluate()

    def steepest(self) -> float:
        """Greatest projected derivative of an object's entry."""
        slope = self.g / self.high
        return float(
            np.abs(np.where(slope < 0, np.maximum(self.y - 1, slope), np.minimum(self.y, slope))).max(initial=0.0)
        )

    def elsewhere(self, before: Slopes, low: np.ndarray) -> float:
        """Σ over all other entries of the squared change of their derivative since `before`; `low`: ours then."""
        (U0, V0), (U1, V1) = self._low_rank(before), self._low_rank(self.slopes)
        P, Q = np.hstack([U1 - U0, U0]), np.hstack([V1, V1 - V0])
        everywhere = float(((P.T @ (self.problem.counts[:, None] * P)) * (Q.T @ Q)).sum())
        change = self.low_here - low
        self.pace = float(np.sqrt(change @ change / len(change)))
        here = self.high * change
        return max(everywhere - float(here @ here), 0.0)

    def remember(self, slot, before, forgot):
        if forgot:
            self.pairs = {}
        if slot >= 0:
            self.pairs[slot] = (before, self.slopes)

    def admit(self, kept):
        """Takes in the entries at 0 that J now wants to raise."""
        rising = self.low < -NOISE
        rising.ravel()[self.at] = False
        if not rising.any():
            return
        # those likely to follow come along, for making room is dear: at 0 with a positive derivative they do nothing
        rising = self.low < self.pace
        rising.ravel()[self.at] = False
        new = np.flatnonzero(rising)
        places, where = np.searchsorted(self.at, new) + np.arange(len(new)), np.searchsorted(new, self.at)
        where += np.arange(len(self.at))
        size = len(self.at) + len(new)

        def grown(old, value=0.0):
            array = np.empty(size, dtype=old.dtype)
            array[where], array[places] = old, value
            return array

        self.at, self.h, self.x, self.y = grown(self.at, new), grown(self.h), grown(self.x), grown(self.y)
        self._index()
        self.low_here = self.low.ravel()[self.at]
        self.g = grown(self.g, self.high[places] * self.low_here[places])
        if kept is not None:
            rows, columns = self.rows[places], self.columns[places]
            y_new = np.zeros((kept.kept, len(new)))
            for slot, (before, after) in self.pairs.items():
                (U0, V0), (U1, V1) = self._low_rank(before), self._low_rank(after)
                change = (U1[rows] * V1[columns]).sum(axis=1) - (U0[rows] * V0[columns]).sum(axis=1)
                y_new[slot] = self.high[places] * change
            kept.grow(size, where, places, y_new)

    def dense(self) -> np.ndarray:
        Y = np.zeros(self.problem.shape)
        Y.ravel()[self.at] = self.y
        return Y
