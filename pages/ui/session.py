"""Everything a browser session remembers, in one typed object with one door."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, fields
from weakref import WeakValueDictionary

import streamlit as st

from consensus_core.data import Data


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
class Session:
    dataset: Dataset | None = None
    run: object | None = None  # the LiveRun on screen
    film: object | None = None
    ghosts: list = field(default_factory=list)  # curves of earlier runs, newest first
    ask: dict = field(default_factory=dict)  # what the live view last said
    goto: int | None = None  # the iteration a link asked for
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
