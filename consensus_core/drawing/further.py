"""Further drawings of a quantity beside its first: which card of the live view makes each, and from what.

A drawing that needs more than the pictures of quantities has a packer of its own; its frames are called
"W~histogram". A method says `also=(Also("histogram", "…"),)` where it declares the quantity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from ..linalg.paired import Paired
from ..method import Quantity
from ..method.quantities import Also
from .arrangement import Arrangement
from .pixels import Numbers, pack_numbers

APART = "~"  # between a quantity's name and its further drawing
BINS = 20


def _histogram(quantity: Quantity, value: Any, arranged: Arrangement) -> Numbers:
    """How many pairs of two objects lie in each of twenty even steps of the span; the last holds its upper end."""
    counts = np.asarray(arranged.ensemble.counts, dtype=float)
    B = value.B if isinstance(value, Paired) else value.toarray() if scipy.sparse.issparse(value) else np.asarray(value)
    pairs = np.outer(counts, counts)
    np.fill_diagonal(pairs, counts * (counts - 1))
    low, high = quantity.span
    found, _ = np.histogram(np.clip(B, low, high), bins=BINS, range=(low, high), weights=pairs / 2)
    return pack_numbers(found)


PACKERS: dict[str, Callable[[Quantity, Any, Arrangement], Numbers]] = {"histogram": _histogram}
CARDS = ("graph", "hypergraph", "against", *PACKERS)


def name_of(quantity: Quantity, also: Also) -> str:
    return f"{quantity.name}{APART}{also.card}"


def further_names(quantities) -> list[str]:
    """Those that are packed for themselves."""
    return [name_of(quantity, also) for quantity in quantities for also in quantity.also if also.card in PACKERS]


def said(quantity: Quantity) -> list[dict]:
    """For the browser: which card, what it shows, and the frames it is made of."""
    return [
        {
            "card": also.card,
            "meaning": also.meaning,
            "others": list(also.others),
            "needs": [name_of(quantity, also)] if also.card in PACKERS else [quantity.name, *also.others],
        }
        for also in quantity.also
    ]


def packer_of(name: str) -> tuple[str, Callable | None]:
    """A frame's name -> the quantity it is of, and what packs it if not the kind of the quantity."""
    quantity, _, card = name.partition(APART)
    return quantity, PACKERS.get(card)
