"""The true classes as codes."""

from __future__ import annotations

import functools

import numpy as np

from .ensemble import Ensemble
from .labels import MISSING

UNKNOWN = ("", "nan", "None", "<NA>")


@functools.lru_cache(maxsize=16)
def truth_codes(ensemble: Ensemble) -> tuple[np.ndarray, list[str]]:
    """(n,) codes, MISSING where the truth is not known, and the names they stand for."""
    written = np.array(["" if value is None else str(value).strip() for value in ensemble.truth.tolist()])
    known = ~np.isin(written, UNKNOWN)
    codes = np.full(len(written), MISSING)
    names, codes[known] = np.unique(written[known], return_inverse=True)
    return codes, names.tolist()
