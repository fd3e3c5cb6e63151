"""Who sits at the desk: an unguessable id in a cookie of this browser, and what is kept for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import streamlit as st

from consensus_core.keep.cells import FILE, Cells, Filed
from consensus_core.keep.shelf import Shelf

from .cookie import COOKIE, desk_in
from .session import Dataset, session
from .words import plain, said

_LATER = ThreadPoolExecutor(1, thread_name_prefix="keeping")


@st.cache_resource(show_spinner=False)
def store() -> Shelf:
    """The store of this machine; where it cannot be used, nothing outlives the session."""
    return Shelf()


def desk() -> str:
    """The visitor's id, "" where the browser takes no cookies: nothing can be kept for it then."""
    mine = session()
    if mine.desk is None:
        mine.desk = desk_in(st.context.cookies.get(COOKIE, ""))
    return mine.desk


def keeping() -> bool:
    """Whether this visitor's things are kept on this machine; on unless switched off."""
    return store().keeps(desk())


def cells(own: bool = True, of: Dataset | None = None) -> Cells | None:
    """Where the results of sweeps on these data, or those at hand, are kept: one's own, or those on samples, which are
    the same for all."""
    if own and not keeping():
        return None
    data = of or session().dataset
    return _cells(desk() if own else "samples", data.key if data is not None else "")


@st.cache_resource(show_spinner=False, max_entries=64)
def _cells(whose: str, data: str = "") -> Cells:
    return Cells(store().folder, whose, data=data)


def own_cells() -> list[Filed]:
    """What is kept of this visitor's sweeps."""
    return _cells(desk()).listed() if desk() and (store().folder / FILE).exists() else []


def remove_cells(data: str, method: str | None = None) -> None:
    if desk() and (store().folder / FILE).exists():
        _cells(desk()).remove(data, method)


def keep(on: bool) -> None:
    """Switches keeping on or off; off also forgets what was kept."""
    if not on:
        store().forget(desk())
        _forget_cells()
    store().put(desk(), "settings", "keeping", meta={"on": on})


def forget_everything() -> int | None:
    """Removes all that was kept for this visitor; whether to keep from now on stays as it was. None where nothing
    could be removed."""
    was_on = keeping()
    count = store().forget(desk())
    _forget_cells()
    if not was_on:
        keep(False)
    session().settings.clear()
    return count


def _forget_cells() -> None:
    if desk() and (store().folder / FILE).exists():
        _cells(desk()).forget()


def remember(name: str, **what) -> None:
    """A small setting of this visitor that outlives the session (a hint that was dismissed)."""
    if keeping():
        store().put(desk(), "settings", name, meta=what)
    session().settings[name] = what


def later(work: Callable[[], object]) -> None:
    """Kept in a moment, so that nobody waits for the disk meanwhile; in the order given."""
    _LATER.submit(work)


def all_kept(patience: float = 1.0) -> None:
    """What was to be kept in a moment is there, unless the disk takes its time."""
    with contextlib.suppress(TimeoutError):
        _LATER.submit(int).result(patience)


def remembered(name: str) -> dict:
    known = session().settings
    if name not in known:
        kept = store().find(desk(), "settings", name)
        known[name] = kept.meta if kept else {}
    return known[name]


def store_notice() -> None:
    """Why nothing can be kept, on every page as long as it is so; and once, that something was mended."""
    if trouble := store().trouble:
        words = "Nothing can be kept at present, and what you do lasts as long as this tab is open. {why}"
        st.warning(said(words, why=trouble), icon=":material/cloud_off:")
    elif mended := store().repaired:
        st.info(plain(mended), icon=":material/build:")
