"""Runs that are compared: many on one ensemble, nobody need look at them. The quickest comes first, and as many compute
together as one visitor has places, so that the first result is there soon and memory is asked for before it is taken.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence

from ..compare.comparison import Comparison
from ..compare.outcome import Outcome
from ..compare.plan import Entry, Plan, planned
from ..ensemble import Ensemble
from ..method import Method, Step, available_bytes
from ..method.history import BUDGET
from ..numbers import about_seconds
from .absence import Absence
from .keeper import Keeping
from .moment import Moment
from .run import Listener, Run
from .together import the_run_of
from .turns import TURNS

HELD = 512 << 20  # bytes of states remembered by all runs together
LEAST = 8 << 20  # and by each at least


class Bench(Listener):
    def __init__(self, ensemble: Ensemble, visitor: str = "", keeping: Keeping | None = None):
        self.ensemble, self.visitor, self.keeping = ensemble, visitor, keeping
        self.watcher = secrets.token_hex(6)
        self.plan = Plan(())
        self.cancelled = False  # by a person, until something is asked for again
        self._runs: dict[Method, Run] = {}
        self._listeners: dict[Method, tuple[Listener, ...]] = {}
        self._wanted: set[Method] = set()  # of those that take long
        self._here = True
        self._absence = Absence(self._let_go)
        self._lock = threading.RLock()
        self._seen: tuple[tuple, Comparison] | None = None

    # --- what a person does -----------------------------------------------------------------------------------

    def follow(self, methods: Sequence[Method]) -> None:
        """These are compared from now on. What is there already stays, only what is new is computed."""
        methods = tuple(dict.fromkeys(methods))
        with self._lock:
            self._absence.ends()
            if methods == tuple(entry.method for entry in self.plan.entries):
                return
            for method in [method for method in self._runs if method not in methods]:
                self._part_from(method)
            self.plan = planned(self.ensemble, methods, self._room(methods))
            self.cancelled = False
        self.go_on()

    def go_on(self, long: bool = False) -> None:
        """What is not finished is computed; with `long`, what takes its time too."""
        with self._lock:
            self.cancelled = False
            if long:
                self._wanted |= {entry.method for entry in self.plan.entries if entry.long}
        self._begin()

    def cancel(self) -> None:
        """Nothing more is computed; what is finished stays."""
        with self._lock:
            self.cancelled = True
            for method in [method for method, run in self._runs.items() if not run.stopped]:
                self._part_from(method)

    def touch(self) -> None:
        """Its visitor is here."""
        was_away, self._here = not self._here, True
        self._absence.ends()
        for run in list(self._runs.values()):
            run.watchers.touch(self.watcher)
        if was_away:
            self._begin()  # what rested meanwhile goes on

    def orphan(self) -> None:
        """The connection is gone, and may be back in a moment."""
        self._here = False
        for run in list(self._runs.values()):
            run.watchers.orphan(self.watcher)
        self._absence.begins()

    def _let_go(self) -> None:
        """What there is is kept; who comes back follows the same methods anew."""
        with self._lock:
            if not self._absence.over:  # back in this moment
                return
            self.leave()
            self.plan, self._seen = Plan(()), None

    def leave(self) -> None:
        """Nobody will ask for it again."""
        with self._lock:
            self.cancelled = True
            for method in list(self._runs):
                self._part_from(method)

    # --- how it stands ----------------------------------------------------------------------------------------

    @property
    def live(self) -> bool:
        return not self.cancelled and any(self._open(entry) for entry in self.plan.entries)

    @property
    def waiting_for_a_word(self) -> list[Entry]:
        """Those that take so long that somebody has to ask for them."""
        return [one for one in self.plan.entries if one.long and one.method not in self._wanted and not self._over(one)]

    def seconds_left(self) -> float:
        """By the estimates."""
        return sum(entry.cost.seconds for entry in self.plan.entries if self._open(entry)) / TURNS.each

    def comparison(self) -> Comparison:
        """As it stands now; the same one as long as nothing has changed."""
        outcomes = tuple(self._outcome(entry) for entry in self.plan.entries)
        key = tuple((o.method, o.state, o.iterations, o.trouble) for o in outcomes)
        with self._lock:
            if self._seen is None or self._seen[0] != key:
                self._seen = key, Comparison(self.ensemble, outcomes)
            return self._seen[1]

    def run_of(self, method: Method) -> Run | None:
        return self._runs.get(method)

    def _over(self, entry: Entry) -> bool:
        run = self._runs.get(entry.method)
        return bool(entry.refusal) or (run is not None and run.stopped)

    def _open(self, entry: Entry) -> bool:
        return not self._over(entry) and (not entry.long or entry.method in self._wanted)

    def _outcome(self, entry: Entry) -> Outcome:
        method, run = entry.method, self._runs.get(entry.method)
        some = {"method": method, "bytes": entry.cost.bytes}
        if entry.refusal:
            return Outcome(**some, state="refused", trouble=entry.refusal)
        if run is not None and run.error:
            return Outcome(**some, state="failed", trouble=run.error)
        if run is not None and run.stopped:
            last = run.moments[-1]
            return Outcome(
                **some,
                state="finished",
                labels=last.labels,
                iterations=last.iteration,
                found=last.found,
                stop=last.stop,
                because=last.because,
                remarks=last.remarks,
                seconds=last.spent,
            )
        if self.cancelled:
            return Outcome(**some, state="cancelled", trouble="Cancelled before its end.")
        if not self._open(entry):
            words = f"It would take {about_seconds(entry.cost.seconds)}, and waits until you ask for it."
            return Outcome(**some, trouble=words)
        if run is not None and run.moments:
            return Outcome(**some, state="running", iterations=run.moments[-1].iteration, seconds=run.spent)
        return Outcome(**some, state="running" if run is not None else "waiting")

    # --- turns ------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """As many as there are places for, and memory."""
        with self._lock:
            going = [one for one in self.plan.turns if (run := self._runs.get(one.method)) and not run.stopped]
            for entry in self.plan.turns if not self.cancelled else ():
                if entry in going:
                    self._runs[entry.method].want(self.watcher)
                elif self._open(entry) and len(going) < TURNS.each:
                    room = available_bytes() - sum(one.cost.bytes for one in going)
                    if going and entry.cost.bytes > room:
                        break  # when those that compute are through
                    self._run(entry.method).want(self.watcher)
                    going.append(entry)

    def _run(self, method: Method) -> Run:
        listeners = self._listeners[method] = (self, self.keeping.keeper()) if self.keeping else (self,)
        run = the_run_of(method, self.ensemble, lambda: self._new(method), self.watcher, listeners)
        self._runs[method] = run
        return run

    def _new(self, method: Method) -> Run:
        taken_up = self.keeping and self.keeping.find(method, self.ensemble)
        return Run(method, self.ensemble, taken_up, self.visitor or self.watcher, _budget(len(self.plan.entries)))

    def _part_from(self, method: Method) -> None:
        self._runs.pop(method).leave(self.watcher, *self._listeners.pop(method, ()))

    def _room(self, methods: Sequence[Method]) -> int:
        """Memory for one that computes, when all the others are through and remember what they may."""
        budget = _budget(len(methods))
        return available_bytes() - sum(min(method.cost(self.ensemble).bytes, budget) for method in methods)

    # --- what runs tell, in their own threads -----------------------------------------------------------------

    def stepped(self, run: Run, moment: Moment, step: Step) -> None:
        if self._here:
            run.watchers.touch(self.watcher)

    def rested(self, run: Run) -> None:
        if run.stopped:
            self._begin()


def _budget(count: int) -> int:
    """Bytes that each of so many runs may remember."""
    return min(BUDGET, max(LEAST, HELD // max(count, 1)))
