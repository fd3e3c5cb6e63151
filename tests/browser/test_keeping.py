"""What is kept on the machine: seen, deleted, switched off, forgotten; and what a killed server leaves behind."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import TimeoutError, expect
from visiting import Visitor

from tests.browser.server import Server
from tests.browser.steps import (
    TRIES,
    WAIT,
    another_run,
    as_csv,
    choose,
    give,
    label_table,
    settled,
    shows,
    told,
    tuned,
    until,
    watched,
)


def upload(page, name, seed=3):
    give(page, name, as_csv(label_table(48, seed=seed)))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text(f"{name} is in use now").wait_for()
    return settled(page)


def kept_page(page, address, says):
    """What is kept, once it says so: a run is kept a moment after its end."""
    for patience in TRIES:
        page.goto(address)
        with contextlib.suppress(TimeoutError):
            return page.get_by_text(says).wait_for(timeout=patience)
    raise AssertionError(f"“{says}” was never said")


def everything_on(folder) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_equal_names_are_told_apart_and_things_can_be_deleted(open_page):
    page = open_page("/data?from=upload")
    upload(page, "twice.csv", seed=1)
    upload(page, "twice.csv", seed=2)
    choose(page, "Data", "twice.csv")
    choose(page, "Data", "twice.csv (2)")
    page.get_by_text("Kept", exact=True).click()
    page.get_by_text("2 data sets").wait_for()
    for number in ("", " (2)"):
        page.get_by_text(f"twice.csv{number}", exact=False).first.wait_for()
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_text("1 data set ").wait_for()


def test_results_of_sweeps_are_listed_and_go_with_their_data(open_page, server):
    """Listed by data and method, opened in Tune, deleted alone; and they go when the data do."""
    page = open_page("/data?from=upload")
    upload(page, "swept.csv", seed=5)
    page.get_by_role("link", name="Tune", exact=True).click()
    tuned(page, results=10)
    page.get_by_role("link", name="Data", exact=True).click()
    settled(page).get_by_text("Kept", exact=True).click()
    sweep = page.locator("[class*=st-key-kept-sweep]")
    sweep.get_by_text("swept.csv").first.wait_for()
    expect(sweep).to_contain_text("results")
    sweep.get_by_role("link", name="in Tune").click()
    page.wait_for_url("**/tune?**")
    tuned(page, results=10)
    page.get_by_role("link", name="Data", exact=True).click()
    settled(page).get_by_text("Kept", exact=True).click()
    settled(page).locator("[class*=st-key-kept-]").get_by_role("button", name="Delete").first.click()
    page.get_by_text("Nothing is kept so far.").wait_for()
    expect(sweep).to_have_count(0)


def test_forgetting_leaves_nothing_of_a_visitor_on_the_disk(chromium, tmp_path):
    with Server(tmp_path) as server:
        page = chromium.new_context().new_page()
        page.goto(f"{server.url}/data?from=upload")
        upload(page, "secret.csv")
        page.get_by_role("link", name="Watch a method on it").click()
        watched(page)
        assert b"secret.csv" in everything_on(tmp_path / "data")
        kept_page(page, f"{server.url}/data?from=kept", "1 data set and 1 run")
        page.get_by_role("button", name="Forget everything").click()
        page.get_by_role("button", name="Yes, forget everything").click()
        page.get_by_text("Nothing is kept so far.").wait_for()
        settled(page)
        left = everything_on(tmp_path / "data")
        assert b"secret.csv" not in left and b"obj-0" not in left
        assert not list((tmp_path / "data" / "files").rglob("*"))
        with contextlib.closing(sqlite3.connect(tmp_path / "data" / "index.sqlite")) as index:
            assert index.execute("SELECT COUNT(*) FROM things").fetchone() == (0,)
        page.context.close()
        assert "Traceback" not in server.said()


def test_with_keeping_off_data_last_as_long_as_the_tab(open_page, server):
    page = settled(open_page("/data?from=kept"))
    upload_from = page.get_by_text("Your file")
    page.get_by_text("Keep my data and runs on this machine").click()
    page.get_by_text("what you give lasts as long as this tab is open").wait_for()
    settled(page)
    upload_from.click()
    upload(page, "fleeting.csv")
    assert b"fleeting.csv" not in everything_on(server.folder / "data")
    page.get_by_role("link", name="Watch a method on it").click()
    watched(page)
    shows(page, "Data", "fleeting.csv")
    assert b"fleeting.csv" not in everything_on(server.folder / "data")


def test_switching_keeping_off_keeps_the_data_in_the_tab(open_page, server):
    page = open_page("/data?from=upload")
    upload(page, "stays.csv")
    page.get_by_text("Kept", exact=True).click()
    page.get_by_text("Keep my data and runs on this machine").click()
    page.get_by_text("what you give lasts as long as this tab is open").wait_for()
    shows(settled(page), "Data", "stays.csv")
    assert b"stays.csv" not in everything_on(server.folder / "data")


def test_a_killed_server_loses_nothing(chromium, tmp_path):
    """Data, settings, finished runs are there again, and a run interrupted in its middle goes on."""
    with Server(tmp_path) as server:
        context = chromium.new_context()
        page = context.new_page()
        page.goto(f"{server.url}/data?from=upload")
        upload(page, "survivor.csv")
        page.get_by_role("link", name="Watch a method on it").click()
        watched(page)
        finished, last = page.url, _model(page)["last"]
        page.goto(f"{server.url}/?data=blobs&method=ec_cms&p_max_iter=100000&p_tol=0")
        page.wait_for_selector(".quorum.ready")
        until(page, "view.last > 40")
        _wait_until_kept(tmp_path / "data")
        server.kill()
        interrupted = _model(page)["last"]
        server.start()
        page.goto(page.url)
        page.wait_for_selector(".quorum.ready")
        first_seen = _model(page)["last"]
        assert first_seen > 20, "the interrupted run began anew"
        until(page, f"view.last > {interrupted}")
        page.get_by_role("button", name="Pause (space)").wait_for()
        page.goto(finished)
        watched(page)
        shows(page, "Data", "survivor.csv")
        assert _model(page)["last"] == last
        context.close()
        assert "Traceback" not in server.said()


def _model(page):
    return told(page, "({ last: view.last, run: view.run, shown: view.shown })")


def _wait_until_kept(folder):
    """A kept run that has come beyond its beginning."""
    until = time.monotonic() + WAIT / 1000
    while time.monotonic() < until:
        with sqlite3.connect(folder / "index.sqlite") as index:
            kept = [json.loads(row[0]) for row in index.execute("SELECT meta FROM things WHERE kind = 'run'")]
        if any(meta["method"] == "ec_cms" and meta["iteration"] > 20 for meta in kept):
            return
        time.sleep(0.1)
    raise AssertionError("The run was never kept.")


def test_a_pages_own_address_may_be_a_fresh_servers_first_request(chromium, tmp_path):
    wrong = []
    with Server(tmp_path) as server:
        page = chromium.new_context().new_page()
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(f"{server.url}/data?data=iris")
        page.get_by_role("heading", name="Iris").wait_for()
        page.get_by_role("link", name="Watch", exact=True).click()
        watched(page)
        page.context.close()
        assert "Traceback" not in server.said()
    assert not wrong


def named(page, name):
    """The field that holds the name of something kept, as soon as one does."""
    fields = "[data-testid=stTextInput] input"
    find = f"name => [...document.querySelectorAll('{fields}')].findIndex((field) => field.value === name) + 1"
    found = page.wait_for_function(find, arg=name, timeout=WAIT)
    return page.locator(fields).nth(found.json_value() - 1)


def test_kept_data_and_runs_have_names_and_open_as_they_were(open_page):
    """Kept runs were counted and could not be opened; opening data lost method and parameters."""
    page = open_page("/data?from=upload")
    upload(page, "votes.csv")
    page.get_by_role("link", name="Watch a method on it").click()
    watched(page)
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowRight")
    with another_run(page):
        page.get_by_role("slider", name="clusters wanted k").press("ArrowRight")
    page.locator(".quorum").get_by_role("button", name="Back").click()
    page.wait_for_url("**it=*")
    settled(page)
    seen, address = _model(page), page.url
    kept_page(page, page.url.split("/?")[0] + "/data?from=kept", "1 data set and 3 runs")
    named(page, f"SPCE on votes.csv, iteration {seen['shown']}")
    name = named(page, "votes.csv")
    name.fill("trees <b>")
    name.press("Enter")
    run = named(page, f"SPCE on trees <b>, iteration {seen['shown']}")
    run.fill("the one with four")
    run.press("Enter")
    page.get_by_text("SPCE on trees").first.wait_for()
    page.reload()
    named(page, "the one with four")
    page.get_by_role("link", name="Open: the one with four").click()
    page.wait_for_url("**it=*")
    watched(page)
    until(page, f"view.shown === {seen['shown']} && view.last === {seen['last']}")
    page.wait_for_url(lambda url: query_of(url) == query_of(address))
    shows(page, "Data", "trees <b>")


def query_of(url) -> dict:
    return {key: texts for key, texts in parse_qs(urlsplit(url).query).items() if key != "method"}


def test_the_bare_address_offers_where_one_left_off(open_page):
    """After a restart it showed the first sample, as if nothing had been."""
    page = watched(open_page("/?data=iris&method=lwea&p_theta=0.7"))
    home = page.url.split("/?")[0] + "/"
    page.goto(home)
    offer = page.locator(".st-key-offer")
    offer.get_by_text("LWEA on Iris").wait_for()
    watched(page)
    shows(page, "Data", "Island")  # and never an empty page
    page.goto(home)
    offer.get_by_role("link", name="Go on").click()
    page.wait_for_url("**data=iris**")
    watched(page)
    shows(page, "Data", "Iris")
    page.wait_for_url("**p_theta=0.7**")
    expect(offer).to_be_hidden()
    page.goto(home)
    page.get_by_role("button", name="Stay with the first sample").click()
    offer.wait_for(state="hidden")
    with another_run(page):
        page.get_by_role("slider", name="clusters wanted k").press("ArrowRight")
    page.goto(home)
    offer.get_by_text("SPCE on Island").wait_for()


def test_a_first_visit_is_offered_nothing(open_page):
    page = watched(open_page("/"))
    assert not page.locator(".st-key-offer").is_visible()
    page.reload()
    assert not watched(page).locator(".st-key-offer").is_visible()


def test_a_click_in_the_moment_in_which_the_view_asks_is_heard_by_the_page(server):
    """The browser sends both as one message, in the view's name: the click was done, and the page stayed as it was."""
    with Visitor(server) as me:
        me.open("data=iris&method=lwea&p_theta=0.7")
    with Visitor(server, me.desk) as again:
        offered = again.open("")
        assert offered.says("Last time") and offered.piece
        for _ in range(2):  # the page knows by now that the run is over: nothing else makes it draw itself anew
            again.again()
        assert not again.click("Stay with the first sample", as_the_view=True).says("Last time")
        assert any(label.startswith("All ") for label in again.page.buttons), "the whole page was drawn"


