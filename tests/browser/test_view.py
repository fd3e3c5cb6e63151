"""The live view in a bare page: it does not know its host, follows an equation to its end, shows two runs, and leaves
nothing behind."""

import numpy as np
import pytest

from tests.browser.bare import Bare
from tests.stand_ins import Changing, Halving, Telling, all_distinct, an_ensemble, ended


@pytest.fixture
def bare(chromium):
    """bare(stage, width=390) -> a bare page with the view of a stage, looked over at the end."""
    contexts, wrong = [], []

    def open_(stage, width=1280, height=900, **more):
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(f"{error}\n{error.stack}"))
        return Bare(page, stage).open()

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, wrong


def test_the_view_does_not_know_its_host(bare):
    view = bare(ended())
    assert view.ask("view.method") == "Halving" and view.ask("view.shown") == 6
    assert view.page.locator(".stage canvas").count() == 3
    view.page.get_by_role("button", name="Back (left arrow)").click()
    view.until("view.shown === 5")
    view.page.get_by_role("button", name="Play (space)").click()
    view.until("view.mode === 'hold' && view.shown === 6")
    # while one rests, nothing is asked
    asked = len(view.asked)
    view.say("view.select([1, 2])")
    view.until("view.selected.length === 2 && !view.busy")
    assert len(view.asked) - asked <= 2


@pytest.mark.parametrize("ensemble", [all_distinct(24), an_ensemble(24)], ids=["all distinct", "some alike"])
def test_what_is_pointed_at_is_what_is_drawn(bare, ensemble):
    """Where all label rows were distinct every matrix was drawn permuted against its own labels and pins: hovering
    showed one value, the pinned entry of the same cell another."""
    stage = ended(Changing(k=3), ensemble=ensemble)
    view, run = bare(stage), stage.run
    rng = np.random.default_rng(0)
    for order in ("consensus", "given", "leaf", "base:1", "truth"):
        stage.sight.order = order
        view.say("view.scrub(2)")
        view.until(f"view.order === '{order}' && view.shown === 2 && !view.busy")
        S = run.at(2).state.S
        for i, j in rng.integers(ensemble.n, size=(6, 2)).tolist():
            drawn = view.ask(f"view.value('S', {{ where: {{ object: [{i}, {j}] }} }})")
            exact = run.method.entry(ensemble, run.at(2).state, "S", i, j)
            assert drawn == pytest.approx(exact, abs=S.max() / 500)
            place = view.ask(f"view.placeOf('S', {{ where: {{ object: [{i}, {j}] }} }})")
            view.page.mouse.move(*place)
            view.until(f"view.pointed && view.pointed.values['{run.id}'].S === {exact!r}")
        view.say("view.scrub(6)")
        view.until("view.shown === 6")


def test_an_equation_is_followed_to_its_end_and_back(bare):
    """By terms, each at its own iteration; a trail of crumbs leads back."""
    stage = ended(Telling(k=3))
    view, run = bare(stage), stage.run
    value = lambda at: run.method.entry(run.ensemble, run.at(at).state, "S", 3, 7)  # noqa: E731
    view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    view.until("view.told")
    why = view.page.locator(".why")
    assert why.locator("math [data-term]").count() == 2
    assert "Of 4 and 8 half is left" in why.inner_text()  # by the names of the objects
    for iteration in range(6, 0, -1):
        view.until(f"view.told?.iteration === {iteration} && view.shown === {iteration} && !view.busy")
        assert view.ask("view.told.value") == value(iteration)
        term = why.locator(".terms button").first
        assert "before" in term.get_attribute("class") and "what was left" in term.inner_text()
        term.click()
    view.until("view.told?.iteration === 0 && view.shown === 0")
    why.locator("math [data-term='0']").click()  # in the formula itself; and it leads to another picture
    view.until("view.told?.name === 'A' && view.pinned.quantity === 'A'")
    why.locator(".line .term").first.focus()
    view.page.keyboard.press("Enter")  # by the keyboard
    why.get_by_text("Here the trail ends: in the base labels.").wait_for()
    crumbs = why.locator(".crumbs li")
    assert crumbs.count() == 9 and crumbs.last.inner_text() == "labels"
    crumbs.nth(2).get_by_role("button").click()
    view.until("view.told?.iteration === 4 && view.shown === 4")
    assert crumbs.count() == 3
    # a dial is the end of a trail as well, by touch of its row
    why.locator(".terms button").nth(1).click()
    why.get_by_text("β is a dial: it stands at 2.").wait_for()
    # who scrubs leaves the trail, and sees the why of the iteration shown
    crumbs.first.get_by_role("button").click()
    view.say("view.scrub(5)")
    view.until("view.told?.iteration === 5 && view.trail.length === 1")


