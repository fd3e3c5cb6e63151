"""Can I trust it? What sound methods say of the same data, how stable a result is, and which settings evidence has."""

from .agreement import Trust, agreement, mutual, panel
from .recommended import settled
from .stability import Groups, Stable, groups_of, stable

__all__ = ["Groups", "Stable", "Trust", "agreement", "groups_of", "mutual", "panel", "settled", "stable"]
