"""Questions about one result that take several runs: do sound methods agree, what does it hang on, is it stable."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ensemble import Ensemble
from ..method import Method
from ..trust import Groups, Stable, Trust, groups_of, mutual, panel, stable
from ..trust.stability import halves
from .conductor import Sweep
from .plan import Plan, Task
from .source import Draw, Pool

REDRAWS = 10
Begin = Callable[[Plan, Pool], Sweep]  # who computes, and where it is kept


class Agreeing:
    """The sound methods, each a sweep of one run."""

    def __init__(self, ensemble: Ensemble, k: int, begin: Begin):
        self.ensemble, self.methods = ensemble, panel(k)
        self.sweeps = [begin(_alone(method), Pool(ensemble)) for method in self.methods]

    @property
    def over(self) -> bool:
        return all(one.over for one in self.sweeps)

    @property
    def done(self) -> int:
        return sum(one.done for one in self.sweeps)

    def errors(self) -> list[str]:
        return [said for one in self.sweeps for said in [*one.errors(), *([one.error] if one.error else [])]]

    def trust(self) -> Trust | None:
        """None until all are there, and where one came to nothing."""
        found = [one.of(()) for one in self.sweeps]
        return mutual(self.methods, [one[0].labels for one in found]) if all(found) else None

    def cancel(self) -> None:
        for one in self.sweeps:
            one.cancel()


class Hanging:
    """A method without each group of base clusterings that say the same, and on other draws of half of them."""

    def __init__(self, method: Method, ensemble: Ensemble, labels: np.ndarray, begin: Begin):
        self.method, self.ensemble, self.labels = method, ensemble, labels
        self.groups: Groups = groups_of(ensemble)
        m, some = ensemble.m, len(self.groups.members) > 1
        source = Pool(ensemble, self.groups.orders(m))
        draws = [Draw(at, m - len(group)) for at, group in enumerate(self.groups.members)] if some else []
        self._without = begin(Plan(method, (), ((),), tuple(draws)), source) if draws else None
        again = tuple(Draw(number, m // 2) for number in range(REDRAWS)) if m > 3 else ()
        apart = Pool(ensemble, halves(m, REDRAWS // 2))
        self._again = begin(Plan(method, (), ((),), again), apart) if again else None
        self.sweeps = [one for one in (self._without, self._again) if one is not None]

    @property
    def over(self) -> bool:
        return all(one.over for one in self.sweeps)

    @property
    def done(self) -> int:
        return sum(one.done for one in self.sweeps)

    @property
    def total(self) -> int:
        return sum(one.total for one in self.sweeps)

    def left_out(self) -> list[tuple[tuple[int, ...], float]]:
        """Each group (places of base clusterings) and how far the result moves without it, the farthest first."""
        found = []
        for at, group in enumerate(self.groups.members if self._without else ()):
            outcome = self._without.outcome(Task(self.method, Draw(at, self.ensemble.m - len(group))))
            if outcome is not None and not outcome.error:
                found.append((group, float(stable(self.labels, [outcome.labels]).changes[0])))
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def redrawn(self) -> Stable | None:
        """Against draws of half of the base clusterings, when all are there."""
        if self._again is None or not self._again.over:
            return None  # draws belong together in twos
        found = [one.labels for one in self._again.of(())]
        return stable(self.labels, found) if len(found) == REDRAWS else None

    def cancel(self) -> None:
        for one in self.sweeps:
            one.cancel()


def _alone(method: Method) -> Plan:
    return Plan(method, (), ((),))
