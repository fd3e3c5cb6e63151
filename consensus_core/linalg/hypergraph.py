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

from .line_search import line_search
from .quasi_newton import TIE, Memory, cauchy_point, longest_step, room_ahead, subspace_point

TINY = float(np.finfo(float).eps)  # least degree, so that nothing is divided by zero
CLOSE = 1e-12  # share of the way between the bounds that is no distance
NOISE = 1e-10  # derivative of an entry on a bound that is rounding; such an entry is left alone


class Slopes(NamedTuple):
    """What every entry's derivative follows from, at one Y: U and V, ρ included in V."""

    dv: np.ndarray  # (q,)
    U: np.ndarray  # (q, c + 2)
    V: np.ndarray  # (k, c + 2)


class Turn(NamedTuple):
    """One quasi-Newton step, but for its vectors: enough to follow any single entry through it."""

    forgot: bool  # the memory was emptied first
    theta: float
    time: float  # how far down the projected gradient, and the last bound reached on the way
    last: float
    known: int  # length of Mc and v; 0: no step in the free subspace
    along: float  # how far along it; −1: all the way, then clipped
    step: float  # of the line search
    slot: int  # where the pair (s, y) was kept; −1: it was not


class Path(NamedTuple):
    """All steps of a round, what is of one kind together."""

    turns: np.ndarray  # (steps, 8): the fields of Turn
    inner: np.ndarray  # (steps, 2, 2 memory): Mc and v
    dv: np.ndarray  # (steps, q)
    u: np.ndarray  # (steps, q)
    V: np.ndarray  # (steps, k, c + 2)


class Move(NamedTuple):
    """What one such step does to one entry."""

    turn: Turn
    kind: str  # "still" it stays, at a bound or not yet let in; how the step finds where to go: see `follow`
    y: float  # where the entry is before it
    slope: float  # of J, for one object
    aim: float  # where the step would have it; the line search goes turn.step of the way
    learnt: np.ndarray  # (4, pairs): coefficients and changes of slope, coefficients and moves, as remembered
    after: float


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


def learn(problem: Hypergraph, Y: np.ndarray, memory: int, steps: int, tol: float) -> tuple[np.ndarray, Path]:
    """Y after at most so many steps of L-BFGS-B from the Y given, and these steps.

    Ends where no entry's projected derivative exceeds tol, where nothing is gained any more, or after `steps`.
    """
    active = _Active(problem, Y)
    active.evaluate()
    active.admit(None)
    kept, taken = Memory(memory, len(active.at)), []
    while len(taken) < steps and active.steepest() > tol:
        step = _advance(active, kept, first=not taken)
        if step is None:
            break
        taken.append(step)
        if not active.gained:
            break
    return active.dense(), _path(taken, problem, memory)


def _path(taken: list[tuple[Turn, np.ndarray, Slopes]], problem: Hypergraph, memory: int) -> Path:
    (q, k), c = problem.shape, problem.F.shape[1]
    count = len(taken)
    path = Path(
        np.array([turn for turn, _, _ in taken], dtype=float).reshape(count, len(Turn._fields)),
        np.zeros((count, 2, 2 * memory)),
        *(np.empty((count, *shape)) for shape in ((q,), (q,), (k, c + 2))),
    )
    for i, (turn, inner, slopes) in enumerate(taken):
        path.inner[i, :, : turn.known] = inner
        path.dv[i], path.u[i], path.V[i] = slopes.dv, slopes.U[:, 1], slopes.V
    return path


def _advance(active, kept, first) -> tuple[Turn, np.ndarray, Slopes] | None:
    """One accepted step, its Mc and v, and where it began; None where none lowers J."""
    x, g, value, slopes, low, forgot = active.x, active.g, active.value, active.slopes, active.low_here, False
    while True:
        try:
            target, time, last, inner, along = _target(active, kept)
            d = target - x
            slope = float(g @ d)
        except np.linalg.LinAlgError:
            slope = 0.0
        if slope < 0:
            longest = partial(_longest, first, x, d, active.high)
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
    return Turn(forgot, theta, time, last, inner.shape[1], along, step, slot), inner, slopes


