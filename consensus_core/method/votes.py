"""Base clusterings that have a say each: how much of it puts a pair of objects together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..ensemble.masks import latest
from ..ensemble.together import pairs_of
from ..linalg import is_huge
from ..partition import Columns, exactly
from ..similarity.coassociation import coassociation
from .evidence import share
from .method import State
from .quantities import Matrix, derived
from .schedule import Components
from .telling import At, Told, tells


def _thin(ensemble: Ensemble) -> bool:
    """Whether likeness is kept as the columns it is made of."""
    return is_huge(ensemble.q) and not ensemble.has_missing


def _columns(ensemble: Ensemble, say: np.ndarray) -> Columns:
    """The share of the say (m,) that puts a pair together."""
    return Columns(incidence(ensemble), np.repeat(say, ensemble.k_each), float(say.sum()))


@latest
def _parted(ensemble: Ensemble, k: int) -> np.ndarray:
    """(q,) all objects split into k by how often they are together."""
    likeness = _columns(ensemble, np.ones(ensemble.m)) if _thin(ensemble) else coassociation(ensemble)
    labels = exactly(k, np.zeros(ensemble.q, dtype=np.intp), likeness, ensemble.counts)
    labels.flags.writeable = False
    return labels


@dataclass(frozen=True, kw_only=True)
class WeighedVotes(Components):
    """Methods in which base clustering i has the say 1/α_i about every pair of objects it has labels for.

    A state has `alpha` (m,). What they say together stands at pairs of microclusters that one of them puts together.
    """

    likeness_in_words = "the weighted co-association T / s"

    def likeness(self, ensemble: Ensemble, state: State) -> np.ndarray | Columns:
        return _columns(ensemble, 1 / state.alpha) if _thin(ensemble) else self.consensus(ensemble, state)

    def repaired(self, ensemble: Ensemble, state: State) -> np.ndarray:
        """While all have the same say and nothing has come apart, as at the start, no dial but k has one."""
        if state.components == 1 and (state.alpha == state.alpha[0]).all():
            return _parted(ensemble, self.k)
        return super().repaired(ensemble, state)

    @derived("Ŝ", "share of base clusterings that put a pair together", "(2)", span=(0, 1))
    def S_hat(self, ensemble: Ensemble, state: State) -> Matrix:
        return pairs_of(ensemble).matrix(pairs_of(ensemble).share(), diagonal=1.0)

    @tells("S_hat", "together / seen")
    def why_S_hat(self, at: At) -> Told:
        return at.given(1, at.of_equals) if at.pair.alike else share(at)

    @derived("T/s", "share of the say that puts a pair together: Ŝ weighted by 1/α", "(17)", span=(0, 1), minor=True)
    def consensus(self, ensemble: Ensemble, state: State) -> Matrix:
        pairs = pairs_of(ensemble)
        tables = pairs.planes.tables(1 / state.alpha)
        return pairs.matrix(pairs.at_all(lambda block: block.say(tables) / block.total(tables)), diagonal=1.0)

    @tells("consensus", "T / s")
    def why_consensus(self, at: At) -> Told:
        if at.pair.alike or at.pair.unseen:
            return at.given(at.pair.alike, at.of_both)
        words = "Those that put {i} and {j} together have {value} of the say."
        return at.terms(T=at.now("T"), s=at.now("s"), words=words)

    @tells("T", "sum(same[i] / α[i], i)", "(17)", "T", "say of those that put the pair together", ("object", "object"))
    def why_T(self, at: At) -> Told:
        words = "The base clusterings that put {i} and {j} together, each with its say 1/α."
        return at.terms(same=at.same, α=at.row("alpha", None), words=words)

    @tells("s", "sum(seen[i] / α[i], i)", "(17)", "s", "say of all that have a label for both", ("object", "object"))
    def why_s(self, at: At) -> Told:
        words = "All base clusterings with a label for {i} and {j}, each with its say 1/α."
        return at.terms(seen=at.seen, α=at.row("alpha", None), words=words)
