"""Methods of a single step: a similarity of pairs, and the tree that grows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..ensemble.together import together_pairs
from ..linalg.huge import is_huge
from ..partition import Columns, Dendrogram, linkage
from ..similarity.coassociation import thin_shares
from .cost import Cost, speed
from .method import Exempt, Method, State
from .quantities import Matrix, shown

COLUMNS = 0.3  # passes over all rows in all columns for each merge


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeState(State):
    A: Matrix = shown("A", "similarity: how much a pair belongs together", span=(0, 1))
    tree: Dendrogram | None = None  # built by the single step


@dataclass(frozen=True, kw_only=True)
class TreeMethod(Method):
    """A similarity of pairs (`similarity`), joined bottom-up by the distance 1 − A until k groups are left."""

    family = "co-association"
    State = TreeState
    monotone = Exempt("one shot: a tree is built once, nothing is minimised step by step")
    linkage: ClassVar[str] = "average"

    def similarity(self, ensemble: Ensemble) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} must define similarity")

    def votes(self, ensemble: Ensemble) -> np.ndarray | None:
        """(K,) what each cluster adds to A of two of its objects, over m, where A is no more than that."""
        return None

    def in_columns(self, ensemble: Ensemble) -> np.ndarray | None:
        """The votes where rows are too many for a matrix: then A has no zeros, and the tree grows without it."""
        if ensemble.has_missing or self.linkage != "average" or not is_huge(ensemble.q):
            return None
        return self.votes(ensemble)

    def matrix(self, ensemble: Ensemble):
        votes = self.in_columns(ensemble)
        return self.similarity(ensemble) if votes is None else thin_shares(ensemble, votes)

    def init(self, ensemble: Ensemble) -> TreeState:
        return self.State(A=self.matrix(ensemble))

    def step(self, ensemble: Ensemble, state: TreeState) -> TreeState:
        return replace(state, tree=self.tree(ensemble, state))

    def tree(self, ensemble: Ensemble, state: TreeState) -> Dendrogram:
        if state.tree is None and (votes := self.in_columns(ensemble)) is not None:
            return linkage(Columns(incidence(ensemble), votes, ensemble.m), ensemble.counts)
        return state.tree or self.grown(ensemble, state.A)

    def grown(self, ensemble: Ensemble, A: np.ndarray) -> Dendrogram:
        return linkage(A, ensemble.counts, self.linkage)

    def terms(self, ensemble: Ensemble, state: TreeState) -> dict[str, float]:
        """Where the tree is cut: the height of the last merge kept, 1 − A of the loosest cluster."""
        if state.tree is None or self.k == ensemble.q:
            return {"height of the cut": 0.0}
        return {"height of the cut": float(state.tree.heights[ensemble.q - self.k - 1])}

    def labels(self, ensemble: Ensemble, state: TreeState) -> np.ndarray:
        return self.tree(ensemble, state).cut(self.k)

    def converged(self, old: TreeState, new: TreeState) -> bool:
        return True

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K = ensemble.q, ensemble.K
        machine = speed()
        if self.in_columns(ensemble) is not None:
            P = together_pairs(ensemble)
            return Cost(bytes=24 * P + 24 * q * K, seconds=COLUMNS * q * q * K / machine.entries)
        tree = 110 * q * q / machine.entries + 5e-5 * q  # merges are short passes over rows; each costs its calls
        return Cost(bytes=20 * q * q + 1000 * q, seconds=q * q * K / 4 / machine.products + tree)
