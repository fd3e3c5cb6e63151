"""A run's record, given on the Data page: what it is of, and the way to that run."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from consensus_core import InputError
from consensus_core.data import Origin, build
from consensus_core.data.record import Asked, read_record
from consensus_core.method.settings import settings_in_words

from .data_choice import add
from .going import link_button
from .place import Place
from .session import session
from .visitor import desk, store
from .words import plain, said


def record_panel(name: str, content: bytes) -> None:
    try:
        asked = read_record(content, name)
    except InputError as refusal:
        st.error(plain(refusal), icon=":material/error:")
        return
    if asked.origin is None:
        st.info("This record does not say where its data come from: give the table, and set the method by hand.")
        return
    at = "" if asked.iteration is None else f", iteration {asked.iteration:,}"
    words = "A run's record: **{method}** ({settings}) on {title}{at}."
    settings = settings_in_words(asked.method)
    st.markdown(said(words, method=asked.method.name(), settings=settings, title=asked.origin.title, at=at))
    key = _key(asked.origin)
    if key:
        place = Place.of(key, asked.method, asked.iteration, fill=asked.origin.filling)
        link_button(place, "Watch this run", first=True, title=place.sentence(asked.origin.title))
    elif asked.origin.sample:
        st.button("Make its base clusterings again", key="record_make", type="primary", on_click=_make, args=(asked,))
    else:
        words = "Its data are not here: give {files} first, use these labels, and then give the record again."
        st.info(said(words, files=", ".join(asked.origin.files)))


def _given(origin: Origin) -> Origin:
    """The page fills missing labels itself, as the link says."""
    return replace(origin, filling="", filling_seed=0)


def _key(origin: Origin) -> str:
    """Of data of this origin that are there; "" where there are none."""
    wanted, mine = _given(origin), session()
    if wanted.sample and wanted == wanted.plain:
        return wanted.sample
    for kept in store().all(desk(), "data"):
        if kept.meta.get("origin") == wanted.to_json():
            return kept.id
    return next((key for key, (origin, _) in mine.unkept.items() if origin == wanted), "")


def _make(asked: Asked) -> None:
    try:
        add(build(_given(asked.origin)), [])
    except InputError as refusal:
        session().refusal = str(refusal)
