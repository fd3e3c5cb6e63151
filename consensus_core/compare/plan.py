"""What comparing will take, asked before anything is allocated: which methods fit, in which order, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import Cost, Method, available_bytes
from ..method.cost import in_words as cost_in_words
from ..method.loop import check
from ..method.settings import called
from ..methods import METHODS
from ..numbers import bytes_in_words, counted

QUICK = 10.0  # seconds of "all that take less"
PATIENT = 60.0  # seconds from which a method waits to be asked for
NAMED = 3  # methods that would fit are named, so many


@dataclass(frozen=True)
class Entry:
    method: Method
    name: str
    cost: Cost
    refusal: str = ""  # why it cannot run here, in one sentence that says what would fit
    long: bool = False  # it could, and takes so long that somebody has to ask for it


@dataclass(frozen=True)
class Plan:
    """In the order asked for."""

    entries: tuple[Entry, ...]

    @property
    def turns(self) -> list[Entry]:
        """Those that can run, the quickest first: the first result is there soonest."""
        return sorted((one for one in self.entries if not one.refusal), key=lambda one: one.cost.seconds)

    def cost(self, at_once: int = 1) -> Cost:
        """Of all of them: as much memory as the largest take that may run together."""
        costs = [one.cost for one in self.turns]
        return Cost(sum(sorted((c.bytes for c in costs), reverse=True)[:at_once]), sum(c.seconds for c in costs))


def planned(ensemble: Ensemble, methods: Sequence[Method], memory: int | None = None, at_once: int = 1) -> Plan:
    """`at_once`: how many run together; what they take together has to fit."""
    memory = available_bytes() if memory is None else memory
    share = memory // max(at_once, 1)
    costs = [method.cost(ensemble) for method in methods]
    told = sorted(zip(methods, costs, strict=True), key=lambda pair: pair[1].seconds)  # the quickest are named
    fitting = [method.name() for method, cost in told if cost.bytes <= share]
    entries = []
    for method, name, cost in zip(methods, called(methods), costs, strict=True):
        refusal = _refusal(method, ensemble, cost, share, fitting)
        entries.append(Entry(method, name, cost, refusal, not refusal and cost.seconds > PATIENT))
    return Plan(tuple(entries))


def within(
    ensemble: Ensemble, k: int, seconds: float = QUICK, memory: int | None = None, keys: Iterable[str] | None = None
) -> list[Method]:
    """A method of each kind with its defaults, of those that take less than so many seconds here, the quickest
    first."""
    methods = [METHODS[key](k=k) for key in (METHODS if keys is None else keys)]
    return [one.method for one in planned(ensemble, methods, memory).turns if one.cost.seconds < seconds]


def _refusal(method: Method, ensemble: Ensemble, cost: Cost, memory: int, fitting: list[str]) -> str:
    try:
        check(method, ensemble, 2**62)
    except InputError as refusal:
        return str(refusal)
    if cost.bytes <= memory:
        return ""
    others = list(dict.fromkeys(fitting)) or [
        each.name() for each in (cls(k=method.k) for cls in METHODS.values()) if each.cost(ensemble).bytes <= memory
    ]
    needs = (
        f"{method.name()} needs about {bytes_in_words(cost.bytes)} on {ensemble.q:,} microclusters, and "
        f"{bytes_in_words(memory)} are free"
    )
    if not others:
        return f"{needs}; fewer or coarser base clusterings would need less."
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    return f"{needs}; {', '.join(others[:NAMED])}{more} would fit."


def in_words(plan: Plan, at_once: int = 1) -> str:
    """ "7 methods, about 1 s and 14 MB"."""
    cost = plan.cost(at_once)
    return f"{counted(len(plan.turns), 'method')}, {cost_in_words(cost)}"
