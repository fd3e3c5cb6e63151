"""For how much a distinct row of base labels counts: for all its objects, or once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from .method import Method
from .telling import At, Row


@dataclass(frozen=True, kw_only=True)
class Worth(Method):
    """Methods in which a distinct row counts for all its objects, unless they say otherwise."""

    def worth(self, ensemble: Ensemble) -> np.ndarray:
        """(q,) for how much a row counts: for so many objects; ones where each distinct row counts once."""
        return ensemble.weights

    def counting(self, at: At, some: np.ndarray | None = None) -> Row:
        """The same, of some rows."""
        some = np.arange(at.ensemble.q) if some is None else some
        n, first = self.worth(at.ensemble)[some], at.ensemble.first_of[some]
        if (n == at.ensemble.weights[some]).all():
            return at.counts_at(some)
        once = "each distinct row of base labels counts once"
        return at.rows(n, lambda k: at.constant(n[k], once), tuple(first.tolist()))
