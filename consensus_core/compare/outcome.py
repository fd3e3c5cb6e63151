"""What one method has come to on an ensemble, or in one sentence why it has come to nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Method, solve
from ..method.loop import Result, stopped_because
from ..partition.numbering import numbered

OVER = ("finished", "failed", "refused")  # nothing more will come
STATES = ("waiting", "running", "finished", "failed", "refused", "cancelled")


@dataclass(frozen=True, eq=False)
class Outcome:
    method: Method
    state: str = "waiting"  # one of STATES
    labels: np.ndarray | None = None  # (q,) by the one numbering; of a run that goes on, as they are now
    iterations: int = 0
    found: int = 0  # clusters the method itself ended with, before any repair to exactly k
    stop: str = ""  # as in a step
    because: str = ""  # why it stopped, as a sentence
    remarks: tuple[str, ...] = ()
    seconds: float = math.nan  # of computing
    bytes: int = 0  # of memory, as estimated before
    trouble: str = ""  # why there is no result

    @classmethod
    def of(cls, result: Result, seconds: float) -> Outcome:
        method, ensemble = result.step.run.method, result.step.run.ensemble
        return cls(
            method=method,
            state="finished",
            labels=numbered(ensemble, result.raw),
            iterations=result.iterations,
            found=result.found,
            stop=result.stop,
            because=stopped_because(method, result.step, result.found)[0],
            remarks=tuple(result.remarks),
            seconds=seconds,
            bytes=method.cost(ensemble).bytes,
        )


def solved(method: Method, ensemble: Ensemble, cancel: Callable[[], bool] | None = None) -> Outcome:
    """The whole run. One that is refused or fails is a sentence, not an error: the others go on."""
    began = time.perf_counter()
    try:
        return Outcome.of(solve(method, ensemble, cancel), time.perf_counter() - began)
    except InputError as refusal:
        return Outcome(method, "refused", trouble=str(refusal))
    except MemoryError:
        return Outcome(method, "failed", trouble=f"{method.name()} found no memory to work in.")
    except (ArithmeticError, np.linalg.LinAlgError) as failure:
        return Outcome(method, "failed", trouble=f"{method.name()} ended with an error: {failure}.")
