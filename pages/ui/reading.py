"""A file a person gives, read in the box: once, with progress and a way to stop it; and what is made of it."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field

import streamlit as st

from consensus_core.data import Origin
from consensus_core.errors import InputError
from consensus_core.reading import Choices, Reading, Table, understood, unread
from consensus_core.reading.box import Box

from .words import plain, said

SHOWN_AFTER = 0.5  # seconds of reading before anything is said about it
PACE = 0.25  # seconds between two looks
ARRAYS = ("npy", "npz", "mat5", "mat73")
STOPPED = "Reading was stopped."


@st.cache_resource(show_spinner=False)
def box() -> Box:
    return Box()


@dataclass
class Given:
    """A file on the page: its bytes, the table that was read from them, and what that is taken for."""

    id: str  # of the upload
    name: str
    content: bytes = field(repr=False)
    key: str  # of what is in it
    table: Table | None = None
    trouble: InputError | None = None
    read_with: Choices | None = None
    reading: Reading | None = None
    understood_with: tuple | None = None
    stopped: bool = False
    data: str = ""  # the key of the data it has become

    @classmethod
    def of(cls, upload, one_of_many: bool = False) -> Given:
        """One of many may be the same file as another, and is yet corrected by itself."""
        content = upload.getvalue()
        key = hashlib.blake2b(content, digest_size=12).hexdigest()
        return cls(upload.file_id, upload.name, content, f"{key}-{upload.file_id}" if one_of_many else key)

    @property
    def parts(self) -> tuple:
        return self.table.parts if self.table is not None else getattr(self.trouble, "parts", ())

    def stop(self) -> None:
        self.stopped = True

    def again(self) -> None:
        self.stopped = False


def looked_at(given: Given, choices: Choices, alone: bool = True) -> Reading:
    """What the file is taken for under these choices. It is read again only where they change what its cells are."""
    arrays = given.table.form in ARRAYS if given.table is not None else bool(given.parts)
    wanted = choices.of_the_file(arrays)
    place = st.empty()  # also where nothing is read: as a `slot`
    if given.read_with != wanted:
        _read(given, wanted, place)
    if given.understood_with != (wanted, choices, alone):
        if given.table is not None:
            given.reading = understood(given.table, choices, alone)
        else:
            given.reading = unread(None, choices, given.trouble, given.name)
        given.understood_with = (wanted, choices, alone)
    return given.reading


def _read(given: Given, choices: Choices, place) -> None:
    if given.stopped:
        given.table, given.trouble, given.read_with = None, InputError(STOPPED), choices
        return
    given.read_with = None
    told = _Told(place, given)
    try:
        given.table, given.trouble = box().opened(given.content, given.name, choices, progress=told), None
    except InputError as trouble:
        given.table, given.trouble = None, trouble
    given.read_with, given.understood_with = choices, None
    place.empty()


class _Told:
    """Says how far it is. A click on the page ends the script at the next word, and the reading with it."""

    def __init__(self, place, given: Given):
        self._place, self._given = place, given
        self._began = self._last = time.monotonic()
        self._bar = None

    def __call__(self, what: str, share: float | None) -> None:
        now = time.monotonic()
        if now - self._began < SHOWN_AFTER or now - self._last < PACE:
            return
        self._last = now
        if self._bar is None:
            with self._place.container(horizontal=True, vertical_alignment="bottom"):
                self._bar = st.progress(0.0)
                st.button("Stop", key=f"stop_{self._given.key}", on_click=self._given.stop, shortcut="Esc")
        seconds = now - self._began
        left = said(", {left:.0f} s left", left=seconds / share - seconds) if share else plain("")
        words = said(
            "{name}: {what}, {seconds:.0f} s{left}", name=self._given.name, what=what, seconds=seconds, left=left
        )
        self._bar.progress(min(share or 0.0, 1.0), words)


def read_again(origin: Origin, contents: list[bytes]) -> list[Reading]:
    """The files behind kept data, in the box as well; `build` says which is not there any more."""
    asked = [(origin.file, origin.choices), *((other.file, other.choices) for other in origin.more)]
    found = []
    for (name, choices), content in zip(asked, contents, strict=False):
        table = box().opened(content, name, choices.of_the_file(arrays=True))
        found.append(understood(table, choices, alone=len(asked) == 1))
        if found[-1].fault:
            raise InputError(found[-1].fault)
    return found
