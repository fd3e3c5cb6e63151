"""Learn: lessons walked through screen by screen, every question answered wrong and right, every switch flipped.

One lesson with a mouse and one by touch; all of them, also at 150% zoom, with QUORUM_WALK=all.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError, expect

from consensus_core.lessons import all_lessons
from consensus_core.lessons.checking import BRACES, entry_of
from consensus_core.lessons.material import method_of
from consensus_core.lessons.staging import staged
from consensus_core.lessons.telling import facts_of
from consensus_core.lessons.telling import said as told_
from tests.browser.server import Server
from tests.browser.steps import TRIES, barriers, settled, told, until

ROOT = Path(__file__).resolve().parents[2]
LESSONS = {lesson.key: lesson for lesson in all_lessons()[0]}
SIZES = {
    "1280": {"width": 1280, "height": 900},
    "150%": {"width": 853, "height": 600, "device_scale_factor": 1.5},
    "390": {"width": 390, "height": 844, "has_touch": True, "is_mobile": True},
}
ALL = [(key, size) for key in LESSONS for size in SIZES]
WALKED = ALL if os.environ.get("QUORUM_WALK") == "all" else [("coassociation", "1280"), ("base", "390")]


def seen(page, lesson, number, **how):
    """The screen is there, and its picture stands."""
    page.get_by_role("heading", name=lesson.screens[number].title, exact=True).wait_for()
    if lesson.screens[number].tool != "points":
        stands(page, lesson, number, **how)
    return settled(page)


def stands(page, lesson, number, **how):
    """This screen's own picture: that of the screen before stays until it comes. `how`: answered, broken."""
    page.wait_for_selector(".quorum.ready")
    key = staged(lesson, number, **how).scene.key
    until(page, f"view.scene.key === '{key}' && view.mode === 'hold' && !view.busy")


def start_of(text, words=4):
    """The first plain words of a text, as they are on the page."""
    clean = re.sub(r"[*_`]", "", text)
    return " ".join(clean.split()[:words])


def tap(page, lesson, number, entry, touch):
    screen = lesson.screens[number]
    facts = facts_of(lesson, screen)
    name, where = entry_of(facts.data, method_of(screen.methods[0], facts.data.k), entry)
    pin = f"{{ part: view.run, quantity: '{name}', where: view.pinAt('{name}', {list(where)}) }}"
    card = next(one["card"] for one in told(page, "view.pictures") if one["name"] == name)
    # its end at the end of the window: the transport lies over the beginning
    page.locator(f".quorum .{card} canvas").last.evaluate("canvas => canvas.scrollIntoView({ block: 'end' })")
    until(page, f"view.placeOf('{name}', {pin})")
    x, y = told(page, f"view.placeOf('{name}', {pin})")
    page.touchscreen.tap(x, y) if touch else page.mouse.click(x, y)


def answer(page, lesson, number, touch):
    """Every wrong answer, then the right one; to each the page says why."""
    screen = lesson.screens[number]
    asked, facts = screen.question, facts_of(lesson, screen)
    for option in sorted(asked.options, key=lambda option: option.right):
        text = told_(facts, option.text)
        why = page.get_by_text(start_of(told_(facts, option.why)), exact=False).first
        if asked.kind == "choice":
            button = page.locator(".st-key-question").get_by_role("button", name=re.sub(r"[*_`]", "", text), exact=True)
            for patience in TRIES:  # pictures that come meanwhile move the button away from under the hand
                button.click()
                with contextlib.suppress(TimeoutError):
                    why.wait_for(timeout=patience)
                    break
        elif asked.kind == "tap":
            for patience in TRIES:  # the picture, too
                tap(page, lesson, number, option.text, touch)
                with contextlib.suppress(TimeoutError):
                    why.wait_for(timeout=patience)
                    break
        else:
            field = page.get_by_role("textbox", name="Your number")
            field.fill(facts.said(option.text))
            page.get_by_role("button", name="Answer", exact=True).click()
        why.wait_for()
        settled(page)
        if option.right:
            break  # of several right ones the first
    page.wait_for_url("**answer=shown*")


def flip(page, lesson, number):
    screen = lesson.screens[number]
    facts = facts_of(lesson, screen)
    page.get_by_text(told_(facts, screen.breaks.title), exact=True).click()
    page.wait_for_url("**broken=1*")
    stands(page, lesson, number, answered=screen.question is not None, broken=True)
    page.get_by_text(start_of(told_(facts, screen.breaks.text)), exact=False).first.wait_for()


