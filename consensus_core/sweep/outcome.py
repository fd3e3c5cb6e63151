"""What one run has come to, in numbers that can be kept; and the run itself."""

from __future__ import annotations

import functools
import hashlib
import json
import time
from dataclasses import asdict, dataclass, field

import numpy as np

from ..errors import InputError
from ..keep.program import program
from ..method import conclude, iterate
from ..scores import agreement, all_scores
from .pictures import Film
from .plan import Task
from .source import Source

# beside those that decide a run's numbers
ROOMS = (
    "generate", "drawing/orders.py", "drawing/pixels.py", "sweep/source.py", "sweep/outcome.py", "sweep/pictures.py",
)  # fmt: skip
WITH_TRUTH = ("ari", "nmi", "nmi_max", "acc", "f1")


@dataclass(frozen=True, eq=False)
class Outcome:
    """One cell of a sweep. Where it could not be computed, `error` says why and the rest is empty."""

    labels: np.ndarray | None = None  # (n,) by the one numbering
    scores: dict[str, float] = field(default_factory=dict)  # against the truth; empty without one
    agreement_ari: float = float("nan")  # mean over the base clusterings
    agreement_nmi: float = float("nan")
    clusters: int = 0
    found: int = 0  # by the method itself, before any repair to exactly k
    objective: float = float("nan")
    iterations: int = 0
    stop: str = ""
    seconds: float = 0.0
    error: str = ""
    pictures: np.ndarray | None = None  # (frames, pixels, pixels) of the method's matrix: pictures.py

    def value(self, name: str) -> float:
        """A measure by its name: a score with the truth, or one of the fields."""
        return float(self.scores[name] if name in self.scores else getattr(self, name, float("nan")))


def key(source: Source, task: Task) -> str:
    """The same input, draw, method, parameters and program give the same cell."""
    method = [task.method.key or type(task.method).__qualname__, task.method.parameters()]
    said = json.dumps(
        [program(*ROOMS), source.fingerprint, method, asdict(source.plain(task.draw)), task.frames], sort_keys=True
    )
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


@functools.lru_cache(maxsize=24)
def _drawn(source: Source, draw):
    return source.drawn(draw)


def perform(source: Source, task: Task) -> Outcome:
    """Never raises: what goes wrong is said in the outcome."""
    start = time.perf_counter()
    try:
        return _performed(source, task, start)
    except InputError as refusal:
        return Outcome(error=str(refusal), seconds=time.perf_counter() - start)
    except MemoryError:
        return Outcome(error=f"{task.method.name()}: this machine's memory was not enough.")
    except Exception as failure:
        said = f"This run ended with an error that should not happen: {type(failure).__name__}: {failure}"
        return Outcome(error=said, seconds=time.perf_counter() - start)


def _performed(source: Source, task: Task, start: float) -> Outcome:
    ensemble = _drawn(source, source.plain(task.draw))
    film = Film(task.method, ensemble, task.frames)
    for step in iterate(task.method, ensemble):
        film.look(step)
    result = conclude(task.method, ensemble, step)
    agrees = agreement(result.raw, ensemble.rows, ensemble.counts)
    labels = result.labels
    held = {} if ensemble.truth is None else all_scores(labels, ensemble.truth)
    clusters = int(result.raw.max()) + 1
    small = next(kind for kind in (np.uint8, np.uint16, np.int32) if clusters <= np.iinfo(kind).max)
    return Outcome(
        labels=labels.astype(small),
        scores={name: float(held[name]) for name in WITH_TRUTH if name in held},
        agreement_ari=float(agrees.mean_ari),
        agreement_nmi=float(agrees.mean_nmi),
        clusters=clusters,
        found=int(result.found),
        objective=float(result.objective),
        iterations=int(result.iterations),
        stop=result.stop,
        seconds=time.perf_counter() - start,
        pictures=film.pictures(),
    )
