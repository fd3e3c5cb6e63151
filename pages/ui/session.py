"""Everything a browser session remembers, in one typed object with one door."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st

from consensus_core import Ensemble
from consensus_core.data import Origin
from consensus_core.live.run import Run
from consensus_core.live.stage import Stage


@dataclass(frozen=True, eq=False)
class Dataset:
    key: str  # in links: a sample's key, or the unguessable id of something kept
    title: str
    ensemble: Ensemble
    ids: np.ndarray | None = None
    features: np.ndarray | None = None
    origin: Origin | None = None
    k: int = 2  # what is proposed
    because: tuple[str, ...] = ()  # why a file was read as it was
    notes: tuple[str, ...] = ()  # what is odd about the file


@dataclass
class Session:
    dataset: Dataset | None = None
    stage: Stage | None = None  # the runs on screen
    stands: tuple = ()  # the run and iteration that what stands under the live view was drawn for
    desk: str = ""  # the visitor's id
    desk_is_new: bool = False  # the browser does not know it yet
    asked: tuple[str, str] | None = None  # the method and the data the parameter widgets stand for
    chosen: dict = field(default_factory=dict)  # method -> parameters as they were last set
    linked: dict = field(default_factory=dict)  # key in the link -> what was chosen last
    settings: dict = field(default_factory=dict)  # this visitor's small settings, as far as they were looked at
    unkept: dict = field(default_factory=dict)  # key -> (Origin, bytes) of what shall not outlive the session
    upload: object | None = None  # the file being looked at on the Data page
    lost_link: str = ""  # a key in the link that leads nowhere (any more)
    refusal: str = ""  # a sentence for the top of the page
    making: object | None = None  # base clusterings being made
    door: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # by which its own browser finds it

    @property
    def run(self) -> Run | None:
        """The run on screen; the first, where there are several."""
        return self.stage.run if self.stage is not None and self.stage.runs else None

    def end_runs(self) -> None:
        """For good, and not kept once more when they end."""
        if self.stage is not None:
            for run in self.stage.runs:
                run.cancel()
                run.wait_beyond(2**31, 5.0)  # a run that keeps itself at this moment is through with it then
            self.stage = None


_OPEN: WeakValueDictionary[str, Session] = WeakValueDictionary()


def session() -> Session:
    if "session" not in st.session_state:
        st.session_state["session"] = opened(Session())
    return st.session_state["session"]


def opened(mine: Session) -> Session:
    _OPEN[mine.door] = mine
    return mine


def session_behind(door: str) -> Session | None:
    """The session of whoever knows its door, for what is asked past Streamlit."""
    return _OPEN.get(door)
