"""Who sits at the desk: an unguessable id in a cookie of this browser, and whether things are to be kept for it."""

from __future__ import annotations

import re

import streamlit as st

from consensus_core.keep.store import Store, new_id

from .session import session

COOKIE = "quorum_desk"
YEAR = 365 * 86400
_ID = re.compile(r"[A-Za-z0-9_-]{22}")

_cookie = st.components.v2.component(
    "quorum_cookie",
    html='<span hidden aria-hidden="true"></span>',
    js="""
export default function ({ data }) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${data.name}=${data.value}; Max-Age=${data.age}; Path=/; SameSite=Strict${secure}`;
}
""",
)


@st.cache_resource(show_spinner=False)
def store() -> Store | None:
    """The local store, or None where the folder cannot be written: then nothing outlives the session."""
    try:
        return Store()
    except OSError:
        return None


def desk() -> str:
    """The visitor's id: of the cookie, or a new one."""
    mine = session()
    if not mine.desk:
        told = st.context.cookies.get(COOKIE, "")
        mine.desk = told if _ID.fullmatch(told) else new_id()
        mine.desk_is_new = mine.desk != told
    return mine.desk


def leave_cookie() -> None:
    """For a visitor the browser does not know yet, from the frame around every page."""
    visitor = desk()
    if session().desk_is_new:
        _cookie(key="cookie", data={"name": COOKIE, "value": visitor, "age": YEAR})


def keeping() -> bool:
    """Whether this visitor's things are kept on this machine; on unless switched off."""
    kept = store() and store().find(desk(), "settings", "keeping")
    return store() is not None and (kept is None or kept.meta.get("on", True))


def keep(on: bool) -> None:
    """Switches keeping on or off; off also forgets what was kept."""
    if store() is None:
        return
    if not on:
        store().forget(desk())
    store().put(desk(), "settings", "keeping", meta={"on": on})


def forget_everything() -> int:
    """Removes all that was kept for this visitor; whether to keep from now on stays as it was."""
    was_on = keeping()
    count = store().forget(desk()) if store() else 0
    if not was_on:
        keep(False)
    session().settings.clear()
    return count


def remember(name: str, **what) -> None:
    """A small setting of this visitor that outlives the session (a hint that was dismissed)."""
    if keeping():
        store().put(desk(), "settings", name, meta=what)
    session().settings[name] = what


def remembered(name: str) -> dict:
    known = session().settings
    if name not in known:
        kept = store().find(desk(), "settings", name) if store() else None
        known[name] = kept.meta if kept else {}
    return known[name]
