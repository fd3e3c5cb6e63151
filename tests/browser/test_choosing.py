"""The choice of a method: a short list with what to think of each, and all of them by family with a search."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from consensus_core import METHODS
from consensus_core.data.catalogue import left_out, shelves, short_list, thought
from tests.browser.steps import another_run, choose_method, offered, settled, shows, told, watched

ALL = re.compile(r"^All \d+ methods")


def sidebar(page, width):
    if width < 800:
        page.get_by_test_id("stExpandSidebarButton").click()
    return page.get_by_test_id("stSidebar")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_list_is_short_and_says_what_to_think(open_page, width):
    page = watched(open_page("/?data=iris", width=width, height=900))
    side = sidebar(page, width)
    side.get_by_text(thought("spce").kind).wait_for()
    side.get_by_text("changes with the data").wait_for()
    expect(offered(page, "Method")).to_have_text([METHODS[key].name() for key in short_list()])
    page.get_by_role("option", name="LWEA", exact=True).click()
    settled(page)
    side.get_by_text("Advised: ").wait_for()
    side.get_by_role("button", name=ALL).click()
    window = page.get_by_role("dialog")
    for shelf in shelves():
        window.get_by_text(f"{shelf.title} ({len(shelf.keys)})", exact=True).wait_for()
    settled(page)
    assert not window.locator(".st-key-all_take_drec").is_visible(), "families are folded"
    window.get_by_text("Low rank (").click()
    window.locator(".st-key-all_take_drec").wait_for()
    window.get_by_text(thought("drec").bad[:60]).wait_for()
    inside = window.locator(":scope").bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= width + 1
    page.keyboard.press("Escape")
    window.wait_for(state="detached")


def test_a_method_is_found_by_a_word_and_chosen(open_page):
    page = watched(open_page("/?data=iris&method=rce"))
    shows(page, "Method", "RCE")  # a link opens any method
    page.get_by_role("button", name=ALL).click()
    window = page.get_by_role("dialog")
    window.get_by_role("textbox", name="Search").fill("nothing says this")
    window.get_by_role("textbox", name="Search").press("Enter")
    window.get_by_text("No method says that.").wait_for()
    page.keyboard.press("Escape")
    window.wait_for(state="detached")
    with another_run(page):
        choose_method(page, "kc")
    page.wait_for_url("**method=kc**")
    assert told(page, "view.method") == "KC"
    shows(page, "Method", "KC")


def test_the_methods_page_has_the_same_shelves_and_what_is_not_here(open_page):
    page = settled(open_page("/methods?method=drec"))
    page.get_by_role("heading", name="DREC").wait_for()
    side = page.get_by_test_id("stSidebar")
    expect(side.get_by_role("radio")).to_have_count(len(short_list("drec")))
    side.get_by_text("Not here, and why").click()
    for one in left_out():
        side.get_by_text(one.name, exact=True).wait_for()
    choose_method(page, "bce")
    page.get_by_role("heading", name="BCE").wait_for()
    page.wait_for_url("**method=bce**")
