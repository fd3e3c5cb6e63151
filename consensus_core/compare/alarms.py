"""What says that a result is junk. Alarms find a giant cluster, a collapse, or far less agreement with the base
clusterings than the usual method has; among sound results they are silent, and say nothing about which is better."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..numbers import counted
from .outcome import Outcome

GIANT = 0.75  # share of the objects in one cluster, of three or more
GIANT_OF_TWO = 0.9
LESS = 0.8  # of the usual method's agreement


def alarms(
    ensemble: Ensemble, outcome: Outcome, agreement: float, usual: tuple[str, float] | None = None
) -> tuple[str, ...]:
    """Sentences; none where nothing is wrong. `usual`: the name of the method that is held up, and its agreement."""
    if outcome.labels is None:
        return ()
    n, k = ensemble.n, outcome.method.k
    sizes = np.bincount(outcome.labels, weights=ensemble.weights)
    sizes = sizes[sizes > 0]
    share, alone = float(sizes.max() / n), int((sizes == 1).sum())
    found = []
    if k > 1 and share > (GIANT if k > 2 else GIANT_OF_TWO):
        found.append(f"Giant cluster: one holds {share:.0%} of the objects.")
    if len(sizes) < k:
        found.append(f"Collapse: {counted(len(sizes), 'cluster')} where {k} are wanted.")
    elif k > 2 and 2 * alone >= k:
        found.append(f"Collapse: {alone} of {k} clusters hold a single object.")
    if usual is not None and agreement < LESS * usual[1]:
        found.append(
            f"Far less agreement with the base clusterings than {usual[0]} has: {agreement:.2f} against {usual[1]:.2f}."
        )
    if outcome.stop == "diverged":
        found.append(outcome.because)
    return tuple(found)
