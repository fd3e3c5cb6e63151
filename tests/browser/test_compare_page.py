"""The Compare page in a real Chromium: one click for all, the table, side by side, links, leaving and coming back."""

import contextlib
import re

import pytest
from playwright.sync_api import TimeoutError, expect

from consensus_core import METHODS
from tests.browser.server import Server
from tests.browser.steps import (
    TRIES,
    WAIT,
    as_csv,
    barriers,
    give,
    label_table,
    read_csv,
    settled,
    taken,
    told,
    unfold,
    until,
    watched,
)

DONE = r"() => document.body.innerText.match(/(\d+) of \1 done:/)?.[1]"


def all_done(page):
    """As many results as there are methods: it is said, and the table, which comes after the words, has them."""
    count = page.wait_for_function(DONE, timeout=WAIT).json_value()
    table = page.locator(".board").first  # repeats have one of their own
    expect(table.locator("tbody tr:not([data-state=running], [data-state=waiting])")).to_have_count(int(count))
    return settled(page)


def rows(page):
    """Name of the method -> its cells, as they stand on the screen."""
    lines = page.locator(".board tbody tr")
    found = {}
    for line in lines.all():
        found[line.locator("th span").first.inner_text()] = line.locator("th, td").all_inner_texts()
    return found


def column(page, title):
    titles = page.locator(".board thead").locator("th, td").all_inner_texts()
    at = [each.split("\n")[0].strip().rstrip(" ▾▴") for each in titles].index(title)
    return [cells[at] for cells in rows(page).values()]


def test_all_methods_in_one_click_sorted_left_out_and_side_by_side(open_page):
    page = all_done(open_page("/compare?data=five"))
    first = rows(page)
    assert "EC-CMS" in first and len(first) == 4
    page.get_by_text("it cannot choose among sound methods").wait_for()
    page.get_by_role("button", name=re.compile("All that take less than 10 s")).click()
    page.wait_for_function(
        "count => document.body.innerText.includes(`of ${count} done:`)", arg=len(METHODS), timeout=WAIT
    )
    all_done(page)
    assert len(rows(page)) == len(METHODS)
    page.get_by_role("button", name="base NMI", exact=True).click()
    falling = [float(text) for text in column(page, "base NMI") if text != "–"]
    assert falling == sorted(falling, reverse=True)
    page.get_by_role("button", name="method", exact=True).click()
    names = list(rows(page))
    assert names == sorted(names, key=str.casefold)
    # another beside them, in the view under the table
    until(page, "view.pictures.some((picture) => picture.name === 'partition')")
    before = {each["part"] for each in told(page, "view.pictures.map(({ part }) => ({ part }))")}
    page.get_by_role("checkbox", name="EAC side by side with others").check()
    until(page, f"new Set(view.pictures.map((picture) => picture.part)).size > {len(before)}")
    page.get_by_role("button", name="Leave out EAC").click()
    page.get_by_role("checkbox", name="EAC side by side with others").wait_for(state="detached")
    page.wait_for_url(lambda url: "eac" not in re.search("with=([^&]*)", url).group(1).split("%2C"))
    # the link is the comparison
    again = all_done(open_page(page.url.split("/", 3)[3].join(["/", ""])))
    assert set(rows(again)) == set(rows(page))


def test_a_remark_says_whose_it_is(open_page):
    page = watched(all_done(open_page("/compare?data=five")))
    remarks = page.locator(".quorum .remarks")
    expect(remarks).to_contain_text(re.compile("EC-CMS: No two different label rows"), timeout=WAIT)
    lines = page.locator(".quorum .status .line")
    expect(lines.filter(has_text="EC-CMS")).to_have_count(1)
    assert lines.count() > 1


def test_one_method_under_several_settings(open_page):
    page = all_done(open_page("/compare?data=iris&with=lwea"))
    box, varied = (page.get_by_role("combobox", name=name, exact=True) for name in ("Method", "What is varied"))
    for patience in TRIES:  # a window that opens while the page still moves closes again
        settled(page)
        with contextlib.suppress(TimeoutError):
            if not box.is_visible():
                page.get_by_role("button", name="One method, several settings").click(timeout=patience)
            box.click(timeout=patience)
            page.get_by_role("option", name="EC-CMS", exact=True).click(timeout=patience)
            varied.wait_for(timeout=patience)
            break
    page.get_by_text("share of base clusterings that makes a pair sure").wait_for()  # EC-CMS's, not the one before's
    settled(page)
    values = page.get_by_role("textbox", name="Values, with commas between them")
    values.fill("0.6, 0.9")
    values.press("Enter")
    page.get_by_role("button", name="Add 2 settings").click()
    page.locator(".board th", has_text="EC-CMS (α = 0.6)").wait_for()
    all_done(page)
    assert {"LWEA", "EC-CMS (α = 0.6)", "EC-CMS (α = 0.9)"} == set(rows(page))
    page.wait_for_url(lambda url: "ec_cms~alpha%3A0.6" in url)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(open_page, dark):
    page = all_done(open_page("/compare?data=iris", dark=dark))
    page.wait_for_selector(".quorum.ready")
    until(page, "view.finished && !view.busy")
    assert not (grave := barriers(page)), grave


