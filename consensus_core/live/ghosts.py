"""What is left of a run on the curves: a grey line to compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..method import Method
from ..method.settings import difference_in_words
from ..numbers import finite
from .run import Run

Course = Sequence[float | None]


@dataclass(frozen=True)
class Ghost:
    run: str
    method: Method
    objective: Course
    found: Sequence[int]
    scalars: Mapping[str, Course]
    scores: Mapping[str, Course]

    def said(self, beside: Method) -> dict:
        """For the browser: named by where it stood elsewhere than the run it is seen beside."""
        return {
            "run": self.run,
            "title": difference_in_words(self.method, beside),
            "f": self.objective,
            "found": self.found,
            "scalars": self.scalars,
            "scores": self.scores,
        }


def ghost_of(run: Run) -> Ghost:
    moments = list(run.moments)
    first = moments[0]
    return Ghost(
        run=run.id,
        method=run.method,
        objective=[finite(seen.objective) for seen in moments],
        found=[seen.found for seen in moments],
        scalars={name: [finite(seen.scalars[name]) for seen in moments] for name in first.scalars},
        scores={name: [finite(seen.scores[name]) for seen in moments] for name in first.scores},
    )