@pytest.mark.parametrize(("key", "size"), WALKED, ids=lambda value: value)
def test_a_lesson_walked_through(open_page, key, size):
    lesson, touch = LESSONS[key], "has_touch" in SIZES[size]
    page = open_page(f"/learn?lesson={key}", **SIZES[size])
    for number, screen in enumerate(lesson.screens):
        seen(page, lesson, number)
        if not number:
            assert not barriers(page)
        if screen.question is not None:
            answer(page, lesson, number, touch)
        if screen.breaks is not None:
            flip(page, lesson, number)
        if number == len(lesson.screens) - 1:
            assert not barriers(page)
            expect(page.locator(".st-key-lesson_text")).not_to_contain_text("…")
        further = page.get_by_role("button", name=re.compile("^(arrow_forward )?(Next:|menu_book|Done)"))
        further.first.click()
    page.get_by_text("Once more").wait_for()  # progress is kept


@pytest.mark.parametrize(("key", "number", "size"), [("pce", 2, "1280"), ("ceshl", 2, "390")])
def test_a_hole_and_a_membership_are_tapped(open_page, key, number, size):
    page = open_page(f"/learn?lesson={key}&screen={number + 1}", **SIZES[size])
    seen(page, LESSONS[key], number)
    answer(page, LESSONS[key], number, "has_touch" in SIZES[size])


def test_the_entry_that_was_pinned_on_the_screen_before_is_an_answer_too(open_page):
    """The page was told of it there, and took it for known."""
    page, lesson = open_page("/learn?lesson=pce&screen=2"), LESSONS["pce"]
    seen(page, lesson, 1)
    answer(page, lesson, 1, touch=False)
    flip(page, lesson, 1)
    page.get_by_role("button", name="Next: ").click()
    seen(page, lesson, 2)
    answer(page, lesson, 2, touch=False)


def test_what_a_class_answers_is_counted_for_all_and_once_for_each(open_page):
    def asked(option):
        return page.locator(".st-key-question").get_by_role("button", name=option, exact=True)

    lesson, where = LESSONS["ceshl"], "/learn?lesson=ceshl&screen=2"
    facts = facts_of(lesson, lesson.screens[1])
    wrong, right = (told_(facts, lesson.screens[1].question.options[at].text) for at in (0, 1))
    page = open_page(where)
    seen(page, lesson, 1)
    asked(wrong).click()
    page.get_by_text("at λ = 100 it had").wait_for()
    settled(page)
    asked(right).click()
    page.wait_for_url("**answer=shown*")
    first, page = page, open_page(where)
    seen(page, lesson, 1)
    page.get_by_text("Show the class's answers").click()
    page.get_by_text("1 person has answered").wait_for()
    page.get_by_text(f"{wrong} · 1").wait_for()
    settled(page)
    asked(right).click()
    page.get_by_text("2 people have answered").wait_for()
    first.get_by_text("Show the class's answers").click()  # whoever looks sees the same
    first.get_by_text("2 people have answered").wait_for()


def test_a_link_brings_screen_answer_entry_and_caption(open_page):
    page = open_page("/learn?lesson=spce&screen=3&answer=shown&caption=Look%20at%20x3&pin=S.2.4&it=6")
    seen(page, LESSONS["spce"], 2, answered=True)
    page.get_by_text("Look at x3").wait_for()
    until(page, "view.shown === 6 && view.pinned && view.told && view.exact('S') > .57 && view.exact('S') < .58")
    page.get_by_text("it appears with iteration 6").wait_for()
    page.keyboard.press("n")
    seen(page, LESSONS["spce"], 3)
    page.wait_for_url(lambda url: "answer" not in url and "caption" not in url)


def test_a_term_that_was_opened_is_in_the_link(open_page):
    page = open_page("/learn?lesson=spce&screen=3&answer=shown")
    seen(page, LESSONS["spce"], 2, answered=True)
    until(page, "view.told && view.told.letter === 'S'")
    page.locator(".terms .row").nth(1).click()  # what C must reach
    page.wait_for_url("**pin=limit.2.4*")
    other = open_page(page.url[page.url.index("/learn") :])
    seen(other, LESSONS["spce"], 2, answered=True)
    until(other, "view.told && view.told.letter === 'limit'")


def test_what_is_hidden_is_hidden_until_the_answer(open_page):
    page = open_page("/learn?lesson=spce&screen=3")
    seen(page, LESSONS["spce"], 2)
    expect(page.get_by_role("button", name="Step")).to_be_disabled()
    assert told(page, "[view.shown, view.last]") == [5, 5]  # no iteration beyond
    answer = page.get_by_role("button", name="Show the answer")
    for patience in TRIES:  # a click on a page that still moves is lost
        with contextlib.suppress(TimeoutError):
            settled(page)
            if answer.is_visible():
                answer.click(timeout=patience)
            until(page, "view.shown === 6 && view.last === 10 && !view.busy", timeout=patience)
            break
    until(page, "view.shown === 6 && view.last === 10 && !view.busy")


