"""What comes and goes on a page has a place of its own: what stands below it stays where it is. While a page is drawn
anew the browser shows what has moved twice, and a fold that is clicked in that moment belongs to the page before."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def tuned() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from pages.ui.tuning import progress

    busy = st.session_state["busy"]
    progress(SimpleNamespace(busy=busy, sweeps=[SimpleNamespace(done=1, total=2, seconds_left=1.0, over=not busy)]))
    st.markdown("below")


def read() -> None:
    import streamlit as st

    from consensus_core.reading import Choices
    from pages.ui.reading import Given, looked_at

    table = b"first,second\n1,2\n1,1\n2,2\n"
    looked_at(st.session_state.setdefault("given", Given("one", "labels.csv", table, "key")), Choices())
    st.markdown("below")


def below(app: AppTest) -> int:
    """The place on the page of what stands below it all."""
    assert not app.run().exception
    (place,) = [place for place, what in app.main.children.items() if getattr(what, "value", "") == "below"]
    return place


def test_a_sweep_that_ends_moves_nothing():
    app = AppTest.from_function(tuned)
    places = []
    for busy in (True, False):
        app.session_state["busy"] = busy
        places.append(below(app))
    assert places[0] == places[1]


def test_a_file_that_is_not_read_again_moves_nothing():
    app = AppTest.from_function(read, default_timeout=60)
    assert below(app) == below(app)
