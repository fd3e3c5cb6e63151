"""What is seen of the runs on a stage: one row order for all of them, and their pictures."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from ..drawing.arrangement import Arrangement, arranged
from ..drawing.further import further_names
from ..drawing.kinds import drawn
from ..drawing.orders import FIRST, follows_labels
from ..drawing.scales import Scale, scale_of
from ..method import Quantity, Step
from .film import Place, Shot
from .moment import Moment
from .objects import Objects
from .pair import PARTITION, Pair, together
from .protocol import Question
from .run import Run

AT_FIRST = 4  # pictures drawn before a browser has said what is in view
ARRANGEMENTS = 6  # kept


def iteration(run: Run, at: int) -> int:
    """Which iteration of a run a place shows: a run that ended earlier rests at its end."""
    return min(at, len(run.moments) - 1)


class Sight:
    """The first of the runs leads: where rows stand in the order of the consensus, it is this run's."""

    def __init__(self, objects: Objects):
        self.objects, self.ensemble = objects, objects.ensemble
        self.order = FIRST
        self.film = objects.film  # of all who look at these objects
        self._runs: tuple[Run, ...] = ()
        self._since: dict[str, _Since] = {}
        self._arrangements: OrderedDict[tuple, Arrangement] = OrderedDict()
        self._lock = threading.Lock()

    def turn_to(self, runs: Sequence[Run], gone: Sequence[str]) -> None:
        """Other runs are on the stage; pictures of those that are gone are forgotten."""
        self._since = {run.id: self._since.get(run.id) or _Since(run) for run in runs}
        self._runs = tuple(runs)
        for part in gone:
            self.film.forget(part)

    # --- orders ----------------------------------------------------------------------------------------------

    @property
    def standing(self) -> str:
        """Whose order the rows stand in: pictures under another one are other pictures."""
        return f"{self.order} {self._runs[0].id}" if follows_labels(self.order) else self.order

    def arrangement(self, at: int, run: Run | None = None) -> Arrangement:
        """How everything stands at a place; clusters are those of `run`, the rows follow the first."""
        lead = self._runs[0]
        base = self._arranged(lead, iteration(lead, at))
        return base if run is None or run is lead else base.under(run.moments[iteration(run, at)].labels)

    def same_labels_since(self, run: Run, iteration: int) -> int:
        """The first iteration from which on the labels have been as they are at this one."""
        return self._since_of(run).at(iteration)

    def _since_of(self, run: Run) -> _Since:
        """Of a run that leaves the stage in this moment and tells a last step from its own thread: made for once."""
        return self._since.get(run.id) or _Since(run)

    def same_order_since(self, at: int) -> int:
        """The first place from which on the rows have stood as they do at this one."""
        lead = self._runs[0]
        return self.same_labels_since(lead, iteration(lead, at)) if follows_labels(self.order) else 0

    def _arranged(self, lead: Run, iteration: int, coming: Moment | None = None) -> Arrangement:
        order, labels = self.order, (lead.moments[iteration] if coming is None else coming).labels
        key = (order, lead.id, self._since_of(lead).at(iteration, coming)) if follows_labels(order) else (order,)
        with self._lock:
            known = self._arrangements.get(key)
        if known is None:
            known = arranged(self.ensemble, labels, order, self.objects.places().rank)
            with self._lock:
                self._arrangements[key] = known
                while len(self._arrangements) > ARRANGEMENTS:
                    self._arrangements.popitem(last=False)
        return known.under(labels)

    # --- pictures --------------------------------------------------------------------------------------------

    def shot(self, part: Run | Pair, name: str, at: int) -> Shot:
        """A picture at a place, drawn now where nobody has drawn it yet."""
        place = Place(part.id, name, at, self.order)
        kept = self.film.kept(place)
        if kept is not None:
            return kept
        if isinstance(part, Pair):
            return self._difference(place, part)
        return self.film.draw(place, part.method, part.at(iteration(part, at)), self.arrangement(at, part))

    def drawn_already(self, part: Run | Pair, name: str, at: int) -> bool:
        return self.film.kept(Place(part.id, name, at, self.order)) is not None

    def coming(self, run: Run, moment: Moment, step: Step, names: Sequence[str]) -> None:
        """Draws what somebody looks at of a step about to be announced; of a run that has just left, nothing."""
        if run not in self._runs:
            return
        places = [Place(run.id, name, moment.iteration, self.order) for name in names]
        for place in [place for place in places if self.film.kept(place) is None]:  # by another stage
            self.film.draw(place, run.method, step, self._arranged(run, moment.iteration, moment))

    def detail(self, run: Run, name: str, at: int, window):
        """A part of a picture at its own sharpness."""
        if not any(quantity.name == name for quantity in drawn(run.method)) or not run.moments:
            return None
        return self.film.detail(run.method, run.at(iteration(run, at)), name, self.arrangement(at, run), window)

    def scale(self, part: Run | Pair, quantity: Quantity) -> Scale | None:
        """One colour scale for all pictures of a quantity drawn so far; None where there are none."""
        reach = self.film.reach(part.id, quantity.name)
        return reach and scale_of(quantity, reach)

    def _difference(self, place: Place, pair: Pair) -> Shot:
        quantity = next(quantity for quantity in pair.quantities() if quantity.name == place.name)
        values = [self._value(run, place) for run in (pair.one, pair.other)]
        return self.film.draw_difference(place, quantity, values, self.arrangement(place.at))

    def _value(self, run: Run, place: Place):
        at = iteration(run, place.at)
        if place.name == PARTITION.name:
            return together(run.moments[at].labels)
        return run.method.value(self.ensemble, run.at(at).state, place.name)


def in_view(part: Run | Pair, question: Question) -> tuple[str, ...]:
    """The pictures that are on the screen of who asks, as far as it was said; else the first few."""
    quantities = drawn(part.method) if isinstance(part, Run) else part.quantities()
    names = [quantity.name for quantity in quantities]
    first = tuple(names[:AT_FIRST])
    names += further_names(quantities) if isinstance(part, Run) else []
    said = [known.see for known in question.runs.values() if known.see is not None]
    known = question.runs.get(part.id)
    if known is not None and known.see is not None:
        return tuple(name for name in known.see if name in names)
    if said and isinstance(part, Run):  # a new run: what was in view of the one before
        return tuple(name for name in names if any(name in see for see in said))
    return first


class _Since:
    """For each iteration of a run, the first one from which on the labels have been the same."""

    def __init__(self, run: Run):
        self._run, self._known, self._lock = run, [], threading.Lock()

    def at(self, iteration: int, coming: Moment | None = None) -> int:
        """`coming`: the moment of this iteration, while it does not belong to the run yet."""
        moments = self._run.moments
        with self._lock:
            for i in range(len(self._known), iteration + 1):
                labels = (coming if coming is not None and i == len(moments) else moments[i]).labels
                same = i and np.array_equal(labels, moments[i - 1].labels)
                self._known.append(self._known[i - 1] if same else i)
            return self._known[iteration]
