"""Methods that group the base clusters, and let every object vote with the clusters it is in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_sizes, incidence
from ..linalg import unit_rows
from ..partition import first_greatest, relabel
from ..partition.ncut import ncut
from ..partition.numbering import column_of
from .cost import Cost, speed
from .leading import MORE, ClusterGraph, ClusterGraphState
from .method import State
from .quantities import Embedding, Matrix, Weights, derived, shown
from .telling import At, Told, tells


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class MetaState(ClusterGraphState):
    places: Embedding = shown("X_C", "places of the base clusters, all at distance 1 from the middle",
        axes=("hyperedge", "coordinate"))


@dataclass(frozen=True, kw_only=True)
class MetaClusters(ClusterGraph):
    """Methods whose k-means, or rotation, groups base clusters into meta-clusters M; an object goes where the greatest
    share of the clusters is that hold it:  score_pc = (1 / |M_c|) Σ_{e in M_c} [p in e]."""

    def placed_by(self, W: np.ndarray) -> dict[str, np.ndarray]:
        """The fields of a state that say where the clusters are, in their graph W."""
        values, V = ncut(W, self.k + MORE, self.offset())
        return {"sigma": values, "V": V, "places": unit_rows(V[:, : self.k])}

    def offset(self) -> float:
        return 0.5 if self.cut == "discretise" else 0.0

    def points(self, ensemble: Ensemble, state: State):
        return state.places, np.ones(ensemble.K)

    def meta(self, ensemble: Ensemble, state: MetaState) -> np.ndarray:
        """(K,) the meta-cluster of each base cluster; those with most objects in their clusters come first."""
        return relabel(state.member, by="size", counts=cluster_sizes(ensemble))

    def votes(self, ensemble: Ensemble, state: MetaState) -> np.ndarray:
        """(q, meta-clusters): the share of the clusters of each that hold an object."""
        meta = self.meta(ensemble, state)
        parts = np.eye(int(meta.max(initial=0)) + 1)[meta]
        return incidence(ensemble) @ parts / np.maximum(parts.sum(axis=0), 1)

    def groups(self, ensemble: Ensemble, state: MetaState) -> np.ndarray:
        return first_greatest(self.votes(ensemble, state))

    def _columns(self, ensemble: Ensemble, state: MetaState) -> np.ndarray:
        """Which meta-cluster each cluster is, as it is numbered on every screen."""
        return column_of(ensemble, self.groups(ensemble, state), self.labels(ensemble, state), self.k)

    def _members(self, at: At) -> np.ndarray:
        """The base clusters of the meta-cluster of cluster c."""
        known = at.path.once("meta", at.iteration, lambda: (
            self.meta(at.ensemble, at.after), self._columns(at.ensemble, at.after)))
        return np.flatnonzero(known[0] == known[1][at.c])

    @derived("score", "share of the clusters of each meta-cluster that hold an object", axes=("object", "cluster"),
             span=(0, 1))
    def score(self, ensemble: Ensemble, state: MetaState) -> Matrix:
        votes = self.votes(ensemble, state)
        all_k = np.pad(votes, ((0, 0), (0, max(0, self.k - votes.shape[1]))))
        return all_k[:, self._columns(ensemble, state)]

    @tells("score", "sum(inside[e], e) / size")
    def why_score(self, at: At) -> Told:
        members = self._members(at)
        if not len(members):
            return at.given(0, "Meta-cluster {c} has no base cluster.")
        t = np.searchsorted(at.ensemble.offsets, members, side="right") - 1
        inside = at.ensemble.rows[at.p, t] + at.ensemble.offsets[t] == members
        inside &= at.ensemble.rows[at.p, t] >= 0
        row = at.row_of_labels(inside, "1 where the object is in the cluster",
                               lambda k: at.said_of_one(int(t[k])), tuple(members.tolist()))
        votes = at.constant(inside.sum(), "clusters of the meta-cluster that hold the object")
        size = at.constant(len(members), "base clusters in the meta-cluster")
        return at.terms(inside=row, size=size, votes=votes,
                        words="{i} is in {votes} of the {size} base clusters of meta-cluster {c}.")

    @derived("margin", "score of the first choice less that of the second: 0 is undecided", span=(0, 1))
    def margin(self, ensemble: Ensemble, state: MetaState) -> Weights:
        votes = np.sort(np.pad(self.votes(ensemble, state), ((0, 0), (1, 0))), axis=1)
        return votes[:, -1] - votes[:, -2]

    @tells("margin", "first - second", alone="first")
    def why_margin(self, at: At) -> Told:
        scores = at.row("score", at.i, None)
        order = np.argsort(-scores.values, kind="stable")
        first = scores.term(int(order[0]))
        if len(order) == 1:
            return at.terms("alone", first=first, words="There is no other choice.")
        second = scores.term(int(order[1]))
        return at.terms(first=first, second=second, words="How much more the clusters of one choice hold {i}.")

    @tells("places", "V / norm(V_e)")
    def why_places(self, at: At) -> Told:
        row = at.row("V", at.e, None, some=range(at.after.places.shape[1]))
        if not at.after.places[at.e].any():
            return at.given(0, "No coordinate that is used says where {e} is.")
        return at.terms(V=row.term(at.a), V_e=row, words="The place of {e}, brought to distance 1 from the middle.")

    @derived("table", "how many clusters of each base clustering each meta-cluster has", axes=("clustering", "cluster"))
    def table(self, ensemble: Ensemble, state: MetaState) -> Matrix:
        meta, columns = self.meta(ensemble, state), self._columns(ensemble, state)
        owner = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        counts = np.zeros((ensemble.m, max(self.k, int(meta.max(initial=0)) + 1)))
        np.add.at(counts, (owner, meta), 1)
        return counts[:, columns]

    @tells("table", "sum(one[e], e)")
    def why_table(self, at: At) -> Told:
        members = self._members(at)
        mine = members[np.searchsorted(at.ensemble.offsets, members, side="right") - 1 == at.t]
        one = at.rows(np.ones(len(mine)), lambda k: at.constant(1, "a base cluster that is grouped with these"))
        if not len(mine):
            return at.given(0, "No cluster of {t} is in meta-cluster {c}.")
        return at.terms(one=one, words="Clusters of {t} in meta-cluster {c}: 1 corresponds to it, 2 are it in halves.")
# fmt: on

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K = ensemble.q, ensemble.K
        machine = speed()
        seconds = 5 * K**3 / machine.products + 80 * q * (ensemble.m + self.k) / machine.entries + 5e-3
        own = Cost(bytes=60 * K * K + 40 * q * (ensemble.m + self.k), seconds=seconds)
        return own + self.cost_of_groups(K, self.k)
