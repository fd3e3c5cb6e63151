"""Small pictures of a run's matrix on the way, all in the ensemble's own row order: so settings can be compared."""

from __future__ import annotations

import functools

import numpy as np

from ..drawing.arrangement import Arrangement, arranged
from ..drawing.kinds import drawn
from ..drawing.pixels import reduced
from ..ensemble import Ensemble
from ..linalg.paired import Paired
from ..method import Incidence, Matrix, Method, Quantity, Step

PIXELS = 48


def pictured(method: Method | type[Method]) -> Quantity | None:
    """The matrix a method is known by: the one it names, else its first, else its first incidence; None where it has
    neither. Objects stand along its rows."""
    able = [one for one in drawn(method) if one.kind in (Matrix, Incidence) and one.axes[0] == "object"]
    able.sort(
        key=lambda one: (one.name != method.portrait, one.minor, one.kind is not Matrix, one.axes[-1] != "object")
    )
    return able[0] if able else None


class Film:
    """So many pictures of a run, the first and the last among them, evenly between as far as can be."""

    def __init__(self, method: Method, ensemble: Ensemble, frames: int):
        self._method, self._ensemble = method, ensemble
        self._quantity = pictured(method) if frames else None
        self._frames, self._stride = max(frames, 2), 1
        self._kept: list[tuple[int, np.ndarray]] = []
        self._last: Step | None = None

    def look(self, step: Step) -> None:
        if self._quantity is None:
            return
        self._last = step
        if step.iteration % self._stride == 0 and (picture := self._picture(step)) is not None:
            self._kept.append((step.iteration, picture))
            if len(self._kept) >= 2 * self._frames:
                self._stride *= 2
                self._kept = [one for one in self._kept if one[0] % self._stride == 0]

    def pictures(self) -> np.ndarray | None:
        if self._quantity is None or self._last is None:
            return None
        end = self._picture(self._last)
        kept = [picture for at, picture in self._kept if at < self._last.iteration]
        if end is None:
            return None
        some = np.linspace(0, max(len(kept) - 1, 0), min(len(kept), self._frames - 1)).round().astype(int)
        return np.stack([*(kept[i] for i in some), end]).astype(np.float16)

    def _picture(self, step: Step) -> np.ndarray | None:
        value = self._method.value(self._ensemble, step.state, self._quantity.name)
        if value is None:
            return None
        stands = _stands(self._ensemble)
        shape = value.B.shape if isinstance(value, Paired) else value.shape
        sides = [stands.axis(side, length) for side, length in zip(self._quantity.axes, shape, strict=True)]
        return np.nan_to_num(reduced(value, *sides))


@functools.lru_cache(maxsize=8)
def _stands(ensemble: Ensemble) -> Arrangement:
    """By likeness: an order no setting decides."""
    return arranged(ensemble, np.zeros(ensemble.q, dtype=np.intp), "leaf", pixels=PIXELS)
