"""A film opened from the disk, without a network: it plays, tells the core's values, explains what was pinned."""

import re

import pytest
from playwright.sync_api import expect

from consensus_core import METHODS, iterate
from consensus_core.data.samples import load
from consensus_core.live.reel import film
from tests.browser.steps import WAIT

CAPTIONS = {0: "Look at the ring.", 3: "Now <b>some</b> are linked."}
PIN = ("S", 3, 7)


@pytest.fixture(scope="module")
def reel(tmp_path_factory):
    loaded = load("island")
    methods = [METHODS["spce"](k=2), METHODS["spce"](k=2, theta=0.5, inner_cap=2, last_cap=2)]
    page = film(methods, loaded.ensemble, pins=[PIN], captions=CAPTIONS, title="Island", features=loaded.features)
    steps = [list(iterate(method, loaded.ensemble)) for method in methods]
    return page.save(tmp_path_factory.mktemp("film") / "film.html"), steps


@pytest.mark.parametrize("width", [1280, 390])
def test_a_film_plays_from_the_disk_and_tells_the_cores_values(chromium, reel, width):
    path, steps = reel
    context = chromium.new_context(viewport={"width": width, "height": 900}, offline=True, has_touch=width < 500)
    page, wrong, asked = context.new_page(), [], []
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())

    def until(claim):
        script = f"() => {{ const view = document.querySelector('.quorum')?.api; return Boolean(view && ({claim})); }}"
        page.wait_for_function(script, timeout=WAIT)

    def told(what):
        return page.evaluate(f"() => {{ const view = document.querySelector('.quorum').api; return {what}; }}")

    until("view.finished && view.mode === 'hold' && view.shown === view.last && !view.busy")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert told("view.last") == max(len(one) for one in steps) - 1
    # what was pinned is explained, and its terms open
    until("view.told?.iteration === view.shown && view.exact('S') !== undefined")
    last = steps[0][-1]
    assert told("view.exact('S')") == last.entry(*PIN)
    assert told("view.told.value") == pytest.approx(last.entry(*PIN), abs=1e-12)
    told("view.open(0)")
    until("view.trail.length === 2 && view.told")
    # another place: its caption, its values, its why
    told("view.pin(null)")
    told("view.scrub(2)")
    until("view.shown === 2 && !view.busy")
    expect(page.locator(".caption")).to_have_text(CAPTIONS[0])
    told("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    until("view.told?.iteration === 2 && view.exact('S') !== undefined")
    assert told("view.exact('S')") == steps[0][2].entry(*PIN)
    runs = told("view.runs")
    for name in ("S", "W", "S_hat"):
        for run, one in zip(runs, steps, strict=True):
            assert told(f"view.exact('{name}', '{run['id']}')") == one[2].entry(name, 3, 7)
    pair = f"{runs[0]['id']}-{runs[1]['id']}"
    assert told(f"view.exact('S', '{pair}')") == steps[1][2].entry(*PIN) - steps[0][2].entry(*PIN)
    # what nobody pinned has its value, and says that no explanation came along
    told("view.pin({ quantity: 'W', where: { object: [100, 200] } })")
    until("view.told")
    if width > 500:
        page.locator(".why").get_by_text("does not hold the explanation").wait_for()
    # it plays on to the end
    told("view.pin(null)")
    page.get_by_label("Speed").select_option("20")
    page.get_by_role("button", name="Play (space)").click()
    until("view.mode === 'hold' && view.shown === view.last")
    expect(page.locator(".caption")).to_have_text(CAPTIONS[3])
    assert not wrong and all(re.match("file:|blob:|data:", url) for url in asked), (wrong, asked)
    context.close()