def follow(problem: Hypergraph, path: Path, memory: int, y: float, p: int, e: int) -> list[Move]:
    """One entry through the same steps by scalar arithmetic."""
    h = float(problem.has(p, e))
    w = float(problem.w[e])
    inside = h > 0 or y > 0
    changes, moves, met = np.zeros(memory), np.zeros(memory), 0  # its own share of the memory
    waiting, slope_before = None, 0.0
    taken = []
    for row, (Mc, v), dv, u, V in zip(path.turns, path.inner, path.dv[:, p], path.u[:, p], path.V[:, e], strict=True):
        turn = Turn(*row.tolist())
        known = int(turn.known)
        structure = float(V[0] + u * V[1] + problem.F[p] / np.sqrt(dv) @ V[2:])
        slope = 2 * w * w * (y - h) + structure
        if waiting is not None:
            slot, moved = waiting
            changes[slot], moves[slot] = slope - slope_before, moved
            met = max(met, slot + 1)
        if turn.forgot:
            met = 0
        inside = inside or structure < -NOISE
        kind, aim, learnt = "still", y, np.zeros((4, 0))
        if inside and not ((y <= 0 and slope > -NOISE) or (y >= 1 and slope < NOISE)):
            reach = ((1 - y) if slope < 0 else y) / abs(slope) if slope else np.inf
            if reach <= turn.last * (1 + 10 * TIE):
                kind, aim = "bound", float(slope < 0)
            elif not known:
                kind, aim = "steepest", y - turn.time * slope
            else:
                kind, aim = "model" if turn.along < 0 else "short", y - turn.time * slope
                of_changes, of_moves = np.split(Mc[:known] / turn.theta + v[:known] / turn.theta**2, 2)
                learnt = np.stack([of_changes, changes[:met], turn.theta * of_moves, moves[:met]])
                wanted = turn.time * slope - slope / turn.theta + of_changes @ changes[:met]
                wanted += turn.theta * (of_moves @ moves[:met])
                aim += wanted if turn.along < 0 else turn.along * wanted
                aim = min(max(aim, 0.0), 1.0)
        after = aim
        if turn.step != 1:
            after = y + turn.step * (aim - y)
            after = 0.0 if after < CLOSE else 1.0 if after > 1 - CLOSE else after
        taken.append(Move(turn, kind, y, slope, aim, learnt, after))
        waiting = (int(turn.slot), turn.step * (aim - y)) if turn.slot >= 0 else None
        slope_before, y = slope, after
    return taken


def _target(active, kept):
    """Where the model of J is least, near the projected gradient, and how it was found."""
    x, g, high = active.x, active.g, active.high
    target, time, last, free, c = cauchy_point(x, g, high, active.room, kept)
    if not kept.kept or not len(free):
        return target, time, last, np.zeros((2, 0)), -1.0
    target, inner, along = subspace_point(x, g, high, target, time, free, c, kept)
    return target, time, last, inner, along


