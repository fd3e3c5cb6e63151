"""The Watch page in a real Chromium: play, pause, step, scrub, pin, zoom, dials, links, every method."""

import contextlib
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import TimeoutError, expect

from consensus_core import METHODS
from tests.browser.steps import (
    TRIES,
    WAIT,
    as_csv,
    barriers,
    choose,
    choose_method,
    give,
    settled,
    told,
    unfold,
    until,
    walked,
)

PLAY, PAUSE = "Play (space)", "Pause (space)"
STEP, BACK, RESTART = "Step (right arrow)", "Back (left arrow)", "Restart (Home)"


class Watch:
    """What the tests say about a page, in words."""

    def __init__(self, page):
        self.page = page
        page.wait_for_selector(".quorum.ready", timeout=WAIT)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def finished(self):
        """Played to its end and at rest."""
        return self.until("view.mode === 'hold' && view.finished && view.shown === view.last && !view.busy")

    def until(self, claim):
        until(self.page, claim, timeout=WAIT)
        return self

    def ask(self, what):
        return told(self.page, what)

    @contextlib.contextmanager
    def turning(self):
        """Every state the player takes meanwhile: to look now and then would miss short ones."""
        self.ask("(window.turns = [], window.endOfTurns = view.on('turned', ({ to }) => window.turns.push(to)), 0)")
        yield lambda: self.ask("window.turns")
        self.ask("window.endOfTurns()")

    @property
    def root(self):
        return self.page.locator(".quorum")

    @property
    def shown(self):
        return self.ask("view.shown")

    @property
    def status(self):
        return self.page.locator(".status").inner_text()

    @property
    def why(self):
        return self.page.locator(".why")

    def move_theta(self, key="ArrowRight"):
        slider = self.page.locator(".st-key-p_theta [role=slider], .st-key-p_theta input").first
        slider.focus()
        run = self.ask("view.run")
        self.page.keyboard.press(key)
        self.until(f"view.run !== '{run}' && view.shown >= 0")

    def entry(self, picture, across, down):
        """The place of a point of a picture on the screen, by shares of the canvas."""
        box = self.page.locator(".matrix canvas").nth(picture).bounding_box()
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def click_entry(self, name, *where, axes=("object", "object")):
        """Clicks an entry of a picture, by the numbers of what stands there."""
        lists = {}
        for axis, at in zip(axes, where, strict=True):
            lists.setdefault(axis, []).append(at)
        card = self.page.locator(".matrix").nth(self.ask(_MATRIX.format(name=name)))
        card.scroll_into_view_if_needed()
        pin = f"{{ where: {lists} }}"
        self.until(f"view.placeOf('{name}', {pin})")
        self.page.mouse.click(*self.ask(f"view.placeOf('{name}', {pin})"))
        return pin


# which of the matrices on the page draws a quantity
_MATRIX = (
    "[...root.querySelectorAll('.matrix')].findIndex((card) => card.querySelector('.letter').textContent === "
    "view.pictures.find((picture) => picture.name === '{name}').letter)"
)
# a picture that was scrolled to is drawn
_COME = "view.pictures.find((picture) => picture.name === '{name}').onScreen && !view.busy"


def test_first_visit_shows_a_finished_run(open_page):
    watch = Watch(open_page("/")).finished()
    assert "Converged" in watch.status
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
    watch.until("view.shown >= 2 && view.shown < view.last")
    watch.press(PAUSE)
    watch.until("view.state === 'resting' && !view.busy")
    held = watch.shown
    assert held < last
    watch.press(STEP)
    watch.until(f"view.shown === {held + 1}")  # a step, and no more: it had stopped
    watch.press(BACK)
    watch.until(f"view.shown === {held}")
    watch.page.locator(".status", has_text=f"Iteration {held}").wait_for()
    watch.page.locator(".frame").first.focus()
    watch.page.get_by_role("button", name=PLAY, exact=True).focus()
    watch.page.keyboard.press("ArrowRight")
    watch.until(f"view.shown === {held + 1}")
    watch.page.keyboard.press("End")
    watch.until(f"view.shown === {last}")
    watch.page.get_by_role("slider", name="Iteration").fill("2")
    watch.until("view.shown === 2")
    # going on from where it was put back to
    watch.press(PLAY)
    watch.until("view.shown === 4")
    watch.page.get_by_role("slider", name="Iteration").focus()
    watch.page.keyboard.press(" ")
    watch.until("view.mode === 'hold'")


