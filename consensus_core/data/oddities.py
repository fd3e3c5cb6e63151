"""What is in an ensemble, and what is odd about it, in numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..scores import diversity

CHANCE = 0.05  # mean ARI below which base clusterings are said to agree hardly better than by chance
FEW = 30  # objects below which agreement by chance varies too much to say that
STRANGER = 0.2  # share of the others' usual agreement below which one base clustering is pointed at


@dataclass(frozen=True, eq=False)
class Portrait:
    n: int
    m: int
    q: int
    k_each: np.ndarray  # (m,)
    missing: float  # share of labels
    missing_each: np.ndarray  # (m,) share of labels
    nmi: np.ndarray  # (m, m)
    ari: np.ndarray  # (m, m)
    odd: tuple[str, ...]  # a sentence each: where, and what to do

    @property
    def nmi_with_others(self) -> np.ndarray:
        """(m,): the mean NMI of each with the others, where there is one; NaN where there is none."""
        beside = np.where(np.eye(len(self.nmi), dtype=bool), np.nan, self.nmi)
        return np.array([_mean_of(row) for row in beside])

    @property
    def mean_nmi(self) -> float:
        return _mean_beside(self.nmi)

    @property
    def mean_ari(self) -> float:
        return _mean_beside(self.ari)


def portrait(ensemble: Ensemble) -> Portrait:
    alike = diversity(ensemble.rows, ensemble.counts)
    return Portrait(
        n=ensemble.n,
        m=ensemble.m,
        q=ensemble.q,
        k_each=ensemble.k_each,
        missing=missing_share(ensemble),
        missing_each=ensemble.counts @ ensemble.missing / ensemble.n,
        nmi=alike.nmi,
        ari=alike.ari,
        odd=tuple(_odd(ensemble, alike.ari)),
    )


def missing_share(ensemble: Ensemble) -> float:
    """Of all labels, over objects, how many are not there."""
    return float(ensemble.counts @ ensemble.missing.mean(axis=1)) / ensemble.n


def _odd(ensemble: Ensemble, ari: np.ndarray):
    names, k, n = ensemble.names, ensemble.k_each, ensemble.n
    for i in np.flatnonzero(k == 0):
        yield f"“{names[i]}” has no label at all: it says nothing and can be left out."
    for i in np.flatnonzero(k == 1):
        yield f"“{names[i]}” puts all objects into one cluster: it says nothing and can be left out."
    for i in np.flatnonzero((k > 0.9 * n) & (n > 10)):
        yield f"“{names[i]}” has a cluster for nearly every object ({k[i]:,} for {n:,}): is it a column of ids?"
    yield from _twins(ensemble)
    if alone := int(ensemble.counts[ensemble.never_observed].sum()):
        yield (
            f"{alone:,} object{'s have' if alone > 1 else ' has'} no label in any base clustering: nothing is known "
            "about them, and wherever they are put is a guess."
        )
    yield from _strangers(ensemble, ari)


def _twins(ensemble: Ensemble):
    first_with = {}
    for i, column in enumerate(ensemble.rows.T):
        # renumbered by first appearance, so that equal partitions have equal codes
        seen, inverse = np.unique(column, return_inverse=True)
        place = np.full(len(seen), len(column))
        np.minimum.at(place, inverse, np.arange(len(column)))
        code = place[inverse]
        code[column < 0] = -1
        twin = first_with.setdefault(code.tobytes(), i)
        if twin != i and ensemble.k_each[i] > 1:
            yield f"“{ensemble.names[i]}” is the same clustering as “{ensemble.names[twin]}”: it counts twice."


def _strangers(ensemble: Ensemble, ari: np.ndarray):
    if ensemble.m < 2:
        return
    informative = np.flatnonzero(ensemble.k_each > 1)
    mean = _mean_beside(ari[np.ix_(informative, informative)]) if len(informative) > 1 else np.nan
    if np.isfinite(mean) and mean < CHANCE and ensemble.n >= FEW:
        yield (
            f"The base clusterings agree hardly better than by chance (mean ARI {mean:z.2f}): there may be no "
            "structure that a consensus could find."
        )
        return
    if len(informative) < 4:
        return
    each = np.array([_mean_of(np.delete(ari[i, informative], np.flatnonzero(informative == i))) for i in informative])
    usual = np.median(each)
    for i, agreement in zip(informative, each, strict=True):
        if agreement < STRANGER * usual:
            yield (
                f"“{ensemble.names[i]}” disagrees with the others (mean ARI {agreement:z.2f}, the others' median is "
                f"{usual:.2f}): see whether the consensus is better without it."
            )


def _mean_beside(table: np.ndarray) -> float:
    return _mean_of(table[np.triu_indices(len(table), 1)])


def _mean_of(values: np.ndarray) -> float:
    values = values[np.isfinite(values)]
    return float(values.mean()) if values.size else float("nan")
