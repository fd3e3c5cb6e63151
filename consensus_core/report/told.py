"""What all parts of a report speak of, and how one is made: what goes wrong in it is said in its place."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..data import Data
from ..data.naming import AS_NUMBERED, Naming, surely
from ..errors import Cancelled, InputError
from ..method import History, Method, Step
from ..partition.numbering import numbered
from ..scores import Certainty
from ..text import html, visible

BUDGET = 4.0  # seconds of further runs a part may take; beyond that it says how to have it


@dataclass(eq=False)
class Told:
    """What all parts speak of."""

    data: Data
    step: Step
    history: History
    comparison: object | None = None  # a compare.Comparison
    budget: float = BUDGET
    clusters: Naming = AS_NUMBERED  # as a person calls them
    warnings: list[str] = field(default_factory=list)

    @property
    def method(self) -> Method:
        return self.step.run.method

    @property
    def ensemble(self):
        return self.step.run.ensemble

    @property
    def filling(self) -> str:
        """How missing labels were filled, where they were."""
        return self.data.origin.filling if self.data.origin else ""

    @property
    def generation(self):
        """How base clusterings were made, where they were."""
        return self.data.origin.generation if self.data.origin else None

    @functools.cached_property
    def own(self) -> np.ndarray:
        """(q,) by the one numbering, as the method has them."""
        return numbered(self.ensemble, self.method.labels(self.ensemble, self.step.state))

    @functools.cached_property
    def labels(self) -> np.ndarray:
        """(q,) merged as the person has merged them: those of the labels file."""
        return self.clusters.applied(self.own)

    @functools.cached_property
    def sure(self) -> Certainty:
        return surely(self.ensemble, self.labels)

    @property
    def k(self) -> int:
        """Clusters the method came to."""
        return int(self.own.max()) + 1

    @property
    def there(self) -> list[int]:
        """The numbers of the clusters after merging."""
        return np.unique(self.labels).tolist()

    def cluster_name(self, label: int) -> str:
        """ "3", or as somebody has named it."""
        return dict(self.clusters.names).get(int(label), f"{label + 1}")

    def object_name(self, at: int) -> str:
        return visible(self.data.ids[at] if self.data.ids is not None else at + 1, 60)


def made(make: Callable[[Told], str], told: Told) -> str:
    """A part, or why it is not there."""
    try:
        return make(told)
    except Cancelled:
        raise
    except InputError as refusal:
        return f'<p class="missing">This part could not be made. {html(refusal)}</p>'
    except Exception as fault:
        why = f"{type(fault).__name__}: {visible(fault, 200)}"
        return f'<p class="missing">This part could not be made ({html(why)}). The others do not depend on it.</p>'


def within(told: Told, seconds: float) -> bool:
    """Whether further runs that are thought to take so long are made for a report."""
    return seconds <= told.budget


def timed(work: Callable, most: float, items: Sequence) -> list:
    """As many of the items as there is time for."""
    until, done = time.monotonic() + most, []
    for item in items:
        if time.monotonic() > until:
            break
        done.append(work(item))
    return done
