"""What a method is, and the only loop that runs one."""

from .cost import Cost, available_bytes, speed
from .history import History
from .loop import Result, Step, advance, attached, begin, check, conclude, iterate, labels_at, solve, stopped_because
from .method import LAWS, Exempt, Method, State
from .params import Param, param
from .quantities import Also, Embedding, Incidence, Labels, Matrix, Quantity, Scalar, Weights, derived, shown
from .telling import At, Told, tells
from .tree import TreeMethod, TreeState
from .why import Why, why

__all__ = [
    "LAWS",
    "Also",
    "At",
    "Cost",
    "Embedding",
    "Exempt",
    "History",
    "Incidence",
    "Labels",
    "Matrix",
    "Method",
    "Param",
    "Quantity",
    "Result",
    "Scalar",
    "State",
    "Step",
    "Told",
    "TreeMethod",
    "TreeState",
    "Weights",
    "Why",
    "advance",
    "attached",
    "available_bytes",
    "begin",
    "check",
    "conclude",
    "derived",
    "iterate",
    "labels_at",
    "param",
    "shown",
    "solve",
    "speed",
    "stopped_because",
    "tells",
    "why",
]
