"""Links reproduce the screen, in another browser too; page switches and refreshes lose nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from pages.ui.address import own_number
from tests.browser.server import Server
from tests.browser.steps import (
    WAIT,
    another_run,
    as_csv,
    choose,
    give,
    label_table,
    offered,
    settled,
    shows,
    told,
    until,
    watched,
)

NAV = {"exact": True}


def state(page):
    """What the live view shows."""
    return told(page, "({ run: view.run, shown: view.shown, last: view.last })")


def slider(page, name):
    return page.get_by_role("slider", name=name)


def test_a_copied_link_gives_another_browser_the_same_screen(open_page):
    page = watched(open_page("/?data=moons&method=spce"))
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowRight")
    page.wait_for_url("**theta=**")
    page.get_by_role("button", name="Back").click()
    page.wait_for_url("**it=*")
    seen = state(page)
    assert seen["shown"] == seen["last"] - 1
    other = watched(open_page(page.url.removeprefix(page.url.split("/?")[0])))
    until(other, f"view.shown === {seen['shown']}")
    shows(other, "Data", "Two moons")
    other.wait_for_url(lambda url: url == page.url)
    theta = slider(page, "θ").input_value()
    expect(slider(other, "θ")).to_have_value(theta)
    assert theta != "0.2"


def test_seed_and_method_travel_in_the_link(open_page):
    page = watched(open_page("/?method=pce&seed=7&data=iris"))
    shows(page, "Method", "PCE")
    shows(page, "Data", "Iris")
    page.get_by_text("Switches, schedule, seed").click()
    expect(page.get_by_role("spinbutton", name="seed")).to_have_value("7")


def test_own_data_are_seen_by_whoever_has_the_link_and_by_nobody_else(open_page):
    page = open_page("/data?from=upload")
    give(page, "mine.csv", as_csv(label_table(45, seed=9)))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("mine.csv is in use now").wait_for()
    page.wait_for_url("**data=*")
    key = page.url.split("data=")[1].split("&")[0]
    assert len(key) >= 16
    given_the_link = settled(open_page(f"/data?data={key}"))
    given_the_link.get_by_role("heading", name="mine.csv").wait_for()
    stranger = settled(open_page("/data?from=kept"))
    stranger.get_by_text("Nothing is kept so far.").wait_for()
    assert "mine.csv" not in offered(settled(stranger), "Data").all_inner_texts()
    guessed = settled(open_page(f"/data?data={key[:-1]}_"))
    guessed.get_by_text("no longer kept on this machine").first.wait_for()
    shows(guessed, "Data", "Island")


def test_pages_can_be_left_and_come_back_to(open_page):
    page = watched(open_page("/"))
    with another_run(page):
        choose(page, "Data", "Iris")
    with another_run(page):
        page.get_by_role("combobox", name="Method").click()
        page.get_by_role("option", name=re.compile("^PCE")).click()
    page.wait_for_url("**method=pce**")
    choose(page, "Rows in the order of", "the table, as given")
    before = state(page)
    page.get_by_role("link", name="Data", **NAV).click()
    page.get_by_role("heading", name="Iris").wait_for()
    settled(page)
    shows(page, "Data", "Iris")
    page.get_by_role("link", name="Watch", **NAV).click()
    watched(page)
    assert state(page)["run"] == before["run"]
    shows(page, "Data", "Iris")
    shows(page, "Method", re.compile("^PCE"))
    shows(page, "Rows in the order of", "the table, as given")
    page.wait_for_url(lambda url: "data=iris" in url and "method=pce" in url)


def test_a_parameter_survives_the_other_page_and_a_refresh(open_page):
    page = watched(open_page("/?data=iris"))
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowRight")
    page.wait_for_url("**theta=**")
    theta = slider(page, "θ").input_value()
    page.get_by_role("link", name="Data", **NAV).click()
    page.get_by_role("heading", name="Iris").wait_for()
    settled(page).get_by_role("link", name="Watch", **NAV).click()  # the view of before is gone by now
    expect(slider(watched(page), "θ")).to_have_value(theta)
    page.reload()
    expect(slider(watched(page), "θ")).to_have_value(theta)
    shows(page, "Data", "Iris")


def test_a_teachers_link_hides_what_it_names(open_page):
    page = watched(open_page("/?hide=method,parameters,home,nav,hint"))
    expect(page.get_by_role("combobox", name="Data")).to_be_visible()
    for hidden in (
        page.get_by_role("combobox", name="Method"),
        page.get_by_role("slider", name="θ"),
        page.get_by_text("Take it home"),
        page.get_by_role("link", name="Data", **NAV),
        page.get_by_role("button", name="Got it"),
    ):
        expect(hidden).to_be_hidden()


def test_the_link_to_share_is_this_screen_with_what_it_hides(open_page):
    page = watched(open_page("/?data=iris&method=pce"))
    page.get_by_text("Share this screen").click()
    link = page.get_by_role("textbox", name="Link to this screen")
    link.focus()
    expect(link).to_have_value(page.url)
    choose(page, "For a class: hide", "the method's parameters")
    page.keyboard.press("Escape")  # the list stays open for more
    expect(link).to_have_value(re.compile("hide=parameters"), timeout=WAIT)


def test_the_address_of_watch_itself_leads_home(open_page):
    page = watched(open_page("/watch?data=iris"))
    shows(page, "Data", "Iris")
    page.wait_for_url(lambda url: "/watch" not in url)


def test_what_a_link_does_not_mean_is_said_in_one_sentence(open_page):
    page = watched(open_page("/?data=iris&p_max_iter=1e999&foo=bar&p_theta=7"))
    notice = page.locator(".st-key-link-notice")
    notice.get_by_text("Not everything in this link was understood").wait_for()
    said = notice.inner_text()
    assert "must be a whole number" in said and "“foo” is not known" in said and "θ was set to 0.9" in said
    expect(slider(page, "θ")).to_have_value("0.9")
    page.wait_for_url(lambda url: "foo" not in url and "max_iter" not in url)
    page.get_by_role("button", name="OK", exact=True).click()
    notice.wait_for(state="hidden")
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowLeft")
    expect(notice).to_be_hidden()


def test_the_browsers_way_back_to_a_bad_link_is_no_traceback(open_page):
    page = watched(open_page("/?data=iris"))
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowRight")
    page.evaluate("() => history.replaceState(null, '', '?data=iris&seed=1e999&p_max_iter=1e999&foo=1')")
    page.evaluate("() => history.pushState(null, '', '?data=iris&p_theta=0.3')")
    page.go_back()
    page.locator(".st-key-link-notice").get_by_text("Not everything in this link").wait_for()
    watched(page)
    page.wait_for_url(lambda url: "1e999" not in url)


@pytest.mark.parametrize("hidden", ["nav", "method", "parameters", "switches", "order", "home", "hint", "data"])
def test_hide_takes_nothing_else_on_a_telephone(open_page, hidden):
    """hide=nav took the button that opens the sidebar along, and with it data, method and every parameter."""
    page = watched(open_page(f"/?data=iris&hide={hidden}", width=390, height=844))
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("clusters wanted k").or_(sidebar.get_by_role("combobox", name="Method")).first.wait_for()
    parts = {
        "data": sidebar.get_by_role("combobox", name="Data"),
        "method": sidebar.get_by_role("combobox", name="Method"),
        "parameters": sidebar.get_by_role("slider", name="θ"),
        "switches": sidebar.get_by_text("Switches, schedule, seed"),
        "order": sidebar.get_by_role("combobox", name="Rows in the order of"),
        "hint": page.get_by_role("button", name="Got it"),
        "home": page.get_by_text("Take it home"),
    }
    for name, what in parts.items():
        (expect(what).to_be_visible if name != hidden else expect(what).to_be_hidden)(timeout=WAIT)


def test_a_copied_link_says_when_only_this_machine_can_open_it(open_page, server):
    page = watched(open_page("/?data=iris"))
    page.get_by_text("Share this screen").click()
    page.get_by_text("Only this machine can open this link.").wait_for()
    page.get_by_text("make run ADDRESS=0.0.0.0").wait_for()


def test_a_copied_link_offers_the_machines_address_where_others_are_let_in(chromium, tmp_path):
    with Server(tmp_path, address="0.0.0.0") as server:
        page = chromium.new_context().new_page()
        page.goto(f"{server.url}/?data=iris")
        watched(page)
        page.get_by_text("Share this screen").click()
        page.get_by_role("button", name="instead").click()
        link = page.get_by_role("textbox", name="Link to this screen").input_value()
        assert link.startswith(f"http://{own_number()}:{server.port}/") and "data=iris" in link
        page.goto(link)
        shows(watched(page), "Data", "Iris")  # and there it is
        page.context.close()


def test_a_second_method_with_dials_of_its_own_stands_beside(open_page):
    """They are in the link, and stay there when they are moved in the view."""
    page = watched(open_page("/?data=iris&method=lwea&beside=spce~theta:0.5"))
    assert told(page, "view.runs.length") == 2
    assert "theta%3A0.5" in page.url or "theta:0.5" in page.url
    second = told(page, "view.runs[1].id")
    told(page, f"(view.turn('theta', 0.3, '{second}'), 0)")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('beside=spce~theta:0.3')", timeout=WAIT)
    watched(page)
    assert told(page, "view.runs.length") == 2
