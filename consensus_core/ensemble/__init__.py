"""What many clusterings say about the same objects, stored as distinct label rows with counts."""

from .ensemble import FILLINGS, Ensemble
from .labels import EXACT, MISSING

__all__ = ["EXACT", "FILLINGS", "MISSING", "Ensemble"]