def test_the_algorithm_is_stepped_line_by_line(open_page):
    page = open_page("/learn?lesson=spce&screen=1")
    seen(page, LESSONS["spce"], 0)
    page.get_by_role("button", name="One line further").click()
    until(page, "view.shown === 1 && view.line !== null && !view.busy")
    lit = page.locator(".algorithm li.lit")
    few = lit.count()
    s = told(page, "view.value('S', { where: { object: [2, 4] } })")
    for _ in range(6):
        if told(page, "view.line") is None:
            break
        page.get_by_role("button", name="One line further").click()
        settled(page)
    until(page, "view.line === null && view.shown === 1 && !view.busy")
    assert lit.count() > few and s >= 0
    page.get_by_role("button", name="One line back").click()
    until(page, "view.line !== null && view.shown === 1")


def test_a_label_changed_by_hand_changes_every_matrix(open_page):
    page = open_page("/learn?lesson=own&screen=1")
    seen(page, LESSONS["own"], 0)
    pair = "{ where: { object: [0, 1] } }"
    until(page, f"view.value('A', {pair}) > .99")
    page.get_by_role("button", name=re.compile("^x1 in C1: 1")).click()
    until(page, f"!view.busy && view.value('A', {pair}) < .7")
    page.get_by_role("button", name=re.compile("^x1 in C1: 2")).press("Delete")
    page.get_by_role("button", name=re.compile("^x1 in C1: no label")).wait_for()
    until(page, f"!view.busy && view.value('A', {pair}) > .99")  # of those that have seen both
    settled(page).get_by_role("button", name="Begin again").click()
    page.get_by_role("button", name=re.compile("^x1 in C1: 1")).wait_for()


def test_points_are_painted_and_clustered(open_page):
    page = open_page("/learn?lesson=own&screen=4")
    canvas = page.get_by_role("application")
    canvas.wait_for()
    for k in range(8):
        for patience in TRIES:  # pictures that come meanwhile move the canvas away from under the hand
            settled(page)
            box = canvas.bounding_box()
            page.mouse.click(box["x"] + 30 + 25 * k, box["y"] + (40 if k % 2 else 150))
            with contextlib.suppress(TimeoutError):
                page.get_by_text(f"{k + 1} of at most").wait_for(timeout=patience)
                break
    page.wait_for_selector(".quorum.ready")
    until(page, "view.objects === 8 && !view.busy")


def test_a_page_that_is_drawn_meanwhile_takes_back_nothing_that_was_painted(open_page):
    """It once came with the points it knew of, and those painted since were gone."""
    page = open_page("/learn?lesson=own&screen=4")
    canvas = page.get_by_role("application")
    canvas.wait_for()
    settled(page)
    canvas.evaluate("""canvas => {
        const box = canvas.getBoundingClientRect();
        const tap = (x, y) => ["pointerdown", "pointerup"].forEach((type) => canvas.dispatchEvent(new PointerEvent(
            type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true })));
        canvas.setPointerCapture = () => {};
        let count = 0;
        const more = () => { tap(20 + 22 * count, count % 2 ? 60 : 160); if (++count < 12) setTimeout(more, 70); };
        more();
    }""")
    until(page, "view.objects === 12 && !view.busy")
    page.get_by_text("12 of at most").wait_for()


def test_words_and_letters(open_page):
    page = settled(open_page("/learn?learn=words"))
    field = page.get_by_role("textbox", name="Look up")
    field.fill("hyperedge")
    field.press("Enter")
    page.get_by_text("Every cluster of every base clustering is one.").wait_for()
    assert not barriers(page)
    with page.expect_popup() as opened:
        page.get_by_role("link", name=re.compile("^CESHL")).first.click()
    opened.value.wait_for_url("**/methods?method=ceshl*")


def test_a_lesson_from_the_readme_and_a_broken_one(chromium, tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "first.md").write_text(re.search(r"```markdown\n(.*?)```", text, re.DOTALL)[1])
    (tmp_path / "second.md").write_text("# Broken\n\n## One\nmethod: spice\n\nText.\n")
    monkeypatch.setenv("QUORUM_LESSONS", str(tmp_path))
    lesson = next(lesson for lesson in all_lessons()[0] if lesson.key == "first")
    assert BRACES.findall(lesson.screens[0].text)
    with Server() as server:
        page = chromium.new_page()
        page.goto(server.url + "/learn")
        page.get_by_text("A lesson is left out. second.md, line 3: “spice” is no method").wait_for()
        page.goto(server.url + "/learn?lesson=first")
        seen(page, lesson, 0)
        answer(page, lesson, 0, touch=False)
        flip(page, lesson, 0)
        page.close()
        assert "Traceback" not in server.said()