def test_a_button_that_the_page_reads_is_read_when_the_view_asks_in_the_same_moment(server):
    """Its click is no callback, and would be gone when the page is drawn."""
    said = []
    for as_the_view in (False, True):
        with Visitor(server) as me:
            assert me.open("data=iris", "compare").piece
            said.append(me.click("Add them", as_the_view).says("No value is there yet"))
    assert said == [True, True]


def test_a_view_that_asks_after_its_page_was_left_is_not_heard(server):
    """The browser takes a page for shown until it hears of the next one: that one was begun, and then left empty."""
    with Visitor(server) as me:
        me.open("data=iris", "data")
        data = me.number
        assert me.open("data=iris").piece
        watch, before = me.number, len(me.begun)
        me.leaves_as_the_view_asks("data", data)
        me.again()
        begun = me.begun[before:]
        assert me.number == data and begun[0] == data and watch not in begun


def test_another_method_keeps_k_and_leads_back(open_page):
    """Choosing another method set k back, left no trace of the run before, and took over its θ."""
    page = watched(open_page("/?data=iris"))
    with another_run(page):
        page.get_by_role("slider", name="clusters wanted k").press("ArrowRight")
    with another_run(page):
        page.get_by_role("slider", name="θ").press("ArrowRight")
    moved = {name: slider(page, name).input_value() for name in ("clusters wanted k", "θ")}
    with another_run(page):
        page.get_by_role("combobox", name="Method").click()
        page.get_by_role("option", name="LWEA").click()
    expect(slider(page, "clusters wanted k")).to_have_value(moved["clusters wanted k"])
    page.wait_for_url(lambda url: "p_theta" not in url)  # θ of LWEA is at its own default
    with another_run(page):
        page.get_by_role("button", name="Back to SPCE (k = 4, θ = 0.25)").click()
    for name, value in moved.items():
        expect(slider(page, name)).to_have_value(value)
    with another_run(page):
        page.get_by_role("button", name="Back to LWEA (k = 4)").click()
    shows(page, "Method", re.compile("^LWEA"))


def slider(page, name):
    return page.get_by_role("slider", name=name)


def test_what_is_chosen_in_the_breath_in_which_a_page_is_left_is_chosen(server):
    with Visitor(server) as me:
        me.open("data=iris&method=lwea")
        me.leaves("data", Rows_in_the_order_of="the table, as given")
        assert not me.page.faults
        back = me.leaves("")
        assert back.choices["Rows in the order of"][1] == "the table, as given"
        assert "order=given" in back.query