def test_the_keys_play_as_soon_as_the_page_is_there(open_page):
    """As the hint says, before anything was clicked; and a slider keeps its arrows."""
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    last = watch.shown
    watch.page.keyboard.press("ArrowLeft")
    watch.until(f"view.shown === {last - 1}")
    with watch.turning() as states:  # one picture: it has played before one could look
        watch.page.keyboard.press("Space")
        watch.finished()
    assert states() == ["playing", "resting"]
    watch.move_theta()
    watch.finished()
    with watch.turning() as states:
        watch.page.keyboard.press("Space")
        watch.until("window.turns.includes('playing')")
        watch.finished()
    assert states() == ["playing", "resting"]


def test_a_run_that_cannot_begin_says_why_and_the_next_one_begins(open_page):
    """60,000 different rows of which nearly all are together once: beyond what a machine has for methods that look at
    all such pairs, easy for others."""
    page = open_page("/data?from=upload")
    table = pd.DataFrame(np.random.default_rng(0).integers(0, 5, (60_000, 12)), columns=list("abcdefghijkl"))
    give(page, "many.csv", as_csv(table))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("many.csv is in use now").wait_for()
    page.get_by_role("link", name="Watch a method on it").click()
    page.get_by_text("This run could not start.").wait_for()
    page.get_by_text("Fewer or coarser base clusterings").wait_for()
    assert not page.locator(".quorum.ready").count()
    choose(page, "Method", METHODS["pce"].name())
    Watch(page).until("view.shown >= 0")
    expect(page.get_by_text("This run could not start.")).to_have_count(0)


