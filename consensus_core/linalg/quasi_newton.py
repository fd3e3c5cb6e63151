"""The parts of L-BFGS-B (Byrd, Lu, Nocedal, Zhu 1995; Morales, Nocedal 2011) on plain vectors in a box [0, high].

B = θI − W M Wᵀ models the second derivatives, W = [Y θS] from the last few steps s and changes of slope y,
M = [[−D, Lᵀ], [L, θSᵀS]]⁻¹ with D the diagonal and L the strictly lower part of SᵀY.
"""

import numpy as np
from scipy.linalg.lapack import dgesv  # systems of ten unknowns: anything around it takes longer than the work

TIE = 1e-12  # relative difference of two breakpoints that are one: equal objects reach their bound together


class Memory:
    """The last few pairs (s, y), and M. Vectors may grow in length: new entries have not moved so far."""

    def __init__(self, most, size):
        self.most = most
        self.forget(size)

    def forget(self, size):
        self.S, self.Y = np.zeros((self.most, size)), np.zeros((self.most, size))
        self.age = np.zeros(0, dtype=int)  # by slot: when the pair came
        self.SY, self.SS = np.zeros((self.most, self.most)), np.zeros((self.most, self.most))
        self.theta = 1.0
        self._middle = None

    @property
    def kept(self):
        return len(self.age)

    def learn(self, s, y, sy, yy):
        """Takes a pair in, over the oldest when full; sᵀy > 0 and yᵀy are given. Returns its slot."""
        slot = self.kept if self.kept < self.most else int(self.age.argmin())
        newest = self.age.max(initial=0) + 1
        self.age = (
            np.append(self.age, newest) if slot == self.kept else np.where(self.age == self.age[slot], newest, self.age)
        )
        self.S[slot], self.Y[slot] = s, y
        n = self.kept
        self.SS[:n, slot] = self.SS[slot, :n] = self.S[:n] @ s
        self.SY[:n, slot], self.SY[slot, :n] = self.S[:n] @ y, self.Y[:n] @ s
        self.SY[slot, slot] = sy
        self.theta = yy / sy
        self._middle = None
        return slot

    def middle(self):
        """M⁻¹ and M."""
        if self._middle is None:
            n, SY = self.kept, self.SY[: self.kept, : self.kept]
            L = np.where(self.age[:, None] > self.age[None, :], SY, 0.0)
            whole = np.zeros((2 * n, 2 * n))
            whole[range(n), range(n)] = -SY.diagonal()
            whole[:n, n:], whole[n:, :n] = L.T, L
            whole[n:, n:] = self.theta * self.SS[:n, :n]
            self._middle = whole, _solved(whole, np.eye(2 * n))
        return self._middle

    def times(self, vector):
        """Wᵀ vector."""
        n = self.kept
        return np.concatenate([self.Y[:n] @ vector, self.theta * (self.S[:n] @ vector)])

    def at(self, entries):
        """Wᵀ at some entries: (2 kept, entries)."""
        n = self.kept
        return np.concatenate([self.Y[:n].take(entries, axis=1), self.theta * self.S[:n].take(entries, axis=1)])

    def grow(self, size, where, new, y_new):
        """Old entries move to `where`; the new ones have y as given, one row per slot, and s = 0."""
        n = self.kept
        S, Y = np.zeros((self.most, size)), np.zeros((self.most, size))
        S[:n, where], Y[:n, where] = self.S[:n], self.Y[:n]
        if n:
            Y[:n, new] = y_new
        self.S, self.Y = S, Y


def room_ahead(x, g, high):
    """How far each entry can go downhill before it meets its bound."""
    return np.where(g < 0, high - x, x)


