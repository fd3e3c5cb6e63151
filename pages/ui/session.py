"""Everything a browser session remembers, in one typed object with one door."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from weakref import WeakValueDictionary

import streamlit as st

from consensus_core.compare import Repeats
from consensus_core.data import Data
from consensus_core.live.bench import Bench
from consensus_core.live.run import Run
from consensus_core.live.stage import Stage

from .words import Marked


@dataclass(frozen=True, eq=False)
class Dataset(Data):
    """Data, and the key by which this dashboard knows them."""

    key: str = ""  # in links: a sample's key, or the unguessable id of something kept

    @classmethod
    def of(cls, key: str, data: Data) -> Dataset:
        return cls(**{field.name: getattr(data, field.name) for field in fields(Data)}, key=key)

    @property
    def data(self) -> Data:
        return Data(**{field.name: getattr(self, field.name) for field in fields(Data)})


@dataclass
class Standing:
    """Where the widgets of a page stand in the browser, as far as it has said so itself: what a script writes may be
    thrown away unsent when another script begins."""

    page: str = ""
    said: dict = field(default_factory=dict)  # widget -> its value there
    made_of: dict = field(default_factory=dict)  # widget -> what makes it another one
    drawn: set = field(default_factory=set)  # in this run

    def begin(self, page: str, said: Mapping) -> None:
        """A whole run begins, with what the browser has said in asking for it."""
        if page != self.page:
            self.page, self.said, self.made_of = page, {}, {}
        self.said |= said
        self.drawn = set()

    def end(self) -> None:
        """The run has come to its end: what it has not drawn is gone from the page."""
        self.said = {key: value for key, value in self.said.items() if key in self.drawn}
        self.made_of = {key: known for key, known in self.made_of.items() if key in self.drawn}

    def hold(self, key: str, value, made_of=None) -> bool:
        """Whether it stands there already, the same one."""
        there = key in self.said and _same(self.said[key], value) and made_of in (None, self.made_of.get(key))
        if not there:
            self.said.pop(key, None)  # until the browser says that it has heard
        self.made_of[key] = self.made_of.get(key) if made_of is None else made_of
        self.drawn.add(key)
        return there


def _same(one, other) -> bool:
    return type(one) is type(other) and one == other


@dataclass
class Session:
    dataset: Dataset | None = None
    stage: Stage | None = None  # the runs on screen
    bench: Bench | None = None  # the runs compared
    side: list = field(default_factory=list)  # of these the methods that were chosen to stand side by side
    rivals_k: int = 0  # the page's k when they were chosen
    pair: tuple = ()  # and the two that are held to each other
    repeats: Repeats | None = None  # over redrawn base clusterings
    stirred: bool = False  # something was done in a part of the page that all of it has to hear of
    aside: dict = field(default_factory=dict)  # page -> its stage, while another page is open
    page: str = ""  # the page whose stage is on the screen
    answers: dict = field(default_factory=dict)  # (lesson, screen) -> the answer given last
    made: dict = field(default_factory=dict)  # what was made by hand in lessons: "table", "points"
    heard: dict = field(default_factory=dict)  # the number of each, as the browser counts what is done there
    tapped: tuple = ()  # (lesson and screen, entry): what was tapped last where a lesson asks for an entry
    stands: tuple = ()  # the run and iteration that what stands under the live view was drawn for
    desk: str | None = None  # the visitor's id, "" where the browser brings none
    asked: tuple[str, str] | None = None  # the method and the data the parameter widgets stand for
    chosen: dict = field(default_factory=dict)  # method -> parameters as they were last set
    clusters: dict = field(default_factory=dict)  # data -> k as it was last set: it belongs to the data
    before: object | None = None  # (Place, title of its data): before the method was changed
    opened: object | None = None  # where the next run shall be (a Place)
    offer: object | None = None  # (Place, title of its data): where one left off last time, until taken up or not
    looked_back: bool = False  # it was asked where this visitor left off
    marked: object | None = None  # the place that was kept last
    clicks: set = field(default_factory=set)  # buttons that were clicked, until the page has come to them
    wish: Callable[[], None] | None = None  # what a click has asked for: done first thing in the next run
    link_read: bool = False
    standing: Standing = field(default_factory=Standing)
    turned: dict = field(default_factory=dict)  # widget -> (before, chosen by a click elsewhere, since)
    followed: float = 0.0  # when runs were last put on the stage
    link_wrong: list = field(default_factory=list)  # what in the link was not understood
    linked: dict = field(default_factory=dict)  # key in the link -> what was chosen last
    settings: dict = field(default_factory=dict)  # this visitor's small settings, as far as they were looked at
    unkept: dict = field(default_factory=dict)  # key -> (Origin, bytes) of what shall not outlive the session
    upload: object | None = None  # the file being looked at on the Data page
    lost_link: Marked = Marked("")  # why data that were asked for are not there
    unreadable: set = field(default_factory=set)  # keys of data that are damaged
    refusal: str = ""  # a sentence for the top of the page
    agreeing: tuple = ()  # (data, k) and what sound methods say of it (sweep.inquiry.Agreeing)
    hanging: tuple = ()  # (data, method) and what its result hangs on (sweep.inquiry.Hanging)
    tuning: object | None = None  # sweeps of the Tune page (tuning.Tuning)
    counting: object | None = None  # what its page on the number of clusters has asked for
    counting_files: object | None = None  # a table on this machine being counted (tables.Work)
    writing_files: object | None = None  # labels being written beside it, or written last
    goes_to: str = ""  # the data that were just counted: they are chosen with the next run
    making: object | None = None  # base clusterings being made
    door: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # by which its own browser finds it

    @property
    def run(self) -> Run | None:
        """The run on screen; the first, where there are several."""
        return self.stage.run if self.stage is not None and self.stage.runs else None

    @property
    def between(self) -> bool:
        """Somewhere else was just gone to, and the page has not come there yet."""
        return self.opened is not None or self.stage is None

    @property
    def shown(self) -> int | None:
        """The iteration one has come to rest at; None at the end of a run."""
        return self.stage.rests_at if self.run is not None else None

    def linked_more(self) -> dict[str, str]:
        """What else a link says of the screen, where it is not the usual."""
        usual = {"order": "consensus", "fill": "nearest", "rows": "all"}
        return {key: self.linked[key] for key in usual if self.linked.get(key, usual[key]) != usual[key]}

    def orphan(self) -> None:
        """The browser's connection is gone."""
        for runs in (self.stage, *self.aside.values(), self.bench):
            if runs is not None:
                runs.orphan()

    def end_runs(self) -> None:
        """For good, and not kept once more when they end."""
        if self.stage is not None:
            for run in self.stage.runs:
                run.cancel()
                run.wait_beyond(2**31, 5.0)  # a run that keeps itself at this moment is through with it then
            self.stage = None
        if self.bench is not None:
            self.bench.leave()
            self.bench = None
        if self.repeats is not None:
            self.repeats.cancel()


_OPEN: WeakValueDictionary[str, Session] = WeakValueDictionary()


def session() -> Session:
    if "session" not in st.session_state:
        st.session_state["session"] = opened(Session())
    return st.session_state["session"]


def opened(mine: Session) -> Session:
    _OPEN[mine.door] = mine
    return mine


def sessions_of(desk: str) -> list[Session]:
    """All that are open in this visitor's browser."""
    return [mine for mine in list(_OPEN.values()) if desk and mine.desk == desk]


def session_behind(door: str) -> Session | None:
    """The session of whoever knows its door, for what is asked past Streamlit."""
    return _OPEN.get(door)
