"""Tune and trust in a real browser: results to be dragged through, curves that fill, base clusterings left out."""

from __future__ import annotations

import contextlib
import re
import sqlite3

from playwright.sync_api import TimeoutError, expect

from consensus_core.keep.cells import FILE
from tests.browser.server import ROOT, Server
from tests.browser.steps import WAIT, another_run, choose, settled, shows, told, tuned, unfold, watched

ARI = "view.iterations().at(-1).scores.ARI"
DRAG = """
root => new Promise(done => {
  const dial = root.querySelector('input[type=range]'), before = Number(root.dataset.drawn), start = performance.now();
  let at = 0;
  const step = () => {
    if (at > Number(dial.max)) return done([Number(root.dataset.drawn) - before, performance.now() - start]);
    dial.value = at++;
    dial.dispatchEvent(new Event('input'));
    requestAnimationFrame(step);
  };
  step();
})
"""


def test_a_dial_is_dragged_through_finished_results_and_a_curve_fills(open_page):
    page = tuned(open_page("/tune?data=moons&method=lwea"), results=10)
    strip = page.locator(".strip")
    expect(strip).to_have_attribute("data-shown", "0.4")  # it begins where the dial stands
    page.wait_for_selector(".strip[data-drawn]", timeout=WAIT)  # something has been drawn
    drawn, _ = strip.evaluate(DRAG)
    assert drawn >= 10, "a finished result for every value on the way"
    assert strip.get_attribute("data-shown") == "4"
    words = strip.locator(".words")
    assert "2 clusters" in words.inner_text() and "ARI" in words.inner_text()
    strip.get_by_role("button", name="weight of torn clusters θ 0.1", exact=True).click()
    assert strip.get_attribute("data-shown") == "0.1" and "ARI 1 " in words.inner_text()
    page.get_by_role("button", name="Try 10 draws of each").click()
    page.get_by_label("mean of 10 draws").first.wait_for(timeout=WAIT)  # one is just taken away
    settled(page).get_by_role("link", name="Watch it").click()
    watched(page).wait_for_url("**p_theta=0.1**")


def test_a_papers_figure_sets_its_dials_and_leads_to_a_sample_that_shows_it(open_page):
    page = tuned(open_page("/tune?data=moons&method=spce"), results=10)
    figure = page.get_by_role("combobox", name="Figure")
    unfold(page, "The papers' own figures", figure)
    choose(page, "Figure", "TRCE, Fig. 2: λ")
    page.wait_for_url("**method=trce&p_exact_k=false**")
    tuned(page, results=11)
    shows(page, "Open in Watch with", "1e-05")  # not what the dial before had there
    page.get_by_text("The paper's figure: good from .01 to 10").wait_for()
    page.get_by_role("button", name="Its shape is seen on the sample Half guessed").click()
    page.wait_for_url("**data=half&method=trce&p_exact_k=false**")
    page.locator(".strip").get_by_text("4 clusters").wait_for()
    page.get_by_label("NMI with the truth over price of noise λ").first.wait_for()  # the old one goes as the new comes


ASKED = """
async ([code, data]) => {
  const strip = (await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))).default;
  document.body.innerHTML = '<div class="strip"></div>';
  const asked = [], setTriggerValue = (_, said) => asked.push(said.at);
  const show = () => strip({ data, parentElement: document.body, setTriggerValue });
  const rested = () => new Promise(done => setTimeout(done, 400));
  const drag = at => {
    const dial = document.querySelector('#strip-dial');
    dial.value = at;
    dial.dispatchEvent(new Event('input'));
  };
  show(); await rested();
  const before = asked.length;
  drag(3); drag(4); await rested();
  show(); await rested();
  drag(0); await rested();
  return [before, asked];
}
"""


def test_where_the_dial_is_dragged_to_and_nothing_is_yet_is_asked_for_once(chromium):
    """Not while the hand moves on, not again when the page is drawn anew, and not where a result is there."""
    code = (ROOT / "pages/ui/strip_view/strip.js").read_text(encoding="utf-8")
    there = {"error": "", "words": "2 clusters", "labels": "AAE=", "frames": [], "size": []}
    data = {"title": "θ", "letter": "", "meaning": "", "values": list("abcde"), "at": 0, "places": "AAAAAAEAAQA=",
            "note": "", "colours": ["#112233", "#445566"], "scale": ["#000000", "#ffffff"],
            "said": [1.5, 1], "results": [there, None, None, None, None]}  # fmt: skip
    page = chromium.new_page()
    page.set_default_timeout(WAIT)
    before, asked = page.evaluate(ASKED, [code, data])
    assert before == 0 and asked == [4]
    page.close()


