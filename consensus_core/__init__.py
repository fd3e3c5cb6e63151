"""Consensus clustering, exact on microclusters, visible at every step."""

from . import scores
from .ensemble import MISSING, Ensemble
from .errors import Cancelled, InputError, TooLarge
from .method import History, Method, Param, Result, State, Step, advance, begin, conclude, iterate, param, solve
from .methods import METHODS
from .version import VERSION

__version__ = VERSION

__all__ = [
    "METHODS",
    "MISSING",
    "Cancelled",
    "ConsensusClusterer",
    "Ensemble",
    "EnsembleClusterer",
    "History",
    "InputError",
    "Method",
    "Param",
    "Result",
    "State",
    "Step",
    "TooLarge",
    "advance",
    "begin",
    "conclude",
    "iterate",
    "param",
    "scores",
    "solve",
]
__all__ += sorted(cls.__name__ for cls in METHODS.values())
globals().update({cls.__name__: cls for cls in METHODS.values()})


def __getattr__(name: str):
    # scikit-learn takes longer to import than everything else together, and only its own face needs it
    if name in ("ConsensusClusterer", "EnsembleClusterer"):
        from . import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
