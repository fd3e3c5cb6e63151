"""Further files about the same objects: the truth, other columns, more base clusterings, features; joined by ids."""

from __future__ import annotations

import streamlit as st

from consensus_core.data.joining import matched
from consensus_core.errors import InputError
from consensus_core.reading import Reading

from .file_panel import asked, corrections, file_panel
from .reading import Given, looked_at
from .words import plain

BY = {"ids": "by their ids, in any order of rows", "rows": "row by row: both list the objects in the same order"}


def more_files(main: Reading, known: list[Given]) -> tuple[list[Given], list[tuple[Reading, str]]]:
    """(the further files, what was read from each and how it is joined). Where one does not fit, it says so."""
    if not st.session_state.get("u_more"):
        st.button(
            "Add a file about the same objects",
            key="add_more",
            icon=":material/add:",
            help="The truth, other columns, more base clusterings or features: joined by ids, in any order of rows.",
            on_click=_open,
        )
        return [], []
    uploads = st.file_uploader(
        "Files about the same objects: the truth, other columns, more base clusterings or features",
        accept_multiple_files=True,
        key="more",
    )
    by_id = {given.id: given for given in known}
    files = [by_id.get(upload.file_id) or Given.of(upload, one_of_many=True) for upload in uploads]
    return files, [_joined(main, given) for given in files]


def _open() -> None:
    st.session_state["u_more"] = True


def _joined(main: Reading, given: Given) -> tuple[Reading, str]:
    with st.container(border=True):
        reading = looked_at(given, asked(given), alone=False)
        file_panel(given, reading)
        by = "ids"
        if not reading.fault and not main.fault:
            by = _way(main, reading, given)
        corrections(given, reading)
    return reading, by


def _way(main: Reading, reading: Reading, given: Given) -> str:
    """By ids; row by row only where the person says so."""
    ways = ["ids", "rows"] if main.n == reading.n else ["ids"]
    by = "ids"
    if len(ways) > 1:
        by = st.radio("Joined", ways, format_func=BY.get, key=f"u_by_{given.key}", horizontal=True)
    try:
        match = matched(main, reading, by)
    except InputError as refusal:
        st.error(plain(refusal), icon=":material/link_off:")
        return by
    say = st.warning if match.missing or match.extra else st.success
    say(plain(match.said(main.source, reading.source)), icon=":material/join:")
    return by
