"""What was clicked is heard, also where the run that was told of it gives way to another before it comes to the
button."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from pages.ui.clicks import do_what_was_asked, does, nothing_more_to_hear, pressed

    said = st.session_state.setdefault("said", [])
    do_what_was_asked()
    if st.session_state.get("gives way", 0):
        st.session_state["gives way"] -= 1
        st.rerun()
    name = st.text_input("Name", "before", key="name")
    if not st.session_state.get("bare"):
        does("Write", lambda what: said.append(f"written {what}"), name, key="write")
        with st.form("answer"):
            if pressed(st.form_submit_button, "Answer", key="send"):
                said.append("answered")
    nothing_more_to_hear()


def test_a_click_outlives_the_run_that_was_told_of_it():
    app = AppTest.from_function(page).run()
    for gives_way in (0, 1, 2):
        app.session_state["gives way"] = gives_way
        app.text_input(key="name").set_value(f"name {gives_way}")
        app.button(key="write").click().run()
        assert app.session_state["said"][-1] == f"written name {gives_way}"  # and as it was typed in the same breath
    app.session_state["gives way"] = 1
    app.button(key="send").click().run()
    app.run()
    assert app.session_state["said"] == ["written name 0", "written name 1", "written name 2", "answered"]


def test_what_is_no_longer_on_the_page_is_not_done_later():
    app = AppTest.from_function(page).run()
    app.session_state["gives way"], app.session_state["bare"] = 1, True
    app.button(key="write").click().run()
    app.session_state["bare"] = False
    app.run()
    assert app.session_state["said"] == []


def overtaken() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from pages.ui.pieces import giving_way, piece

    def at_odds():
        if st.session_state["told to end"]:
            get_script_run_ctx().script_requests.request_stop()
        raise RuntimeError("dictionary changed size during iteration")

    with giving_way():
        piece(at_odds)() if st.session_state["in a piece"] else at_odds()


@pytest.mark.parametrize("in_a_piece", [False, True])
def test_what_goes_wrong_in_a_run_that_gives_way_is_nobodys(in_a_piece, monkeypatch):
    logged = []
    monkeypatch.setattr("streamlit.error_util._log_uncaught_app_exception", logged.append)
    app = AppTest.from_function(overtaken)
    app.session_state["in a piece"], app.session_state["told to end"] = in_a_piece, False
    assert [error.message for error in app.run().exception] == ["dictionary changed size during iteration"]
    assert len(logged) == 1
    app.session_state["told to end"] = True
    assert not app.run().exception and len(logged) == 1
