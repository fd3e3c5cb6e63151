"""A stage: one ensemble, one row order, one run or several under one transport.

The transport's places are the iterations of the runs: place 3 shows every run at its iteration 3, and a run that ended
earlier rests at its end. Here, and only here, stands which place a person has come to rest at, and what became of the
runs before; what is seen of the runs is the sight's.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate

from ..data.naming import Naming
from ..method import Method, Step
from .absence import Absence
from .crowd import CROWD
from .dials import moved
from .ghosts import Ghost, ghost_of
from .keeper import Keeping
from .moment import Moment
from .objects import Objects
from .pace import cost_of, light
from .pair import Pair
from .protocol import Dial, Question
from .run import Listener, Run
from .scene import Scene
from .sight import Sight, in_view
from .together import the_run_of

GHOSTS = 3
LEFT = 96 << 20  # bytes, by all who are here, of runs that were on a stage a moment ago: a hand goes back and forth
QUICK = 1.0  # seconds of an estimate up to which a run begins before anything is answered


@dataclass(frozen=True)
class Stand:
    """How a run stands at one moment, while it goes on: who is said to have ended has as many places as are said."""

    run: Run
    live: bool
    state: str
    count: int

    @property
    def stopped(self) -> bool:
        return self.state in ("finished", "failed")

    @classmethod
    def of(cls, run: Run, begins: bool = False) -> Stand:
        """`begins`: it does as soon as this is said."""
        if begins and not run.live and not run.moments:
            return cls(run, True, "waiting", 0)
        live = run.live  # in this order: a run that ends meanwhile is one that goes on, with what it has
        state = run.state
        return cls(run, live, state, len(run.moments))


class Stage(Listener):
    def __init__(self, objects: Objects, visitor: str = "", keeping: Keeping | None = None, door: str = ""):
        """`door`: by which the browser finds this stage again, past the page it stands in."""
        self.objects, self.ensemble = objects, objects.ensemble
        self.visitor, self.keeping, self.door = visitor, keeping, door
        self.watcher = secrets.token_hex(6)
        self.sight = Sight(objects)
        self.runs: tuple[Run, ...] = ()
        self.ghosts: tuple[Ghost, ...] = ()
        self.question = Question()  # what the browser said last
        self.dialled: dict[str, float] = {}  # moved in the view, and not yet taken over by the page
        self.turned: dict[Method, Method] = {}  # and what each method was turned into by that
        self.scene: Scene | None = None  # what the page wants seen, where it is not everything
        self.ways: Mapping[str, str] = {}  # where a page tells more: "equation", with {method} and {name} in it
        self.called: Mapping[Method, Naming] = {}  # clusters as a person calls them
        self.asked: Mapping[str, str] = {}  # what the link said of the view, for a browser that knows nothing yet
        self._absence = Absence(self._let_go)
        self._to_begin: list[Run] = []
        self._left: list[Run] = []  # the latest first; they have ended, and nobody follows them here
        self._listeners: dict[Method, tuple[Listener, ...]] = {}  # what of ours each run tells
        self._lock = threading.RLock()

    # --- what is on it ---------------------------------------------------------------------------------------

    def follow(self, methods: Sequence[Method], begin: bool = True) -> tuple[Run, ...]:
        """A run of each method: the one on the stage, or a new one, which starts at once unless it will take long."""
        with self._lock:
            self._absence.ends()
            fresh = [self._kept_or_new(method) for method in methods]
            gone = [run for run in self.runs if run not in fresh]
            for run in gone:
                self._part_from(run)
                if run.moments:
                    self.ghosts = (ghost_of(run), *self.ghosts)[:GHOSTS]
            self._left = _within(LEFT // CROWD.size(), [*(run for run in gone if run.stopped), *self._left])
            ids = {run.id for run in fresh}
            before = {*(run.id for run in self.runs), *(pair.id for pair in self.pairs)}
            begun = [run for run in fresh if run not in self.runs]
            self.runs = tuple(fresh)
            followed = {run.id for run in gone if run.watchers}  # by others
            staying = ids | {pair.id for pair in self.pairs} | followed
            self.sight.turn_to(fresh, [part for part in before if part not in staying])
            self._to_begin = [run for run in begun if begin and (run.kept or light(run.method, self.ensemble))]
            if all(cost_of(run.method, self.ensemble).seconds <= QUICK for run in self._to_begin):
                self.begin_waiting()
            return self.runs

    def begin_waiting(self) -> None:
        """Runs that will take their time begin when it has been answered what they are: computing would keep the answer
        waiting."""
        self.objects.prepared()
        with self._lock:
            waiting, self._to_begin = self._to_begin, []
        for run in waiting:
            run.want(self.watcher)

    def _kept_or_new(self, method: Method) -> Run:
        known = next((run for run in self.runs if run.method == method), None)
        if known is not None and known.state != "cancelled":
            return known
        listeners = self._listeners[method] = (self, self.keeping.keeper()) if self.keeping else (self,)
        return the_run_of(method, self.ensemble, lambda: self._new(method), self.watcher, listeners)

    def _new(self, method: Method) -> Run:
        taken_up = self.keeping and self.keeping.find(method, self.ensemble)
        return Run(method, self.ensemble, taken_up, self.visitor or self.watcher)

    def _part_from(self, run: Run) -> None:
        run.leave(self.watcher, *self._listeners.pop(run.method, ()))

    def as_it_is(self) -> Stage:
        """To be read from, while a dial is moved or another method chosen in another thread."""
        with self._lock:
            still = copy(self)
            still.sight = copy(self.sight)
            return still

    @property
    def run(self) -> Run:
        """The first: whose consensus the rows follow."""
        return self.runs[0]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(Pair(self.runs[0], other) for other in self.runs[1:])

    @property
    def live(self) -> bool:
        return any(run.live for run in self.runs)

    @property
    def going(self) -> bool:
        return any(run.going for run in self.runs)

    def part(self, id: str) -> Run | Pair | None:
        return next((one for one in (*self.runs, *self.pairs) if one.id == id), None)

    # --- places ----------------------------------------------------------------------------------------------

    @property
    def reach(self) -> int:
        """How many places can be shown: where every run is, or has ended before."""
        return reach_of(self.stands())

    def stands(self) -> tuple[Stand, ...]:
        return tuple(Stand.of(run, run in self._to_begin) for run in self.runs)

    @property
    def shown(self) -> int:
        """The place a person has come to rest at; the last one while it plays."""
        asked, last = self.question, self.reach - 1
        known = asked.settled is not None and self.run.id in asked.runs
        return max(min(asked.settled, last), 0) if known else last

    @property
    def rests_at(self) -> int | None:
        """The place a person has come to rest at before the end; None at the end."""
        return self.shown if self.shown < self.reach - 1 else None

    @property
    def stopped(self) -> bool:
        return all(run.stopped for run in self.runs)

    # --- what a person does ----------------------------------------------------------------------------------

    def hear(self, question: Question) -> None:
        """What the browser wants done, and what it has in view now."""
        with self._lock:
            if question.dial is not None:
                self._turn(question.dial)
            self.question = question
            if not any(run.id in question.runs for run in self.runs):
                return
            for command in question.do:
                for run in self.runs:
                    self._command(run, command)

    def _command(self, run: Run, command: str) -> None:
        if command == "play":
            run.want(self.watcher)
        elif command == "step":
            run.want(self.watcher, self.reach)
        else:
            run.pause(self.watcher)

    def _turn(self, dial: Dial) -> None:
        """A dial moved in the view: the run of the method as it is then."""
        methods = [run.method for run in self.runs]
        for at, run in enumerate(self.runs):
            if run.id == dial.run:
                methods[at] = moved(run.method, dial.name, dial.value)
                before = next((old for old, new in self.turned.items() if new == run.method), run.method)
                self.turned[before] = methods[at]
                if at == 0:
                    self.dialled[dial.name] = getattr(methods[at], dial.name)
        self.follow(methods)

    def touch(self) -> None:
        """Its page is open."""
        with self._lock:  # what is just being let go is gone afterwards, or stays
            self._absence.ends()
        for run in self.runs:
            run.watchers.touch(self.watcher)

    def linger(self) -> None:
        """It asks, and may be gone with the next moment."""
        with self._lock:
            self._absence.word()
        for run in self.runs:
            run.watchers.linger(self.watcher)

    def orphan(self) -> None:
        """The connection is gone. After a while without a word, what is held for it is let go."""
        for run in self.runs:
            run.watchers.orphan(self.watcher)
        self._absence.begins()

    def _let_go(self) -> None:
        """Who comes back follows the same methods anew, and what was kept of them is there."""
        with self._lock:
            if not self._absence.over:  # back in this moment
                return
            gone, parts = self.runs, [part.id for part in (*self.runs, *self.pairs)]
            for run in gone:
                self._part_from(run)
            followed = {run.id for run in gone if run.watchers}  # by others
            self.runs, self._to_begin, self._left = (), [], []
            self.sight.turn_to((), [part for part in parts if part not in followed])

    def leave(self) -> None:
        """Nobody will look at it again."""
        self._left = []
        for run in self.runs:
            self._part_from(run)

    # --- what runs tell, in their own threads ----------------------------------------------------------------

    def stepping(self, run: Run, moment: Moment, step: Step) -> None:
        """Packs the pictures somebody looks at, in the thread that computed them."""
        if len(self.runs) == 1 and run is self.run:
            self.sight.coming(run, moment, step, in_view(run, self.question))


def _within(most: int, runs: list[Run]) -> list[Run]:
    """The first of them, as many as hold so many bytes together."""
    held = accumulate(run.history.nbytes for run in dict.fromkeys(runs))
    return [run for run, together in zip(dict.fromkeys(runs), held, strict=False) if together <= most]


def reach_of(stands: Sequence[Stand]) -> int:
    under_way = [stand.count for stand in stands if not stand.stopped]
    return min(under_way) if under_way else max((stand.count for stand in stands), default=0)
