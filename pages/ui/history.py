"""Runs have a history: every run kept on these data, with its score and time; pinned, named, watched, compared."""

from __future__ import annotations

import datetime

import streamlit as st

from consensus_core.keep.store import Kept
from consensus_core.numbers import counted, number, seconds_in_words
from consensus_core.text import visible

from .going import link_button
from .kept import LONGEST, named
from .place import Place
from .rivals import add_rivals
from .session import Dataset
from .visitor import desk, store
from .words import plain, said

AT_ONCE = 10
SCORES = {"ARI": "ARI", "NMI": "NMI", "agreement": "base NMI"}


def history(dataset: Dataset, k: int) -> None:
    runs = [run for run in store().all(desk(), "run") if run.meta.get("data") == dataset.key]
    if not runs:
        st.caption("Runs on these data are listed here as they come to their end, where runs are kept.")
        return
    runs.sort(key=lambda run: (not run.meta.get("pinned"), -run.created))
    every = st.session_state.get("history_all", False)
    for run in runs if every else runs[:AT_ONCE]:
        _listed(run, dataset, k)
    if len(runs) > AT_ONCE and not every:
        st.button(said("All {count} runs", count=len(runs)), key="history_more", on_click=_show_all)


def _listed(run: Kept, dataset: Dataset, k: int) -> None:
    place = Place.from_meta(run.meta.get("place")) or Place.from_meta({**run.meta, "iteration": None})
    if place is None:
        return
    pinned = bool(run.meta.get("pinned"))
    name = run.title or place.sentence(dataset.title)
    with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"history-{run.id}"):
        named(run, name, "history")
        told = [place.settings(), *_scores(run)]
        if seconds := run.meta.get("seconds"):
            told.append(seconds_in_words(float(seconds)))
        told += [counted(int(run.meta.get("iteration", 0)), "iteration"), _day(run.created)]
        st.markdown(said(":small[:gray[{told}]]", told=", ".join(filter(None, told))), width="stretch")
        words, icon = ("Unpin", ":material/keep_off:") if pinned else ("Pin", ":material/keep:")
        st.button(plain(words), key=f"pin {run.id}", on_click=_pin, args=(run.id, not pinned), icon=icon,
                  help=plain(f"{words} {visible(name, LONGEST)}"))  # fmt: skip
        link_button(place, "Watch", title=name)
        st.button("Compare", key=f"again {run.id}", on_click=add_rivals, args=(place.method_there(), k),
                  help=plain(f"Compare {visible(name, LONGEST)}"))  # fmt: skip


def _scores(run: Kept) -> list[str]:
    scores = run.meta.get("scores")
    if not isinstance(scores, dict):
        return []
    return [f"{title} {number(scores[key])}" for key, title in SCORES.items() if key in scores]


def _pin(id: str, on: bool) -> None:
    store().note(id, pinned=on)


def _show_all() -> None:
    st.session_state["history_all"] = True


def _day(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime("%d %B %Y, %H:%M")
