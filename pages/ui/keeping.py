"""What is kept on this machine for this visitor: seen, opened, deleted, switched off, forgotten."""

from __future__ import annotations

import datetime

import streamlit as st

from consensus_core.cost import bytes_in_words

from .datasets import use
from .store import DAYS, LIMIT
from .visitor import desk, forget_everything, keep, keeping, store


def keeping_panel() -> None:
    if store() is None:
        st.info("The data folder of this machine cannot be written: data and runs last as long as this tab is open.")
        return
    st.markdown(
        f"Data, settings and runs are kept in `{store().folder}` on the machine that runs Quorum, so that neither a "
        "refresh nor a restart loses them. They never leave it. Another visitor sees them only by a link you pass on. "
        f"What has not been looked at for {DAYS} days goes, and the longest unused beyond {bytes_in_words(LIMIT)}."
    )
    on = keeping()
    st.toggle("Keep my data and runs on this machine", on, key="keep", on_change=_switch)
    things = store().all(desk(), "data")
    runs = store().all(desk(), "run")
    if not things and not runs:
        st.caption(
            "Nothing is kept so far." if on else "Nothing is kept; what you give lasts as long as this tab is open."
        )
        return
    for kept in things:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(f"**{kept.title}**")
            st.caption(f"{_day(kept.created)}, {bytes_in_words(kept.bytes)}")
            st.space("stretch")
            st.button("Open", key=f"open {kept.id}", on_click=use, args=(kept.id,))
            st.button(
                "Delete", key=f"delete {kept.id}", on_click=store().remove, args=(kept.id,), icon=":material/delete:"
            )
    st.caption(f"{len(things)} data sets and {len(runs)} runs, {bytes_in_words(store().used_bytes(desk()))} in all.")
    with st.popover("Forget everything", icon=":material/delete_forever:"):
        st.markdown("All data, settings and runs kept for you on this machine are deleted. This cannot be undone.")
        st.button("Yes, forget everything", type="primary", key="forget", on_click=_forget)


def _switch() -> None:
    keep(bool(st.session_state["keep"]))


def _forget() -> None:
    count = forget_everything()
    st.toast(f"{count} things forgotten.")


def _day(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime("%d %B %Y, %H:%M")