def test_a_changed_parameter_restarts_at_once_and_leaves_the_old_curve_with_its_setting(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    before = watch.ask("view.iterations().map((row) => row.f)")
    watch.press(RESTART)
    watch.until("view.shown >= 2 && view.shown < view.last")
    # a short run has played to its end before one could look
    seen = "view.on('painted', ({ run }) => view.mode === 'play' && window.played.add(run))"
    watch.ask(f"(window.played = new Set(), {seen}, 0)")
    watch.move_theta()
    watch.finished()
    assert watch.ask("window.played.has(view.run)")
    assert watch.ask("view.ghosts[0].f") == before
    watch.page.wait_for_url("**p_theta**")
    # grey curves once did not say which setting they were
    watch.page.locator(".curves.main .key", has_text="θ = 0.2").first.wait_for()


def test_nothing_is_blank_or_made_anew_and_the_zoom_stays(open_page):
    watch = Watch(open_page("/?data=shapes&method=spce")).finished()
    watch.ask("view.zoomTo({ r0: 100, r1: 300, c0: 100, c1: 300 })")
    watch.root.evaluate(
        """(root) => {
          window.blank = 0; window.nodes = new Set();
          const look = () => {
            for (const canvas of root.querySelectorAll('.stage canvas')) {
              window.nodes.add(canvas);
              const at = [canvas.width * 0.5, canvas.height * 0.6, 1, 1];
              if (!canvas.getContext('2d').getImageData(...at).data[3]) window.blank++;
            }
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    watch.move_theta()
    watch.finished()
    assert watch.page.evaluate("window.blank") == 0
    assert watch.page.evaluate("window.nodes.size") == 3
    assert watch.ask("view.zoom.r0") == 100
    assert "200 of 800 objects in view" in watch.page.locator(".tools").inner_text()
    watch.until("view.detailed")  # zoomed in, every object has its own pixels
    watch.press("Show everything")
    assert watch.ask("view.zoom") is None


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
    assert view.ask("view.last > 5")
    with page.expect_response("**/live"):  # the page may have brought a run this short as a whole
        view.ask("view.refresh()")
    assert asked and asked == sorted(asked)
    view.move_theta()
    view.finished()


def test_pointing_reads_every_matrix_and_pinning_explains(open_page):
    watch = Watch(open_page("/?method=spce")).finished()
    watch.page.mouse.move(*watch.entry(1, 0.35, 0.3))
    readouts = watch.page.locator(".stage .readout")
    watch.until("view.pointed")
    assert all(re.search(r"\d", text) for text in readouts.all_inner_texts())
    watch.page.mouse.click(*watch.entry(1, 0.35, 0.3))
    watch.until("view.told && view.trail[0].iteration === view.shown")
    watch.why.filter(has_text="Objects").wait_for()
    watch.why.locator(".formula", has_text="=").wait_for()
    name = watch.ask("view.trail[0].name")
    watch.until(f"view.exact('{name}') !== undefined")
    assert watch.ask("view.told.value") == pytest.approx(watch.ask(f"view.exact('{name}')"), abs=1e-9)
    # asking for the same once more changes nothing
    pinned = watch.ask("view.pinned")
    watch.why.locator("button[aria-pressed=true]").click()
    assert watch.ask("view.pinned") == pinned
    # it follows the shown iteration
    watch.press(BACK)
    watch.until("view.told && view.trail[0].iteration === view.shown && view.shown < view.last")
    watch.why.filter(has_text=f"iteration {watch.shown}").wait_for()
    # and so does the keyboard
    watch.page.locator(".stage .frame").first.focus()
    watch.page.keyboard.press("ArrowDown")
    watch.page.keyboard.press("Enter")
    assert watch.ask("view.pinned.where.object.length") == 2
    watch.page.keyboard.press("Escape")
    assert watch.ask("view.pinned") is None


def test_what_the_new_method_does_not_show_is_no_longer_asked_why(open_page):
    """SPCE's formula once stood for ever above EC-CMS's values."""
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.click_entry("W", 3, 77)
    watch.until("view.told && view.trail[0].name === 'W'")
    choose(watch.page, "Method", METHODS["ec_cms"].name())
    watch.until("view.method === 'EC-CMS'").finished()
    assert watch.ask("view.pinned") is None and not watch.ask("view.trail.length")
    watch.why.get_by_text("Point at a picture to read it").wait_for()
    assert not watch.page.locator(".why .formula").count()
    # what both show is asked anew: A of LWEA and EAC
    choose(watch.page, "Method", METHODS["lwea"].name())
    watch.until("view.method === 'LWEA'").finished()
    watch.click_entry("A", 3, 77)
    watch.until("view.told && view.trail[0].name === 'A'")
    choose_method(watch.page, "eac")
    watch.until("view.method === 'EAC' && view.told && view.trail[0].run === view.run && view.trail[0].name === 'A'")


def test_cluster_by_cluster_is_pinned_off_the_diagonal(open_page):
    """Why was once silently the diagonal entry's: (2, 2) for (0, 2)."""
    watch = Watch(open_page("/?data=iris&method=pce")).finished()
    watch.click_entry("R", 0, 2, axes=("coordinate", "cluster"))
    watch.until("view.pinned?.quantity === 'R' && view.exact('R') !== undefined")
    assert watch.ask("view.pinned.where") == {"coordinate": [0], "cluster": [2]}
    assert watch.ask("view.trail[0].where") == [0, 2]


def test_everything_shown_can_be_asked_why(open_page):
    """Scalars by their curve, points of an embedding, weights by a bar, the labels of a method by a cell."""
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    curve = watch.page.locator(".curve").filter(has_text="age of the learner").locator(".frame")
    curve.scroll_into_view_if_needed()
    curve.click(position={"x": 120, "y": 40})
    watch.until("view.trail[0]?.name === 'lam' && view.told && view.trail[0].iteration === view.shown")
    assert watch.shown < watch.ask("view.last")
    curve.focus()
    watch.page.keyboard.press("End")
    watch.until("view.shown === view.last && view.trail[0].iteration === view.last")
    bars = watch.page.locator(".bars").first.locator(".frame")
    bars.scroll_into_view_if_needed()
    for patience in TRIES:  # there is no bar to go to before its picture has come
        bars.focus()
        watch.page.keyboard.press("ArrowRight")
        watch.page.keyboard.press("Enter")
        with contextlib.suppress(TimeoutError):
            asked = "view.told && ['alpha', 'd', 'sigma'].includes(view.trail[0]?.name) && view.trail[0].where[0] >= 0"
            until(watch.page, asked, timeout=patience)
            break
    points = watch.page.locator(".points").filter(has_text="coordinates in which S").locator(".frame")
    points.scroll_into_view_if_needed()
    watch.until(_COME.format(name="Y"))
    points.focus()
    watch.page.keyboard.press("ArrowRight")
    watch.page.keyboard.press("Enter")
    watch.until("view.told && view.trail[0].name === 'Y' && view.trail[0].where[1] === 0")
    watch.why.get_by_role("button", name="coordinate 2").click()
    watch.until("view.told && view.trail[0].where[1] === 1")
    choose(watch.page, "Method", METHODS["pce"].name())
    watch.until("view.method === 'PCE'").finished()
    tracks = watch.page.locator(".tracks").filter(has_text="as they are filled in").locator(".frame")
    tracks.scroll_into_view_if_needed()
    watch.until(_COME.format(name="base"))
    tracks.focus()
    watch.page.keyboard.press("ArrowDown")
    watch.page.keyboard.press("ArrowRight")
    watch.page.keyboard.press("Enter")
    watch.until("view.told && view.trail[0].name === 'base' && view.trail[0].where[1] === 0")


def test_one_selection_for_all(open_page):
    watch = Watch(open_page("/?data=shapes&method=spce")).finished()
    watch.page.get_by_role("button", name="select the 20 least certain").click()
    watch.until("view.selected.length && !view.busy")
    chosen = watch.ask("view.selected")
    certainty = np.array(watch.ask("view.certainty"))
    assert len(set(chosen)) == 20
    rest = np.setdiff1d(np.arange(800), chosen)
    assert certainty[chosen].max() <= certainty[rest].min()  # the least of all, not twenty of any
    panel = watch.page.locator(".uncertain")
    expect(panel).to_contain_text("20 selected")
    # all of them are listed, once only 9 were; and the list can be scrolled by the keyboard
    expect(panel.locator("tbody tr")).to_have_count(20)
    names = panel.locator("tbody tr button").all_inner_texts()
    assert sorted(int(name) - 1 for name in names) == sorted(chosen)
    assert panel.locator(".scroll").get_attribute("tabindex") == "0"
    watch.page.locator(".size").first.click()
    labels = watch.ask("view.labels")
    assert sorted(watch.ask("view.selected")) == [object for object, label in enumerate(labels) if label == 0]


def test_rows_in_another_order(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    choose(watch.page, "Rows in the order of", "the table, as given")
    watch.until("view.order === 'given' && view.rows.length && !view.busy")
    assert watch.ask("view.rows") == list(range(150))


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, True)])
def test_narrow_and_dark(open_page, width, dark):
    watch = Watch(open_page("/?method=spce", width=width, dark=dark)).finished()
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width
    box = watch.root.bounding_box()
    assert box["width"] <= width
    assert watch.ask("view.dark") is dark
    for canvas in watch.page.locator(".stage canvas").all():
        assert canvas.bounding_box()["x"] + canvas.bounding_box()["width"] <= width


