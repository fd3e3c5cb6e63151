"""The Methods page: a sheet for every method, its equations rendered, its letters found."""

import contextlib

import pytest
from playwright.sync_api import TimeoutError, expect

from consensus_core import METHODS
from consensus_core.data.sheets import sheet
from tests.browser.steps import TRIES, settled, until, walked, watched

# what KaTeX was given, of every formula it has rendered
RENDERED = r"""wanted => {
  const given = [...document.querySelectorAll('.katex annotation')].map((one) => one.textContent.replace(/\s/g, ''));
  return wanted.every((one) => given.includes(one));
}"""


@pytest.mark.parametrize("key", walked(METHODS))
def test_every_equation_is_rendered(open_page, key):
    page = settled(open_page(f"/methods?method={key}"))
    page.get_by_role("heading", name=METHODS[key].name()).wait_for()
    page.get_by_role("tab", name="Equations").click()
    wanted = [form.latex for one in sheet(METHODS[key]).equations for form in one.forms]
    page.wait_for_function(
        "count => document.querySelectorAll('[role=tabpanel] .katex-display').length >= count", arg=len(wanted)
    )
    page.wait_for_function(RENDERED, arg=["".join(latex.split()) for latex in wanted])
    expect(page.locator(".katex-error")).to_have_count(0)


def test_search_tabs_and_the_way_to_watch(open_page):
    page = settled(open_page("/methods"))
    page.get_by_role("textbox", name="Search").fill("hyperedge")
    page.get_by_role("textbox", name="Search").press("Enter")
    page.get_by_text(f"of {len(METHODS)} methods").wait_for()
    page.get_by_text("CESHL ·").first.wait_for()
    page.get_by_text("EAC ·").first.wait_for(state="detached")
    for patience in TRIES:  # what is typed while the page is drawn anew may be taken back
        settled(page).get_by_role("textbox", name="Search").fill("")
        page.get_by_role("textbox", name="Search").press("Enter")
        with contextlib.suppress(TimeoutError):
            page.get_by_role("radiogroup").get_by_text("LWEA ·").click(timeout=patience)
            break
    page.get_by_role("heading", name="LWEA").wait_for()
    for tab, words in (("Laws", "not kept:"), ("In use", "Limits"), ("Cost", "on this machine")):
        page.get_by_role("tab", name=tab).click()
        page.get_by_text(words).first.wait_for()
    page.get_by_role("link", name="on five objects").click()
    page.wait_for_url("**method=lwea**")
    page.wait_for_selector(".quorum.ready")


def test_a_letter_asked_for_stands_first(open_page):
    page = settled(open_page("/methods?method=spce&eq=W"))
    asked = page.locator(".st-key-asked")
    asked.get_by_text("trust in each pair").first.wait_for()
    asked.get_by_text("With numbers, on five objects").click()
    asked.get_by_text("iteration", exact=False).first.wait_for()


def test_a_letter_that_there_is_not_is_said(open_page):
    page = settled(open_page("/methods?method=eac&eq=nothing"))
    page.get_by_text("EAC has no equation of “nothing”.").wait_for()


def test_methods_are_filtered_by_family_and_by_gaps(open_page):
    page = settled(open_page("/methods"))
    page.get_by_text("takes missing labels").click()
    some = sum(bool(cls.handles_missing) for cls in METHODS.values())
    page.get_by_text(f"{some} of {len(METHODS)} methods").wait_for()
    page.get_by_text("TRCE ·").first.wait_for(state="detached")


def test_from_a_letter_to_the_run_and_back(open_page):
    page = settled(open_page("/methods?method=spce&eq=W"))
    asked = page.locator(".st-key-asked")
    asked.get_by_text("With numbers, on five objects").click()
    asked.get_by_role("link", name="This entry in Watch").first.click()
    page.wait_for_url("**pin=W.**")
    watched(page)
    until(page, "view.told && view.told.name === 'W'")
    way = page.get_by_role("link", name="all of its letters")
    assert "methods?method=spce&eq=W" in way.get_attribute("href") and way.get_attribute("rel") == "noopener"


def test_what_does_nothing_is_said(open_page):
    page = settled(open_page("/methods?method=pce"))
    page.get_by_role("tab", name="Switches").click()
    page.get_by_text("as far as anybody has looked").wait_for()
    page.get_by_text("never the clusters: the first H decides").first.wait_for()
