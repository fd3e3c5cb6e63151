"""The Watch page in a real Chromium: play, pause, step, scrub, pin, zoom, links, every method."""

import re

import numpy as np
import pandas as pd
import pytest

from consensus_core import METHODS
from tests.browser.steps import as_csv, choose, give

PLAY, PAUSE = "Play (space)", "Pause (space)"
STEP, BACK, RESTART = "Step (right arrow)", "Back (left arrow)", "Restart (Home)"


class Watch:
    """What the tests say about a page, in words."""

    def __init__(self, page):
        self.page = page
        page.wait_for_selector(".quorum.ready", timeout=60_000)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def finished(self):
        """Played to its end and at rest."""
        self.until("view.mode === 'hold' && view.finished && view.model.shown === view.model.last && !view.dirty")
        return self

    def until(self, claim, timeout=60_000):
        handle = self.root.element_handle()
        self.page.wait_for_function(
            f"(root) => {{ const view = root.view; return {claim}; }}", arg=handle, timeout=timeout
        )

    def ask(self, what):
        return self.root.evaluate(f"(root) => {{ const view = root.view, model = view.model; return {what}; }}")

    @property
    def root(self):
        return self.page.locator(".quorum")

    @property
    def shown(self):
        return self.ask("model.shown")

    @property
    def status(self):
        return self.page.locator(".status").inner_text()

    def move_theta(self, key="ArrowRight"):
        slider = self.page.locator(".st-key-p_theta [role=slider], .st-key-p_theta input").first
        slider.focus()
        run = self.ask("model.run")
        self.page.keyboard.press(key)
        self.until(f"view.model.run !== '{run}' && view.model.shown >= 0")

    def entry(self, picture, across, down):
        """The place of a point of a picture on the screen, by shares of the canvas."""
        box = self.page.locator(".matrix canvas").nth(picture).bounding_box()
        return box["x"] + across * box["width"], box["y"] + down * box["height"]


def test_first_visit_shows_a_finished_run(open_page):
    watch = Watch(open_page("/")).finished()
    assert "converged" in watch.status
    assert "ARI" in watch.status
    assert watch.ask("document.querySelectorAll('[role=dialog]').length") == 0
    assert watch.page.locator(".stage canvas").count() == 3
    for canvas in watch.page.locator(".quorum canvas").all():
        assert canvas.get_attribute("aria-label")


