"""A run that is watched: one method on one ensemble, computed in a thread that lives only while it computes."""

from __future__ import annotations

import itertools
import math
import secrets
import sys
import threading
import time
import traceback

from ..ensemble import Ensemble
from ..errors import InputError
from ..method import History, Method, Step, advance, begin
from .film import Film
from .moment import Moment, moment
from .turns import TURNS

GRACE = 15.0  # seconds a run goes on after its last watcher's connection closed
BREATH = 0.001  # seconds a solver stands aside after a step, so that the answer with its pictures goes out first
BACKSTOP = 600.0  # seconds a run goes on without anyone asking how it stands
LIVE: set[str] = set()  # the ids of the runs that compute or wait for a place
SLICE = 0.2  # seconds before a run makes way for one that waits


class LiveRun:
    """`go`, `pause`, `step`, `cancel` at any time from any thread; nothing here touches Streamlit.

    A run kept earlier is taken up with its `history` and `moments`; `keep(run, at_rest)` is told how far it is.

    state: "waiting" for a place, "running", "paused", "finished", "failed" (see `error`) or "cancelled".
    """

    def __init__(
        self,
        method: Method,
        ensemble: Ensemble,
        film: Film,
        like=None,
        history: History | None = None,
        moments=(),
        keep=None,
    ):
        self.id = secrets.token_hex(6)
        self.method, self.ensemble, self.film = method, ensemble, film
        self.history = history or History(method, ensemble)
        self.moments: list[Moment] = list(moments)
        self.error = ""
        self.watched: tuple[str, ...] = ()  # the quantities on somebody's screen: drawn as soon as they are there
        self._keep_run = keep or (lambda run, at_rest=False: None)  # told in the solver's thread how far the run is
        self._like = like  # labels (q,) whose numbers the first ones should keep
        self._until = -1  # the iteration up to which it shall be computed
        self._cancelled = False
        self._thread: threading.Thread | None = None
        self._computing = False
        self._change = threading.Condition()
        self._reading = threading.RLock()  # the history is written in one thread and read in others
        self.touch()

    # --- what a person can do -------------------------------------------------------------------------------

    def go(self, until: float = math.inf) -> None:
        with self._change:
            if self._cancelled or self.stopped:
                return
            self.touch()
            self._until = until
            if self._thread is None:
                self._thread = threading.Thread(target=self._solve, name=f"run {self.id}", daemon=True)
                LIVE.add(self.id)
                self._thread.start()

    def pause(self) -> None:
        with self._change:
            self._until = -1

    def step(self) -> None:
        self.go(len(self.moments))

    def cancel(self) -> None:
        """For good: unlike a lease, no later poll revives it."""
        with self._change:
            self._cancelled, self._until = True, -1
            self._change.notify_all()

    def touch(self) -> None:
        self._deadline = time.monotonic() + BACKSTOP

    def linger(self) -> None:
        """Somebody asks how it stands, who may be gone with the next moment."""
        self._deadline = max(self._deadline, time.monotonic() + GRACE)

    def orphan(self) -> None:
        """The connection is gone. It may be back in a moment; if not, the run ends."""
        self._deadline = time.monotonic() + GRACE

    # --- how it stands --------------------------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        return bool(self.error) or (len(self.moments) > 0 and bool(self.moments[-1].stop))

    @property
    def live(self) -> bool:
        return self._thread is not None

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
            return self.history.step(iteration)

    def picture(self, name: str, iteration: int, order: str):
        return self.film.picture(self, name, iteration, order)

    # --- the thread -----------------------------------------------------------------------------------------

    def _over(self) -> bool:
        return self._cancelled or len(self.moments) > self._until or time.monotonic() > self._deadline

    def _solve(self) -> None:
        try:
            while TURNS.take(self._over):
                self._computing = True
                try:
                    going_on = self._compute(time.monotonic() + SLICE)
                finally:
                    self._computing = False
                    TURNS.give()
                if not going_on:
                    break
            if not self._cancelled:
                self._keep_run(self, at_rest=True)
        except InputError as refusal:
            self.error = str(refusal)
        except Exception as failure:
            traceback.print_exc(file=sys.stderr)
            self.error = f"The run ended with an error that should not happen: {type(failure).__name__}: {failure}"
        finally:
            self._retire()

    def _retire(self) -> None:
        with self._change:
            self._thread = None
            LIVE.discard(self.id)
            self._change.notify_all()
            again = self._until > len(self.moments) and not self._over() and not self.stopped
        if again:  # `go` came between the last look and the end of the thread
            self.go(self._until)

    def _compute(self, end_of_slice: float) -> bool:
        """True when it made way and wants another turn."""
        for _ in itertools.count():
            if self._over() or self.stopped:
                return False
            if TURNS.waiting and time.monotonic() > end_of_slice:
                return True
            if self.moments:
                step = advance(self.method, self.ensemble, self.history.last)
            else:
                step = begin(self.method, self.ensemble)
            at = time.time()
            with self._reading:
                self.history.record(step)
            self._keep(step, at)

    def _keep(self, step: Step, at: float) -> None:
        before = self.moments[-1].labels if self.moments else self._like
        seen = moment(self.method, self.ensemble, step, before, at)
        self.film.draw(self, seen, step, self.watched)
        with self._change:
            self.moments.append(seen)
            self._change.notify_all()
        time.sleep(BREATH)
        self._keep_run(self)
