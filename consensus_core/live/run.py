"""A run that is watched: one method on one ensemble, computed in a thread that lives only while it computes."""

from __future__ import annotations

import math
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import History, Method, Step, advance, attached, begin
from ..method.history import BUDGET
from .admission import ADMISSION, Claim
from .crowd import CROWD
from .moment import Moment, moment
from .pace import cost_of
from .turns import TURNS, Ticket
from .watchers import NOTHING, Watchers

BREATH = 0.001  # seconds a solver stands aside after a step, so that the answer with its pictures goes out first
LIVE: set[str] = set()  # the ids of the runs that compute or wait for a place
SLICE = 0.2  # seconds before a run makes way for one that waits


class Listener:
    """Is told in the run's own thread how far it has come."""

    def stepping(self, run: Run, moment: Moment, step: Step) -> None:
        """A step is there, and nobody who waits for it has been told yet: what shall be ready with it is made now."""

    def stepped(self, run: Run, moment: Moment, step: Step) -> None:
        """It belongs to the run now."""

    def rested(self, run: Run) -> None:
        """Nothing more comes for now: it has ended, pauses, or nobody wants more."""


class Run:
    """`want`, `pause`, `step`, `cancel` at any time from any thread.

    Several watchers may follow one run: it computes while anybody wants more than there is. A run kept earlier comes
    back through `taken_up`, called in the run's thread: its history and moments, or None.

    state: "waiting" for a place, "running", "paused", "finished", "failed" (see `error`) or "cancelled".
    """

    def __init__(
        self,
        method: Method,
        ensemble: Ensemble,
        taken_up: Callable[[], tuple[History, Sequence[Moment]] | None] | None = None,
        visitor: str = "",
        budget: int = BUDGET,
    ):
        """`visitor`: on whose behalf it is computed. `budget`: bytes of states that are remembered."""
        self.id = secrets.token_hex(6)
        self.method, self.ensemble = method, ensemble
        self.history = History(method, ensemble, budget)
        self.moments: list[Moment] = []
        self.error = ""
        self.spent = 0.0  # seconds of computing
        self.watchers = Watchers()
        self._listeners: tuple[Listener, ...] = ()
        self._ticket = Ticket(visitor, self.id)
        self._taken_up = taken_up
        self.kept = taken_up is not None  # there is something to take up
        self._cancelled = False
        self._thread: threading.Thread | None = None
        self._computing = False
        self._has_asked = False
        self.waits_for_memory = False  # that other runs have been promised
        self._change = threading.Condition()
        self._reading = threading.RLock()  # the history is written in one thread and read in others

    # --- what a watcher can do ------------------------------------------------------------------------------

    def want(self, watcher: str, until: float = math.inf) -> None:
        """Computed up to this iteration, for this watcher."""
        with self._change:
            if self._cancelled or self.stopped:
                return
            self.watchers.want(watcher, until)
            if self._thread is None and not self._over():
                self._start()

    def pause(self, watcher: str) -> None:
        with self._change:
            self.watchers.want(watcher, NOTHING)

    def step(self, watcher: str) -> None:
        self.want(watcher, len(self.moments))

    def follow(self, watcher: str, *listeners: Listener) -> bool:
        """One watcher more, who wants nothing yet; these are told from now on, at once where nothing more comes. False
        where the run was given up: it comes to no end for anybody."""
        with self._change:
            if self._cancelled and not self.stopped:
                return False
            self.watchers.want(watcher, NOTHING)
            self._listeners = (*self._listeners, *listeners)
            over = self.stopped and not self.live
        if over:
            threading.Thread(target=self._tell_rest, args=(listeners,), name=f"told of {self.id}", daemon=True).start()
        return True

    def leave(self, watcher: str, *listeners: Listener) -> None:
        """This watcher is through with the run; when it was the last one, the run is through as well."""
        with self._change:
            self._listeners = tuple(one for one in self._listeners if one not in listeners)
            self.watchers.leave(watcher)
            if not self.watchers:
                self.cancel()

    def cancel(self) -> None:
        """For good: unlike a lease, no later question revives it."""
        with self._change:
            self._cancelled = True
            self._change.notify_all()

    # --- how it stands --------------------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        return bool(self.error) or (len(self.moments) > 0 and bool(self.moments[-1].stop))

    @property
    def live(self) -> bool:
        return self._thread is not None

    @property
    def going(self) -> bool:
        """More may come. What has ended is not going, though its thread may still be writing it down."""
        return self.live and not self.stopped

    @property
    def state(self) -> str:
        if self.error:
            return "failed"
        if self.moments and self.moments[-1].stop:
            return "finished"
        if self._cancelled:
            return "cancelled"
        if self.live:
            return "running" if self._computing else "waiting"
        return "paused"

    def wait_beyond(self, count: int, seconds: float) -> None:
        """Returns as soon as there are more than `count` moments, or nothing more will come, or time is up."""
        with self._change:
            self._change.wait_for(lambda: len(self.moments) > count or not self.live, timeout=seconds)

    def at(self, iteration: int) -> Step:
        with self._reading:
            step = self.history.step(iteration)
        return attached(self.method, self.ensemble, step) if step.run is None else step  # one that was kept has none

    # --- the thread -----------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._live, name=f"run {self.id}", daemon=True)
        LIVE.add(self.id)
        self._thread.start()

    def _over(self) -> bool:
        return self._cancelled or len(self.moments) > self.watchers.until

    def _live(self) -> None:
        try:
            self._take_up()
            while not self.stopped and self._has_room() and TURNS.take(self._ticket, self._over):
                self._computing = True
                try:
                    going_on = self._compute(time.monotonic() + SLICE)
                finally:
                    self._computing = False
                    TURNS.give(self._ticket)
                if not going_on:
                    break
        except InputError as refusal:
            self.error = str(refusal)
        except Exception as failure:
            traceback.print_exc(file=sys.stderr)
            self.error = f"The run ended with an error that should not happen: {type(failure).__name__}: {failure}"
        finally:
            ADMISSION.over(self.id)
            self._has_asked = False
            told = () if self._cancelled else self._listeners
            self._tell_rest(told)
            self._retire(told)

    def _has_room(self) -> bool:
        """Waits for memory beside what other runs have been promised, once for each time it computes."""
        if not self._has_asked:
            needed = cost_of(self.method, self.ensemble).bytes
            claim = Claim(needed, min(needed, self.history.budget), lambda: self.history.nbytes)
            self.waits_for_memory = True
            self._has_asked = ADMISSION.ask(self.id, claim, self._over)
            self.waits_for_memory = False
        return self._has_asked

    def _tell_rest(self, listeners: Iterable[Listener]) -> None:
        """What goes wrong with one of them is for the server's log: the others are told all the same, and the run
        is over."""
        for listener in listeners:
            try:
                listener.rested(self)
            except Exception:
                traceback.print_exc(file=sys.stderr)

    def _take_up(self) -> None:
        kept, self._taken_up = self._taken_up and self._taken_up(), None
        if kept:
            with self._change, self._reading:
                self.history, self.moments = kept[0], list(kept[1])
                self.spent = self.moments[-1].spent if self.moments else 0.0
                self._change.notify_all()

    def _retire(self, told: tuple[Listener, ...]) -> None:
        with self._change:
            self._thread = None
            LIVE.discard(self.id)
            self._change.notify_all()
            came_meanwhile = [one for one in self._listeners if one not in told] if self.stopped else []
            if not self._over() and not self.stopped:  # wanted between the last look and the end of the thread
                self._start()
        self._tell_rest(came_meanwhile)

    def _compute(self, end_of_slice: float) -> bool:
        """True when it made way and wants another turn."""
        while not (self._over() or self.stopped):
            if time.monotonic() > end_of_slice and TURNS.wanted(self._ticket):
                return True
            CROWD.make_way()
            began = time.monotonic()
            if self.moments:
                step = advance(self.method, self.ensemble, self.history.last)
            else:
                step = begin(self.method, self.ensemble)
            at = time.time()
            with self._reading:
                self.history.record(step)
            self.spent += time.monotonic() - began
            self._remember(step, at)
        return False

    def _remember(self, step: Step, at: float) -> None:
        seen = moment(self.method, self.ensemble, step, at, self.spent)
        for listener in self._listeners:
            listener.stepping(self, seen, step)
        with self._change:
            self.moments.append(seen)
            self._change.notify_all()
        time.sleep(BREATH)
        for listener in self._listeners:
            listener.stepped(self, seen, step)
