"""What may be read off an ensemble about the number of clusters, rule by rule, and how far each rule can be believed.

None is reliable. On real ensembles, with base clusterings of 2 to √n clusters, no rule was right more often than a
constant; on well separated mixtures several are right almost always. So the curves are shown with both figures, and a
number is offered only where some k is stable.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg.spectrum import smallest_eigenvectors
from ..partition import Dendrogram, linkage
from ..scores import cdf_area, consensus_cdf, delta_area, nmi_above_chance, pac
from ..scores.element_centric import element_centric
from ..similarity import coassociation, local_weighting
from .stability import STABLE, apart

CONSTANT = "always saying 7 was right in 29%"


@dataclass(frozen=True)
class Rule:
    """A curve over k."""

    key: str
    title: str
    reads_as: str
    right: str  # how often it was, on real ensembles
    best: str  # "highest", "lowest" or "" where no single k is read off
    redrawn: bool = False  # it needs the results of other draws


RULES = {
    rule.key: rule
    for rule in (
        Rule("stability", "stability under redraws",
             "mean ARI of two results from halves of the base clusterings that share none; 1: always the same",
             "highest: 4 to 7%", "highest", True),
        Rule("above", "NMI above shuffled labels",
             "how much more the result shares with the base clusterings than shuffled labels of the same sizes would",
             "highest: 9%; on separated mixtures 80%", "highest"),
        Rule("lifetime", "lifetime in the tree",
             "over what range of heights the tree has just k branches", "longest: 0 to 4%; on separated mixtures 83%",
             "highest"),
        Rule("eigengap", "eigengap",
             "the step from the k-th to the next eigenvalue of the co-association's normalised Laplacian",
             "greatest: 2%", "highest"),
        Rule("components", "component counts",
             "over what range of thresholds the co-association falls into just k pieces, single objects among them",
             "not measured", "highest"),
        Rule("element", "element-centric consistency",
             "mean over objects of how alike two redrawn results treat an object; 1: every object always in the same "
             "company", "not measured", "highest", True),
        Rule("pac", "PAC", "share of pairs that are together in some redraws and apart in others (between 10 and 90%)",
             "lowest: 4%; it takes the largest k on noise", "lowest", True),
        Rule("delta", "delta area",
             "how much the distribution of the consensus still gains from one more cluster",
             "last gain of a tenth: 2%; it says 8 to 10 on nearly everything, noise included", "", True),
    )
}  # fmt: skip


def tree_of(ensemble: Ensemble) -> Dendrogram:
    """The consensus as a tree: average linkage of the locally weighted co-association."""
    return linkage(local_weighting(ensemble), ensemble.counts)


def read_off(ensemble: Ensemble, tree: Dendrogram, ks: Sequence[int]) -> dict[str, np.ndarray]:
    """The rules that need this ensemble alone: (len(ks),) each, NaN where a rule says nothing."""
    ks = list(ks)
    A = coassociation(ensemble)
    values = smallest_eigenvectors(A, min(max(ks) + 1, ensemble.q), ensemble.counts, normalised=True)[0]
    gaps = np.full(max(ks) + 2, np.nan)
    gaps[1 : len(values)] = np.diff(values)
    single = linkage(A, ensemble.counts, "single")
    above = [np.nanmean(nmi_above_chance(tree.cut(k), ensemble.rows, ensemble.counts)) for k in ks]
    return {
        "above": np.array(above),
        "lifetime": _lifetimes(tree, ks),
        "eigengap": gaps[ks],
        "components": _lifetimes(single, ks),
    }


def _lifetimes(tree: Dendrogram, ks: list[int]) -> np.ndarray:
    lives = np.concatenate([[np.nan, np.nan], tree.lifetimes()])
    return np.array([lives[k] if k < len(lives) else np.nan for k in ks])


def from_redraws(labels: Mapping[int, Sequence[np.ndarray]], ks: Sequence[int]) -> dict[str, np.ndarray]:
    """The rules that need results (n,) of other draws, for every k, each two in a row of halves that share no base
    clustering (`stability.halves`); NaN where fewer than two are there."""
    found = {key: np.full(len(ks), np.nan) for key in ("stability", "element", "pac", "area")}
    for at, k in enumerate(ks):
        draws = list(labels.get(k, ()))
        if len(draws) > 1:
            consensus, counts = consensus_of(draws)
            found["stability"][at] = apart(draws)
            found["element"][at] = np.mean(
                [element_centric(*two) for two in zip(draws[::2], draws[1::2], strict=False)]
            )
            found["pac"][at] = pac(consensus, counts)
            found["area"][at] = cdf_area(consensus, counts)
    found["delta"] = delta_area(found.pop("area")) if len(ks) else np.zeros(0)
    return found


def consensus_of(draws: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """How often results put two objects together: over objects all results treat alike, and how many these are."""
    together = Ensemble.from_labels(np.column_stack(draws))
    return coassociation(together), together.counts


def distribution(draws: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The distribution function of the consensus over pairs of objects."""
    return consensus_cdf(*consensus_of(draws))


@dataclass(frozen=True)
class Hint:
    """A number of clusters that has something to say for it, or none."""

    k: int | None
    sentence: str


def hint(ks: Sequence[int], curves: Mapping[str, np.ndarray]) -> Hint:
    """Only where some k is stable: of the stable ones that with the most NMI above shuffled labels."""
    stable = np.nan_to_num(curves["stability"], nan=-1.0) >= STABLE
    if not stable.any():
        return Hint(
            None,
            f"No stable partition found: for no k do results from halves of the base clusterings that share none agree "
            f"to {STABLE}. That is so of every ensemble without structure that was tried, and of 58% of real ones; it "
            "does not say that there is one cluster.",
        )
    above = np.where(stable, np.nan_to_num(curves["above"], nan=-np.inf), -np.inf)
    k = int(np.asarray(ks)[int(above.argmax())])
    also = [int(one) for one, sound in zip(ks, stable, strict=True) if sound and one != k]
    more = f" Stable too: {', '.join(map(str, also))}." if also else ""
    return Hint(
        k,
        f"A hint, not a finding: k = {k} is stable and shares most with the base clusterings above shuffled labels."
        f"{more} Read off like this it was right in 9% of real ensembles ({CONSTANT}), and in 80% of well separated "
        "mixtures: demonstrations on such mixtures mislead.",
    )


@dataclass(frozen=True)
class Split:
    """Objects that are in cluster `parent` of k − 1 and `child` of k (both as numbered)."""

    k: int
    parent: int
    child: int
    objects: int


def splits(labels: Mapping[int, np.ndarray], counts=None) -> list[Split]:
    """Who splits from whom from one k to the next: labels (q,) for each k, ascending."""
    found, ks = [], sorted(labels)
    for before, k in itertools.pairwise(ks):
        one, other = np.asarray(labels[before]), np.asarray(labels[k])
        weights = np.ones(len(one)) if counts is None else np.asarray(counts, dtype=float)
        pairs, place = np.unique(np.column_stack([one, other]), axis=0, return_inverse=True)
        sizes = np.bincount(place.reshape(-1), weights=weights)
        found += [Split(k, int(a), int(b), int(size)) for (a, b), size in zip(pairs, sizes, strict=True)]
    return found
