"""Components of our own: what came later stays, whichever message the browser draws first."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.component import in_order
from tests.browser.steps import WAIT

UI = Path(__file__).resolve().parents[2] / "pages" / "ui"
DRAWN = """
async ([code, html, sent]) => {
  const draw = (await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))).default;
  document.body.said = undefined;
  document.body.innerHTML = html;
  for (const data of sent) draw({ data, parentElement: document.body, setTriggerValue: () => {} });
  return [document.body.innerText, document.querySelector('.strip')?.dataset.there];
}
"""


@pytest.fixture
def drawn(chromium):
    """drawn(script, html, messages in the order the browser comes to them) -> the text, and the strip's mark"""
    page = chromium.new_page()
    page.set_default_timeout(WAIT)
    yield lambda script, html, *sent: page.evaluate(
        DRAWN, [in_order((UI / script).read_text(encoding="utf-8")), html, list(sent)]
    )
    page.close()


def test_the_table_of_a_comparison_stays_as_the_later_message_has_it(drawn):
    """ "4 of 4 done", and two of them running for ever below it."""
    columns = [{"key": "method", "title": "method", "meaning": "", "kind": "text", "better": ""},
               {"key": "trouble", "title": "alarms", "meaning": "", "kind": "text", "better": ""}]  # fmt: skip

    def board(said, state, word):
        row = {"id": "lwea", "state": state, "cells": ["LWEA", word], "keys": ["LWEA", word], "bold": [False, False]}
        data = {"label": "Methods", "columns": columns, "rows": [row], "choosing": False, "leaving": False}
        return {**data, "said": [said]}

    early, late = board(7.5, "running", ""), board(8.5, "finished", "nothing")
    html = '<div class="board"></div>'
    for sent in ([early, late], [late, early], [early, late, early]):
        text, _ = drawn("board/board.js", html, *sent)
        assert "nothing" in text and "running" not in text
    anew = board(9.5, "running", "")  # more was asked for
    assert "running" in drawn("board/board.js", html, late, anew, late)[0]


def test_the_strip_stays_as_full_as_it_was(drawn):
    """It stood empty below a finished curve until somebody moved something."""
    there = {"error": "", "words": "2 clusters", "labels": "AAE=", "frames": [], "size": []}
    data = {"title": "θ", "letter": "", "meaning": "", "values": list("ab"), "at": 0, "places": "AAAAAAEAAQA=",
            "note": "", "colours": ["#112233", "#445566"], "scale": ["#000000", "#ffffff"]}  # fmt: skip
    early = {**data, "said": [1.5, 0], "results": [None, None]}
    late = {**data, "said": [1.5, 2], "results": [there, there]}
    html = '<div class="strip"></div>'
    assert (
        drawn("strip_view/strip.js", html, early, late)[1] == drawn("strip_view/strip.js", html, late, early)[1] == "2"
    )
    anew = {**early, "said": [2.5, 0]}  # asked later: nothing is there yet
    assert drawn("strip_view/strip.js", html, late, anew, late)[1] == "0"


def test_a_message_is_older_only_than_what_differs_from_it(monkeypatch):
    def page():
        import streamlit as st

        from pages.ui.component import _since

        for name, data in [("first", {"x": 1}), ("same", {"x": 1}), ("other", {"x": 2}), ("back", {"x": 1})]:
            st.session_state[name] = _since("key", data)

    monkeypatch.setattr("pages.ui.component.time.time", lambda: 50.0)  # a clock that stands still, or is put back
    at = AppTest.from_function(page).run()
    first, same, other, back = (at.session_state[name] for name in ("first", "same", "other", "back"))
    assert not at.exception and first == same < other < back


def test_a_script_that_draws_nothing_is_refused():
    with pytest.raises(ValueError, match="has one export default function"):
        in_order("let x;")
