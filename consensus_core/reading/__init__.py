"""Bytes or a path to a table of features or of base labels. Every fault is one sentence, every guess has its reason."""

from .choices import MISSING_TEXTS, Choices
from .doors import MAX_BYTES, MAX_CELLS, arrays, read
from .result import NamedArray, Reading

__all__ = ["MAX_BYTES", "MAX_CELLS", "MISSING_TEXTS", "Choices", "NamedArray", "Reading", "arrays", "read"]
