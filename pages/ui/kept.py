"""What is kept on this machine for this visitor: seen, opened, deleted, switched off, forgotten."""

from __future__ import annotations

import datetime

import streamlit as st

from consensus_core.data import Origin
from consensus_core.data.samples import FIRST, SAMPLES
from consensus_core.keep.store import DAYS, LIMIT, Kept
from consensus_core.numbers import bytes_in_words

from .data_choice import stay_in_this_session, titles_of_kept, use
from .session import session
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
    titles = titles_of_kept(things)
    for kept in things:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(f"**{titles[kept.id]}**  \n:small[:gray[{_day(kept.created)}, {bytes_in_words(kept.bytes)}]]")
            st.space("stretch")
            st.button("Open", key=f"open {kept.id}", on_click=use, args=(kept.id,))
            st.button("Delete", key=f"delete {kept.id}", on_click=_delete, args=(kept,), icon=":material/delete:")
    count = f"{len(things)} data set{'s' * (len(things) != 1)} and {len(runs)} run{'s' * (len(runs) != 1)}"
    st.caption(f"{count}, {bytes_in_words(store().used_bytes(desk()))} in all.")
    with st.popover("Forget everything", icon=":material/delete_forever:"):
        st.markdown("All data, settings and runs kept for you on this machine are deleted. This cannot be undone.")
        st.button("Yes, forget everything", type="primary", key="forget", on_click=_forget)


def _switch() -> None:
    on = bool(st.session_state["keep"])
    if not on:
        session().end_runs()  # they would be kept once more when they end
        for kept in store().all(desk(), "data"):
            stay_in_this_session(kept.id, Origin.from_json(kept.meta["origin"]), store().file(kept.id, "content"))
    keep(on)


def _delete(kept: Kept) -> None:
    """The data, and the runs on them."""
    mine = session()
    if mine.dataset is not None and mine.dataset.key == kept.id:
        mine.end_runs()
        use(FIRST)
    store().remove(kept.id)
    for run in store().all(desk(), "run"):
        if run.meta.get("data") == kept.id:
            store().remove(run.id)


def _forget() -> None:
    mine = session()
    mine.end_runs()
    if mine.dataset is not None and mine.dataset.key not in SAMPLES:
        use(FIRST)
    mine.unkept.clear()
    mine.upload = None
    count = forget_everything()
    st.toast(f"{count} thing{'s' * (count != 1)} forgotten.")


def _day(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime("%d %B %Y, %H:%M")