def test_it_fits_a_telephone_and_the_keyboard_sorts(open_page):
    page = all_done(open_page("/compare?data=iris", width=390, height=844))
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth")
    assert wide <= 0
    turn = page.get_by_role("button", name="NMI", exact=True)
    turn.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".board th[aria-sort=descending]")).to_have_text(re.compile("^NMI"))


def test_killed_in_the_middle_everything_comes_back(chromium, tmp_path):
    with Server(tmp_path) as server:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(f"{server.url}/compare?data=shapes&with=lwea,eac,spce,ceshl,pce")
        page.wait_for_function("() => /[1-4] of 5 done/.test(document.body.innerText)", timeout=WAIT)
        server.kill()
        server.start()
        page.goto(page.url)
        all_done(page)
        assert len([cells for cells in rows(page).values() if cells[2] != "–"]) == 5
        context.close()


def test_from_an_own_table_to_the_objects_two_methods_disagree_on_and_names_in_the_csv(open_page):
    """In six clicks: upload, use it, compare, all, select them; then a cluster is named, and the CSV calls it so."""
    page = settled(open_page("/data?from=upload"))
    page.locator("input[type=file]").wait_for(state="attached", timeout=WAIT)
    give(page, "trees.csv", as_csv(label_table(n=60, seed=3)))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("trees.csv is in use now").wait_for()
    page.get_by_role("link", name="Compare").click()
    all_done(page)
    page.get_by_role("combobox", name="The other result").select_option(label="SPCE")
    said = page.locator(".between .said", has_text=" and SPCE ")  # of the pair that was chosen
    count = re.search(r"disagree on (\d+) objects? of 60", said.inner_text())
    if count:
        page.get_by_role("button", name=re.compile("^Select (it|all of them)")).click()
        until(page, f"view.selected.length === {count.group(1)}")
        expect(page.locator(".between tr.on")).to_have_count(int(count.group(1)))
    # one selection through all: what the view selects is marked here too
    told(page, "(view.select([]), 0)")
    page.locator(".between tr.on").first.wait_for(state="detached")
    page.locator(".between .stream").first.click()
    until(page, "view.selected.length > 0")
    name = page.get_by_label(re.compile("^Cluster 1, "))
    unfold(page, "Name, merge and colour", name)
    name.fill("ashes")
    page.keyboard.press("Enter")
    settled(page)
    until(page, "view.called?.names[0] === 'ashes'")  # in the live view of the same page
    page.get_by_role("link", name=re.compile("^Open it in Watch")).click()
    page.wait_for_url(lambda url: "/compare" not in url)  # there is a view here too
    watched(page)
    until(page, "view.called?.names[0] === 'ashes'")
    page.locator(".quorum .clusters").get_by_text("ashes", exact=True).first.wait_for()
    unfold(page, "Take it home", page.get_by_role("button", name=re.compile("Labels")))
    content, _ = taken(page, re.compile("Labels"))
    table = read_csv(content)
    assert (table["name"] == "ashes").sum() == (table["cluster"] == 1).sum() > 0


def test_runs_have_a_history_and_repeats_can_be_stopped(open_page):
    page = all_done(open_page("/compare?data=iris&with=lwea,eac"))
    entry = page.locator("[class*=st-key-history-]").first
    for patience in TRIES:  # what is kept is written a moment after the run
        page.reload()
        all_done(page).locator("summary", has_text="Runs on these data").click()
        with contextlib.suppress(TimeoutError):
            entry.wait_for(timeout=patience)
            break
    expect(entry).to_contain_text(re.compile(r"k = 3, ARI 0\.\d+"))
    entry.get_by_role("button", name=re.compile("Pin$")).click()
    page.get_by_role("button", name=re.compile("Unpin$")).wait_for()
    settled(page)
    many = page.get_by_role("spinbutton", name="Draws")
    unfold(page, "Luck or not", many)
    many.fill("200")  # enough that stopping comes before the end
    many.press("Tab")
    page.get_by_role("button", name=re.compile("Repeat$")).click()
    page.get_by_role("button", name=re.compile("Stop repeating$")).click()
    page.get_by_text(re.compile("Stopped after")).wait_for()
    page.get_by_text("the paired t-test").or_(page.get_by_text("paired t-test")).first.wait_for()
    page.get_by_text("Methods agree:").wait_for(timeout=WAIT)  # though only one of the sound ones is compared
    page.reload()  # the table is there again, and what was stopped stays so
    all_done(page)
    page.get_by_text(re.compile("Stopped after")).wait_for(timeout=WAIT)
    page.get_by_text("paired t-test").first.wait_for()
