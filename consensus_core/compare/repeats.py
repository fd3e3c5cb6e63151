"""Was it luck? Methods repeated over redrawn base clusterings, on one data set or several: the papers' protocol.

repeats = Repeats([LWEA(k=8), ECCMS(k=8)], [Trial("votes", Pool(ensemble), k=8, m=20)], draws=20)
repeats.wait()
print(repeats.table("ari").latex())
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..data import Origin
from ..errors import InputError
from ..method import Method
from ..method.settings import called
from ..sweep import Pool, Source, Sweep, grid, published_orders, sweep
from .significance import LEVEL, Tested, friedman, mean_ranks, paired_t, signed_rank
from .table import Column, Spread, Table

PUBLISHED = (20, 100, 20)  # m of M base clusterings, so many times: the draws of EC-CMS's Tables IV to IX
MEASURES = {
    "ari": "ARI", "nmi": "NMI", "nmi_max": "NMI (max)", "acc": "ACC", "f1": "F", "agreement_nmi": "base NMI",
    "agreement_ari": "base ARI", "seconds": "seconds",
}  # fmt: skip
WHAT_BOLD_MEANS = (
    f"Bold: the best of its column, and better than every other there with p < {LEVEL:g} in a paired t-test over the "
    "same draws: a difference like this one would come of chance less than once in 20 times. Where nothing is bold the "
    "draws do not tell the best from the next. Draws from one pool overlap, so p is a little too small, and it is not "
    "corrected for the number of comparisons."
)
WITH_TRUTH = ("ari", "nmi", "nmi_max", "acc", "f1")


@dataclass(frozen=True, eq=False)
class Trial:
    """A data set on which methods are repeated."""

    name: str
    source: Source  # what base clusterings are drawn from
    k: int
    m: int | None = None  # base clusterings of each draw
    truth: bool = True
    origin: Origin | None = None  # for a program that does the same

    @classmethod
    def published(cls, name: str, ensemble, k: int, origin: Origin | None = None) -> Trial:
        """The draws of EC-CMS's tables: 20 of 100 base clusterings, by the stream of the authors' program."""
        m, most, draws = PUBLISHED
        if ensemble.m != most:
            raise InputError(f"The published draws take {m} of {most} base clusterings; {name} has {ensemble.m}.")
        source = Pool(ensemble, published_orders(most, draws))
        return cls(name, source, k, m, ensemble.truth is not None, origin)


class Repeats:
    """Begun at once, on the processes all sweeps share; what is kept in the cells is not computed again."""

    def __init__(self, methods: Sequence[Method], trials: Sequence[Trial], draws: int = 20, cells=None,
                 visitor: str = "", processes: int | None = None, fixed: bool = True):  # fmt: skip
        """`cells`: where results are kept, for all or one for each trial. `fixed`: every method takes the k of the data
        set; else its own."""
        if not methods or not trials or draws < 1:
            raise InputError("Repeats need at least one method, one data set and one draw.")
        self.methods, self.trials, self.draws = tuple(methods), tuple(trials), draws
        self.names = called(_alike(methods) if fixed else methods)
        wanted = [[replace(m, k=trial.k) if fixed else m for m in methods] for trial in self.trials]
        plans = [
            [grid(method, draws=draws, m=trial.m) for method in row]
            for trial, row in zip(self.trials, wanted, strict=True)
        ]
        places = cells if isinstance(cells, Sequence) else [cells] * len(self.trials)
        self.sweeps: list[list[Sweep]] = [
            [sweep(plan, trial.source, place, visitor=visitor, processes=processes) for plan in row]
            for trial, place, row in zip(self.trials, places, plans, strict=True)
        ]

    # --- how far it is ----------------------------------------------------------------------------------------

    @property
    def _all(self) -> list[Sweep]:
        return [one for row in self.sweeps for one in row]

    @property
    def total(self) -> int:
        return sum(one.total for one in self._all)

    @property
    def done(self) -> int:
        return sum(one.done for one in self._all)

    @property
    def over(self) -> bool:
        return all(one.over for one in self._all)

    @property
    def cancelled(self) -> bool:
        return any(one.state == "cancelled" for one in self._all)

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far."""
        came = self.done - sum(one.kept for one in self._all)
        began = min(one.began for one in self._all)
        return None if came <= 0 else (time.monotonic() - began) / came * (self.total - self.done)

    def cancel(self) -> None:
        for one in self._all:
            one.cancel()

    def wait(self) -> Repeats:
        for one in self._all:
            while not one.over:
                one.wait_beyond(one.done, 1.0)
        return self

    def errors(self) -> list[str]:
        return list(dict.fromkeys(error for one in self._all for error in one.errors()))

    # --- what came out ----------------------------------------------------------------------------------------

    @property
    def measures(self) -> list[str]:
        truth = all(trial.truth for trial in self.trials)
        return [name for name in MEASURES if truth or name not in WITH_TRUTH]

    def scores(self, measure: str) -> np.ndarray:
        """(trials, methods, draws), NaN where nothing has come yet, or an error."""
        found = np.full((len(self.trials), len(self.methods), self.draws), np.nan)
        for t, row in enumerate(self.sweeps):
            for i, one in enumerate(row):
                for j, task in enumerate(one.plan.tasks):
                    outcome = one.outcome(task)
                    if outcome is not None and not outcome.error:
                        found[t, i, j] = outcome.value(measure)
        return found

    def table(self, measure: str = "") -> Table:
        """Mean ± standard deviation for each method and data set; bold where the best is no luck. `measure`: one of
        `measures`, the first by default."""
        measure = measure or self.measures[0]
        scores = self.scores(measure)
        more = measure != "seconds"
        columns = [Column("name", "method", "the method and its settings", "text")]
        for t, trial in enumerate(self.trials):
            meaning = f"{MEASURES[measure]} on {trial.name}: mean ± standard deviation over {self.draws} draws"
            columns.append(Column(f"trial {t}", trial.name, meaning, "spread", "more" if more else "less"))
        several = len(self.trials) > 1
        ranks = mean_ranks(_means(scores) * (1 if more else -1)) if several and _whole(scores) else None
        if ranks is not None:
            columns.append(Column("rank", "mean rank", "mean place over the data sets, 1 the best", "number", "less"))
        rows = []
        for i, name in enumerate(self.names):
            row = {"name": name} | {f"trial {t}": spread(scores[t, i]) for t in range(len(self.trials))}
            rows.append(row if ranks is None else {**row, "rank": float(ranks[i])})
        bold = frozenset(
            (best, f"trial {t}") for t in range(len(self.trials)) if (best := stands_out(scores[t], more)) is not None
        )
        title = f"{MEASURES[measure]}, mean ± standard deviation over {self.draws} draws of base clusterings"
        return Table(title, tuple(columns), tuple(rows), self._notes(scores, more, ranks), bold)

    def _notes(self, scores: np.ndarray, more: bool, ranks) -> tuple[str, ...]:
        notes = [WHAT_BOLD_MEANS]
        if ranks is not None:
            whole = friedman(_means(scores) * (1 if more else -1))
            best = int(np.argmin(ranks))
            said = f"Over {len(self.trials)} data sets {self.names[best]} has the best mean rank"
            if math.isfinite(whole.p):
                said += f"; that the methods differ at all has p = {whole.p:.2g} (Friedman)"
            beaten = [
                self.names[i]
                for i in range(len(self.names))
                if i != best and self.over_data_sets(scores, best, i).significant
            ]
            said += (
                f"; by Wilcoxon's signed ranks it differs (p < {LEVEL:g}) from {', '.join(beaten) or 'none of them'}."
            )
            if len(self.trials) < 6:
                said += " With fewer than six data sets that test can never say so."
            notes.append(said)
        if self.errors():
            notes.append("Not everything could be computed: " + " ".join(self.errors()[:3]))
        return tuple(notes)

    def against(self, measure: str, trial: int, one: int, other: int) -> Tested:
        """Two methods on one data set, over the same draws."""
        scores = self.scores(measure)[trial]
        return paired_t(scores[one], scores[other])

    def over_data_sets(self, scores: np.ndarray, one: int, other: int) -> Tested:
        """Two methods over all data sets, by their means."""
        means = _means(scores)
        return signed_rank(means[:, one], means[:, other])


def spread(scores: np.ndarray) -> Spread | None:
    """None where nothing is known."""
    known = scores[np.isfinite(scores)]
    if not len(known):
        return None
    return Spread(float(known.mean()), float(known.std(ddof=1)) if len(known) > 1 else 0.0, len(known))


def stands_out(scores: np.ndarray, more: bool = True) -> int | None:
    """Which method (methods, draws) is better than every other with p < .05; None where none is."""
    known = [i for i in range(len(scores)) if np.isfinite(scores[i]).sum() > 1]
    if len(known) < 2:
        return None
    sign = 1 if more else -1
    best = max(known, key=lambda i: sign * np.nanmean(scores[i]))
    return best if all(paired_t(scores[best], scores[i]).significant for i in known if i != best) else None


def _means(scores: np.ndarray) -> np.ndarray:
    """(trials, methods)"""
    return np.array([[np.nanmean(line) if np.isfinite(line).any() else np.nan for line in trial] for trial in scores])


def _whole(scores: np.ndarray) -> bool:
    return bool(np.isfinite(_means(scores)).all())


def _alike(methods: Sequence[Method]) -> list[Method]:
    """With one k, so that names do not speak of it."""
    return [replace(method, k=methods[0].k) for method in methods]
