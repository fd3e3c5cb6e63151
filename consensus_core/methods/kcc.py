"""K-means-based consensus clustering (Wu, Liu, Xiong, Cao and Chen 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_sizes, held_by, incidence, over_blocks
from ..method import At, Cost, Incidence, Matrix, Told, Weights, derived, param, shown, speed, tells
from ..method.columns import Columns, ColumnsState
from ..method.params import common
from ..method.schedule import unseen_in_words
from ..method.telling import Row
from ..partition import first_greatest
from ..partition.drawing import different_rows

EPS = 2.0**-52  # part of "u_h" as published: a label that nobody in a cluster has costs 52 bits
NOTHING = 1e-12  # a base clustering whose μ is below tells nothing apart


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class KCCState(ColumnsState):
    C: np.ndarray  # (k, K) centroids in the method's own order
    inside: np.ndarray  # (k, K) objects of each cluster in each base cluster
    seeds: np.ndarray  # (k,) the microcluster on which a centroid was put anew, else −1
    per_object: float  # mean distance
    by_clustering: Weights = shown("Σ⁽ⁱ⁾", "what each base clustering adds to the distance", axes=("clustering",))


@dataclass(frozen=True, kw_only=True)
class KCC(Columns):
    """The partition that shares most with the base clusterings, found as k-means on their labels.

        min Σ_p d(p, C_c(p)),   d(p, C) = Σ_i w_i d_i,   over the k centroids C and the cluster c(p) of each object

    C_i is the share of a cluster's objects in each cluster of base clustering i, C(x) that of the object's own label.

        utility    d_i                                      μ_i, P_i the shares among all objects
        u_c        1 + ‖C_i‖² − 2 C(x)                      ‖P_i‖²              (category utility)
        u_h        −log₂(C(x) + ε),  ε = 2⁻⁵²               −Σ P_i log₂(P_i + ε)   (mutual information)
        u_cos      1 − C(x) / ‖C_i‖                         ‖P_i‖
        u_lp       1 − (C(x) / ‖C_i‖_p)^(p−1)               ‖P_i‖_p

    To minimise the distance is to maximise Σ_i w_i U_i, U_i = Σ_c share_c φ(C_ci) − φ(P_i) with φ(x) = ‖x‖² for u_c and
    Σ x log₂(x + ε) for u_h. w_i = 1, or 1 / μ_i where `normalised`. Objects go to the nearest centroid and centroids to
    the mean of their objects in turn, until the distance falls no more; of several starts, each on k different label
    rows drawn by chance, the one that ends lowest is shown. An empty cluster begins anew on the row that lies worst.
    A missing label adds nothing; a block nobody of a cluster has a label in is that of all objects, P_i.

    J. Wu, H. Liu, H. Xiong, J. Cao, J. Chen: K-means-based consensus clustering: a unified view. 27 (2015) 155–169.
    """

    max_iter: int = common(100, "most steps of a start", span=(1, 10_000))
    tol: float = common(1e-8, "fall of the mean distance that counts as none", plain="tolerance", span=(0.0, 1.0))
    seed: int = common(0, "start of the random numbers", span=(0, 2**32 - 1))
    utility: str = param("u_c", "what the consensus is to share with a base clustering",
        choices=("u_c", "u_h", "u_cos", "u_lp"))
    normalised: bool = param(False, "base clusterings count by 1 / μ: those with even clusters less or more")
    p: float = param(5.0, "which norm for u_lp", plain="norm of u_lp", letter="p", span=(2.0, 20.0))
    starts: int = param(10, "starts, of which the best is shown", span=(1, 100))

    title = "K-means-based consensus clustering"
    family = "k-means"
    reference = "Wu, Liu, Xiong, Cao & Chen, IEEE TKDE 27 (2015) 155–169"
    handles_missing = "a missing label adds nothing to a distance"
    State = KCCState

    def init(self, ensemble: Ensemble) -> KCCState:
        best = None
        for run in range(self.starts):
            rng = np.random.default_rng([self.seed, run])
            first = last = self.begun(ensemble, different_rows(ensemble, self.k, rng))
            for _ in range(self.max_iter):
                old, last = last, self.step(ensemble, last)
                if self.converged(old, last):
                    break
            if best is None or last.per_object < best[0] * (1 - NOTHING):
                best = last.per_object, first
        return best[1]

    def begun(self, ensemble: Ensemble, seeds: np.ndarray) -> KCCState:
        """A start on the label rows of these microclusters."""
        return self._crowned(ensemble, np.zeros((self.k, ensemble.K)), seeds)

    def step(self, ensemble: Ensemble, state: KCCState) -> KCCState:
        seeds = np.full(self.k, -1)
        if len(empty := np.flatnonzero(np.bincount(state.y, minlength=self.k) == 0)):
            distance = self._distances(incidence(ensemble), ensemble, state.C)
            far = ensemble.weights * distance[np.arange(ensemble.q), state.y]
            worst = np.argsort(-far, kind="stable")[: len(empty)]
            seeds[empty] = np.where(far[worst] > 0, worst, -1)
        return self._crowned(ensemble, state.inside, seeds)

    def _crowned(self, ensemble: Ensemble, inside: np.ndarray, seeds: np.ndarray) -> KCCState:
        """Centroids from how many objects of each cluster every base cluster holds, some put on a row anew; then every
        object to the nearest."""
        H, inside, anew = incidence(ensemble), inside.copy(), np.flatnonzero(seeds >= 0)
        if len(anew):
            inside[anew] = H[seeds[anew]].toarray()
        labelled = over_blocks(ensemble, inside)
        C = np.where(labelled > 0, inside / np.maximum(labelled, NOTHING), self._crowd(ensemble))
        distance = self._distances(H, ensemble, C)
        y = first_greatest(-distance, np.abs(distance).max())
        inside = held_by(ensemble, y, self.k)
        each = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        parts = np.bincount(each, weights=(inside * self._costs(ensemble, C)).sum(axis=0), minlength=ensemble.m)
        parts = parts * self._weights(ensemble)
        return KCCState(y=y, C=C, inside=inside, seeds=seeds, per_object=parts.sum() / ensemble.n, by_clustering=parts)

    def _crowd(self, ensemble: Ensemble) -> np.ndarray:
        """P (K,)"""
        sizes = cluster_sizes(ensemble)
        return sizes / over_blocks(ensemble, sizes)

    def _costs(self, ensemble: Ensemble, C: np.ndarray) -> np.ndarray:
        """(k, K) d_i of a label in a cluster."""
        match self.utility:
            case "u_c":
                return 1 + over_blocks(ensemble, C**2) - 2 * C
            case "u_h":
                return -np.log2(C + EPS)
            case "u_cos":
                return 1 - C / np.sqrt(over_blocks(ensemble, C**2))
        return 1 - (C / over_blocks(ensemble, C**self.p) ** (1 / self.p)) ** (self.p - 1)

    def _mu(self, P: np.ndarray) -> float:
        if self.utility == "u_h":
            return -float((P * np.log2(P + EPS)).sum())
        p = self.p if self.utility == "u_lp" else 2.0
        size = float((P**p).sum())
        return size if self.utility == "u_c" else size ** (1 / p)

    def _weights(self, ensemble: Ensemble) -> np.ndarray:
        """w (m,)"""
        if not self.normalised:
            return np.ones(ensemble.m)
        mu = [self._mu(P) for P in np.split(self._crowd(ensemble), ensemble.offsets[1:-1])]
        return np.array([1 / x if x > NOTHING else 0.0 for x in mu])

    def _distances(self, H, ensemble: Ensemble, C: np.ndarray) -> np.ndarray:
        return H @ (self._costs(ensemble, C) * self._weights(ensemble).repeat(ensemble.k_each)).T

    def terms(self, ensemble: Ensemble, state: KCCState) -> dict[str, float]:
        return {"distance": float(state.by_clustering.sum())}

    def converged(self, old: KCCState, new: KCCState) -> bool:
        return old.per_object - new.per_object <= self.tol

    def remarks(self, ensemble: Ensemble, state: KCCState) -> tuple[str, ...]:
        return *self.split_in_words(state), *unseen_in_words(ensemble)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, k, K = ensemble.q, self.k, ensemble.K
        work = (self.starts + 1) * 15 * (4 * q * ensemble.m * k + 20 * k * K + 8 * q * k)
        return Cost(bytes=8 * (6 * q * k + 8 * k * K + 4 * q * ensemble.m), seconds=4 * work / speed().entries)

    # --- why --------------------------------------------------------------------------------------------------

    @derived("C", "centroids: what share of a cluster's objects each base cluster holds", axes=("cluster", "hyperedge"),
             span=(0, 1))
    def centroids(self, ensemble: Ensemble, state: KCCState) -> Matrix:
        return state.C[self.columns(ensemble, state)]

    @derived("d", "distance of each object from each centroid", axes=("object", "cluster"))
    def D(self, ensemble: Ensemble, state: KCCState) -> Matrix:
        return self._distances(incidence(ensemble), ensemble, state.C)[:, self.columns(ensemble, state)]

    @derived("Y", "the cluster of each object: one 1 per row", axes=("object", "cluster"), span=(0, 1))
    def Y(self, ensemble: Ensemble, state: KCCState) -> Incidence:
        return (state.y[:, None] == self.columns(ensemble, state)).astype(float)

    @tells("Y", "1 if own <= rival else 0")
    def why_Y(self, at: At) -> Told:
        far = {"best": "nearest to the centroid of cluster {c}", "worse": "nearer to another centroid than to that of "
               "cluster {c}", "tied": "is as near to another centroid, {rival}"}
        size = np.abs(at.path.array("D", at.iteration)).max()
        return self.told_choice(at, "D", -1, size, "{i} is {far}.", **far)

    @tells("D", "sum(d[i], i)", weighed="sum(w[i]*d[i], i)")
    def why_D(self, at: At) -> Told:
        some = np.flatnonzero(at.ensemble.rows[at.p] >= 0).tolist()
        parts = [at.now("part", at.i, t, at.c) for t in some]
        terms = {"d": at.rows([part.value for part in parts], parts.__getitem__, some)}
        words = "How badly the label of {i} in each base clustering fits cluster {c}."
        if not self.normalised:
            return at.terms(**terms, words=words)
        return at.terms("weighed", w=at.row("w", None, some=some), **terms, words=words)

    @tells("part", "1 + norm(C_i)**2 - 2*C", "", "d⁽ⁱ⁾", "how badly a label fits a cluster",
           ("object", "clustering", "cluster"), u_h="-log2(C + ε)", u_cos="1 - C / norm(C_i)",
           u_lp="1 - (C / sum(C_i[x]**p, x)**(1/p))**(p - 1)")
    def why_part(self, at: At) -> Told:
        code = int(at.ensemble.rows[at.p, at.t])
        if code < 0:
            return at.given(0, "{t} has no label for {i}, and adds nothing.")
        first, last = at.ensemble.offsets[at.t : at.t + 2]
        e, block = int(first) + code, at.row("centroids", at.c, None, some=np.arange(first, last))
        terms = {"C": at.now("centroids", at.c, e), "C_i": block, "e": ("hyperedge", e)}
        words = "{i} is in {e}, as {C} of cluster {c}."
        more = {"u_h": {"ε": at.constant(EPS, "keeps the logarithm finite")}, "u_lp": {"p": at.param("p")}}
        case = "" if self.utility == "u_c" else self.utility
        return at.terms(case, **terms, **more.get(case, {}), words=words)

    @tells("centroids", "M", empty="P", row="inside")
    def why_centroids(self, at: At) -> Told:
        own, (t, code) = self.columns_at(at, at.iteration)[at.c], at.ensemble.cluster(at.e)
        seed = int(at.after.seeds[own])
        if seed < 0:
            M = at.then("mean", self.column_before(at, own), at.e)
            return at.terms(M=M, words="Of those that were in the cluster a step before {value} are in {e}.")
        who = ("object", int(at.ensemble.first_of[seed]))
        if at.ensemble.rows[seed, t] < 0:
            words = "Cluster {c} begins on {who}, which has no label there: it is taken to be like all objects."
            return at.terms("empty", P=at.now("P", at.e), who=who, words=words)
        inside = at.labels(at.ensemble.rows[seed, t] == code, "1 where the object is in the cluster", who, "'s label.")
        return at.terms("row", inside=inside, who=who, words="Cluster {c} begins on {who}, whose labels it takes.")

    @tells("mean", "sum(n[p]*inside[p]*Y[p], p) / sum(n[p]*seen[p]*Y[p], p)", "", "M",
           "share of a cluster's objects that are in a base cluster", ("cluster", "hyperedge"), empty="P")
    def why_mean(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        rows = at.ensemble.rows[:, t]
        Y = at.row("Y", None, at.c)
        if not (Y.values * (rows >= 0)).any():
            return at.terms("empty", P=at.now("P", at.e), words="No object of cluster {c} has a label there: like all.")
        words = "{value} of the objects of cluster {c} that have a label there are in {e}."
        return at.terms(n=at.counts, inside=self._votes(at, rows == code, t), Y=Y, seen=self._votes(at, rows >= 0, t),
                        words=words)

    def _votes(self, at: At, votes: np.ndarray, t: int) -> Row:
        first = at.ensemble.first_of
        return at.row_of_labels(votes, "1 where its label says so", lambda p: (
            "The label of ", ("object", int(first[p])), " in ", ("clustering", t), "."), tuple(first.tolist()))

    @tells("P", "size / labelled", "", "P", "share of all objects that are in a base cluster", ("hyperedge",))
    def why_P(self, at: At) -> Told:
        t, sizes = at.ensemble.cluster(at.e)[0], cluster_sizes(at.ensemble)
        block = sizes[at.ensemble.offsets[t] : at.ensemble.offsets[t + 1]]
        size = at.labels(sizes[at.e], "objects in the base cluster", "The objects of ", ("hyperedge", at.e), ".")
        whose = "Objects with a label in ", ("clustering", t), "."
        labelled = at.labels(block.sum(), "objects with a label there", *whose)
        return at.terms(size=size, labelled=labelled, words="{size} of {labelled} objects are in {e}.")

    @tells("w", "1 / sum(P[x]**2, x)", "", "w", "weight of a base clustering", ("clustering",),
           u_h="-1 / sum(P[x]*log2(P[x] + ε), x)", u_lp="1 / sum(P[x]**p, x)**(1/p)")
    def why_w(self, at: At) -> Told:
        block = np.arange(*at.ensemble.offsets[at.t : at.t + 2])
        if not self._weights(at.ensemble)[at.t]:
            return at.given(0, "{t} tells nothing apart, and counts nothing.")
        terms = {"P": at.row("P", None, some=block), "words": "One over the size μ of what {t} says of all objects."}
        if self.utility == "u_c":
            return at.terms(**terms)
        if self.utility == "u_h":
            return at.terms("u_h", ε=at.constant(EPS, "keeps the logarithm finite"), **terms)
        p = at.param("p") if self.utility == "u_lp" else at.constant(2, "the length of a row is its 2-norm")
        return at.terms("u_lp", p=p, **terms)

    @tells("by_clustering", "sum(n[p]*d[p], p)", weighed="w*sum(n[p]*d[p], p)")
    def why_by_clustering(self, at: At) -> Told:
        columns, first = self.columns_at(at, at.iteration), at.ensemble.first_of
        own = np.argsort(columns)[at.after.y]
        parts = [at.now("part", int(first[p]), at.t, int(own[p])) for p in range(at.ensemble.q)]
        d = at.rows([part.value for part in parts], parts.__getitem__, tuple(first.tolist()))
        words = "How badly the labels of {t} fit the clusters their objects are in."
        if not self.normalised:
            return at.terms(n=at.counts, d=d, words=words)
        return at.terms("weighed", w=at.now("w"), n=at.counts, d=d, words=words)
# fmt: on