def test_the_figures_that_stand_still(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    chart = watch.page.locator("[data-testid=stPlotlyChart]")
    unfold(watch.page, "Figures to zoom", chart)
    chart.locator(".heatmaplayer, .plot").first.wait_for()
    with watch.page.expect_download() as waiting:
        watch.page.get_by_role("button", name="CSV").first.click()
    text = waiting.value.path().read_text()
    assert len(text.splitlines()) == 151
    with watch.page.expect_download() as waiting:
        watch.page.get_by_role("button", name="HTML").first.click()
    page_of_its_own = waiting.value.path().read_text()
    assert "plotly" in page_of_its_own and 'src="https://' not in page_of_its_own  # nothing is fetched to see it
    for image, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        watch.page.get_by_role("radio", name=image).or_(watch.page.get_by_role("button", name=image)).first.click()
        # the chart is made anew for the other kind of image: its camera is that of the chart named so
        own = watch.page.locator(f".st-key-standing_{image.lower()} [data-testid=stPlotlyChart]")
        own.wait_for()
        settled(watch.page)
        camera = own.locator('[data-title^="Download plot"]')
        camera.wait_for(state="attached")
        assert _photographed(watch.page, own, camera).startswith(begins)


def _photographed(page, chart, camera) -> bytes:
    """What the camera gives. A click on a chart that is just made anew is lost: then it is clicked once more."""
    for patience in TRIES:
        camera.evaluate("camera => camera.scrollIntoView({block: 'center'})")  # not under the pages' names
        chart.hover()
        with contextlib.suppress(TimeoutError):
            with page.expect_download(timeout=2 * patience) as waiting:
                camera.click(force=True)
            return waiting.value.path().read_bytes()
    raise AssertionError("the camera was clicked again and again, and nothing came")


def test_a_link_names_an_iteration(open_page):
    watch = Watch(open_page("/?data=iris&method=spce&p_theta=0.25&it=3"))
    watch.until("view.shown === 3 && view.mode === 'hold'")
    watch.press(STEP)
    watch.page.wait_for_url(re.compile("it=4"))
    watch.page.keyboard.press("End")
    watch.page.wait_for_url(lambda url: "it=" not in url)  # the end of a run needs no mention


def test_a_link_says_what_is_pinned_and_in_view(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.click_entry("S", 3, 77)
    watch.until("view.pinned")
    watch.ask("view.zoomTo({ r0: 10, r1: 60, c0: 10, c1: 60 })")
    watch.press("More contrast: small values get most of the colours")
    watch.page.wait_for_url(lambda url: "pin=S.3.77" in url and "zoom=10.60.10.60" in url and "contrast=1" in url)
    path = "/" + watch.page.url.split("/", 3)[3]
    other = Watch(open_page(path)).finished().until("view.told")
    assert other.ask("[view.pinned.where, view.zoom, view.contrast]") == watch.ask(
        "[view.pinned.where, view.zoom, view.contrast]"
    )
    assert other.ask("view.pinned.quantity") == "S"
    other.press("Close: nothing is pinned")
    other.page.wait_for_url(lambda url: "pin=" not in url)
    # what a link says wrongly is said, and everything else is as it says
    wrong = Watch(open_page("/?data=iris&method=spce&pin=Q.1.2&contrast=1")).finished()
    wrong.page.get_by_text("This link pins an entry that is not shown here.").wait_for()
    assert wrong.ask("view.contrast") and wrong.ask("view.pinned") is None


def test_every_method_plays_to_its_end(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.get_by_label("Speed").select_option("0")
    for cls in map(METHODS.get, walked(METHODS)):
        choose_method(watch.page, cls.key)
        watch.until(f"view.method === '{cls.name()}'")
        watch.finished()
        assert watch.ask("view.error") == ""
        assert watch.page.locator(".stage canvas").count() == 3
        if cls.quantities() and any(q.letter == "components" for q in cls.quantities()):
            assert watch.page.locator(".curve", has_text="components found").count() == 1
        else:  # of components only those speak that have some
            assert watch.page.locator(".curve", has_text="clusters found").count() == 1
            assert "components" not in watch.status


def test_the_wanted_number_follows_k(open_page):
    """The dotted line once stayed at the k of the page's first run."""
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    watch.page.locator(".curve .key", has_text="wanted: 3").wait_for()
    watch.page.get_by_role("slider", name="clusters wanted").press("ArrowRight")
    watch.until("view.settings.includes('k = 4')").finished()
    watch.page.locator(".curve .key", has_text="wanted: 4").wait_for()


def test_a_dial_moved_in_the_view_restarts_past_the_page_which_follows(open_page):
    page = open_page("/?data=iris&method=spce")
    watch, aside = Watch(page).finished(), []
    page.on("request", lambda request: aside.append(request) if request.url.endswith("/live") else None)
    watch.press("Move the method's own dials here")
    dial = page.get_by_role("group", name="Dials").get_by_role("slider", name="sparsity threshold θ")
    run = watch.ask("view.run")
    dial.press("ArrowRight")
    watch.until(f"view.run !== '{run}' && view.settings.includes('θ = 0.25')").finished()
    assert any((request.post_data_json.get("dial") or {}).get("name") == "theta" for request in aside)
    # the page's own widget and the link follow when the hand rests, and nothing begins anew
    page.wait_for_url(re.compile("p_theta=0.25"))
    run = watch.ask("view.run")
    expect(page.get_by_role("slider", name="sparsity threshold θ").first).to_have_value("0.25")
    settled(page)
    assert watch.ask("view.run") == run
    # and the other way round
    watch.move_theta("ArrowLeft")
    watch.finished()
    page.get_by_role("group", name="Dials").get_by_text("θ = 0.2", exact=True).wait_for()


def test_a_pinned_entry_raises_no_barrier(open_page):
    watch = Watch(open_page("/?method=spce", dark=True)).finished()
    watch.page.mouse.click(*watch.entry(1, 0.35, 0.3))
    watch.until("view.told")
    assert not (grave := barriers(watch.page)), grave


def test_contrast_changes_colours_and_their_bar_and_no_value(open_page):
    watch = Watch(open_page("/?data=iris&method=spce")).finished()
    index = watch.ask(_MATRIX.format(name="S"))
    matrix = watch.page.locator(".matrix").nth(index)
    pixels = "(canvas) => canvas.getContext('2d').getImageData(90, 90, 200, 1).data.join()"
    ticks = "(ticks) => [...ticks.children].map((tick) => [tick.textContent, tick.style.left]).join()"
    value = "view.value('S', { where: { object: [3, 9] } })"
    before = [matrix.locator("canvas").evaluate(pixels), matrix.locator(".ticks").evaluate(ticks), watch.ask(value)]
    watch.press("More contrast: small values get most of the colours")
    watch.until("view.contrast && !view.busy")
    after = [matrix.locator("canvas").evaluate(pixels), matrix.locator(".ticks").evaluate(ticks), watch.ask(value)]
    # a real .15 was read as .45 off a bar that did not move
    assert after[0] != before[0] and after[1] != before[1]
    assert after[2] == before[2]


def test_one_number_is_said_where_there_is_one_step(open_page):
    """A method of one step has no course: it once drew a line of two points."""
    watch = Watch(open_page("/?data=iris&method=lwea")).finished()
    first = watch.page.locator(".curves.main .curve").first
    assert first.locator("canvas").is_hidden()
    assert re.search(r"height of the cut\s+[\d.]+", first.inner_text())


def test_the_big_screen(open_page):
    for width, height in ((1280, 720), (853, 480)):  # the second is the first at 150%
        watch = Watch(open_page("/?method=spce&big=1", width=width, height=height)).finished()
        assert watch.ask("view.big") and watch.ask("view.layout") == "big"
        watch.page.mouse.click(*watch.entry(0, 0.35, 0.3))
        watch.until("view.told")
        for part in (".transport", ".left .matrix", ".right .curve", ".right .why", ".why .formula", ".dial"):
            box = watch.page.locator(part).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1, part
            assert box["y"] >= 0 and box["y"] + min(box["height"], 60) <= height, part
        small = watch.root.evaluate(
            """(root) => [...root.querySelectorAll('*')].filter((node) => node.checkVisibility() &&
              [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()) &&
              !node.closest('sub, sup, math') && parseFloat(getComputedStyle(node).fontSize) < 20)
              .map((node) => node.outerHTML.slice(0, 80))"""
        )
        assert not small
    assert not watch.ask("view.pictures.find((one) => one.name === 'W').onScreen")
    which = watch.page.get_by_role("combobox", name="Which matrix")
    which.select_option(which.locator("option", has_text=re.compile("^W:")).get_attribute("value"))
    watch.until("view.pictures.find((one) => one.name === 'W').onScreen && !view.busy")
    watch.press("Leave the big screen")
    watch.until("view.layout !== 'big'")
    watch.page.wait_for_url(lambda url: "big=" not in url)


def test_on_a_telephone_there_are_tabs_and_a_sheet(open_page):
    page = open_page("/?data=iris&method=spce", width=390, height=844, has_touch=True)
    watch = Watch(page).finished()
    assert watch.ask("view.layout") == "narrow"
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") < 4000
    for name in ("Curves", "Map & clusters", "Pictures"):
        page.get_by_role("tab", name=name).click()
        assert page.get_by_role("tab", name=name).get_attribute("aria-selected") == "true"
    page.locator(".matrix canvas").first.scroll_into_view_if_needed()
    watch.until("!view.busy")  # what comes into view makes room for itself
    page.touchscreen.tap(*watch.entry(0, 0.5, 0.5))
    watch.until("view.told")
    box = page.locator(".why").bounding_box()
    assert box["y"] < 844 and box["y"] + box["height"] <= 845 and box["height"] < 500  # in sight, from below
    page.get_by_role("button", name="Close: nothing is pinned").tap()
    page.locator(".why").wait_for(state="hidden")
    small = watch.root.evaluate(
        """(root) => [...root.querySelectorAll('button, select, input, [role=tab]')].filter((node) =>
          node.checkVisibility() && !node.closest('p')).map((node) => [node, node.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
          .map(([node, box]) => `${node.outerHTML.slice(0, 90)} ${box.width} ${box.height}`)"""
    )
    assert not small
    # the one dial in use, under the transport
    dial = page.get_by_role("slider", name="sparsity threshold θ").last
    run = watch.ask("view.run")
    dial.press("ArrowRight")
    watch.until(f"view.run !== '{run}'").finished()
    assert not page.locator(".quorum").get_by_text("arrow", exact=False).is_visible()


def test_it_is_broken_and_repaired_by_one_click_each(open_page):
    """The opening sample: θ = .5 is wrong, and the pair weights repair it without touching θ."""
    watch = Watch(open_page("/")).finished()
    assert watch.ask("view.iterations().at(-1).scores.ARI") == 1
    row = watch.page.locator(".st-key-preset-pace-island")
    unfold(watch.page, "Break it, repair it", row)
    for setting, ari in (("self-paced", lambda x: x < 0.1), ("none", lambda x: x == 1)):
        run = watch.ask("view.run")
        row.get_by_role("button", name=setting).click()
        watch.until(f"view.run !== '{run}'")
        watch.finished()
        assert ari(watch.ask("view.iterations().at(-1).scores.ARI")), setting
        watch.page.wait_for_url("**p_theta=0.5**")
        assert watch.ask("view.ghosts.length") > 0


def test_a_film_is_taken_home(open_page):
    watch = Watch(open_page("/?data=five&method=spce&p_k=2&pin=S.2.4")).finished()
    unfold(watch.page, "Take it home", watch.page.get_by_text("A film of it"))
    unfold(watch.page, "A film of it", watch.page.get_by_text("S of the pinned entry is explained"))
    with watch.page.expect_download() as waiting:
        watch.page.get_by_role("button", name="Film (HTML)").click()
    page = waiting.value.path().read_text()
    assert waiting.value.suggested_filename.endswith("film.html") and 'id="reel"' in page
