"""Widgets that stand on a page are left alone: what is set again is drawn anew in the browser, under the hand."""

from __future__ import annotations

import pytest

testing = pytest.importorskip("streamlit.testing.v1")
Standing = pytest.importorskip("pages.ui.session").Standing


def page():
    import streamlit as st

    from pages.ui.links import hold, said_by_the_browser
    from pages.ui.session import session

    standing = session().standing
    standing.begin(st.session_state.get("page", "one"), said_by_the_browser())
    most = st.session_state.get("most", 9)
    if st.session_state.get("there", True):
        hold("x", st.session_state.get("wanted", st.session_state.get("x", 3)), made_of=most)
        st.slider("x", 1, most, key="x")
    standing.end()


@pytest.fixture
def app():
    return testing.AppTest.from_function(page).run()


def set_anew(app):
    assert not app.exception
    return app.slider[0].proto.set_value


def test_it_is_set_when_it_comes_and_then_left_alone(app):
    assert set_anew(app) and app.slider[0].value == 3
    assert not set_anew(app.run())
    app.slider[0].set_value(5)
    assert not set_anew(app.run())
    assert app.slider[0].value == 5 and not set_anew(app.run())


def test_it_is_set_where_it_shall_stand_elsewhere(app):
    app.session_state["wanted"] = 7
    assert set_anew(app.run()) and app.slider[0].value == 7
    assert not set_anew(app.run())


@pytest.mark.parametrize("what", [{"page": "two"}, {"most": 20}])
def test_another_widget_of_that_name_gets_the_value(app, what):
    app.slider[0].set_value(6).run()
    for name, value in what.items():
        app.session_state[name] = value
    assert set_anew(app.run()) and app.slider[0].value == 6
    assert not set_anew(app.run())


def test_one_that_was_away_is_set_when_it_comes_back(app):
    app.session_state["there"] = False
    assert not app.run().slider
    app.session_state["there"] = True
    app.session_state["x"] = 4
    assert set_anew(app.run()) and app.slider[0].value == 4


def test_what_the_browser_has_not_said_is_said_again():
    """A script's words may be thrown away unsent when another script begins."""
    one = Standing()

    def run(value, said=(), whole=True):
        one.begin("page", dict(said))
        there = one.hold("x", value)
        if whole:
            one.end()
        return there

    assert not run(3) and not run(3)
    assert run(3, {"x": 3})
    assert run(3), "a script that asks for itself brings no word of the browser's"
    assert not run(4) and not run(4, {"x": 3}) and run(4, {"x": 4})
    assert not run(True, {"x": 1})
    one.begin("page", {"x": 5})
    one.end()  # a run without it
    assert not run(5)