def test_two_dials_fill_a_map(open_page):
    page = settled(open_page("/tune?data=iris&method=lwea&see=map&dial=theta&dial2=k"))
    page.get_by_role("button", name="Try 2 draws of each").click()
    page.get_by_role("combobox", name="Open in Watch").wait_for(timeout=WAIT)
    drawn = settled(page).get_by_label("ARI with the truth over weight of torn clusters θ and clusters wanted k")
    expect(drawn).to_have_count(1, timeout=WAIT)  # there are two while one is drawn anew


def test_trust_is_told_and_a_base_clustering_left_out(open_page):
    """Whether sound methods agree, what carries the result: the three copied sheets; without them it is mended; and
    with all again."""
    page = watched(open_page("/?data=copied&method=spce"))
    assert told(page, ARI) < 0.3
    page.get_by_text("Methods agree:").wait_for(timeout=WAIT)
    leave, ask = (page.get_by_role("button", name=name).first for name in ("Leave out", "What does it hang on?"))
    for _ in range(5):  # a click on a button that a rerun is just taking away is lost
        if settled(page) and ask.count():
            ask.click()
        with contextlib.suppress(TimeoutError):
            leave.wait_for(timeout=WAIT / 4)
            break
    page.get_by_text("sorter 7, sorter 8, sorter 9: 3 that say the same").wait_for()
    with another_run(settled(page)):
        page.get_by_role("button", name="Leave out sorter 7, sorter 8, sorter 9").click()
    page.get_by_text("Left out:").wait_for()
    assert told(page, ARI) > 0.65
    with another_run(page):
        page.get_by_role("button", name="Use all again").click()
    expect(page.get_by_text("Left out:")).to_have_count(0)
    page.wait_for_url("**data=copied**")
    assert told(page, ARI) < 0.3


def test_a_number_of_clusters_is_looked_at_and_used_everywhere(open_page):
    page = settled(open_page("/tune?data=iris&method=lwea&see=k"))
    page.get_by_text("A hint, not a finding").wait_for(timeout=WAIT)
    look = page.get_by_role("slider", name="k looked at")
    look.focus()
    look.press("ArrowRight")
    page.get_by_label("Dendrogram cut into 4 clusters").wait_for(timeout=WAIT)
    settled(page).get_by_role("button", name="Use k = 4 everywhere").click()
    page.wait_for_url("**p_k=4**")
    settled(page).get_by_role("link", name="Watch", exact=True).click()
    watched(page).wait_for_url("**p_k=4**")


def cells_in(folder) -> dict[str, float]:
    """Every result that is kept, and when it came."""
    with contextlib.closing(sqlite3.connect(folder / "data" / FILE)) as kept:
        return dict(kept.execute("SELECT key, came FROM cells"))


def test_a_server_killed_mid_sweep_goes_on_where_it_was(chromium, tmp_path):
    """Opened again the page asks by itself for what it was asked, and nothing that was there is computed again."""
    runs = 11 + 10 * 11  # a result of each value, and ten draws
    with Server(tmp_path) as server:
        page = chromium.new_page()
        page.goto(f"{server.url}/tune?data=island&method=ceshl&dial=lam")
        settled(page).get_by_role("button", name="Try 10 draws of each").click()
        page.get_by_text(re.compile(rf"^(1[2-9]|[2-9]\d|1[01]\d) of {runs} runs")).wait_for()  # some of the draws
        server.kill()
        before = cells_in(tmp_path)
        assert 0 < len(before) < runs
        server.start()
        page.goto(f"{server.url}/tune?data=island&method=ceshl&dial=lam")
        page.get_by_label("mean of 10 draws").first.wait_for()
        page.get_by_role("button", name="Cancel").wait_for(state="detached")
        after = cells_in(tmp_path)
        assert len(after) == runs and all(after[key] == came for key, came in before.items())
        page.close()
        assert "Traceback" not in server.said()
