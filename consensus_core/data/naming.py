"""Clusters as a person calls them: renamed, merged, recoloured. The same in every file, figure and program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ensemble import Ensemble
from ..scores.margins import Certainty, certainty
from ..text import visible

LONGEST = 80  # signs of a name
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Naming:
    """Pairs of a cluster (0, 1, … by the one numbering) and its name, the cluster it is part of, its colour."""

    names: tuple[tuple[int, str], ...] = ()
    merged: tuple[tuple[int, int], ...] = ()
    colours: tuple[tuple[int, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.merged or self.colours)

    def place(self, label: int) -> int:
        """The cluster a cluster is part of; itself where it was not merged. A circle of mergers is one cluster."""
        into, seen = dict(self.merged), {label}
        while label in into:
            label = into[label]
            if label in seen:
                return min(seen)
            seen.add(label)
        return label

    def applied(self, labels: np.ndarray) -> np.ndarray:
        """Labels 0, 1, …; clusters that were merged have the number of the one they are part of, others keep theirs."""
        if not self.merged or not len(labels):
            return labels
        return np.array([self.place(k) for k in range(int(labels.max()) + 1)])[labels]

    def name(self, label: int) -> str:
        """ "setosa", or "cluster 3"."""
        return dict(self.names).get(label) or f"cluster {label + 1}"

    def colour(self, label: int, usual: str) -> str:
        return dict(self.colours).get(label, usual)

    def as_meta(self) -> dict[str, Any]:
        return {name: [list(pair) for pair in getattr(self, name)] for name in ("names", "merged", "colours")}

    @classmethod
    def from_meta(cls, meta: Any, k: int = 10**6) -> Naming:
        """What of it makes sense for k clusters."""
        meta = meta if isinstance(meta, Mapping) else {}

        def pairs(name: str, sound) -> tuple:
            found = meta.get(name, ())
            found = found if isinstance(found, (list, tuple)) else ()
            right = [tuple(pair) for pair in found if isinstance(pair, (list, tuple)) and len(pair) == 2]
            return tuple((at, value) for at, value in right if _cluster(at, k) and sound(value))

        names = pairs("names", lambda name: isinstance(name, str) and name.strip())
        return cls(
            tuple((at, visible(name, LONGEST)) for at, name in names),
            pairs("merged", lambda into: _cluster(into, k)),
            pairs("colours", lambda colour: isinstance(colour, str) and _COLOUR.fullmatch(colour)),
        )


AS_NUMBERED = Naming()


def _cluster(value: Any, k: int) -> bool:
    return type(value) is int and 0 <= value < k


def surely(ensemble: Ensemble, labels: np.ndarray) -> Certainty:
    """The certainty of objects under labels of which some numbers may be nobody's, as after merging."""
    there, packed = np.unique(labels, return_inverse=True)
    sure = certainty(ensemble, packed.reshape(-1))
    return Certainty(sure.own, sure.other, there[sure.second], sure.margin)
