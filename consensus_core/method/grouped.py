"""Methods of a single step that give things places: k-means groups them, from several starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..numbers import counted
from ..partition import (
    Grouping,
    group_means,
    relabel,
    rotated_axes,
    settled_kmeans,
    settled_rotations,
    split_scattered,
    spread_of,
    starting_kmeans,
    starting_rotations,
)  # fmt: skip
from .cost import Cost, speed
from .method import State
from .params import common, param
from .quantities import Embedding, Weights, derived, shown
from .schedule import unseen_in_words
from .telling import At, Told, tells
from .worth import Worth

POINT = ("object", "coordinate")


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedState(State):
    spread: Weights = shown("spread", "what each start leaves: squared distances from the middles of groups",
        axes=("rank",))  # fmt: skip
    member: np.ndarray  # the group of each point


@dataclass(frozen=True, kw_only=True)
class Grouped(Worth):
    """Methods that give objects, or what stands for them, places (`points`), and group these by k-means, or by a
    rotation.

    Iteration 0 has every point at the nearest of k points taken as centres; the step is k-means to its end.
    """

    cut: ClassVar[str] = "kmeans"  # or "discretise", by rotation; a dial where one can choose
    starts: ClassVar[int] = 10
    seed: ClassVar[int] = 0

    def placed(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        """The fields of a state that say where things are."""
        raise TypeError(f"{type(self).__name__} must define placed")

    def points(self, ensemble: Ensemble, state: State) -> tuple[np.ndarray, np.ndarray]:
        """What k-means groups, and how many of it there are: objects, unless it is said otherwise."""
        return state.X, self.worth(ensemble)

    def groups(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """(q,) the group of each object."""
        return state.member[: ensemble.q]

    def init(self, ensemble: Ensemble) -> State:
        begun = self.State(**self.placed(ensemble), spread=np.zeros(0), member=np.zeros(0, dtype=np.intp))
        found = self.grouped(*self.points(ensemble, begun), settled=False)
        return replace(begun, spread=found.spread, member=found.labels)

    def step(self, ensemble: Ensemble, state: State) -> State:
        found = self.grouped(*self.points(ensemble, state), settled=True)
        return replace(state, spread=found.spread, member=found.labels)

    def grouped(self, X: np.ndarray, worth: np.ndarray, settled: bool) -> Grouping:
        """The groups, where every start begins or where it ends."""
        if not len(X):
            return Grouping(np.zeros(0, dtype=np.intp), np.zeros(1), np.zeros((1, 0), dtype=np.intp))
        if self.cut == "discretise":
            return (settled_rotations if settled else starting_rotations)(X, self.k, worth)
        return (settled_kmeans if settled else starting_kmeans)(X, self.k, worth, self.seed, self.starts)

    @property
    def middles(self):
        """Where the middles of groups are."""
        return rotated_axes if self.cut == "discretise" else group_means

    def terms(self, ensemble: Ensemble, state: State) -> dict[str, float]:
        """What the groups make as small as they can."""
        X, worth = self.points(ensemble, state)
        return {"squared distances from the middles": spread_of(X, state.member, worth, self.middles)}

    def labels(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """The groups; where there are fewer than k, those whose objects are least together are split."""
        groups = relabel(self.groups(ensemble, state))
        if not self.exact_k or groups.max() + 1 >= self.k:
            return groups
        return split_scattered(groups, self.k, incidence(ensemble).toarray(), ensemble.weights)

    def found(self, ensemble: Ensemble, state: State) -> int:
        return len(np.unique(self.groups(ensemble, state)))

    def converged(self, old: State, new: State) -> bool:
        return True

    def remarks(self, ensemble: Ensemble, state: State) -> tuple[str, ...]:
        found, said = self.found(ensemble, state), ()
        if found < self.k:
            how = "split where objects are least together" if self.exact_k else "left as they are"
            said = (f"{self.name()} found {counted(found, 'group')} where {self.k} were wanted: {how}.",)
        return *said, *unseen_in_words(ensemble)

    def cost_of_groups(self, points: int, coordinates: int) -> Cost:
        """Some twenty steps from each start, each a few passes over points times centres."""
        each = points * self.k * (coordinates / speed().products + 8 / speed().entries)
        return Cost(bytes=40 * points * (self.k + coordinates), seconds=20 * self.starts * each + 1e-3 * self.starts)

    @tells("spread", "sum(n[p]*apart[p]**2, p)")
    def why_spread(self, at: At) -> Told:
        X, worth = self.points(at.ensemble, at.after)
        found = at.path.once("groups", at.iteration, lambda: self.grouped(X, worth, settled=not at.start))
        labels = found.every[at.r]
        apart = np.linalg.norm(X - self.middles(X, labels, worth)[labels], axis=1)
        when = "Before anything moves" if at.start else "When nothing moves any more"
        end = "How far a point is from the middle of its group, as this start has it"
        return at.terms(
            n=at.rows(worth, lambda p: at.constant(worth[p], "for how much a point counts")),
            apart=at.rows(apart, lambda p: at.constant(apart[p], end)),
            words=f"Start {{r}}: {self._begun(at.r)}. {when}, this much is left.",
        )

    def _begun(self, r: int) -> str:
        if self.cut == "discretise":
            return "the axes are points as different as can be, the first of them this one"
        return "points drawn by the seed" if r else "points as far from each other as can be, without any chance"


@dataclass(frozen=True, kw_only=True)
class Starts(Grouped):
    """Methods whose k-means begins several times."""

    starts: int = param(10, "k-means begins so often; the best end counts. The first start has no chance in it",
        plain="starts of k-means", span=(1, 100))  # fmt: skip
    seed: int = common(0, "start of the random numbers, for all starts of k-means but the first", span=(0, 2**32 - 1))


@dataclass(frozen=True, kw_only=True, eq=False)
class PlacesState(GroupedState):
    X: Embedding = shown("X", "places of the objects, all at distance 1 from the middle")


@dataclass(frozen=True, kw_only=True)
class GroupedObjects(Starts):
    """Methods that group the objects themselves, at places X."""

    @derived("away", "how far each object is from the middle of its cluster")
    def away(self, ensemble: Ensemble, state: PlacesState) -> Weights:
        labels = self.labels(ensemble, state)
        return np.linalg.norm(state.X - group_means(state.X, labels, self.worth(ensemble))[labels], axis=1)

    @tells("away", "norm(X_i - centre)")
    def why_away(self, at: At) -> Told:
        mine = at.path.array("cluster", at.iteration)
        inside, c = mine == mine[at.p], int(mine[at.p]) - 1
        worth = self.worth(at.ensemble)[inside]
        centre = at.known("centre", worth @ at.after.X[inside] / worth.sum(), lambda a: (c, a))
        words = "How far {i} stands from the middle of its cluster."
        return at.terms(X_i=at.row("X", at.i, None), centre=centre, words=words)

    @tells("centre", "sum(n[p]*X[p], p) / size", letter="centre", axes=("cluster", "coordinate"),
           meaning="the mean place of the objects of a cluster")  # fmt: skip
    def why_centre(self, at: At) -> Told:
        inside = np.flatnonzero(at.path.array("cluster", at.iteration) == at.c + 1)
        n = self.counting(at, inside)
        size = at.constant(n.values.sum(), "for how much the cluster counts")
        return at.terms(n=n, X=at.row("X", None, at.a, some=inside), size=size, words="The mean over {c}.")
