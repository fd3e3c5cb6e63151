"""Which method is advised for an ensemble: the one that evidence recommends, or a quicker one where that is slow."""

from __future__ import annotations

from ..ensemble import Ensemble
from ..method.cost import available_bytes
from ..methods import METHODS, RECOMMENDED
from ..numbers import about_seconds

QUICK = "lwea"  # second in the comparison, and much cheaper
PATIENCE = 15.0  # seconds a person is supposed to wait for a first result


def advised(ensemble: Ensemble, k: int) -> tuple[str, str]:
    """(key of METHODS, a sentence that says why)."""
    best, quick = METHODS[RECOMMENDED], METHODS.get(QUICK, METHODS[RECOMMENDED])
    cost = best(k=k).cost(ensemble)
    fits = cost.bytes < 0.8 * available_bytes()
    if best is quick or (cost.seconds <= PATIENCE and fits):
        return best.key, (
            f"on 26 pools of real base clusterings no choice among methods did better than always taking "
            f"{best.name()}, and here it takes {about_seconds(cost.seconds)}."
        )
    other = quick(k=k).cost(ensemble)
    reason = f"would take {about_seconds(cost.seconds)}" if fits else "needs more memory than this machine has"
    return quick.key, (
        f"it comes second on real base clusterings and takes {about_seconds(other.seconds)} here; "
        f"{best.name()}, which comes first, {reason}."
    )
