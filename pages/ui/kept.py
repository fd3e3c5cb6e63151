"""What is kept on this machine for this visitor: seen, opened, named, deleted, switched off, forgotten."""

from __future__ import annotations

import datetime

import streamlit as st

from consensus_core import METHODS
from consensus_core.data import Origin
from consensus_core.data.samples import FIRST, SAMPLES
from consensus_core.keep.cells import Filed
from consensus_core.keep.store import DAYS, LIMIT, Kept
from consensus_core.numbers import bytes_in_words, counted
from consensus_core.text import visible

from .data_choice import contents_behind, stay_in_this_session, titles_of_kept, use
from .going import link_button
from .links import hold
from .place import Place
from .session import session, sessions_of
from .tables import titles_of_tables
from .visitor import desk, forget_everything, keep, keeping, own_cells, remove_cells, store
from .words import plain, said

AT_ONCE = 8  # runs that are listed before one asks for all
LONGEST = 120  # signs of a name
DELETE = ":material/delete:"
FIELD = {"label_visibility": "collapsed", "width": 260}
LOOKS = """<style>
[class*=st-key-kept-] [data-testid=stTextInput] input { font-weight: 600 }
</style>"""


def keeping_panel() -> None:
    st.markdown(
        said(
            "Data, settings and runs are kept in {folder} on the machine that runs Quorum, so that neither a refresh "
            "nor a restart loses them. They never leave it. Another visitor sees them only by a link you pass on. What "
            "has not been looked at for {days} days goes, and the longest unused of yours beyond {limit}, runs first.",
            folder=store().folder,
            days=DAYS,
            limit=bytes_in_words(LIMIT),
        )
    )
    if not desk():
        st.info("Your browser sends no cookie to this page, so nothing can be kept for you. Allow cookies for it.")
        return
    on = keeping()
    st.toggle("Keep my data and runs on this machine", on, key="keep", on_change=_switch)
    things, runs = store().all(desk(), "data"), store().all(desk(), "run")
    sweeps = own_cells()
    if not things and not runs and not sweeps:
        words = "Nothing is kept so far." if on else "Nothing is kept; what you give lasts as long as this tab is open."
        st.caption(words)
        return
    st.html(LOOKS)
    titles = titles_of_kept(things) | titles_of_tables()
    _data_listed(things, runs, titles)
    _runs_listed(runs, titles)
    _sweeps_listed(sweeps, titles)
    count = f"{counted(len(things), 'data set')} and {counted(len(runs), 'run')}"
    used = store().used_bytes(desk()) + sum(filed.bytes for filed in sweeps)
    st.caption(said("{count}, {size} in all.", count=count, size=bytes_in_words(used)))
    with st.popover("Forget everything", key="fold-forget", icon=":material/delete_forever:"):
        st.markdown("All data, settings and runs kept for you on this machine are deleted. This cannot be undone.")
        st.button("Yes, forget everything", type="primary", key="forget", on_click=_forget)


# --- lists ----------------------------------------------------------------------------------------------------------


def _data_listed(things: list[Kept], runs: list[Kept], titles: dict[str, str]) -> None:
    last = {}
    for run in runs:  # the last used first
        last.setdefault(run.meta.get("data"), _place_of(run))
    if things:
        st.markdown("**Data**")
    for kept in things:
        with _row(kept):
            named(kept, kept.title)
            apart = f"{titles[kept.id]} · " if titles[kept.id] != visible(kept.title) else ""
            details = f"{apart}{_day(kept.created)}, {bytes_in_words(kept.bytes)}"
            st.markdown(said(":small[:gray[{details}]]", details=details), width="stretch")
            if place := last.get(kept.id):
                link_button(place, "Open", title=titles[kept.id])  # with the method and the settings used on it last
            else:
                st.button("Open", key=f"open {kept.id}", on_click=use, args=(kept.id,))
            st.button("Delete", key=f"delete {kept.id}", on_click=_delete, args=(kept,), icon=DELETE)


