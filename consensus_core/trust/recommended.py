"""Settings for which there is evidence, each with it; and values that are chosen by the ensemble itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Method, solve
from ..method.params import AUTO, Param
from ..methods import METHODS
from ..scores import agreement


@dataclass(frozen=True)
class Tried:
    """A value of a dial, and how far its result agrees with the base clusterings (mean adjusted Rand index)."""

    value: Any
    agreement: float
    itself: bool  # the method itself ended with these clusters, and nothing was repaired


@dataclass(frozen=True)
class Advice:
    """A setting, and what speaks for it."""

    method: str  # a key of METHODS
    params: tuple[tuple[str, Any], ...]
    when: str
    evidence: str

    def made(self, k: int) -> Method:
        return METHODS[self.method](k=k, **dict(self.params))


# the one question: are groups of very different size expected?
SIZES = {
    "no": Advice(
        "ec_cms",
        (("alpha", 0.8), ("lam", 0.4)),
        "no, or I do not know",
        "Fixed in advance it had the best mean on 19 data sets (ARI .497; .520 on those not looked at before), ahead "
        "of every way to choose a method or setting without the truth; below 80% of the best in 12% of ensembles.",
    ),
    "yes": Advice(
        "ec_cms",
        (("alpha", 0.7), ("lam", 0.4)),
        "yes, very different",
        "Lower α keeps small groups apart; with the mean over α .7 to .9 failures were fewest (5% of ensembles against "
        "12%). That rests on two data sets: a hint.",
    ),
}  # fmt: skip


WORTH = (
    "Chosen like this, draw by draw, θ came to .001 of ARI less than the best fixed value over Ecoli, Aggregation, "
    "UMIST, Lung and SPF, where .042 more is the most there is: it keeps from values at which S falls to pieces, and "
    "finds none that is better."
)


def settled(cls: type[Method], ensemble: Ensemble, params: Mapping[str, Any]) -> tuple[Method, dict[str, list[Tried]]]:
    """The method with every dial that is "auto" set by the ensemble: of the values the dial declares for it `fittest`.
    Also what was tried.

    It pays only where a wrong value makes a result collapse, so only such dials can be "auto". For SPCE's θ it keeps
    from the worst and does no better than the best fixed value: see WORTH and `benchmarks.trust`.
    """
    params, tried = dict(params), {}
    for name in [name for name, value in params.items() if isinstance(value, str) and value == AUTO]:
        declared = next((one for one in cls.params() if one.name == name), None)
        if declared is None or not declared.auto:
            able = ", ".join(one.name for one in cls.params() if one.auto) or "none"
            raise InputError(f"{cls.name()}: {name} cannot be “auto”; dials of it that can: {able}.")
        others = {key: value for key, value in params.items() if value != AUTO}
        found = [_tried(cls, {**others, name: value}, value, ensemble) for value in candidates(declared)]
        best = fittest([one.agreement for one in found], [one.itself for one in found])
        params[name], tried[name] = found[best].value, found
    return cls(**params), tried


def candidates(declared: Param) -> list[float]:
    """The values among which an ensemble chooses."""
    return [round(float(value), 12) for value in np.linspace(declared.low, declared.high, declared.auto)]


def fittest(agreements: Sequence[float], itself: Sequence[bool]) -> int:
    """Which of several results: the one that agrees best with the base clusterings among those with the clusters that
    the method itself found, where there are any; of equals the first. What a repair made of pieces agrees well with
    base clusterings and says little of the method."""
    agreements, itself = np.asarray(agreements, dtype=float), np.asarray(itself, dtype=bool)
    eligible = np.where(itself, agreements, np.nan)
    return int(np.nanargmax(agreements if np.isnan(eligible).all() else eligible))


def _tried(cls: type[Method], params: Mapping[str, Any], value, ensemble: Ensemble) -> Tried:
    result = solve(cls(**params), ensemble)
    agrees = agreement(result.raw, ensemble.rows, ensemble.counts).mean_ari
    return Tried(value, float(agrees), result.found == len(np.unique(result.raw)))
