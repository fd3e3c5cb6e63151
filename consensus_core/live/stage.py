"""A stage: one ensemble, one row order, one run or several under one transport.

The transport's places are the iterations of the runs: place 3 shows every run at its iteration 3, and a run that ended
earlier rests at its end. Here, and only here, stands which place a person has come to rest at, what is in view, and
what became of the runs before.
"""

from __future__ import annotations

import dataclasses
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..drawing.arrangement import Arrangement, arranged
from ..drawing.kinds import drawn, kind_of
from ..drawing.orders import FIRST, follows_labels
from ..drawing.scales import Scale, scale_of
from ..method import Method, Quantity, Step, available_bytes
from .dials import moved
from .film import Film, Place, Shot
from .ghosts import Ghost, ghost_of
from .keeper import Keeping
from .moment import Moment
from .objects import Objects
from .protocol import Question
from .run import Listener, Run

GHOSTS = 3
HEAVY = 60.0  # seconds a run is estimated to take from which a person is asked first
AT_FIRST = 4  # pictures drawn before a browser has said what is in view
ARRANGEMENTS = 6  # kept
HOLD = 180.0  # seconds after the connection closed for which runs and pictures are held; a session lives 120


@dataclass(frozen=True)
class Pair:
    """Two runs whose equal quantities are drawn as differences: the second minus the first."""

    one: Run
    other: Run

    @property
    def id(self) -> str:
        return f"{self.one.id}-{self.other.id}"

    def quantities(self) -> tuple[Quantity, ...]:
        """What both show as the same kind over the same things."""
        theirs = {quantity.name: quantity for quantity in drawn(self.other.method)}
        return tuple(
            dataclasses.replace(mine, span=None, log=False, diverging=True)
            for mine in drawn(self.one.method)
            if kind_of(mine).difference is not None and _equal(mine, theirs.get(mine.name))
        )


def _equal(mine: Quantity, theirs: Quantity | None) -> bool:
    return theirs is not None and (mine.kind, mine.axes, mine.span) == (theirs.kind, theirs.axes, theirs.span)


@dataclass
class _Since:
    """For each iteration of a run, the first one from which on the labels have been the same."""

    run: Run
    known: list[int] = field(default_factory=list)

    def at(self, iteration: int, coming: Moment | None = None) -> int:
        """`coming`: the moment of this iteration, while it does not belong to the run yet."""
        moments = self.run.moments
        for i in range(len(self.known), iteration + 1):
            labels = coming.labels if coming is not None and i == len(moments) else moments[i].labels
            same = i and np.array_equal(labels, moments[i - 1].labels)
            self.known.append(self.known[i - 1] if same else i)
        return self.known[iteration]


