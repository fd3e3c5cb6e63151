"""Data as bytes and back, so that a large table is not read again. None means: read the person's file again."""

from __future__ import annotations

import numpy as np

from ..data.origin import Data
from ..ensemble import MISSING, Ensemble
from .codec import Damaged, Unkeepable, decode, encode
from .types import data_types


def as_bytes(data: Data) -> bytes | None:
    try:
        return encode(data, data_types())
    except Unkeepable:
        return None


def from_bytes(kept: bytes | None) -> Data | None:
    if kept is None:
        return None
    try:
        data = decode(kept, data_types())
        if type(data) is Data and _fits(data):
            return data
    except Damaged:
        pass
    except Exception:  # right in form, wrong in sense
        pass
    return None


def _fits(data: Data) -> bool:
    n = data.ensemble.n
    sides = [data.ids, data.features, data.ensemble.truth]
    return _sound(data.ensemble) and all(side is None or len(side) == n for side in sides)


def _sound(ensemble: Ensemble) -> bool:
    """What `from_labels` makes true, and everything built upon an ensemble believes."""
    rows, counts, member_of = ensemble.rows, ensemble.counts, ensemble.member_of
    if rows.ndim != 2 or rows.dtype.kind != "i" or not rows.size or rows.min() < MISSING:
        return False
    if counts.shape != (len(rows),) or counts.dtype.kind != "i" or counts.min() < 1:
        return False
    if len(ensemble.names) != rows.shape[1]:
        return False
    if member_of is None:
        return True
    within = member_of.ndim == 1 and member_of.dtype.kind == "i" and member_of.min() >= 0
    return within and bool(np.array_equal(np.bincount(member_of, minlength=len(rows)), counts))
