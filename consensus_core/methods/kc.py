"""k-means on the co-association matrix: the plain baseline of several papers' tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..linalg import squared_distances
from ..method import At, Cost, Exempt, Matrix, Scalar, Told, Weights, derived, param, shown, speed, tells
from ..method.columns import Columns, ColumnsState
from ..method.evidence import share
from ..method.params import common
from ..partition import group_sums
from ..partition.profiles import grouped_by_profile, profiles, seconds_of_grouping
from ..similarity import coassociation

ROUNDING = 1e-14  # of the greatest distance; what is smaller is 0


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class KCState(ColumnsState):
    A: Matrix = shown("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    inertia: Scalar = shown("J", "squared distances to the own centre, over all objects", "(1)", default=0.0)


@dataclass(frozen=True, kw_only=True)
class KC(Columns):
    """Two objects are alike when they are together with the same others. Group their rows of the co-association.

        min Σ_c Σ_{p in c} Σ_t (A_pt − M_ct)²,   M_ct = mean of A_pt over the objects p of cluster c              (1)

    A_pt is the share of base clusterings that put p and t together; the sums run over all objects. Lloyd's steps from
    several starts, of which the one with the least sum is kept.
    """

    starts: int = param(10, "starts of k-means, of which the best is kept", span=(1, 100))
    seed: int = common(0, "number from which the starts are drawn", span=(0, 2**31 - 1))

    title, family = "k-means on the co-association", "co-association"
    reference = "baseline of Zhou et al., IJCAI 2015, and Zhou et al., IEEE TNNLS 32 (2021)"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = KCState
    monotone = Exempt("one shot: k-means runs to its end in a single step")

    def init(self, ensemble: Ensemble) -> KCState:
        A = coassociation(ensemble)
        return self._with(ensemble, KCState(A=A, y=np.zeros(ensemble.q, dtype=np.intp)))

    def step(self, ensemble: Ensemble, state: KCState) -> KCState:
        y = grouped_by_profile(ensemble, state.A, self.k, self.starts, self.seed)
        return self._with(ensemble, replace(state, y=y))

    def _with(self, ensemble: Ensemble, state: KCState) -> KCState:
        return replace(state, inertia=float(ensemble.weights @ self._own(self.far(ensemble, state), ensemble, state)))

    def _own(self, values: np.ndarray, ensemble: Ensemble, state: KCState) -> np.ndarray:
        """Of one value for each cluster the one of an object's own."""
        return values[np.arange(ensemble.q), np.argsort(self.columns(ensemble, state))[state.y]]

    def places(self, ensemble: Ensemble, state: KCState) -> np.ndarray:
        return state.A

    def terms(self, ensemble: Ensemble, state: KCState) -> dict[str, float]:
        return {"squared distances": state.inertia}

    def converged(self, old: KCState, new: KCState) -> bool:
        return True

    def remarks(self, ensemble: Ensemble, state: KCState) -> tuple[str, ...]:
        return self.split_in_words(state)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K, machine = ensemble.q, ensemble.K, speed()
        width = q if ensemble.has_missing else min(q, K)
        products = q * q * K / 4 + width**3 * 4 + 2 * q * width**2
        products += 8 * (self.k - 1) * q**3  # the start cuts one group until there are k
        seconds = products / machine.products + seconds_of_grouping(q, width, self.k, self.starts)
        return Cost(bytes=24 * q * q + 16 * q * (width + self.k), seconds=seconds)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @tells("A", "together / seen")
    def why_A(self, at: At) -> Told:
        return share(at)

    @derived("M", "how often the members of a cluster are with an object: its mean profile", "(1)",
             axes=("object", "cluster"), span=(0, 1))
    def M(self, ensemble: Ensemble, state: KCState) -> Matrix:
        labels, n = self._as_numbered(ensemble, state), ensemble.weights
        sums = group_sums(labels, n[:, None] * state.A, self.k)
        return (sums / np.maximum(np.bincount(labels, weights=n, minlength=self.k), 1.0)[:, None]).T

    def _as_numbered(self, ensemble: Ensemble, state: KCState) -> np.ndarray:
        return np.argsort(self.columns(ensemble, state))[state.y]

    @tells("M", "sum(n[p]*A[p], p) / sum(n[p], p)")
    def why_M(self, at: At) -> Told:
        some = np.flatnonzero(self._as_numbered(at.ensemble, at.after) == at.c)
        if not len(some):
            return at.given(0, "Cluster {c} has no objects yet.")
        words = "The members of cluster {c} are together with {i} in {value} of the base clusterings, on average."
        return at.terms(n=at.counts_at(some), A=at.row("A", None, at.i, some=some), words=words)

    @derived("d²", "squared distance of an object's row of A from a cluster's mean profile", "(1)",
             axes=("object", "cluster"))
    def far(self, ensemble: Ensemble, state: KCState) -> Matrix:
        X, labels, n = profiles(ensemble, state.A), self._as_numbered(ensemble, state), ensemble.weights
        size = np.bincount(labels, weights=n, minlength=self.k)
        far = squared_distances(X, group_sums(labels, n[:, None] * X, self.k) / np.maximum(size, 1.0)[:, None])
        return np.where(far > ROUNDING * far.max(), far, 0.0)

    @tells("far", "sum(n[t]*(A[t] - M[t])**2, t)")
    def why_far(self, at: At) -> Told:
        words = "Where {i} is with others more often, or less often, than the members of cluster {c} are."
        return at.terms(n=at.counts, A=at.row("A", at.i, None), M=at.row("M", None, at.c), words=words)

    @derived("doubt", "squared distance to the nearest mean profile beside that to the next: near 1 is between two",
             span=(0, 1))
    def doubt(self, ensemble: Ensemble, state: KCState) -> Weights:
        if self.k == 1:
            return np.zeros(ensemble.q)
        own, following = np.partition(self.far(ensemble, state), 1, axis=1)[:, :2].T
        return np.divide(own, following, out=np.ones(ensemble.q), where=following > 0)

    @tells("doubt", "own / next")
    def why_doubt(self, at: At) -> Told:
        if self.k == 1:
            return at.given(0, "Only one cluster is wanted.")
        nearest = np.argsort(at.path.array("far", at.iteration)[at.p], kind="stable")[:2]
        own, following = (at.now("far", at.i, int(c)) for c in nearest)
        if following.value == 0:
            return at.given(1, "{i} lies on two mean profiles: nothing tells them apart for it.")
        words = "{i} is {own} from the nearest mean profile and {next} from the one after, both squared."
        return at.terms(own=own, next=following, words=words)

    @tells("inertia", "sum(n[p]*d[p], p)")
    def why_inertia(self, at: At) -> Told:
        far, own = at.path.array("far", at.iteration), self._as_numbered(at.ensemble, at.after)
        first = at.ensemble.first_of
        d = at.known("far", far[np.arange(at.ensemble.q), own], lambda p: (int(first[p]), int(own[p])))
        return at.terms(n=at.counts, d=d, words="What every object is away from the mean profile of its cluster.")
# fmt: on
