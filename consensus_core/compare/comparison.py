"""Methods, or settings of one, on one ensemble: what each has come to, and what they have in common.

comparison = compare(ensemble, [LWEA(k=7), ECCMS(k=7), ECCMS(k=7, alpha=0.7)])
print(comparison.table().latex())
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .. import scores
from ..ensemble import Ensemble
from ..ensemble.truth import truth_codes
from ..method import Method
from ..method.settings import called, settings_in_words
from ..numbers import counted
from .alarms import alarms
from .outcome import Outcome, solved
from .plan import planned
from .table import Column, Table

USUAL = "lwea"  # whose agreement with the base clusterings others are held to, where it is among them
CANNOT_CHOOSE = (
    "This table finds junk; it cannot choose among sound methods. On 26 pools of real base clusterings no criterion "
    "computed without the truth did better than always taking the same method."
)
TRUTH = (
    Column("ari", "ARI", "adjusted Rand index with the truth: 1 the same partition, 0 as by chance", better="more"),
    Column("nmi", "NMI", "normalised mutual information with the truth (arithmetic mean)", better="more"),
    Column("acc", "ACC", "share of objects right under the best naming of clusters by classes", better="more"),
    Column("f1", "F", "pairwise F with the truth", better="more"),
)  # fmt: skip
ALWAYS = (
    Column("agreement", "base NMI", "mean NMI with the base clusterings; says what is junk, not what is best",
           better="more"),
    Column("others", "others ARI", "mean adjusted Rand index with the other results of this table", better="more"),
    Column("clusters", "clusters", "clusters in the result", "count"),
    Column("largest", "largest", "share of the objects in the largest cluster", "share"),
    Column("certainty", "certainty", "mean certainty of the objects: how much more the base clusterings put them with "
           "their own cluster than with any other", better="more"),
    Column("seconds", "time", "seconds of computing on this machine", "seconds", "less"),
    Column("bytes", "memory", "memory of the run, estimated before it began", "bytes", "less"),
    Column("alarms", "alarms and remarks", "what says that a result is junk, or why there is none", "text"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Comparison:
    ensemble: Ensemble
    outcomes: tuple[Outcome, ...]

    @functools.cached_property
    def names(self) -> list[str]:
        return called([outcome.method for outcome in self.outcomes])

    @functools.cached_property
    def there(self) -> list[int]:
        """The places of those that have a result."""
        return [i for i, outcome in enumerate(self.outcomes) if outcome.labels is not None]

    def labels(self, place: int) -> np.ndarray:
        """(n,) clusters 0, 1, … of a result, by the one numbering."""
        return self.ensemble.expand(self.outcomes[place].labels)

    # --- in common ------------------------------------------------------------------------------------------

    @functools.cached_property
    def mutual(self) -> np.ndarray:
        """(r, r) adjusted Rand index of each result with each, in the order of `there`."""
        return self._held(scores.ari)

    @functools.cached_property
    def mutual_elements(self) -> np.ndarray:
        """(r, r) element-centric similarity of each with each."""
        return self._held(scores.element_centric)

    @functools.cached_property
    def elements(self) -> np.ndarray:
        """(q,) how alike the results treat each object: element-centric similarity, mean over all pairs of results."""
        return scores.element_agreement(self._labellings, self.ensemble.counts)

    def _held(self, measure: Callable) -> np.ndarray:
        """Each result held to each. What two have in common stays while others come."""
        labellings = self._labellings
        keys = [_digest(self.ensemble, labels) for labels in labellings]
        table = np.ones((len(keys), len(keys)))
        for i, j in itertools.combinations(range(len(keys)), 2):
            key = (measure.__name__, keys[i], keys[j])
            if key not in _PAIRS:
                _room_in(_PAIRS)
                _PAIRS[key] = measure(labellings[i], labellings[j], self.ensemble.counts)
            table[i, j] = table[j, i] = _PAIRS[key]
        return table

    @property
    def _labellings(self) -> list[np.ndarray]:
        return [self.outcomes[i].labels for i in self.there]

    # --- one by one -----------------------------------------------------------------------------------------

    @functools.cached_property
    def rows(self) -> tuple[dict, ...]:
        """What there is to say of each; a name for each column of the table that has something to say."""
        agreements = [self._agreement(outcome) for outcome in self.outcomes]
        usual = next(
            (
                (outcome.method.name(), agreement)
                for outcome, agreement in zip(self.outcomes, agreements, strict=True)
                if outcome.method.key == USUAL and outcome.state == "finished"
            ),
            None,
        )
        return tuple(self._row(i, agreement, usual) for i, agreement in enumerate(agreements))

    def _agreement(self, outcome: Outcome) -> float:
        if outcome.labels is None:
            return math.nan
        return facts(self.ensemble, outcome.labels)["agreement"]

    def _row(self, i: int, agreement: float, usual) -> dict:
        outcome = self.outcomes[i]
        row = {"name": self.names[i], "settings": settings_in_words(outcome.method), "state": outcome.state}
        row |= {"bytes": outcome.bytes or None, "seconds": outcome.seconds}
        if outcome.labels is None:
            return {**row, "alarms": outcome.trouble, "wrong": bool(outcome.trouble)}
        heard = alarms(
            self.ensemble, outcome, agreement, usual if usual and usual[0] != outcome.method.name() else None
        )
        said = [*heard, outcome.trouble, outcome.because if outcome.stop in ("capped", "max_iter") else ""]
        if outcome.found != outcome.method.k and outcome.method.exact_k and outcome.state == "finished":
            said.append(f"It ended with {counted(outcome.found, 'cluster')} and was repaired to {outcome.method.k}.")
        return {
            **row,
            **facts(self.ensemble, outcome.labels),
            "others": self._with_the_others(i),
            "alarms": " ".join(filter(None, said)),
            "wrong": bool(heard),
        }

    def _with_the_others(self, i: int) -> float:
        if len(self.there) < 2:
            return math.nan
        mine = self.mutual[self.there.index(i)]
        return float((mine.sum() - 1) / (len(mine) - 1))

    # --- as a table -----------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[Column, ...]:
        first = (Column("name", "method", "the method, and the settings in which those of one name differ", "text"),)
        return (*first, *(TRUTH if self.ensemble.truth is not None else ()), *ALWAYS)

    def table(self, title: str = "Methods compared") -> Table:
        return Table(title, self.columns, self.rows, (CANNOT_CHOOSE,))


_FACTS: dict[bytes, dict[str, float]] = {}
_PAIRS: dict[tuple[str, bytes, bytes], float] = {}
MOST = 20_000  # numbers remembered of either


def _digest(ensemble: Ensemble, labels: np.ndarray) -> bytes:
    content = np.ascontiguousarray(labels, dtype=np.int64)
    return hashlib.blake2b(content.data, key=ensemble.fingerprint.encode()[:64], digest_size=16).digest()


def _room_in(known: dict) -> None:
    """What has been known longest goes."""
    while len(known) >= MOST:
        known.pop(next(iter(known)), None)


def facts(ensemble: Ensemble, labels: np.ndarray) -> dict[str, float]:
    """The scores of one partition: with the truth where there is one, with the base clusterings, sizes, certainty."""
    key = _digest(ensemble, labels)
    known = _FACTS.get(key)
    if known is None:
        _room_in(_FACTS)
        known = _FACTS[key] = _facts(ensemble, labels)
    return known


def _facts(ensemble: Ensemble, labels: np.ndarray) -> dict[str, float]:
    found: dict[str, float] = {}
    if ensemble.truth is not None:
        every = scores.all_scores(ensemble.expand(labels), truth_codes(ensemble)[0])
        found |= {column.key: every[column.key] for column in TRUTH}
    sizes = np.bincount(labels, weights=ensemble.weights)
    sure = scores.certainty(ensemble, labels).margin
    return found | {
        "agreement": scores.agreement(labels, ensemble.rows, ensemble.counts).mean_nmi,
        "clusters": int((sizes > 0).sum()),
        "largest": float(sizes.max() / ensemble.n),
        "certainty": float(np.average(sure, weights=ensemble.weights)),
    }


def compare(
    ensemble: Ensemble,
    methods: Sequence[Method],
    memory: int | None = None,
    cancel: Callable[[], bool] | None = None,
    told: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """All of them, the quickest first; what does not fit or fails is a sentence in its row. `told` hears of each result
    as it comes."""
    plan = planned(ensemble, methods, memory)
    outcomes = [
        Outcome(entry.method, "refused" if entry.refusal else "waiting", bytes=entry.cost.bytes, trouble=entry.refusal)
        for entry in plan.entries
    ]
    for entry in plan.turns:
        outcomes[plan.entries.index(entry)] = solved(entry.method, ensemble, cancel)
        if told is not None:
            told(Comparison(ensemble, tuple(outcomes)))
    return Comparison(ensemble, tuple(outcomes))
