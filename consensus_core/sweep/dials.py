"""Which dials can be swept, and the values they are moved to when nobody says which."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..ensemble import Ensemble
from ..method import Method, Param

VALUES = 10
MOST_K = 15
OF_DRAWS = {"m": "base clusterings m", "missing": "share of labels hidden"}


def movable(method: Method, ensemble: Ensemble) -> dict[str, str]:
    """name -> title, the method's own dials first."""
    mine = [param for param in method.params() if param.role == "method" and not _endless(param)]
    mine.sort(key=lambda param: param.kind in ("choice", "switch"))
    switches = [param for param in method.params() if param.role == "ablation"]
    found = {param.name: param.title for param in [*mine, *switches]}
    if ensemble.q > 2:
        found["k"] = "clusters wanted k"
    if ensemble.m > 3:
        found["m"] = OF_DRAWS["m"]
    return found | {"missing": OF_DRAWS["missing"]}


def title_of(method: Method, name: str) -> str:
    return OF_DRAWS.get(name) or ("clusters wanted k" if name == "k" else method.param(name).title)


def is_log(method: Method, name: str) -> bool:
    return name not in OF_DRAWS and bool(method.param(name).log)


def values_of(method: Method, name: str, ensemble: Ensemble, count: int = VALUES, low=None, high=None) -> list:
    """So many over the range, and where the dial stands."""
    if name == "missing":
        return [round(0.1 * i, 1) for i in range(8)]
    if name == "m":
        return _whole(max(2, round(ensemble.m / 10)), ensemble.m, count)
    if name == "k":
        return _whole(low or 2, min(high or max(MOST_K, method.k + 2), ensemble.q), max(count, MOST_K))
    param = method.param(name)
    if param.kind in ("choice", "switch"):
        return list(param.choices or (False, True))
    low, high = param.low if low is None else low, param.high if high is None else high
    here = getattr(method, name)
    if param.kind == "integer":
        found = set(_whole(int(low), int(high), count))
    else:
        spread = np.geomspace if param.log and low > 0 else np.linspace
        found = {min(max(float(f"{value:.3g}"), low), high) for value in spread(low, high, count)}
    return sorted(found | ({here} if low <= here <= high else set()))


def place_of(values: Sequence, here) -> int:
    """Which of the values a dial stands at, or nearest to."""

    def far(value) -> float:
        numeric = isinstance(value, (int, float)) and isinstance(here, (int, float))
        return abs(value - here) if numeric else float(value != here)

    return int(np.argmin([far(value) for value in values]))


def taken(there: int, wanted: int | None = None) -> int:
    """How many base clusterings a draw takes: so many as are wanted, where there are more; else of a pool 20, as the
    papers take, and of a few half of them."""
    if wanted is not None and wanted < there:
        return wanted
    return 20 if there > 30 else max(2, math.ceil(there / 2))


def nearest_first(values: Sequence, at: int) -> dict:
    """value -> how many places it stands away from this one, as the dial is dragged: a dial that is moved in factors
    has more of them below a value than above, whatever their distance."""
    return {value: abs(place - at) for place, value in enumerate(values)}


def _whole(low: int, high: int, count: int) -> list[int]:
    return sorted({round(float(value)) for value in np.linspace(low, high, min(count, high - low + 1))})


def _endless(param: Param) -> bool:
    return param.kind in ("number", "integer") and (param.low is None or param.high is None)
