"""Going back: to the method before this one, to a kept run, to where one left off last time."""

from __future__ import annotations

import streamlit as st

from consensus_core import METHODS, Method
from consensus_core.data.samples import SAMPLES
from consensus_core.keep.run_file import run_key
from consensus_core.text import html

from .links import turn
from .place import Place
from .session import Session, session
from .visitor import all_kept, desk, later, remembered, store
from .words import plain, said

UNDO = ":material/undo:"
LOOKS = """<style>
.quorum-go { display: inline-block; padding: .3rem .8rem; border: 1px solid; border-radius: 8px; white-space: nowrap;
  font-size: .875rem;
  text-decoration: none !important; color: inherit !important; border-color: rgb(128 132 149 / .4) }
.quorum-go:hover { border-color: currentColor }
.quorum-go.first { font-weight: 600; border-color: currentColor }
</style>"""


def go(place: Place) -> None:
    """A callback: from the next run on, this is where one is."""
    mine = session()
    mine.opened = place
    mine.end_runs()
    turn(data=place.data, method=place.method, **place.more)
    if place.iteration is not None:
        st.query_params["it"] = str(place.iteration)


def link_button(place: Place, label: str, first: bool = False, title: str = "", page: str = "") -> None:
    """Leads there as any link does: whatever else was going on in the tab is left behind."""
    kind = "quorum-go first" if first else "quorum-go"
    name = f' aria-label="{html(f"{label}: {title}")}"' if title else ""
    st.html(f'{LOOKS}<a class="{kind}" href="{html(place.link(page))}"{name}>{html(label)}</a>', width="content")


# --- the method before ----------------------------------------------------------------------------------------------


def remember_where(mine: Session, method_key: str, data_key: str, title: str) -> None:
    """The method just left, as it stood."""
    parameters = mine.chosen.get(method_key)
    if parameters:
        method: Method = METHODS[method_key](**parameters)
        mine.before = (Place.of(data_key, method, mine.shown, **mine.linked_more()), title)


def way_back() -> None:
    """One click to the method before, with its parameters: trying another loses nothing."""
    mine = session()
    if mine.before is not None:
        place, title = mine.before
        words = said("Back to {name} ({settings})", name=METHODS[place.method].name(), settings=place.settings())
        st.button(words, key="way_back", on_click=go, args=(place,), help=plain(place.sentence(title)), icon=UNDO)


# --- last time ------------------------------------------------------------------------------------------------------


def mark(method: Method) -> None:
    """Where one is becomes where one left off."""
    mine = session()
    if mine.offer is not None or mine.dataset is None:
        return
    here = Place.of(mine.dataset.key, method, mine.shown, **mine.linked_more())
    if here != mine.marked:
        mine.marked = here
        later(lambda: _keep_mark(mine.desk, run_key(method, mine.run.ensemble) if mine.run else "", here.as_meta()))


def _keep_mark(desk: str, run: str, meta: dict) -> None:
    """For this visitor, and for the run: opened again, it is seen as it was."""
    shelf = store()
    if shelf.keeps(desk):
        shelf.put(desk, "settings", "left", meta={"place": meta})
        if kept := shelf.find(desk, "run", run):
            shelf.note(kept.id, place=meta)


def look_for_where_one_left_off() -> None:
    """When the bare address is opened: not to be shown the first sample as if nothing had been."""
    mine = session()
    if mine.looked_back:
        return
    mine.looked_back = True
    if any(key != "hide" for key in st.query_params):
        return
    all_kept()  # of a page that was left a moment ago
    left = remembered("left")
    place = Place.from_meta(left.get("place"))
    if place is None or place.is_first:
        return
    kept = None if place.data in SAMPLES else store().get(place.data)
    if place.data in SAMPLES or (kept is not None and kept.desk == desk()):
        mine.offer = (place, kept.title if kept else SAMPLES[place.data].title)


def offer(method: Method) -> None:
    """Where one left off, and a plain way to stay at the first sample; gone as soon as anything is chosen."""
    mine = session()
    if mine.offer is None:
        return
    if not Place.of(mine.dataset.key, method).is_first:
        mine.offer = None
        return
    place, title = mine.offer
    with st.container(horizontal=True, vertical_alignment="center", border=True, key="offer"):
        st.markdown(said("Last time: **{where}**", where=place.sentence(title)), width="stretch")
        link_button(place, "Go on", first=True, title=place.sentence(title))
        st.button("Stay with the first sample", key="stay", on_click=_stay, type="tertiary")


def _stay() -> None:
    session().offer = None
