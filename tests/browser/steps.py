"""What the browser tests do again and again. Nothing sleeps: every step waits for what it wants to see."""

from __future__ import annotations

import contextlib
import io
import re

import numpy as np
import pandas as pd
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError, expect

from tests.heart import walked as walked

WAIT = 300_000  # milliseconds; the cores may be busy with other things
SAYS = """({ run: view.run, shown: view.shown, last: view.last, state: view.state, finished: view.finished,
    busy: view.busy, pinned: view.pinned, trail: view.trail, objects: view.objects, error: view.error })"""
TRIES = (6_000, 12_000, 24_000, 48_000, 96_000)  # of what may come too early; each as long as on a slower machine


def settled(page):
    """The script behind the page has run to its end."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=WAIT)
    return page


def watched(page):
    """The live view is there, and its run has come to its end or rests."""
    page.wait_for_selector(".quorum.ready", timeout=WAIT)
    until(page, "view.mode === 'hold' && view.finished && !view.busy")
    return settled(page)


STIRRED = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  window.__stirred = app.dataset.testScriptState !== 'notRunning';
  window.__stirring?.disconnect();
  window.__stirring = new MutationObserver(() => { window.__stirred = true; });
  window.__stirring.observe(app, { attributes: true, attributeFilter: ['data-test-script-state'] });
}"""


def barriers(page):
    """What axe finds serious, of a page at rest: while its script runs Streamlit shows what may be out of date pale."""
    for _ in TRIES:
        settled(page).wait_for_function("() => !document.querySelector('[data-stale=true]')", timeout=WAIT)
        page.evaluate(STIRRED)
        found = [
            f"{rule['id']}: {[(node['html'][:160], node['any'][:1]) for node in rule['nodes'][:3]]}"
            for rule in Axe().run(page).response["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
        if not found or not page.evaluate("window.__stirred"):
            return found
    raise AssertionError("the page never came to rest")


@contextlib.contextmanager
def another_run(page):
    """What is done inside starts a new run; afterwards that one (not the one before it) is at its end."""
    until(page, "view.run")
    before = told(page, "view.run")
    yield
    until(page, f"view.run !== '{before}'")
    watched(page)


def tuned(page, results=4):
    """The strip of a dial is there, with so many results in it."""
    there = page.locator(".strip[data-there]").last  # looked for again and again: a page drawn anew has another
    enough = "|".join(map(str, range(results, results + 1000)))
    expect(there).to_have_attribute("data-there", re.compile(f"^({enough})$"), timeout=WAIT)
    return settled(page)


def view_of(page):
    """The live view; while a page gives way to another there are two for a moment."""
    views = page.locator(".quorum")
    expect(views).to_have_count(1, timeout=WAIT)
    return views.last


def until(page, claim, timeout=WAIT):
    """What the live view says of itself (`view.api`, described at the head of view.js). Where it stands still, what is
    on the screen has a moment to say the same."""
    for patience in (*TRIES, timeout) if timeout == WAIT else (timeout,):
        root = view_of(page).element_handle()  # it lives in a shadow tree; a page drawn anew has another
        with contextlib.suppress(TimeoutError):
            page.wait_for_function(_saying(claim), arg=root, timeout=patience)
            with contextlib.suppress(TimeoutError):
                page.wait_for_function(_saying("view.mode === 'play' || !view.busy"), arg=root, timeout=TRIES[0])
            return
    raise TimeoutError(f"the view never came to say {claim}; it says {told(page, SAYS)}")


def _saying(claim) -> str:
    return f"root => {{ const view = root.api; return Boolean(view && ({claim})) }}"


def told(page, what):
    """The same, as a value. A place that was just made has no view yet."""
    there = "while (!root.api && root.isConnected) await new Promise(requestAnimationFrame)"
    return view_of(page).evaluate(f"async root => {{ {there}; const view = root.api; return {what}; }}")


def choose(page, label, option):
    """In a selectbox. A list that opens while the page still moves closes again: then it is opened once more."""
    box, line = page.get_by_role("combobox", name=label), page.get_by_role("option", name=option, exact=True)
    for patience in TRIES:
        with contextlib.suppress(TimeoutError):
            box.click(timeout=patience)
            page.locator("[role=option]").first.wait_for(timeout=patience)  # not those of the view's own list of speeds
            if not line.is_visible() and box.is_editable():
                box.fill(option)  # a long list holds only the lines in view
            line.click(timeout=patience)
            return settled(page)
        page.keyboard.press("Escape")  # a list that is half open would lie over what is clicked next
    raise AssertionError(f"{option!r} could not be chosen in {label!r}")


def offered(page, label):
    """The lines of a selectbox. A list that opens while the page still moves closes again: then it is opened once
    more."""
    lines = page.locator("[role=option]")  # not those of the view's own list of speeds
    for patience in TRIES:
        page.get_by_role("combobox", name=label).click()
        with contextlib.suppress(TimeoutError):
            lines.first.wait_for(timeout=patience)
            return lines
    raise AssertionError(f"{label!r} was opened five times, and stayed shut")


def choose_method(page, key):
    """From all methods, wherever they stand."""
    taken, window = page.locator(f".st-key-all_take_{key} button").last, page.get_by_role("dialog")
    for patience in TRIES:
        with contextlib.suppress(TimeoutError):
            if not window.is_visible():
                page.get_by_role("button", name=re.compile(r"^All \d+ methods")).click(timeout=patience)
            window.get_by_role("textbox", name="Search").fill(key, timeout=patience)
            window.get_by_role("textbox", name="Search").press("Enter")
            taken.click(timeout=patience)
            window.wait_for(state="detached", timeout=4 * patience)
            return settled(page)
    raise AssertionError(f"{key} could not be chosen among all methods")


def make(page, m, follows):
    """Ask for m base clusterings, until what shall follow is there. A click on a button that a rerun is just taking
    away is lost, as it is on every page."""
    many = page.get_by_role("spinbutton", name="base clusterings m")
    many.fill(str(m))
    many.press("Enter")
    page.get_by_text("It will take").wait_for()
    for patience in TRIES:
        settled(page).get_by_role("button", name="Make base clusterings").last.click()
        with contextlib.suppress(TimeoutError):
            return follows.wait_for(timeout=patience)
    raise AssertionError(f"{m} base clusterings were asked for five times, and nothing followed")


def unfold(page, title, inside):
    """What is folded away is opened, until what is in it can be seen: a page that is just drawn anew folds it again."""
    for patience in TRIES:
        settled(page)
        if not inside.is_visible():
            page.get_by_text(title).first.click()
        with contextlib.suppress(TimeoutError):
            return inside.wait_for(timeout=patience)
    raise AssertionError(f"{title} was opened five times, and stayed shut")


def shows(page, label, what):
    """A selectbox shows it: its new text comes after the script has run to its end."""
    expect(page.get_by_role("combobox", name=label)).to_have_value(what)


def give(page, name, content):
    """A file, as if chosen in the dialog."""
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content if isinstance(content, bytes) else content.encode()}
    )
    page.get_by_text(name).first.wait_for()
    settled(page)


