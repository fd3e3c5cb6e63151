"""How many clusters are proposed, and why."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..ensemble import MISSING, Ensemble
from .samples import SAMPLES


def proposed_k(ensemble: Ensemble, sample: str = "") -> tuple[int, str]:
    """(k, a sentence that says why)."""
    if sample:
        k, why = SAMPLES[sample].k, "as many as this sample has groups"
    elif (classes := _classes(ensemble.truth)) > 0:
        k, why = classes, "as many as the truth has classes"
    else:
        k, why = int(np.median(ensemble.k_each)), "the middle number of clusters of the base clusterings"
    if k > ensemble.q:
        k, why = ensemble.q, "as many as there are objects that the base clusterings tell apart"
    return max(1, k), f"k = {max(1, k):,} is proposed: {why}."


def k_for_features(truth: np.ndarray | None) -> int:
    """How many clusters are proposed for base clusterings that are to be made: as the truth has classes, else eight."""
    return _classes(truth) or 8


def _classes(truth: np.ndarray | None) -> int:
    """How many classes there are; objects without one do not count."""
    if truth is None:
        return 0
    return sum(not _says_nothing(value) for value in pd.unique(pd.Series(truth)))


def _says_nothing(value) -> bool:
    return pd.isna(value) or (isinstance(value, str) and not value.strip()) or value == MISSING
