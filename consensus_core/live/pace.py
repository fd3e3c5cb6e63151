"""How long a run still takes, and what would be quicker."""

from __future__ import annotations

import functools

from ..ensemble import Ensemble
from ..method import Cost, Method, available_bytes
from ..methods import METHODS
from ..numbers import about_seconds, bytes_in_words, seconds_in_words

WORTH_SAYING = 3.0  # seconds
HEAVY = 60.0  # seconds of an estimate from which a person is asked first
LONG = 10.0  # seconds from which something quicker is offered
MUCH = 4  # times quicker, to be worth offering


def time_left(run) -> str:
    """ "about 40 s left": from the estimate while it holds, else from the pace so far and the steps allowed; "" where
    it is not worth saying. Of one that waits for memory it is said for what."""
    if run.waits_for_memory:
        needed = bytes_in_words(cost_of(run.method, run.ensemble).bytes)
        return f"waits for {needed} of memory, which other runs have been promised"
    done = len(run.moments) - 1
    if run.stopped or not run.live or done < 1 or run.spent <= 0:
        return ""
    at_most = run.spent / done * (run.method.max_iter - done)
    by_estimate = cost_of(run.method, run.ensemble).seconds - run.spent
    if 0 < by_estimate < at_most:
        return f"about {seconds_in_words(by_estimate)} left" if by_estimate > WORTH_SAYING else ""
    return f"at most {seconds_in_words(at_most)} left" if at_most > WORTH_SAYING else ""


@functools.lru_cache(maxsize=64)
def cost_of(method: Method, ensemble: Ensemble) -> Cost:
    """The estimate of a whole run. It is asked for again and again, and takes a moment itself on large data."""
    return method.cost(ensemble)


def light(method: Method, ensemble: Ensemble) -> bool:
    """Begins without being asked to. What is beyond the machine begins as well, to be refused in a sentence."""
    cost = cost_of(method, ensemble)
    return cost.seconds <= HEAVY or cost.bytes > available_bytes()


@functools.lru_cache(maxsize=64)
def quicker(method: Method, ensemble: Ensemble) -> str:
    """ "LWEA would take about 6 s.", where this method takes long; else ""."""
    own = cost_of(method, ensemble).seconds
    if own < LONG:
        return ""
    found = []
    for key, cls in METHODS.items():
        if key == method.key or (ensemble.has_missing and not cls.handles_missing):
            continue
        other = cls(k=method.k)
        cost = cost_of(other, ensemble)
        if cost.seconds * MUCH <= own and cost.bytes <= available_bytes():
            found.append((cost.seconds, other.name()))
    if not found:
        return ""
    seconds, name = min(found)
    return f"{name} would take {about_seconds(seconds)}."
