"""What a stage is about: an ensemble, and what is known of its objects besides."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np

from ..drawing.orders import leaf_rank
from ..drawing.places import map_of
from ..ensemble import Ensemble
from .film import Film


@dataclass(frozen=True, eq=False)
class Places:
    """Where objects stand among their like, and on the map. Takes seconds on large data."""

    rank: np.ndarray  # (q,) along the tree of the co-association
    xy: np.ndarray  # (n, 2)


@dataclass(frozen=True, eq=False)
class Objects:
    ensemble: Ensemble
    title: str = ""
    ids: np.ndarray | None = None  # (n,) as the user wrote them
    features: np.ndarray | None = None  # (n, p)
    k: int = 2  # the number of clusters that is proposed
    film: Film = field(init=False, repr=False)
    _known: list[Places] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self):
        object.__setattr__(self, "film", Film(self.ensemble))

    @property
    def placed(self) -> bool:
        return bool(self._known)

    def prepared(self) -> None:
        """The places are computed in a thread of their own from now on."""
        if not self.placed:
            threading.Thread(target=self.places, name="places", daemon=True).start()

    def places(self) -> Places:
        """Computed once, by whoever asks first; the others wait. Never asked for where somebody waits for an answer."""
        with self._lock:
            if not self._known:
                self._known.append(Places(leaf_rank(self.ensemble), map_of(self.ensemble, self.features)))
            return self._known[0]

    @property
    def mapping(self) -> str:
        """What the places on the map are, in a sentence."""
        if self.features is None:
            return "Objects that the base clusterings treat alike lie close (correspondence analysis of the ensemble)."
        p = self.features.shape[1]
        return "The two features of the data." if p == 2 else f"The {p} features, by their two principal components."
