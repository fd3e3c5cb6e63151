"""Bytes or a path to a table of features or of base labels. Every fault is one sentence, every guess has its reason."""

from .choices import MISSING_TEXTS, ROLES, Choices
from .findings import FoundColumn, Offer, Suspicion
from .limits import MAX_BYTES, MAX_CELLS
from .opening import opened
from .reader import look, parts, read
from .reading import Reading
from .table import Part, Table
from .understanding import understood, unread

__all__ = [
    "MAX_BYTES",
    "MAX_CELLS",
    "MISSING_TEXTS",
    "ROLES",
    "Choices",
    "FoundColumn",
    "Offer",
    "Part",
    "Reading",
    "Suspicion",
    "Table",
    "look",
    "opened",
    "parts",
    "read",
    "understood",
    "unread",
]
