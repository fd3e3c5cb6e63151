"""Consensus by non-negative factorisation of the co-association matrix (Li, Ding and Jordan 2007)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..method import At, Cost, Exempt, Matrix, Scalar, Told, Weights, derived, param, shown, speed, tells
from ..method.columns import Columns, ColumnsState
from ..method.evidence import share
from ..method.params import common
from ..partition import first_greatest
from ..partition.profiles import grouped_by_profile, seconds_of_grouping
from ..similarity import coassociation

SHIFT = 0.2  # what every object has of every cluster to begin with: an entry that is 0 stays 0
LEAST = {"symmetric": 1e-300, "orthogonal": 1e-12}  # least divisor


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class NMFCState(ColumnsState):
    A: Matrix = shown("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    factor: np.ndarray  # (q, k) Q, its columns in the method's own order
    mixing: np.ndarray  # (k, k) S; the identity in the symmetric form
    fit: Scalar = shown("‖R‖²", "what the product leaves of A, squared, over all pairs of objects", "(1)")


@dataclass(frozen=True, kw_only=True)
class NMFC(Columns):
    """Write the co-association A as a product of memberships that cannot be negative.

        symmetric     min ‖A − QQᵀ‖²,  Q ≥ 0                     Q_pc ← Q_pc ((AQ)_pc / (Q QᵀQ)_pc)^(1/3)            (1)
        orthogonal    min ‖A − QSQᵀ‖²,  Q, S ≥ 0, QᵀQ = I        Q_pc ← Q_pc √((AQS)_pc / (Q QᵀAQS)_pc)              (2)
                                                                 S_ab ← S_ab √((QᵀAQ)_ab / (QᵀQ S QᵀQ)_ab)           (3)

    An object is in the cluster c of which it has most, the greatest Q_pc; sums run over all objects. The cube root
    never raises (1) where A is positive semidefinite, which it is while nothing is missing; with gaps it may not be,
    and the fourth root is taken, which needs no such property. The run begins with k-means on the rows of A (`kc`),
    two tenths added to every entry; a start by chance ends far worse. It hardly moves from there, and slowly at last.

    T. Li, C. Ding, M. I. Jordan: Solving consensus and semi-supervised clustering problems using nonnegative matrix
    factorization. ICDM 2007. T. Li, C. Ding: Weighted consensus clustering. SDM 2008.
    """

    form: str = param("symmetric", "QQᵀ, or QSQᵀ as printed, orthogonal only in the limit",
        choices=("symmetric", "orthogonal"))
    max_iter: int = common(200, "most steps", span=(1, 10_000))
    tol: float = common(1e-6, "share of the objective by which it must fall", plain="tolerance", letter="ε",
        span=(0.0, 1.0))
    starts: int = param(10, "starts of the k-means the run begins with", span=(1, 100))
    seed: int = common(0, "number from which these starts are drawn", span=(0, 2**31 - 1))

    title, family = "Non-negative matrix factorisation for consensus", "factorisation"
    reference = "Li, Ding & Jordan, ICDM 2007; Li & Ding, SDM 2008"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = NMFCState

    @property
    def monotone(self) -> bool | Exempt:
        reason = "QᵀQ = I holds only in the limit, and a step from a bad start may raise ‖A − QSQᵀ‖"
        return self.form == "symmetric" or Exempt(reason)

    @property
    def scale_free(self) -> bool | Exempt:
        reason = "columns of Q have length 1 over all objects, beside which the least divisor is absolute"
        return self.form == "symmetric" or Exempt(reason)

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> NMFCState:
        A = coassociation(ensemble)
        return self.begun(ensemble, grouped_by_profile(ensemble, A, self.k, self.starts, self.seed))

    def begun(self, ensemble: Ensemble, y: np.ndarray) -> NMFCState:
        """The start from given groups (q,)."""
        A, C, F = coassociation(ensemble), ensemble.weights[:, None], (y[:, None] == np.arange(self.k)) + SHIFT
        if self.form == "symmetric":  # the best multiple of F
            return self._fitted(ensemble, A, F * self._best(A, C, F), np.eye(self.k))
        Q = F / np.sqrt((C * F**2).sum(axis=0))
        return self._fitted(ensemble, A, Q, (C * Q).T @ A @ (C * Q))

    def _best(self, A: np.ndarray, C: np.ndarray, F: np.ndarray) -> float:
        return float(np.sqrt((F * C * (A @ (C * F))).sum() / ((F.T @ (C * F)) ** 2).sum()))

    def _fitted(self, ensemble: Ensemble, A: np.ndarray, Q: np.ndarray, S: np.ndarray) -> NMFCState:
        """The state with ‖A − QSQᵀ‖², without ever forming QSQᵀ."""
        CQ, n = ensemble.weights[:, None] * Q, ensemble.weights
        gram, met = Q.T @ CQ, CQ.T @ A @ CQ
        fit = float(n @ np.square(A) @ n) - 2 * float((met * S).sum()) + float(((gram @ S @ gram) * S).sum())
        return NMFCState(A=A, factor=Q, mixing=S, fit=fit, y=first_greatest(Q, np.abs(Q).max()))

    def step(self, ensemble: Ensemble, state: NMFCState) -> NMFCState:
        C, least = ensemble.weights[:, None], LEAST[self.form]
        Q, S = state.factor, state.mixing
        up, down = self._pull(ensemble, state)
        Q = Q * (up / np.maximum(down, least)) ** self.root(ensemble)  # (1), (2)
        if self.form == "orthogonal":
            gram = Q.T @ (C * Q)
            S = S * np.sqrt(((C * Q).T @ state.A @ (C * Q)) / np.maximum(gram @ S @ gram, least))  # (3)
        return self._fitted(ensemble, state.A, Q, S)

    def root(self, ensemble: Ensemble) -> float:
        return 1 / 2 if self.form == "orthogonal" else 1 / 4 if ensemble.has_missing else 1 / 3

    def _pull(self, ensemble: Ensemble, state: NMFCState) -> tuple[np.ndarray, np.ndarray]:
        """Numerator and divisor of the next step of Q."""
        C, Q = ensemble.weights[:, None], state.factor
        up = state.A @ (C * Q) @ state.mixing
        return up, Q @ (Q.T @ (C * (Q if self.form == "symmetric" else up)))

    def terms(self, ensemble: Ensemble, state: NMFCState) -> dict[str, float]:
        return {"‖A − QQᵀ‖²" if self.form == "symmetric" else "‖A − QSQᵀ‖²": state.fit}

    def converged(self, old: NMFCState, new: NMFCState) -> bool:
        return old.fit - new.fit <= self.tol * abs(old.fit)

    def places(self, ensemble: Ensemble, state: NMFCState) -> np.ndarray:
        return state.factor

    def remarks(self, ensemble: Ensemble, state: NMFCState) -> tuple[str, ...]:
        return self.split_in_words(state)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K, machine = ensemble.q, ensemble.K, speed()
        products = q * q * K / 4 + 4 * q * q * self.k * self.max_iter
        seconds = products / machine.products + self.max_iter * (2e-4 + 6 * q * q / machine.entries)
        seconds += seconds_of_grouping(q, min(q, K), self.k, self.starts)
        return Cost(bytes=32 * q * q + 8 * q * (6 * self.k + min(q, K)), seconds=seconds)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    def start(self, at: At) -> tuple[np.ndarray, float]:
        """F, and the multiple of it with which the symmetric form begins."""
        def made():
            A, C = coassociation(at.ensemble), at.ensemble.weights[:, None]
            y = grouped_by_profile(at.ensemble, A, self.k, self.starts, self.seed)
            F = (y[:, None] == np.arange(self.k)) + SHIFT
            return F, self._best(A, C, F)
        return at.path.once("F", 0, made)

    @derived("Q", "how much of each cluster an object has", "(1)", axes=("object", "cluster"))
    def Q(self, ensemble: Ensemble, state: NMFCState) -> Matrix:
        return state.factor[:, self.columns(ensemble, state)]

    @tells("Q", "Q*(AQ / down)**(1/3)", gaps="Q*(AQ / down)**(1/4)", orthogonal="Q*sqrt(AQS / down)",
           first="scale*(own + shift)", unit="(own + shift) / sqrt(sum(n[p]*F[p]**2, p))")
    def why_Q(self, at: At) -> Told:
        column = int(self.columns_at(at, at.iteration)[at.c])
        if at.start:
            return self._told_start(at, column)
        before = self.column_before(at, column)
        up, down = at.then("up", at.i, before), at.then("down", at.i, before)
        more = {"up > down": "more with them than the product says: it has more of it now",
                "up <= down": "no more with them than the product says: it has no more of it now"}
        case = "orthogonal" if self.form == "orthogonal" else "gaps" if at.ensemble.has_missing else ""
        words = "{i} is with those who have much of cluster {c}: {more}."
        terms = {"Q": at.then("Q", at.i, before), "AQS" if case == "orthogonal" else "AQ": up, "down": down}
        return at.terms(case, **terms, up=up, more=more, words=words)

    def _told_start(self, at: At, column: int) -> Told:
        F, scale = self.start(at)
        own = at.started(F[at.p, column] - SHIFT, "1 where k-means on the rows of A puts the object into this column")
        shift = at.constant(SHIFT, "what every object has of every cluster to begin with: what is 0 would stay 0")
        into = {"own > 0.5": "puts {i} into cluster {c}", "own < 0.5": "puts {i} elsewhere"}
        words = "k-means on the rows of A {into}; every object has a little of every cluster."
        if self.form == "symmetric":
            by = at.started(scale, "the multiple with which QQᵀ is nearest to A")
            return at.terms("first", scale=by, own=own, shift=shift, into=into, words=words)
        inside = at.rows(F[:, column], lambda p: at.started(F[p, column], "1.2 inside of the column, 0.2 outside"))
        return at.terms("unit", own=own, shift=shift, n=at.counts, F=inside, into=into, words=words)

    @tells("up", "sum(n[t]*A[t]*Q[t], t)", "(1)", "AQ", "how much of a cluster those have with whom an object is",
           ("object", "cluster"), orthogonal="sum(n[t]*A[t]*QS[t], t)")
    def why_up(self, at: At) -> Told:
        words = "What others have of cluster {c}, by how often {i} is with them."
        if self.form == "symmetric":
            return at.terms(**at.along("A"), Q=at.row("Q", None, at.c), words=words)
        return at.terms("orthogonal", **at.along("A"), QS=at.row("QS", None, at.c), words=words)

    @tells("QS", "dot(Q_i, S_c)", "(2)", "QS", "what an object has of a cluster and of those that overlap with it",
           ("object", "cluster"))
    def why_QS(self, at: At) -> Told:
        words = "What {i} has of each cluster, by how far it overlaps with cluster {c}."
        return at.terms(Q_i=at.row("Q", at.i, None), S_c=at.row("S", None, at.c), words=words)

    @tells("down", "sum(Q[b]*G[b], b)", "(1)", "down", "the same, as the product says", ("object", "cluster"))
    def why_down(self, at: At) -> Told:
        words = "What {i} has of each cluster, by what that shares with {c}."
        return at.terms(Q=at.row("Q", at.i, None), G=at.row("shared", None, at.c), words=words)

    @tells("shared", "sum(n[t]*Q_c[t]*Q_d[t], t)", "(1)", "G", "what two clusters share", ("cluster", "cluster"),
           orthogonal="sum(n[t]*Q_c[t]*AQS_d[t], t)")
    def why_shared(self, at: At) -> Told:
        Q, words = at.row("Q", None, at.c), "All objects that have something of both {c} and {d}."
        if self.form == "symmetric":
            return at.terms(n=at.counts, Q_c=Q, Q_d=at.row("Q", None, at.d), words=words)
        up = at.path.once("AQS", at.iteration, lambda: self._pull(at.ensemble, at.after)[0])
        column = int(self.columns_at(at, at.iteration)[at.d])
        return at.terms("orthogonal", n=at.counts, Q_c=Q, words=words,
                        AQS_d=at.at_objects("up", np.arange(at.ensemble.q), up[:, column], at.d))

    @derived("S", "how far clusters overlap", "(3)", axes=("cluster", "cluster"))
    def S(self, ensemble: Ensemble, state: NMFCState) -> Matrix:
        columns = self.columns(ensemble, state)
        return state.mixing[np.ix_(columns, columns)]

    @tells("S", "S*sqrt(met / sum(G_c[k]*S_all[k]*G_d[k], k))", first="met")
    def why_S(self, at: At) -> Told:
        if self.form == "symmetric":
            return at.given(float(at.c == at.d), "In the symmetric form there is no S: it is the identity.")
        met, words = at.now("met"), "Objects of cluster {c} and of cluster {d} are together so much."
        if at.start:
            return at.terms("first", met=met, words=words)
        now = self.columns_at(at, at.iteration)
        was = [self.column_before(at, int(column)) for column in now]
        Q, n, k = at.path.array("Q", at.iteration), at.ensemble.weights[:, None], self.k
        G, S = Q.T @ (n * Q), at.path.array("S", at.iteration - 1)[np.ix_(was, was)]
        a, b = np.divmod(np.arange(k * k), k)
        return at.terms(
            S=at.then("S", was[at.c], was[at.d]), met=met, words=words,
            G_c=at.known("gram", G[at.c, a], lambda t: (at.c, int(a[t]))),
            S_all=at.known("S", S.ravel(), lambda t: (was[a[t]], was[b[t]]), when=-1),
            G_d=at.known("gram", G[b, at.d], lambda t: (int(b[t]), at.d)),
        )  # fmt: skip

    @tells("gram", "sum(n[t]*Q_c[t]*Q_d[t], t)", "(3)", "QᵀQ", "how far two columns overlap", ("cluster", "cluster"))
    def why_gram(self, at: At) -> Told:
        columns = {f"Q_{x}": at.row("Q", None, y) for x, y in zip("cd", (at.c, at.d), strict=True)}
        return at.terms(n=at.counts, **columns, words="All objects that have something of both {c} and {d}.")

    @tells("met", "sum(n[k]*A[k]*Q_c[k]*Q_d[k], k)", "(3)", "QᵀAQ", "how much two clusters are together",
           ("cluster", "cluster"))
    def why_met(self, at: At) -> Told:
        Q, A = at.path.array("Q", at.iteration), at.after.A
        p, r = np.nonzero(A)
        sides = {f"Q_{x}": at.at_objects("Q", end, Q[:, y], y)
                 for x, end, y in (("c", p, at.c), ("d", r, at.d))}
        return at.terms(**at.over((p, r), A=A[p, r]), **sides, words="Every pair, by what it has of {c} and of {d}.")

    @tells("A", "together / seen")
    def why_A(self, at: At) -> Told:
        return share(at)

    @derived("QQᵀ", "the co-association as the product says it", "(1)")
    def product(self, ensemble: Ensemble, state: NMFCState) -> Matrix:
        return state.factor @ state.mixing @ state.factor.T

    @tells("product", "dot(Q_i, Q_j)", orthogonal="dot(QS_i, Q_j)")
    def why_product(self, at: At) -> Told:
        words = "What {i} and {j} have of the same clusters."
        if self.form == "symmetric":
            return at.terms(Q_i=at.row("Q", at.i, None), Q_j=at.row("Q", at.j, None), words=words)
        return at.terms("orthogonal", QS_i=at.row("QS", at.i, None), Q_j=at.row("Q", at.j, None), words=words)

    @derived("R", "what the product leaves of A", "(1)", diverging=True)
    def R(self, ensemble: Ensemble, state: NMFCState) -> Matrix:
        return state.A - self.product(ensemble, state)

    @tells("R", "A - product")
    def why_R(self, at: At) -> Told:
        more = {"value > 0": "more", "value <= 0": "no more"}
        words = "{i} and {j} are together {more} than the product says."
        return at.terms(A=at.now("A"), product=at.now("product"), more=more, words=words)

    @derived("clear", "how far the greatest entry of a row of Q stands above the next", "(1)", span=(0, 1))
    def clear(self, ensemble: Ensemble, state: NMFCState) -> Weights:
        most = np.sort(state.factor, axis=1)[:, ::-1]
        following = most[:, 1] if self.k > 1 else np.zeros(ensemble.q)
        return np.divide(most[:, 0] - following, most[:, 0], out=np.zeros(ensemble.q), where=most[:, 0] > 0)

    @tells("clear", "1 - next / most")
    def why_clear(self, at: At) -> Told:
        Q = at.path.array("Q", at.iteration)[at.p]
        if self.k == 1 or not Q.max():
            return at.given(float(Q.max() > 0), "{i} has something of no other cluster.")
        first, second = (at.now("Q", at.i, int(c)) for c in np.argsort(-Q, kind="stable")[:2])
        return at.terms(most=first, next=second, words="{i} has most of one cluster, {most}, and {next} of the next.")

    @tells("fit", "sum(n[k]*R[k]**2, k)")
    def why_fit(self, at: At) -> Told:
        n, R = at.everywhere("R")
        return at.terms(n=n, R=R, words="What the product leaves of every pair, squared.")
# fmt: on
