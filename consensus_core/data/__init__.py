"""Where data come from, what is odd about them, and what is taken home."""

from .building import build, filled, made_anew, represented, without
from .naming import Naming
from .origin import Data, Generation, Joined, Origin

__all__ = [
    "Data", "Generation", "Joined", "Naming", "Origin", "build", "filled", "made_anew", "represented", "without",
]  # fmt: skip
