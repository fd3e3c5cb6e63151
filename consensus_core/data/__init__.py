"""Where data come from, what is odd about them, and what is taken home."""

from .building import build, filled, made_anew, represented, without
from .origin import Data, Generation, Joined, Origin

__all__ = ["Data", "Generation", "Joined", "Origin", "build", "filled", "made_anew", "represented", "without"]
