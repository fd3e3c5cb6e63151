"""Coordinate descent for k-means, on base labels (Nie, Xue, Wu, Wang, Li and Li 2022)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_sizes, held_by, incidence
from ..method import At, Cost, Exempt, Incidence, Matrix, Told, Weights, derived, param, speed, tells
from ..method.columns import Columns, ColumnsState
from ..method.params import common
from ..method.schedule import unseen_in_words
from ..method.telling import Row, Term
from ..numbers import counted

SURE = 1e-12  # beside all of J: by what a move must pay
TURN = ("object", "cluster")


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class CDKMState(ColumnsState):
    J: float  # what the clusters are worth together
    moved: int = 0  # rows that have moved in this sweep


@dataclass(frozen=True, kw_only=True)
class CDKM(Columns):
    """k-means on base labels in which small base clusters count more, one row after the other.

        max J = Σ_c ‖z_c‖² / N_c,   z_c = Σ_{p in c} X_p,   X_pa = [p is in base cluster a] / √(objects of a)

    N_c is how many objects cluster c has; J is a constant less the squared distances of the X_p from their means. A
    sweep goes through the rows p, each standing for n objects, and moves p from its cluster b to the c with

        the greatest  gain_c = ‖z_c + nX_p‖² / (N_c + n) − ‖z_c‖² / N_c,
        if it is more than  leave = ‖z_b‖² / N_b − ‖z_b − nX_p‖² / (N_b − n),

    the exact change of J, at once; whoever is alone in its cluster stays. Until a sweep moves nothing. A start gives k
    rows drawn by chance a cluster each and all others any; of several starts the one that ends highest is shown.

    F. Nie, J. Xue, D. Wu, R. Wang, H. Li, X. Li: Coordinate descent method for k-means. TPAMI 44 (2022) 2371–2385.
    """

    max_iter: int = common(100, "most sweeps of a start", span=(1, 10_000))
    seed: int = common(0, "start of the random numbers", span=(0, 2**32 - 1))
    starts: int = param(5, "starts, of which the best is shown", span=(1, 100))

    short = "CDKM"
    title = "Coordinate descent k-means on base labels"
    family = "k-means"
    reference = "Nie, Xue, Wu, Wang, Li & Li, IEEE TPAMI 44 (2022) 2371–2385"
    handles_missing = "a missing label is no part of a row; base clusters count the members they are known to have"
    exact_on_rows = Exempt("objects move one at a time; a microcluster, whose objects are alike, moves at once")
    State = CDKMState

    def init(self, ensemble: Ensemble) -> CDKMState:
        best = None
        for run in range(self.starts):
            rng = np.random.default_rng([self.seed, run])
            y = rng.integers(self.k, size=ensemble.q)
            y[rng.choice(ensemble.q, self.k, replace=False)] = np.arange(self.k)
            first = last = self.begun(ensemble, y)
            for _ in range(self.max_iter):
                last = self.step(ensemble, last)
                if not last.moved:
                    break
            if best is None or last.J > best[0] * (1 + SURE):
                best = last.J, first
        return best[1]

    def begun(self, ensemble: Ensemble, y: np.ndarray) -> CDKMState:
        Z, N = self._made_of(ensemble, y), np.bincount(y, weights=ensemble.weights, minlength=self.k)
        return CDKMState(y=y, J=float(((Z**2).sum(axis=1) / np.maximum(N, 1)).sum()))

    def _made_of(self, ensemble: Ensemble, y: np.ndarray) -> np.ndarray:
        """z (k, K)"""
        return held_by(ensemble, y, self.k) / np.sqrt(cluster_sizes(ensemble))

    def step(self, ensemble: Ensemble, state: CDKMState) -> CDKMState:
        y, Z, moved = state.y.copy(), self._made_of(ensemble, state.y), 0
        rows, N = np.bincount(y, minlength=self.k), np.bincount(y, weights=ensemble.weights, minlength=self.k)
        s, H, X = (Z**2).sum(axis=1), incidence(ensemble), 1 / np.sqrt(cluster_sizes(ensemble))
        for p, n in enumerate(ensemble.weights):
            if rows[b := y[p]] == 1:
                continue
            mine = H.indices[H.indptr[p] : H.indptr[p + 1]]
            x = n * X[mine]
            change, own = 2 * Z[:, mine] @ x, x @ x
            worth = (s + change + own) / (N + n) - s / np.maximum(N, 1)
            worth[b] = leave = s[b] / N[b] - (s[b] - change[b] + own) / (N[b] - n)
            c = int(worth.argmax())
            if worth[c] > leave + SURE * state.J:
                s[c], s[b] = s[c] + change[c] + own, s[b] - change[b] + own
                Z[c, mine] += x
                Z[b, mine] -= x
                N[[c, b]] += n, -n
                rows[[c, b]] += 1, -1
                y[p], moved = c, moved + 1
        return replace(self.begun(ensemble, y), moved=moved)

    def terms(self, ensemble: Ensemble, state: CDKMState) -> dict[str, float]:
        return {"−J": -state.J}

    def converged(self, old: CDKMState, new: CDKMState) -> bool:
        return not new.moved

    def stage(self, state: CDKMState) -> str:
        return f"{counted(state.moved, 'row')} moved" if state.moved else ""

    def remarks(self, ensemble: Ensemble, state: CDKMState) -> tuple[str, ...]:
        return *self.split_in_words(state), *unseen_in_words(ensemble)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, k, m = ensemble.q, self.k, ensemble.m
        work = (self.starts + 1) * 3 * q
        return Cost(bytes=8 * (4 * q * m + 3 * k * ensemble.K + 3 * q * k),
                    seconds=work * (4e-5 + 4 * k * m / speed().entries))

    # --- what is shown, and why -------------------------------------------------------------------------------

    @derived("Y", "the cluster of each object: one 1 per row", axes=("object", "cluster"), span=(0, 1))
    def Y(self, ensemble: Ensemble, state: CDKMState) -> Incidence:
        return (state.y[:, None] == self.columns(ensemble, state)).astype(float)

    @derived("z", "what each cluster is made of: its objects in each base cluster, by the root of that one's size",
             axes=("cluster", "hyperedge"))
    def Z(self, ensemble: Ensemble, state: CDKMState) -> Matrix:
        return self._made_of(ensemble, state.y)[self.columns(ensemble, state)]

    @derived("J⁽ᶜ⁾", "what each cluster adds to J", axes=("cluster",))
    def worths(self, ensemble: Ensemble, state: CDKMState) -> Weights:
        N = np.bincount(state.y, weights=ensemble.weights, minlength=self.k)
        parts = (self._made_of(ensemble, state.y) ** 2).sum(axis=1) / np.maximum(N, 1)
        return parts[self.columns(ensemble, state)]

    @tells("Y", "1 if own >= rival else 0")
    def why_Y(self, at: At) -> Told:
        own = int(self.columns_at(at, at.iteration)[at.c])
        if at.start:
            return at.given(at.after.y[at.p] == own, "A run begins with clusters drawn by chance.")
        if (self._turn(at, at.p) == at.before.y[at.p]).sum() == 1:
            return at.given(at.after.y[at.p] == own, "{i} was alone in its cluster when its turn came, and stayed.")
        far = {"best": "worth most in cluster {c}", "worse": "worth more in another cluster than in {c}",
               "tied": "is worth as much in another cluster, {rival}"}
        return self.told_choice(at, "worth", 1, at.after.J, "When its turn came {i} was {far}.", **far)

    def _turn(self, at: At, p: int) -> np.ndarray:
        """(q,) who is in which cluster when row p has its turn: those before it have moved already."""
        return np.where(np.arange(at.ensemble.q) < p, at.after.y, at.before.y)

    def _members(self, at: At) -> tuple[int, np.ndarray]:
        own = int(self.columns_at(at, at.iteration)[at.c])
        return own, np.flatnonzero(self._turn(at, at.p) == own)

    @tells("worth", "(s + 2*n*zX + n**2*XX) / (N + n) - s / N", "", "gain",
           "what a cluster would gain by an object, or lose without its own", TURN,
           leave="s / N - (s - 2*n*zX + n**2*XX) / (N - n)", empty="n*XX", alone="s / N")
    def why_worth(self, at: At) -> Told:
        own, members = self._members(at)
        n = at.labels(at.ensemble.weights[at.p], "objects with the same base labels",
                      "Objects with the base labels of ", ("object", at.i), ".")
        if not len(members):
            return at.terms("empty", n=n, XX=at.now("XX", at.i), words="Cluster {c} is empty when {i} has its turn.")
        if members.tolist() == [at.p]:
            s, N = at.now("s", at.i, at.c), at.now("N", at.i, at.c)
            return at.terms("alone", s=s, N=N, words="Without {i} cluster {c} would be empty.")
        terms = {"n": n, "XX": at.now("XX", at.i), **{x: at.now(x, at.i, at.c) for x in ("s", "zX", "N")}}
        if own == at.before.y[at.p]:
            return at.terms("leave", **terms, words="What cluster {c} would lose without {i}.")
        return at.terms(**terms, words="What cluster {c} would gain by {i}.")

    @tells("XX", "sum(1 / size[t], t)", "", "‖X‖²", "squared length of an object's row", ("object",))
    def why_XX(self, at: At) -> Told:
        some = np.flatnonzero(at.ensemble.rows[at.p] >= 0)
        size = at.row_of_labels(at.sizes.values[some], "objects in the same cluster", lambda k: (
            at.said_of_one(int(some[k]))), tuple(some.tolist()))
        return at.terms(size=size, words="Small base clusters of {i} count most.")

    @tells("zX", "sum(z[e] / sqrt(size[e]), e)", "", "z·X", "how far a cluster goes the way of an object", TURN)
    def why_zX(self, at: At) -> Told:
        H = incidence(at.ensemble)
        some = H.indices[H.indptr[at.p] : H.indptr[at.p + 1]]
        return at.terms(z=self._z(at, some), size=self._sizes(at, some), words="At the base clusters of {i} only.")

    @tells("s", "sum(z[e]**2, e)", "", "‖z‖²", "squared length of what a cluster is made of", TURN)
    def why_s(self, at: At) -> Told:
        return at.terms(z=self._z(at, np.arange(at.ensemble.K)), words="As cluster {c} is when {i} has its turn.")

    def _z(self, at: At, some: np.ndarray) -> Row:
        own, _ = self._members(at)
        z = self._made_of(at.ensemble, self._turn(at, at.p))[own, some]
        return at.known("then_z", z, lambda k: (at.i, at.c, int(some[k])))

    def _sizes(self, at: At, some: np.ndarray) -> Row:
        sizes = cluster_sizes(at.ensemble)[some]
        return at.row_of_labels(sizes, "objects in a base cluster", lambda k: (
            "The objects of ", ("hyperedge", int(some[k])), "."), tuple(some.tolist()))

    @tells("N", "sum(n[r]*Y[r], r)", "", "N", "objects of a cluster when an object has its turn", TURN)
    def why_N(self, at: At) -> Told:
        return at.terms(n=at.counts, Y=self._clusters(at), words="Those with a turn before {i} as they are now.")

    @tells("then_z", "sum(n[r]*Y[r], r) / sqrt(size)", "", "z", "what a cluster is made of when an object has its turn",
           ("object", "cluster", "hyperedge"))
    def why_then_z(self, at: At) -> Told:
        some = np.flatnonzero(incidence(at.ensemble)[:, [at.e]].toarray()[:, 0])
        size = self._sizes(at, np.array([at.e])).term(0)
        return at.terms(n=at.counts_at(some), Y=self._clusters(at, some), size=size,
                        words="Its objects in {e}; those with a turn before {i} as they are now.")

    def _clusters(self, at: At, some=None) -> Row:
        """Who of some is in cluster c when the object has its turn: entries of Y now, or of the sweep before."""
        own, _ = self._members(at)
        some = np.arange(at.ensemble.q) if some is None else some
        inside, first = (self._turn(at, at.p) == own)[some], at.ensemble.first_of
        before = self.column_before(at, own)

        def term(k: int) -> Term:
            object_ = int(first[some[k]])
            return at.now("Y", object_, at.c) if some[k] < at.p else at.then("Y", object_, before)

        return at.rows(inside, term, tuple(first[some].tolist()))

    @tells("Z", "sum(n[p]*Y[p], p) / sqrt(size)")
    def why_Z(self, at: At) -> Told:
        some = np.flatnonzero(incidence(at.ensemble)[:, [at.e]].toarray()[:, 0])
        return at.terms(n=at.counts_at(some), Y=at.row("Y", None, at.c, some=some),
                        size=self._sizes(at, np.array([at.e])).term(0), words="The objects of cluster {c} in {e}.")

    @tells("worths", "sum(z[e]**2, e) / sum(n[p]*Y[p], p)")
    def why_worths(self, at: At) -> Told:
        Y = at.row("Y", None, at.c)
        if not Y.values.any():
            return at.given(0, "Cluster {c} has no object.")
        return at.terms(z=at.row("Z", at.c, None), n=at.counts, Y=Y, words="The more its objects go the same way.")
# fmt: on