def test_pause_step_back_scrub_and_keys(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    last = watch.shown
    watch.page.get_by_label("Speed").select_option("2")
    watch.press(RESTART)
    watch.until("view.model.shown >= 2")
    watch.press(PAUSE)
    held = watch.shown
    assert held < last
    watch.page.wait_for_timeout(400)
    assert watch.shown == held
    watch.press(STEP)
    watch.until(f"view.model.shown === {held + 1}")
    watch.press(BACK)
    watch.until(f"view.model.shown === {held}")
    watch.page.locator(".status", has_text=f"Iteration {held}").wait_for()
    watch.page.locator(".frame").first.focus()
    watch.page.get_by_role("button", name=PLAY, exact=True).focus()
    watch.page.keyboard.press("ArrowRight")
    watch.until(f"view.model.shown === {held + 1}")
    watch.page.keyboard.press("End")
    watch.until(f"view.model.shown === {last}")
    watch.page.get_by_role("slider", name="Iteration").fill("2")
    watch.until("view.model.shown === 2")
    # going on from where it was put back to
    watch.page.get_by_label("Speed").select_option("2")
    watch.press(PLAY)
    watch.until("view.model.shown === 4")
    watch.page.get_by_role("slider", name="Iteration").focus()
    watch.page.keyboard.press(" ")
    assert watch.ask("view.mode") == "hold"


def test_the_keys_play_as_soon_as_the_page_is_there(open_page):
    """As the hint says, before anything was clicked; and a slider keeps its arrows."""
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.keyboard.press("ArrowLeft")
    watch.until("view.model.shown === view.model.last - 1")
    watch.page.keyboard.press("Space")  # one picture: "play" is over before one can look, but that it arrived is seen
    watch.finished()
    watch.move_theta()
    watch.finished()
    watch.page.keyboard.press("Space")  # from the beginning, the slider still has the focus
    watch.until("view.model.shown < view.model.last")
    watch.finished()


def test_a_run_that_cannot_begin_says_why_and_the_next_one_begins(open_page):
    """60,000 different rows: beyond what a machine has for methods that need a matrix of them, easy for others."""
    page = open_page("/data?from=upload")
    table = pd.DataFrame(np.random.default_rng(0).integers(0, 50, (60_000, 6)), columns=list("abcdef"))
    give(page, "many.csv", as_csv(table))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("many.csv is in use now").wait_for()
    page.get_by_role("link", name="Watch a method on it").click()
    page.get_by_text("This run could not start.").wait_for()
    page.get_by_text("Fewer or coarser base clusterings").wait_for()
    assert not page.locator(".quorum.ready").count()
    choose(page, "Method", f"PCE · {METHODS['pce'].title}")
    Watch(page).finished()
    assert not page.get_by_text("This run could not start.").count()


def test_a_changed_parameter_restarts_at_once_and_leaves_the_old_curve(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    before = watch.ask("model.rows.map(row => row.f)")
    watch.press(RESTART)
    watch.until("view.model.shown >= 2")
    watch.move_theta()
    assert watch.ask("view.mode") == "play"
    assert watch.ask("model.ghosts[0].f") == before
    watch.finished()
    assert "p_theta" in watch.page.url


def test_nothing_is_blank_or_made_anew_and_the_zoom_stays(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    watch.ask("view.zoomTo({ r0: 100, r1: 300, c0: 100, c1: 300 })")
    watch.root.evaluate(
        """(root) => {
          window.__blank = 0; window.__nodes = new Set();
          const look = () => {
            for (const canvas of window.quorumView.root.querySelectorAll('.stage canvas')) {
              window.__nodes.add(canvas);
              const at = [canvas.width * 0.5, canvas.height * 0.6, 1, 1];
              if (!canvas.getContext('2d').getImageData(...at).data[3]) window.__blank++;
            }
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    watch.move_theta()
    watch.finished()
    assert watch.page.evaluate("window.__blank") == 0
    assert watch.page.evaluate("window.__nodes.size") == 3
    assert watch.ask("model.zoom.r0") == 100
    assert "200 of 800 objects in view" in watch.page.locator(".tools").inner_text()
    # zoomed in, every object has its own pixels
    watch.until("[...view.cards.values()][view.cards.size - 1] && view.detailed")
    watch.press("Show everything")
    assert watch.ask("model.zoom") is None


@pytest.mark.parametrize("way", ["open", "closed"])
def test_frames_come_past_the_page_and_through_it_where_there_is_no_other_way(open_page, way):
    page = open_page("/?data=iris&method=spce")
    view, asked = Watch(page).finished(), []

    def aside(route):
        asked.append(route.request.post_data_json["seq"])
        if way == "open":
            route.continue_()
        else:
            route.fulfill(status=204)  # as if the server did not know us

    page.route("**/live", aside)
    view.move_theta()
    view.finished()
    assert view.ask("model.rows.length > 5")
    if way == "open":
        assert len(asked) >= 3 and asked == sorted(asked)
    view.move_theta()
    view.finished()


def test_pointing_reads_every_matrix_and_pinning_explains(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    watch.page.mouse.move(*watch.entry(1, 0.35, 0.3))
    readouts = watch.page.locator(".stage .readout")
    watch.until("view.answers.probe")
    assert all(re.search(r"\d", text) for text in readouts.all_inner_texts())
    watch.page.mouse.click(*watch.entry(1, 0.35, 0.3))
    watch.until("view.answers.pin?.why && view.answers.pin.i === view.model.shown")
    why = watch.page.locator(".why")
    why.filter(has_text="Objects").wait_for()
    why.locator(".formula", has_text="=").wait_for()
    told = watch.ask("view.answers.pin")
    name = told["why"]["name"]
    assert told["why"]["value"] == pytest.approx(told["values"][name], abs=1e-9)
    # asking for the same once more changes nothing
    pinned = watch.ask("view.pinId")
    why.locator("button[aria-pressed=true]").click()
    assert watch.ask("view.pinId") == pinned and watch.ask("model.pin") is not None
    # it follows the shown iteration
    watch.press(BACK)
    watch.until("view.answers.pin.i === view.model.shown")
    why.filter(has_text=f"(iteration {watch.shown})").wait_for()
    # and so does the keyboard
    watch.page.locator(".stage .frame").first.focus()
    watch.page.keyboard.press("ArrowDown")
    watch.page.keyboard.press("Enter")
    assert watch.ask("model.pin.object") is not None
    watch.page.keyboard.press("Escape")
    assert watch.ask("model.pin") is None


def test_one_selection_for_all(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    watch.page.get_by_role("button", name="select the 20 least certain").click()
    chosen = watch.ask("[...model.selected]")
    assert len(chosen) == 20
    sure = watch.ask("[...model.selected].map(object => model.sureness(object))")
    assert sorted(sure) == sure
    assert max(sure) <= watch.ask("Math.max(...model.row.sure)") / 254
    assert "20 selected" in watch.page.locator(".uncertain").inner_text()
    watch.page.locator(".size").first.click()
    assert watch.ask("model.selected.size") == watch.ask(
        "[...model.data.member].filter(p => model.row.labels[p] === 0).length"
    )


def test_rows_in_another_order(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.get_by_role("combobox", name=re.compile("order")).click()
    watch.page.locator("[role=listbox] [role=option]").nth(1).click()
    watch.until("view.model.order !== 'consensus' && view.model.frame('S', view.model.shown)")
    key = watch.ask("model.ordered().order")
    assert sorted(key.values() if isinstance(key, dict) else key) == list(range(150))


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, True)])
def test_narrow_and_dark(open_page, width, dark):
    watch = Watch(open_page("/?method=spce", width=width, dark=dark)).finished()
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width
    box = watch.root.bounding_box()
    assert box["width"] <= width
    assert watch.ask("view.look.dark") is dark
    for canvas in watch.page.locator(".stage canvas").all():
        assert canvas.bounding_box()["x"] + canvas.bounding_box()["width"] <= width


def test_the_figures_that_stand_still(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.get_by_text("Figures to zoom").click()
    chart = watch.page.locator("[data-testid=stPlotlyChart]")
    chart.wait_for()
    chart.locator(".heatmaplayer, .plot").first.wait_for()
    with watch.page.expect_download() as waiting:
        watch.page.get_by_role("button", name="CSV").first.click()
    text = waiting.value.path().read_text()
    assert len(text.splitlines()) == 151
    with watch.page.expect_download() as waiting:
        watch.page.get_by_role("button", name="HTML").first.click()
    page_of_its_own = waiting.value.path().read_text()
    assert "plotly" in page_of_its_own and 'src="https://' not in page_of_its_own  # nothing is fetched to see it
    named = {"PNG": "Download plot as a PNG", "SVG": "Download plot"}  # by plotly: so one sees that the choice arrived
    for image, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        watch.page.get_by_role("radio", name=image).or_(watch.page.get_by_role("button", name=image)).first.click()
        camera = chart.locator(f'[data-title="{named[image]}"]')
        camera.wait_for(state="attached")
        chart.hover()
        with watch.page.expect_download() as waiting:
            camera.click(force=True)
        assert waiting.value.path().read_bytes().startswith(begins)


def test_a_link_names_an_iteration(open_page):
    watch = Watch(open_page("/?data=iris&method=spce&p_theta=0.25&it=3"))
    watch.until("view.model.shown === 3 && view.mode === 'hold'")
    watch.press(STEP)
    watch.page.wait_for_url(re.compile("it=4"))
    watch.page.keyboard.press("End")
    watch.page.wait_for_url(lambda url: "it=" not in url)  # the end of a run needs no mention


def test_every_method_plays_to_its_end(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.get_by_label("Speed").select_option("0")
    for cls in METHODS.values():
        choose(watch.page, "Method", f"{cls.name()} · {cls.title}")
        watch.until(f"view.model.about.name === '{cls.name()}'")
        watch.finished()
        assert watch.ask("view.header.error") == ""
        seen = "[...view.cards.values()].filter(card => view.visible.has(card.picture.name))"
        watch.until(f"{seen}.every(card => view.model.holds(card.picture.name, view.model.shown))")
        assert watch.page.locator(".stage canvas").count() == 3


def test_a_pinned_entry_raises_no_barrier(open_page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    watch = Watch(open_page("/?method=spce", dark=True)).finished()
    watch.page.mouse.click(*watch.entry(1, 0.35, 0.3))
    watch.until("view.answers.pin?.why")
    found = axe.Axe().run(watch.page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert not serious, [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in serious]


def test_contrast_changes_colours_and_no_value(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    pixel = "[...view.cards.get('S').image.getContext('2d').getImageData(2, 3, 40, 1).data].join()"
    value = "view.cards.get('S').valueOf({ object: 3, other: 9 })"
    before = watch.ask(f"[{pixel}, {value}]")
    watch.press("More contrast: small values get most of the colours")
    watch.until("view.cards.get('S').coloured.endsWith('true')")
    after = watch.ask(f"[{pixel}, {value}]")
    assert after[0] != before[0]
    assert after[1] == before[1]