def taken(page, label, **how):
    """The bytes behind a download button, and the name they come with."""
    for patience in TRIES:  # the file of a page that is just drawn anew is taken away again
        with contextlib.suppress(TimeoutError):
            with page.expect_download(timeout=4 * patience) as download:
                settled(page).get_by_role("button", name=label, **how).click()
            if download.value.failure() is None:
                with open(download.value.path(), "rb") as file:
                    return file.read(), download.value.suggested_filename
    raise AssertionError(f"{label} was asked for again and again, and came to nothing")


def label_table(n=60, gaps=0, seed=1):
    """Six clusterings of n objects in three groups, ids, the truth; two columns with `gaps` empty cells each."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    table = {"name": [f"obj-{i:03d}" for i in rng.permutation(n)]}
    for j in range(6):
        labels = [f"c{x}" for x in np.where(rng.random(n) < 0.15, rng.integers(0, 3, n), group)]
        for i in rng.choice(n, gaps if j in (1, 4) else 0, replace=False):
            labels[i] = ""
        table[f"run {j + 1}"] = labels
    table["truth"] = [("ash", "birch", "cedar")[x] for x in group]
    return pd.DataFrame(table)


def as_csv(frame, **more) -> str:
    return frame.to_csv(index=False, **more)


def read_csv(content: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(content), encoding="utf-8-sig")