def _runs_listed(runs: list[Kept], titles: dict[str, str]) -> None:
    if runs:
        st.markdown("**Runs**")
    everything = st.session_state.get("all_runs", False)
    for run in runs if everything else runs[:AT_ONCE]:
        place = _place_of(run)
        title = titles.get(place.data) or _sample_title(place.data) if place else ""
        with _row(run):
            name = run.title or (place.sentence(title) if place else "A run of another version")
            named(run, name)
            far = counted(int(run.meta.get("iteration", 0)), "iteration")
            ended = {"": "not at its end", "converged": "converged"}.get(run.meta.get("stop", ""), "at its end")
            where = [place.settings()] if place else []
            where += [place.sentence(title)] if place and run.title else []
            details = ", ".join([*where, far, ended, _day(run.created)])
            st.markdown(said(":small[:gray[{details}]]", details=details), width="stretch")
            if place:
                link_button(place, "Open", title=f"{name} ({place.settings()})")
            st.button("Delete", key=f"delete {run.id}", on_click=store().remove, args=(run.id,), icon=DELETE)
    if len(runs) > AT_ONCE and not everything:
        st.button(said("All {count} runs", count=len(runs)), key="more_runs", on_click=_show_all)


def _sweeps_listed(sweeps: list[Filed], titles: dict[str, str]) -> None:
    """Results of sweeps and repeats, by data and method: they are looked up, not computed again."""
    if sweeps:
        st.markdown("**Sweeps and repeats**")
    for at, filed in enumerate(sweeps):
        with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"kept-sweep-{at}"):
            title = (titles.get(filed.data) or _sample_title(filed.data)) if filed.data else "data of an older version"
            known = METHODS.get(filed.method)
            name = f"{known.name()} on {title}" if known else f"Results on {title}"
            details = f"{counted(filed.count, 'result')}, {_day(filed.came)}, {bytes_in_words(filed.bytes)}"
            st.markdown(said("**{name}** :small[:gray[{details}]]", name=name, details=details), width="stretch")
            if known and (filed.data in titles or filed.data in SAMPLES):
                link_button(Place(filed.data, filed.method), "Open", title=f"{name}, in Tune", page="tune")
            st.button("Delete", key=f"delete sweep {filed.data} {filed.method}", on_click=remove_cells,
                      args=(filed.data, filed.method), icon=DELETE)  # fmt: skip


def named(kept: Kept, name: str, where: str = "name") -> None:
    """To be read, and to be changed."""
    key = f"{where} {kept.id}"
    hold(key, visible(name, LONGEST))
    st.text_input("Name", key=key, max_chars=LONGEST, on_change=_rename, args=(kept.id, key), **FIELD)


def _row(kept: Kept):
    return st.container(horizontal=True, vertical_alignment="center", border=True, key=f"kept-{kept.id}")


def _place_of(run: Kept) -> Place | None:
    """Where the run is watched, at the iteration looked at last."""
    return Place.from_meta(run.meta.get("place")) or Place.from_meta({**run.meta, "iteration": None})


def _sample_title(key: str) -> str:
    return SAMPLES[key].title if key in SAMPLES else "data no longer kept"


def _show_all() -> None:
    st.session_state["all_runs"] = True


def _day(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime("%d %B %Y, %H:%M")


# --- changes --------------------------------------------------------------------------------------------------------


def _rename(id: str, key: str) -> None:
    name = visible(st.session_state[key], LONGEST)
    if name:
        store().rename(id, name)


def _delete(kept: Kept) -> None:
    """The data, and the runs and sweeps on them."""
    mine = session()
    if mine.dataset is not None and mine.dataset.key == kept.id:
        mine.end_runs()
        use(FIRST)
    store().remove(kept.id)
    remove_cells(kept.id)
    for run in store().all(desk(), "run"):
        if run.meta.get("data") == kept.id:
            store().remove(run.id)


def _switch() -> None:
    on = bool(st.session_state["keep"])
    if not on:
        _end_all_runs()
        for kept in store().all(desk(), "data"):
            stay_in_this_session(kept.id, Origin.from_json(kept.meta["origin"]), contents_behind(kept.id))
    keep(on)


def _forget() -> None:
    mine = session()
    _end_all_runs()
    if mine.dataset is not None and mine.dataset.key not in SAMPLES:
        use(FIRST)
    mine.unkept.clear()
    mine.upload = mine.marked = mine.before = None
    count = forget_everything()
    if count is None:
        mine.refusal = f"Nothing could be forgotten. {store().trouble}"
    else:
        st.toast(plain(f"{counted(count, 'thing')} forgotten."))


def _end_all_runs() -> None:
    """In this tab and in all others of this browser: they would be kept once more when they end."""
    for tab in sessions_of(desk()):
        tab.end_runs()
    session().end_runs()
