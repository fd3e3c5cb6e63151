"""A run remembered: every number, and as many whole states as a byte budget allows.

Steps are deterministic values, so a state that was thinned out is not lost: it is computed again from the nearest
one kept before it, exactly.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..ensemble import Ensemble
from ..errors import InputError
from .loop import Run, Step, advance
from .method import Method, arrays_of
from .quantities import Scalar

BUDGET = 256 << 20


class History:
    """`record` every step of one run; ask for curves, or for the step at any iteration."""

    def __init__(self, method: Method, ensemble: Ensemble, budget: int = BUDGET):
        self.method, self.ensemble, self.budget = method, ensemble, budget
        self.objective: list[float] = []
        self.terms: dict[str, list[float]] = {}
        self.scalars: dict[str, list[float]] = {q.name: [] for q in method.quantities() if q.kind is Scalar}
        self.stop = ""
        self._kept: dict[int, Step] = {}
        self._held = _Held()
        self._stride = 1

    def __len__(self) -> int:
        return len(self.objective)

    def record(self, step: Step) -> None:
        """Steps come in order; an earlier iteration again means that the run goes on from there."""
        if step.iteration > len(self):
            raise InputError(f"Iteration {step.iteration} cannot follow iteration {len(self) - 1}.")
        if step.iteration < len(self):
            self._forget_from(step.iteration)
        self.objective.append(step.objective)
        for name in dict.fromkeys([*self.terms, *step.terms]):
            self.terms.setdefault(name, [np.nan] * step.iteration).append(step.terms.get(name, np.nan))
        for name, course in self.scalars.items():
            course.append(float(self.method.value(self.ensemble, step.state, name)))
        self.stop = step.stop
        last = step.iteration - 1
        if last in self._kept and last % self._stride:
            self._held.remove(self._kept.pop(last))
        self._kept[step.iteration] = step
        self._held.add(step)
        self._thin()

    def step(self, iteration: int) -> Step:
        """The step at an iteration: kept, or computed again from the nearest kept one before it."""
        if not 0 <= iteration < len(self):
            raise InputError(f"The run has the iterations 0 to {len(self) - 1}; {iteration} is not among them.")
        step = self._kept[max(at for at in self._kept if at <= iteration)]
        while step.iteration < iteration:
            step = advance(self.method, self.ensemble, step)
        return step

    def restore(self, steps: dict[int, Step], objective, terms, scalars, stop: str) -> None:
        """Takes up a run that was kept elsewhere: every number, and at least the step of iteration 0.

        When the last step is not among them, the run stands at the last one that is.
        """
        if 0 not in steps:
            raise InputError("A run can be taken up again only with its iteration 0.")
        run = Run(self.method, self.ensemble)
        steps = {at: dataclasses.replace(step, run=run) for at, step in steps.items()}
        for step in steps.values():
            run.remember(step)
        self._keep_only(steps)
        self.stop = stop
        self.objective, self.terms = list(objective), {name: list(course) for name, course in terms.items()}
        self.scalars = {name: list(course) for name, course in scalars.items()}
        if (last := max(steps)) < len(self) - 1:
            self.stop = ""
            for course in (self.objective, *self.terms.values(), *self.scalars.values()):
                del course[last + 1 :]
        self._thin()

    @property
    def last(self) -> Step:
        return self._kept[len(self) - 1]

    @property
    def kept(self) -> tuple[int, ...]:
        return tuple(sorted(self._kept))

    @property
    def nbytes(self) -> int:
        """Bytes of all states kept; arrays they share count once."""
        return self._held.nbytes

    def _thin(self) -> None:
        # iteration 0 always stays (everything can be computed from it), and so does the last
        while self.nbytes > self.budget and any(0 < at < len(self) - 1 for at in self._kept):
            self._stride *= 2
            self._keep_only({a: s for a, s in self._kept.items() if a % self._stride == 0 or a == len(self) - 1})

    def _keep_only(self, steps: dict[int, Step]) -> None:
        self._kept, self._held = dict(steps), _Held()
        for step in steps.values():
            self._held.add(step)

    def _forget_from(self, iteration: int) -> None:
        del self.objective[iteration:]
        for course in (*self.terms.values(), *self.scalars.values()):
            del course[iteration:]
        self._keep_only({at: step for at, step in self._kept.items() if at < iteration})
        if 0 < iteration <= len(self.objective) and not self._kept:
            raise InputError("The run cannot go on from an iteration before its first kept one.")

    def __setstate__(self, content: dict) -> None:
        self.__dict__.update(content)
        self._keep_only(self._kept)  # the arrays are others now

    def __repr__(self) -> str:
        return f"History({self.method.name()}, {len(self)} iterations, {len(self._kept)} states kept)"


class _Held:
    """Bytes of the arrays of some steps, each array counted once however many steps share it."""

    def __init__(self):
        self.nbytes = 0
        self._owners: dict[int, int] = {}  # how many steps hold the array with this id

    def add(self, step: Step) -> None:
        for at, array in _arrays(step).items():
            if at not in self._owners:
                self.nbytes += array.nbytes
            self._owners[at] = self._owners.get(at, 0) + 1

    def remove(self, step: Step) -> None:
        for at, array in _arrays(step).items():
            self._owners[at] -= 1
            if not self._owners[at]:
                del self._owners[at]
                self.nbytes -= array.nbytes


def _arrays(step: Step) -> dict[int, np.ndarray]:
    return {id(array): array for array in arrays_of(step.state)}