def cauchy_point(x, g, high, room, memory):
    """The first minimiser of the model along the projected steepest descent x(t) = clip(x − t g).

    Returns the point, t, the time of the last bound reached (−1: none), the entries still free, and c = Wᵀ(x(t) − x).
    """
    free = room > 0
    free &= g != 0
    moving = np.flatnonzero(free)
    if not len(moving):
        return x, 0.0, -1.0, moving, np.zeros(2 * memory.kept)
    d = -g[moving]
    reach = room[moving] / np.abs(d)
    theta = memory.theta
    left = float(d @ d)
    P = memory.times(np.where(free, -g, 0.0))
    A = np.zeros(len(P))
    M = memory.middle()[1] if memory.kept else np.zeros((0, 0))
    bend = theta * left - P @ M @ P
    floor = np.finfo(float).eps * theta * left
    time, last = left / max(bend, floor), -1.0  # the minimiser where no bound is in the way
    waiting = np.arange(len(moving))  # whose bound has not been reached yet
    until = time
    while True:
        near = reach[waiting] <= until
        chunk, waiting = waiting[near], waiting[~near]
        beyond = reach[waiting].min(initial=np.inf)
        if len(chunk):
            chunk = chunk[np.argsort(reach[chunk], kind="stable")]
            t, step = reach[chunk], d[chunk]
            if time < t[0]:
                break
            W_chunk = memory.at(moving[chunk]).T * step[:, None]
            lefts = left - np.cumsum(step**2)
            Ps = P - np.cumsum(W_chunk, axis=0)
            As = A + np.cumsum(W_chunk * t[:, None], axis=0)
            PM = Ps @ M
            bends = theta * lefts - (PM * Ps).sum(axis=1)
            slopes = t * bends - lefts - (PM * As).sum(axis=1)  # along the path, just after each bound reached
            times = t - slopes / np.maximum(bends, floor)
            after = np.append(t[1:], beyond)
            stops = np.flatnonzero((times < after) & (after - t > TIE * t))
            stop = int(stops[0]) if len(stops) else len(t) - 1
            left, P, A, last = float(lefts[stop]), Ps[stop], As[stop], float(t[stop])
            time = max(float(times[stop]), last)
            if len(stops):
                break
        if not len(waiting) or (not len(chunk) and time < beyond):
            break
        until = max(2 * until, time, beyond)
    point = x.copy()
    if last < 0:
        point[moving] += time * d
        return point, time, last, moving, A + time * P
    hit = reach <= last
    if hit.all():
        time = last
    point[moving] = np.where(hit, np.where(d > 0, high[moving], 0.0), x[moving] + time * d)
    return point, time, last, moving[~hit], A + time * P


def subspace_point(x, g, high, point, time, free, c, memory):
    """The minimiser of the model over the free entries, brought back into the box.

    Returns the point, Mc and the vector v that gives the step d = r/θ + W v/θ², r = (θ t − 1) g + WMc, as (2, 2 kept),
    and how far along d it goes (−1: all the way, then clipped).
    """
    theta, (inverse, M) = memory.theta, memory.middle()
    W, g_free, high_free = memory.at(free), g[free], high[free]
    Mc = M @ c
    gram, ahead = W @ W.T, theta * time - 1
    v = _solved(inverse - gram / theta, ahead * (W @ g_free) + gram @ Mc)
    inner = np.stack([Mc, v])
    d = (Mc / theta + v / theta**2) @ W
    d += (ahead / theta) * g_free
    wanted = point[free]
    wanted += d
    clipped = np.minimum(np.maximum(wanted, 0), high_free)
    new = point.copy()
    new[free] = clipped
    if (clipped == wanted).all() or (new - x) @ g <= 0:
        return new, inner, -1.0
    room = np.where(d > 0, high_free - point[free], point[free])
    with np.errstate(divide="ignore", invalid="ignore"):
        lengths = np.where(d != 0, room / np.abs(d), np.inf)
    along = min(1.0, float(lengths.min(initial=1.0)))
    new[free] = np.clip(point[free] + along * d, 0, high_free)
    if along < 1:
        blocking = int(lengths.argmin())
        new[free[blocking]] = high_free[blocking] if d[blocking] > 0 else 0.0
    return new, inner, along


def longest_step(x, d, high):
    """How far one can go from x along d inside the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(d > 0, high - x, x) / np.abs(d)
    return float(np.where(d != 0, room, np.inf).min(initial=1e10))


def _solved(A, b):
    x, singular = dgesv(A, b)[2:]
    if singular:
        raise np.linalg.LinAlgError("the memory of steps is singular")
    return x
