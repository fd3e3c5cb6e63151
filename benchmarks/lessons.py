"""How long a screen of a lesson takes to change, in a real browser: from the click on Next to its title, and until its
picture stands.

    python -m benchmarks.lessons            every lesson, each screen once
    python -m benchmarks.lessons spce pce   these

Claim: a screen changes within 300 ms.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.measure import table
from consensus_core.lessons import all_lessons
from tests.browser.chromium import FLAGS, NONE, find
from tests.browser.server import Server
from tests.browser.steps import settled, until

# from the click to the first picture of the screen in which the title stands, and in which its own scene stands
NEXT = """([button, title]) => new Promise((done) => {
  const began = performance.now(), before = document.querySelector('.quorum')?.api?.scene?.key;
  let named = 0;
  const find = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.classList?.contains('quorum') && element.api) return element.api;
      const inside = element.shadowRoot && find(element.shadowRoot);
      if (inside) return inside;
    }
    return null;
  };
  const look = () => {
    const now = performance.now() - began;
    if (!named && [...document.querySelectorAll('h1, h2, h3')].some((one) => one.textContent.trim() === title)) {
      named = now;
    }
    const view = find(document);
    const other = view && view.scene?.key !== window.__scene;
    if (now > 10000 || (named && (other || now > 3000) && (!view || !view.busy))) {
      window.__scene = view?.scene?.key;
      done([named || now, now]);
    } else requestAnimationFrame(look);
  };
  window.__scene = find(document)?.scene?.key;
  button.click();
  requestAnimationFrame(look);
})"""


def main() -> None:
    if not (chromium := find()):
        raise SystemExit(NONE)
    rows, every = [], []
    wanted = [one for one in all_lessons()[0] if not sys.argv[1:] or one.key in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        for lesson in wanted:
            page.goto(f"{server.url}/learn?lesson={lesson.key}")
            titles, pictures = [], []
            for number, screen in enumerate(lesson.screens):
                page.get_by_role("heading", name=screen.title, exact=True).wait_for()
                if screen.tool != "points":
                    page.wait_for_selector(".quorum.ready")
                    until(page, "view.mode === 'hold' && !view.busy && view.scene.key")
                settled(page)
                if number + 1 < len(lesson.screens):
                    button = page.get_by_role("button", name="Next").last.element_handle()
                    title, picture = page.evaluate(NEXT, [button, lesson.screens[number + 1].title])
                    titles.append(title)
                    pictures.append(picture)
            every += titles
            rows.append([lesson.key, str(len(titles)), *(f"{f(x):.0f}" for x in (titles, pictures)
                                                         for f in (statistics.median, max))])  # fmt: skip
        browser.close()
    header = ["lesson", "changes", "title: median ms", "slowest", "its picture stands: median ms", "slowest"]
    table("screens of lessons", header, rows)
    within = sum(one <= 300 for one in every)
    print(f"{within} of {len(every)} changes within 300 ms; median {statistics.median(every):.0f} ms")


if __name__ == "__main__":
    main()
