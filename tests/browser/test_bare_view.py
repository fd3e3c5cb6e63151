"""The live view in a bare page: it does not know its host, follows an equation to its end, shows two runs, and leaves
nothing behind."""

import re

import numpy as np
import pytest

from consensus_core.method import Why
from tests.stand_ins import Changing, Halving, all_distinct, an_ensemble, ended


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
        view.say("view.scrub(2); view.refresh()")  # nobody tells a bare page that the order is another one
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
    stage = ended()
    view, run = bare(stage), stage.run
    view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    view.until("view.told")
    why = view.page.locator(".why")
    assert why.locator("math [data-term]").count() == 4  # two terms, in letters and in numbers
    assert "Of what 4 and 8 had, " in why.inner_text()  # by the names of the objects
    for iteration in range(6, 0, -1):
        view.until(f"view.told?.iteration === {iteration} && view.shown === {iteration} && !view.busy")
        assert view.ask("view.told.value") == run.at(iteration).entry("S", 3, 7)
        term = why.locator(".terms button").first
        assert "before" in term.get_attribute("class") and "what is left" in term.inner_text()
        term.click()
    view.until("view.told?.iteration === 0 && view.shown === 0")
    why.locator("math [data-term='0']").first.click()  # in the formula itself; and it leads to another picture
    view.until("view.told?.name === 'A' && view.pinned.quantity === 'A'")
    assert view.page.locator(".card.asked .letter").inner_text() == "A"  # it is marked where it comes from
    why.locator(".line .term").first.focus()
    view.page.keyboard.press("Enter")  # by the keyboard; to what has no picture of its own
    view.until("view.told?.name === 'together'")
    assert view.ask("view.pinned.where.object") == [3, 7]  # the pictures still say of whom it is
    why.locator(".line .term").first.click()
    why.get_by_text(re.compile("has 4 in cluster . and 8 in cluster .")).wait_for()
    crumbs = why.locator(".crumbs li")
    assert crumbs.count() == 10 and crumbs.last.inner_text() == "same"
    crumbs.nth(2).get_by_role("button").click()
    view.until("view.told?.iteration === 4 && view.shown === 4")
    assert crumbs.count() == 3
    # a dial is the end of a trail as well, by touch of its row
    why.locator(".terms button").nth(1).click()
    why.get_by_text("a dial of the method.").wait_for()
    # who scrubs leaves the trail, and sees the why of the iteration shown
    crumbs.first.get_by_role("button").click()
    view.say("view.scrub(5)")
    view.until("view.told?.iteration === 5 && view.trail.length === 1")


def test_an_object_is_asked_why_it_is_in_its_cluster(bare):
    """By a strip beside a matrix, a point of the map, a row of the tracks, a line of the table."""
    stage = ended()
    view = bare(stage)
    canvas = view.page.locator(".matrix canvas").first
    box = canvas.bounding_box()
    left = view.ask("view.leftOf('S')")
    view.page.mouse.click(box["x"] + left - 4, box["y"] + 0.6 * box["height"])
    view.until("view.told?.name === 'cluster' && view.trail[0].iteration === view.shown")
    (object_,) = view.ask("view.pinned.where.object")
    labels = stage.ensemble.expand(stage.run.moments[-1].labels)
    assert view.ask("view.told.value") == labels[object_] + 1
    assert "is together with the others of cluster" in view.page.locator(".why").inner_text()
    view.page.get_by_role("button", name="Close: nothing is pinned").click()
    view.page.locator(".uncertain tbody button").first.click()
    view.until("view.told?.name === 'cluster'")
    view.page.get_by_role("button", name="Close: nothing is pinned").click()
    points = view.page.locator(".points .frame").first
    points.focus()
    view.page.keyboard.press("ArrowRight")
    view.page.keyboard.press("Enter")
    view.until("view.told?.name === 'cluster'")


def test_letters_are_explained_and_values_of_before_are_told_apart(bare):
    view = bare(ended())
    view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    view.until("view.told")
    why = view.page.locator(".why")
    term = why.locator("math [data-term='0']").first
    assert term.get_attribute("aria-label").startswith("S: what is left") and "before this step" in term.get_attribute(
        "aria-label"
    )
    term.focus()  # as with the pointer over it
    view.page.locator(".tip", has_text="S: what is left").wait_for()
    assert why.locator(".lit").count() == 3  # in letters, in numbers, in the list
    assert "◂ marks values of the step before" in why.inner_text()
    filled = why.locator(".formula .line").nth(1).locator(".term")
    assert "before" in filled.nth(0).get_attribute("class") and "before" not in filled.nth(1).get_attribute("class")


def test_mathematics_brings_nothing_else_with_it(bare, monkeypatch):
    stage = ended()
    view = bare(stage)
    evil = (
        '<mi data-term="0" onclick="window.hit = 1">S</mi><mtext><img src=x onerror="window.hit = 1"></mtext>'
        '<annotation-xml encoding="text/html"><script>window.hit = 1</script></annotation-xml></math>'
        '<img src=x onerror="window.hit = 1">'
    )
    whole = Why.json
    monkeypatch.setattr(Why, "json", lambda told: {**whole(told), "mathml": evil})
    view.say("view.pin({ quantity: 'S', where: { object: [3, 7] } })")
    view.until("view.told")
    view.page.locator(".why math").first.click()
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