def test_letters_are_explained_and_values_of_before_are_told_apart(bare):
    view = bare(ended(Telling(k=3)))
    view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    view.until("view.told")
    why = view.page.locator(".why")
    labels = [term.get_attribute("aria-label") for term in why.locator("math [data-term]").all()]
    assert labels[0].startswith("S: what was left") and "before this step" in labels[0]
    assert "◂ marks values of the step before" in why.inner_text()
    why.locator(".terms button").first.hover()
    assert why.locator(".lit[data-term='0']").count() >= 1
    filled = why.locator(".formula .line").nth(1).locator(".term")
    assert "before" in filled.nth(0).get_attribute("class") and "before" not in filled.nth(1).get_attribute("class")


def test_mathematics_brings_nothing_else_with_it(bare):
    stage = ended(Telling(k=3))
    view = bare(stage)
    evil = (
        '<math onclick="window.hit = 1"><mi data-term="0">S</mi><mtext><img src=x onerror="window.hit = 1"></mtext>'
        '<annotation-xml encoding="text/html"><script>window.hit = 1</script></annotation-xml></math>'
    )
    whole = Telling.why

    class Told:
        def __init__(self, told):
            self.told = told

        def json(self):
            return {**self.told.json(), "mathml": evil}

    Telling.why = lambda self, *args, **more: Told(whole(self, *args, **more))
    try:
        view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
        view.until("view.told")
        view.page.locator(".why math").first.click()
    finally:
        Telling.why = whole
    assert view.page.evaluate("window.hit") is None
    assert not view.page.locator(".why img, .why script").count()


def test_two_runs_scrub_together_and_their_difference_is_drawn(bare):
    stage = ended(Halving(k=3, steps=4), Halving(k=3, by=4.0, steps=9))
    view = bare(stage)
    one, other = stage.runs
    assert view.ask("view.last") == 9 and [run["last"] for run in view.ask("view.runs")] == [4, 9]
    names = view.page.locator(".stage .of").all_inner_texts()
    assert any("β = 2" in name for name in names) and any("β = 4" in name and "−" in name for name in names)
    part = {"one": one.id, "other": other.id, "difference": f"{one.id}-{other.id}"}
    for at in (2, 9):
        view.say(f"view.scrub({at})")
        view.until(f"view.shown === {at} && !view.busy")
        states = [run.at(min(at, len(run.moments) - 1)).state for run in stage.runs]
        exact = {"one": states[0].S, "other": states[1].S, "difference": states[1].S - states[0].S}
        for name, S in exact.items():
            drawn = view.ask(f"view.value('S', {{ where: {{ object: [3, 9] }} }}, '{part[name]}')")
            member = stage.ensemble.member_of
            assert drawn == pytest.approx(S[member[3], member[9]], abs=np.ptp(S) / 500 + 1e-9)
    view.say("view.pin({ quantity: 'S', where: { object: [3, 9] } })")
    view.until(f"view.exact('S', '{part['difference']}') !== undefined")
    assert view.ask(f"view.exact('S', '{part['difference']}')") == pytest.approx(
        view.ask(f"view.exact('S', '{other.id}') - view.exact('S', '{one.id}')")
    )
    # both courses, one axis: the run that ended earlier rests at its end
    key = view.page.locator(".curves.main .curve").first.locator(".key").inner_text()
    assert "β = 2" in key and "β = 4" in key
    assert view.page.locator(".status strong").count() == 2


def test_a_dial_of_the_second_run_restarts_only_that_one(bare):
    stage = ended(Halving(k=3), Halving(k=3, by=4.0))
    view = bare(stage)
    one, other = stage.runs
    view.say(f"view.turn('by', 3.0, '{other.id}')")
    view.until(f"view.runs[1].id !== '{other.id}' && view.finished && view.shown === view.last && !view.busy")
    assert view.ask("view.runs[0].id") == one.id and stage.runs[1].method.by == 3.0
    assert not stage.dialled  # the page's widgets are those of the first


def test_a_hundred_views_leave_nothing(bare):
    """Each once left a listener on the document, and with it up to 60 MB of pictures."""
    view = bare(ended(ensemble=an_ensemble(300)))
    page = view.page
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def held():
        for _ in range(3):
            devtools.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
        return {name: found[name] for name in ("JSHeapUsedSize", "JSEventListeners", "Nodes")}

    once = """async () => {
      const view = window.place();
      await new Promise((done) => {
        const end = view.on("painted", () => { if (view.shown === view.last && !view.busy) { end(); done(); } });
      });
      view.destroy();
      document.querySelector("main").lastChild.remove();
    }"""
    for _ in range(5):
        page.evaluate(once)
    before = held()
    for _ in range(100):
        page.evaluate(once)
    after = held()
    grown = {name: after[name] - before[name] for name in before}
    print("after 100 mounts:", grown, "of", before)
    assert grown["JSEventListeners"] <= 5 and grown["Nodes"] <= 50
    assert grown["JSHeapUsedSize"] < 1_000_000
    view.say("view.scrub(2)")  # the first one still lives
    view.until("view.shown === 2")
