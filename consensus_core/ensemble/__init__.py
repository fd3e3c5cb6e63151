"""What many clusterings say about the same objects, stored as distinct label rows with counts."""

from .ensemble import EXACT, FILLINGS, Ensemble
from .labels import MISSING

__all__ = ["EXACT", "FILLINGS", "MISSING", "Ensemble"]