def _longest(first, x, d, high) -> float:
    """The first step goes no further than to its target, the others to the bounds."""
    return 1.0 if first else max(longest_step(x, d, high), 1.0)


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
        self.low = np.empty(problem.shape)  # ρ U Vᵀ everywhere
        self.gained = True
        self.pace = 0.0  # a tenth of how much derivatives change in a step
        self._index()
        self.x = self.high * self.y

    def _index(self):
        q, K = self.problem.shape
        self.starts = np.searchsorted(self.at, np.arange(q + 1) * K)
        self.rows = np.repeat(np.arange(q), np.diff(self.starts))
        self.columns = self.at - self.rows * K
        self.high = np.sqrt(self.problem.counts)[self.rows]
        self.bend = 2 * self.high**2 * self.problem.w[self.columns] ** 2  # second derivative of the first term
        self.Y = scipy.sparse.csr_array((self.y, self.columns, self.starts), shape=self.problem.shape)
        self.Yt = self.Y.T

    def evaluate(self):
        problem, y = self.problem, self.y
        counts, w, F = problem.counts, problem.w, problem.F
        Y, Yt = self.Y, self.Yt
        Y.data = Yt.data = y
        dv = np.maximum(Y @ w, TINY)
        f = F / np.sqrt(dv)[:, None]
        sums = Yt @ (counts[:, None] * np.concatenate([np.ones((len(f), 1)), f], axis=1))
        de, B = np.maximum(sums[:, 0], TINY), sums[:, 1:]
        Bw = B * (w / de)[:, None]
        inside = (B * Bw).sum(axis=1)
        u = (f * (Y @ Bw)).sum(axis=1) / dv
        apart = y - self.h
        bent = self.bend * apart
        self.value = float(bent @ apart) / 2 + problem.rho * (F.shape[1] - float(inside.sum()))
        self.slopes = self._slopes(dv, u, f, inside / de, Bw)
        np.matmul(self.slopes.U, self.slopes.V.T, out=self.low)
        self.low_here = self.low.ravel()[self.at]
        self.g = self.high * self.low_here
        self.g += bent / self.high

    def _slopes(self, dv, u, f, t, Bw) -> Slopes:
        U, V = np.empty((len(f), f.shape[1] + 2)), np.empty((len(t), f.shape[1] + 2))
        U[:, 0], U[:, 1], U[:, 2:] = 1, u, f
        V[:, 0], V[:, 1], V[:, 2:] = t, self.problem.w, Bw
        V[:, 2:] *= -2
        V *= self.problem.rho
        return Slopes(dv, U, V)

    def move(self, x, d, target, step):
        """To x + step d: J and its slope along d there."""
        self.x = target
        if step != 1:
            # a step as long as the box allows ends on a bound but for rounding, which must not decide what follows
            self.x = x + step * d
            self.x[self.x < CLOSE * self.high] = 0
            self.x = np.where(self.x > (1 - CLOSE) * self.high, self.high, self.x)
        self.y = np.minimum(self.x / self.high, 1.0)
        self.evaluate()
        return self.value, float(self.g @ d)

    def back(self, x, g, value, slopes):
        self.x, self.y = x, np.minimum(x / self.high, 1.0)
        self.evaluate()

    def steepest(self) -> float:
        """Greatest projected derivative of an object's entry."""
        self.room = room_ahead(self.x, self.g, self.high)
        # whether an entry leaves its bound must not hang on the sign of a rounding error
        on_bound = (self.x <= 0) | (self.x >= self.high)
        self.room[on_bound & (np.abs(self.g) < NOISE * self.high)] = 0
        return float((np.minimum(self.room, np.abs(self.g)) / self.high).max(initial=0.0))

    def elsewhere(self, before: Slopes, low: np.ndarray) -> float:
        """Σ over all other entries of the squared change of their derivative since `before`; `low`: ours then."""
        (_, U0, V0), (_, U1, V1) = before, self.slopes
        P, Q = np.concatenate([U1 - U0, U0], axis=1), np.concatenate([V1, V1 - V0], axis=1)
        everywhere = float(((P.T @ (self.problem.counts[:, None] * P)) * (Q.T @ Q)).sum())
        change = self.low_here - low
        self.pace = 0.1 * float(np.sqrt(change @ change / len(change)))
        here = self.high * change
        return max(everywhere - float(here @ here), 0.0)

    def remember(self, slot, before, forgot):
        if forgot:
            self.pairs = {}
        if slot >= 0:
            self.pairs[slot] = (before, self.slopes)

    def admit(self, kept):
        """Takes in the entries at 0 that J now wants to raise."""
        if np.count_nonzero(self.low < -NOISE) == np.count_nonzero(self.low_here < -NOISE):
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
                (_, U0, V0), (_, U1, V1) = before, after
                change = (U1[rows] * V1[columns]).sum(axis=1) - (U0[rows] * V0[columns]).sum(axis=1)
                y_new[slot] = self.high[places] * change
            kept.grow(size, where, places, y_new)

    def dense(self) -> np.ndarray:
        Y = np.zeros(self.problem.shape)
        Y.ravel()[self.at] = self.y
        return Y
