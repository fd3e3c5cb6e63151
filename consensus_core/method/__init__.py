"""What a method is, and the only loop that runs one."""

from .cost import Cost, available_bytes, speed
from .history import History
from .loop import Result, Step, advance, begin, check, conclude, iterate, solve
from .method import LAWS, Exempt, Explanation, Method, State
from .params import Param, param
from .quantities import Embedding, Incidence, Labels, Matrix, Paired, Quantity, Scalar, Weights, derived, shown
from .tree import TreeMethod, TreeState

__all__ = [
    "LAWS",
    "Cost",
    "Embedding",
    "Exempt",
    "Explanation",
    "History",
    "Incidence",
    "Labels",
    "Matrix",
    "Method",
    "Paired",
    "Param",
    "Quantity",
    "Result",
    "Scalar",
    "State",
    "Step",
    "TreeMethod",
    "TreeState",
    "Weights",
    "advance",
    "available_bytes",
    "begin",
    "check",
    "conclude",
    "derived",
    "iterate",
    "param",
    "shown",
    "solve",
    "speed",
]
