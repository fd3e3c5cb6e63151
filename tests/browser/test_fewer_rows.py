"""Some rows that stand for all: asked for, shown, and taken along in everything that leaves the page."""

from __future__ import annotations

from tests.browser.steps import choose, settled, taken, told, watched


def test_fewer_rows_stand_for_all_where_one_says_so(open_page, tmp_path):
    page = watched(open_page("/?data=digits&method=lwea&rows=500"))
    page.get_by_text("500 of 816 distinct rows stand for all").first.wait_for()
    assert told(page, "view.finished")
    page.get_by_text("Take it home").click()
    settled(page)
    script, _ = taken(page, "Python (PY)")
    assert b"rows=500" in script
    choose(page, "Of 816 distinct rows", "every one for itself")
    watched(page)
    page.get_by_text("500 of 816 distinct rows").first.wait_for(state="detached")
    page.wait_for_url(lambda url: "rows=" not in url)