class Stage(Listener):
    def __init__(self, objects: Objects, visitor: str = "", keeping: Keeping | None = None, door: str = ""):
        """`door`: by which the browser finds this stage again, past the page it stands in."""
        self.objects, self.ensemble = objects, objects.ensemble
        self.visitor, self.keeping, self.door = visitor, keeping, door
        self.watcher = secrets.token_hex(6)
        self.film = Film(self.ensemble)
        self.order = FIRST
        self.runs: tuple[Run, ...] = ()
        self.ghosts: tuple[Ghost, ...] = ()
        self.question = Question()  # what the browser said last
        self.dialled: dict[str, float] = {}  # moved in the view, and not yet taken over by the page
        self.asked: Mapping[str, str] = {}  # what the link said of the view, for a browser that knows nothing yet
        self._gone_since: float | None = None
        self._to_begin: list[Run] = []
        self._since: dict[str, _Since] = {}
        self._arrangements: OrderedDict[tuple, Arrangement] = OrderedDict()
        self._lock = threading.RLock()

    # --- what is on it ---------------------------------------------------------------------------------------

    def follow(self, methods: Sequence[Method], begin: bool = True) -> tuple[Run, ...]:
        """A run of each method: the one on the stage, or a new one, which starts at once unless it will take long."""
        with self._lock:
            fresh = [self._kept_or_new(at, method) for at, method in enumerate(methods)]
            gone = [run for run in self.runs if run not in fresh]
            for run in gone:
                run.leave(self.watcher)
                if run.moments:
                    self.ghosts = (ghost_of(run), *self.ghosts)[:GHOSTS]
            ids = {run.id for run in fresh}
            for old in {*(run.id for run in self.runs), *(pair.id for pair in self.pairs)} - ids:
                self.film.forget(old)
            begun = [run for run in fresh if run not in self.runs]
            self.runs = tuple(fresh)
            self._since = {run.id: self._since.get(run.id) or _Since(run) for run in fresh}
            self._to_begin = [run for run in begun if begin and (run.kept or light(run.method, self.ensemble))]
            if self.run in self._to_begin:
                self._to_begin.remove(self.run)
                self.run.want(self.watcher)
            if self.run.moments or not self.run.live:
                self._begin_the_others()
            return self.runs

    def _begin_the_others(self) -> None:
        """They begin when the first has something to show, so that equal clusters get equal numbers."""
        with self._lock:
            waiting, self._to_begin = self._to_begin, []
        for run in waiting:
            if run.like is None and self.run.moments:
                run.like = self.run.moments[0].labels
            run.want(self.watcher)

    def _kept_or_new(self, at: int, method: Method) -> Run:
        known = self.runs[at] if at < len(self.runs) else None
        if known is not None and known.method == method and known.state != "cancelled":
            return known
        like = known.moments[-1].labels if known is not None and known.moments else None
        taken_up = self.keeping and self.keeping.find(method, self.ensemble)
        listeners = (self, self.keeping.keeper()) if self.keeping else (self,)
        return Run(method, self.ensemble, like, taken_up, listeners, self.visitor)

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

    def part(self, id: str) -> Run | Pair | None:
        return next((one for one in (*self.runs, *self.pairs) if one.id == id), None)

    # --- places ----------------------------------------------------------------------------------------------

    @property
    def reach(self) -> int:
        """How many places can be shown: where every run is, or has ended before."""
        under_way = [len(run.moments) for run in self.runs if not run.stopped]
        return min(under_way) if under_way else max((len(run.moments) for run in self.runs), default=0)

    def iteration(self, run: Run, at: int) -> int:
        return min(at, len(run.moments) - 1)

    @property
    def shown(self) -> int:
        """The place a person has come to rest at; the last one while it plays."""
        asked, last = self.question, self.reach - 1
        known = asked.settled is not None and self.run.id in asked.runs
        return max(min(asked.settled, last), 0) if known else last

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

    def _turn(self, dial) -> None:
        """A dial moved in the view: the run of the method as it is then."""
        methods = [run.method for run in self.runs]
        for at, run in enumerate(self.runs):
            if run.id == dial.run:
                methods[at] = moved(run.method, dial.name, dial.value)
                if at == 0:
                    self.dialled[dial.name] = getattr(methods[at], dial.name)
        self.follow(methods)

    def touch(self) -> None:
        """Its page is open."""
        self._gone_since = None
        for run in self.runs:
            run.watchers.touch(self.watcher)

    def linger(self) -> None:
        """It asks, and may be gone with the next moment."""
        if self._gone_since is not None:
            self._gone_since = time.monotonic()
        for run in self.runs:
            run.watchers.linger(self.watcher)

    def orphan(self) -> None:
        """The connection is gone. After a while without a word, what is held for it is let go."""
        for run in self.runs:
            run.watchers.orphan(self.watcher)
        self._gone_since = time.monotonic()
        timer = threading.Timer(HOLD + 1, self._let_go_if_gone)
        timer.daemon = True
        timer.start()

    def _let_go_if_gone(self) -> None:
        if self._gone_since is not None and time.monotonic() - self._gone_since > HOLD:
            for run in self.runs:
                run.let_go()
                self.film.forget(run.id)

    def leave(self) -> None:
        """Nobody will look at it again."""
        for run in self.runs:
            run.leave(self.watcher)

    # --- pictures --------------------------------------------------------------------------------------------

    def arrangement(self, at: int, run: Run | None = None) -> Arrangement:
        """How everything stands at a place; clusters are those of `run`, the rows follow the first."""
        lead = self.run
        base = self._arranged(lead, self.iteration(lead, at))
        return base if run is None or run is lead else base.under(run.moments[self.iteration(run, at)].labels)

    @property
    def standing(self) -> str:
        """Whose order the rows stand in: pictures under another one are other pictures."""
        return f"{self.order} {self.run.id}" if follows_labels(self.order) else self.order

    def same_labels_since(self, run: Run, iteration: int) -> int:
        return self._since[run.id].at(iteration)

    def same_order_since(self, at: int) -> int:
        """The first place from which on the rows have stood as they do at this one."""
        return self.same_labels_since(self.run, self.iteration(self.run, at)) if follows_labels(self.order) else 0

    def shot(self, part: Run | Pair, name: str, at: int) -> Shot:
        """A picture at a place, drawn now where nobody has drawn it yet."""
        place = Place(part.id, name, at, self.order)
        kept = self.film.kept(place)
        if kept is not None:
            return kept
        if isinstance(part, Pair):
            return self._difference(place, part)
        step = part.at(self.iteration(part, at))
        return self.film.draw(place, part.method, step, self.arrangement(at, part))

    def detail(self, run: Run, name: str, at: int, window):
        """A part of a picture at its own sharpness."""
        if not any(quantity.name == name for quantity in drawn(run.method)) or not run.moments:
            return None
        return self.film.detail(run.method, run.at(self.iteration(run, at)), name, self.arrangement(at, run), window)

    def scale(self, part: Run | Pair, quantity: Quantity) -> Scale | None:
        """One colour scale for all pictures of a quantity drawn so far; None where there are none."""
        reach = self.film.reach(part.id, quantity.name)
        return reach and scale_of(quantity, reach)

    def drawn_already(self, part: Run | Pair, name: str, at: int) -> bool:
        return self.film.kept(Place(part.id, name, at, self.order)) is not None

    def _difference(self, place: Place, pair: Pair) -> Shot:
        quantity = next(quantity for quantity in pair.quantities() if quantity.name == place.name)
        values = [
            run.method.value(self.ensemble, run.at(self.iteration(run, place.at)).state, place.name)
            for run in (pair.one, pair.other)
        ]
        return self.film.draw_difference(place, quantity, values, self.arrangement(place.at))

    def _arranged(self, lead: Run, iteration: int, coming: Moment | None = None) -> Arrangement:
        labels = lead.moments[iteration].labels if coming is None else coming.labels
        key = (self.order,)
        if follows_labels(self.order):
            key = (self.order, lead.id, self._since[lead.id].at(iteration, coming))
        with self._lock:
            known = self._arrangements.get(key)
            if known is None:
                known = arranged(self.ensemble, labels, self.order, self.objects.places().rank)
                self._arrangements[key] = known
                while len(self._arrangements) > ARRANGEMENTS:
                    self._arrangements.popitem(last=False)
            return known.under(labels)

    # --- what runs tell, in their own threads ----------------------------------------------------------------

    def stepping(self, run: Run, moment: Moment, step: Step) -> None:
        """Packs the pictures somebody looks at, in the thread that computed them."""
        if len(self.runs) > 1 or run is not self.run:
            return
        arrangement = self._arranged(run, moment.iteration, moment)
        for name in self.in_view(run, self.question):
            self.film.draw(Place(run.id, name, moment.iteration, self.order), run.method, step, arrangement)

    def stepped(self, run: Run, moment: Moment, step: Step) -> None:
        if run is self.run and self._to_begin:
            self._begin_the_others()

    def rested(self, run: Run) -> None:
        if run is self.run and self._to_begin:
            self._begin_the_others()

    def in_view(self, part: Run | Pair, question: Question) -> tuple[str, ...]:
        """The pictures that are on the screen of who asks, as far as it was said; else the first few."""
        names = [quantity.name for quantity in (drawn(part.method) if isinstance(part, Run) else part.quantities())]
        said = [known.see for known in question.runs.values() if known.see is not None]
        known = question.runs.get(part.id)
        if known is not None and known.see is not None:
            return tuple(name for name in known.see if name in names)
        if said and isinstance(part, Run):  # a new run: what was in view of the one before
            return tuple(name for name in names if any(name in see for see in said))
        return tuple(names[:AT_FIRST])


def light(method: Method, ensemble) -> bool:
    """Begins without being asked to. What is beyond the machine begins as well, to be refused in a sentence."""
    cost = method.cost(ensemble)
    return cost.seconds <= HEAVY or cost.bytes > available_bytes()
