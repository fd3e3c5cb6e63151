"""A sweep under way: what is done, what is left, in which order; it does not know who does it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from ..errors import Cancelled, InputError
from .outcome import Outcome, key
from .plan import Plan, Task
from .source import Source

DEATHS = 3  # of processes over one task, after which it is given up


class Sweep:
    """Every task of a plan on one source, computed by others: `take`, then `give` or `lost`, from any thread.

    cells    where outcomes are kept (`keep.cells.Cells`), or None: what is there is not computed again
    state    "running", "finished", "cancelled", "failed" (see `error`)
    """

    def __init__(self, plan: Plan, source: Source, cells=None, visitor: str = ""):
        self.plan, self.source, self.visitor = plan, source, visitor
        self.error = ""
        self._cells = cells
        self._cancelled = False
        self._ended: list[Callable[[Sweep], None]] = []
        self._deaths: Counter[str] = Counter()
        self._change = threading.Condition()
        self._keys: dict[Task, str] = {task: key(source, task) for task in plan.tasks}
        wanted = dict.fromkeys(self._keys.values())
        self.outcomes: dict[str, Outcome] = {} if cells is None else cells.get(list(wanted), source.n)
        self.kept = len(self.outcomes)  # cells that were there already
        self._waiting: dict[str, Task] = {}
        for task, name in self._keys.items():
            if name not in self.outcomes:
                self._waiting.setdefault(name, task)
        self.total, self._asked = len(wanted), len(self._waiting)
        self._in_hand: dict[str, Task] = {}
        self.order: list[str] = list(self.outcomes)  # as they came
        self.began = time.monotonic()

    # --- for those who compute --------------------------------------------------------------------------------------

    def take(self, busy: frozenset | set = frozenset()) -> tuple[str, Task] | None:
        """The next task and its key; None where there is none just now. `busy`: keys others are computing."""
        with self._change:
            if self._cancelled or self.error:
                return None
            for name in self._waiting:
                if name not in busy:
                    task = self._waiting.pop(name)
                    self._in_hand[name] = task
                    return name, task
            return None

    def give(self, name: str, task: Task, outcome: Outcome) -> None:
        """What came out of it."""
        with self._change:
            if self._cancelled or name not in self._in_hand:
                return
        if self._cells is not None and not outcome.error:
            self._cells.put(name, outcome, task.method.key)  # before anybody is told
        with self._change:
            self._in_hand.pop(name, None)
            self.outcomes[name] = outcome
            self.order.append(name)
            self._change.notify_all()

    def lost(self, name: str, task: Task) -> None:
        """Whoever computed it is gone: it is computed again, unless it was the end of several."""
        with self._change:
            if self._cancelled or name not in self._in_hand:
                return
            self._deaths[name] += 1
            if self._deaths[name] < DEATHS:
                del self._in_hand[name]
                self._waiting = {name: task, **self._waiting}
                self._change.notify_all()
                return
        said = f"{DEATHS} processes ended while they computed this; perhaps it needs more memory than there is."
        self.give(name, task, Outcome(error=said))

    def fail(self, why: str) -> None:
        """Nobody can go on with it."""
        with self._change:
            self.error = why
            self._change.notify_all()

    # --- for those who look on --------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        if self.error:
            return "failed"
        if len(self.outcomes) == self.total:
            return "finished"
        return "cancelled" if self._cancelled else "running"

    @property
    def over(self) -> bool:
        return self.state != "running"

    @property
    def left(self) -> int:
        """Tasks nobody has taken yet."""
        return len(self._waiting)

    @property
    def done(self) -> int:
        return len(self.outcomes)

    @property
    def seconds_left(self) -> float | None:
        """At the pace so far; None before anything came."""
        came = self.done - self.kept
        return None if came <= 0 else (time.monotonic() - self.began) / came * (self.total - self.done)

    def outcome(self, task: Task) -> Outcome | None:
        return self.outcomes.get(self._keys[task])

    def of(self, point: tuple) -> list[Outcome]:
        """What is there of a point: one outcome for each draw that came to something."""
        found = [self.outcome(task) for task in self.plan.of(point)]
        return [one for one in found if one is not None and not one.error]

    def errors(self) -> list[str]:
        return list(dict.fromkeys(one.error for one in list(self.outcomes.values()) if one.error))

    def wait_beyond(self, count: int, seconds: float) -> None:
        """Returns as soon as more than `count` are done, or nothing more will come, or time is up."""
        with self._change:
            self._change.wait_for(lambda: self.done > count or self.over, timeout=seconds)

    def first(self, distance: Callable[[Task], float]) -> None:
        """Of what is left the nearest is computed first."""
        with self._change:
            self._waiting = dict(sorted(self._waiting.items(), key=lambda item: distance(item[1])))

    def cancel(self) -> None:
        """At once and for good; what is done stays."""
        with self._change:
            if self._cancelled:
                return
            self._cancelled = True
            self._change.notify_all()
        for told in self._ended:
            told(self)

    def when_cancelled(self, told: Callable[[Sweep], None]) -> None:
        self._ended.append(told)
        if self._cancelled:
            told(self)

    def __iter__(self) -> Iterator[tuple[Task, Outcome]]:
        """Tasks and outcomes as they come; those of other points that are the same cell come with it."""
        alike: dict[str, list[Task]] = {}
        for task, name in self._keys.items():
            alike.setdefault(name, []).append(task)
        seen = 0
        while True:
            self.wait_beyond(seen, 0.5)
            while seen < len(self.order):
                name = self.order[seen]
                seen += 1
                for task in alike[name]:
                    yield task, self.outcomes[name]
            if self.over and seen == len(self.order):
                break
        if self.error:
            raise InputError(self.error)
        if self._cancelled and self.done < self.total:
            raise Cancelled
