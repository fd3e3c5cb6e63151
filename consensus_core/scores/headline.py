"""The one or two scores that stand beside labels wherever they are shown."""

from __future__ import annotations

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.truth import truth_codes
from .against_truth import ari, nmi
from .ensemble_wide import agreement


def headline(ensemble: Ensemble, labels: np.ndarray) -> dict[str, float]:
    """Of labels (q,): ARI and NMI with the truth, or, where none is known, the agreement with the base clusterings."""
    if ensemble.truth is not None:
        truth, everyone = truth_codes(ensemble)[0], ensemble.expand(labels)
        return {"ARI": ari(everyone, truth), "NMI": nmi(everyone, truth)}
    return {"agreement": agreement(labels, ensemble.rows, ensemble.counts).mean_nmi}
