"""Where data come from, what is odd about them, and what is taken home."""

from .origin import Data, Generation, Origin, build

__all__ = ["Data", "Generation", "Origin", "build"]
