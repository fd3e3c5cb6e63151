"""Which program computed a run: one kept by another program is computed again, not mixed with today's numbers."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import numpy as np
import scipy

CORE = Path(__file__).resolve().parents[1]
COMPUTING = ("ensemble", "linalg", "method", "methods", "partition", "scores", "similarity", "live/moment.py")


@functools.cache
def program(*more: str) -> str:
    """A digest of everything that decides a run's numbers; and of more rooms, where they decide something too."""
    digest = hashlib.blake2b(f"{np.__version__} {scipy.__version__}".encode(), digest_size=16)
    for room in (*COMPUTING, *more):
        place = CORE / room
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.relative_to(CORE).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
