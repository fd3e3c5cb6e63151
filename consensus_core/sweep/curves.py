"""What a sweep says of each point: means over the draws, how far they scatter, how stable the labels are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..scores import stability
from .conductor import Sweep

# name -> what people call it; those with a truth first
MEASURES = {
    "ari": "ARI with the truth",
    "nmi": "NMI with the truth",
    "nmi_max": "NMI (by the larger entropy) with the truth",
    "acc": "accuracy",
    "f1": "F of pairs",
    "agreement_ari": "agreement with the base clusterings (ARI)",
    "agreement_nmi": "agreement with the base clusterings (NMI)",
    "stability": "stability over redraws",
    "found": "clusters found by the method itself",
    "objective": "objective",
    "iterations": "iterations",
    "seconds": "seconds",
}
SHARES = ("ari", "nmi", "nmi_max", "acc", "f1", "agreement_ari", "agreement_nmi", "stability")  # 1 at most
NEED_TRUTH = ("ari", "nmi", "nmi_max", "acc", "f1")


@dataclass(frozen=True)
class Point:
    """One setting: `mean` and `std` (n − 1 below; NaN of a single draw) over the draws that are there."""

    values: tuple
    count: int
    mean: float
    std: float


def curve(sweep: Sweep, measure: str) -> list[Point]:
    """One for each point of the plan, in its order; `count` 0 and NaN where nothing came yet."""
    return [_point(sweep, values, measure) for values in sweep.plan.points]


def _point(sweep: Sweep, values: tuple, measure: str) -> Point:
    outcomes = sweep.of(values)
    if measure == "stability":
        labels = [one.labels for one in outcomes if one.labels is not None]
        return Point(values, len(labels), stability(labels) if len(labels) > 1 else math.nan, math.nan)
    numbers = np.array([one.value(measure) for one in outcomes])
    numbers = numbers[np.isfinite(numbers)]
    mean = float(numbers.mean()) if numbers.size else math.nan
    return Point(values, numbers.size, mean, float(numbers.std(ddof=1)) if numbers.size > 1 else math.nan)
