"""A film of 60 iterations on 800 objects: how large, how long it takes to make, how many pictures a second it plays.

    python -m benchmarks.film

Claims: at most 15 MB; at least 20 pictures a second, opened from the disk without a network, at 1280 and 390 pixels. On
a machine that does other things besides the CPU time of a picture tells more: 50 ms are 20 a second on one free core.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.measure import table
from consensus_core import METHODS
from consensus_core.data.samples import load
from consensus_core.live.reel import film
from tests.browser.chromium import FLAGS, NONE, find

RUNS = (
    ("spce", {"theta": 0.6, "max_iter": 60, "inner_cap": 12, "last_cap": 60}),
    ("ec_cms", {"max_iter": 60, "tol": 0.0}),
)
PLAY = """async () => {
  const root = document.querySelector('.quorum'), view = root.api, speed = root.querySelector('.speed');
  const fast = document.createElement('option');  // faster than anybody may choose: as fast as it can
  fast.value = '200';
  speed.append(fast);
  speed.value = '200';
  speed.dispatchEvent(new Event('change'));
  view.scrub(0);
  while (view.shown !== 0 || view.busy) await new Promise(requestAnimationFrame);
  const seen = new Set(), stop = view.on('painted', ({ i }) => seen.add(i)), began = performance.now();
  view.play();
  while (view.shown < view.last || view.mode !== 'hold') await new Promise(requestAnimationFrame);
  stop();
  return [seen.size, (performance.now() - began) / 1000];
}"""


def main() -> None:
    if not (chromium := find()):
        raise SystemExit(NONE)
    sample, rows = load("shapes"), []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for key, params in RUNS:
            began = time.process_time()
            page = film(METHODS[key](k=7, **params), sample.ensemble, title="Seven shapes", features=sample.features)
            made = time.process_time() - began
            path = page.save(Path(folder) / f"{key}.html")
            for width in (1280, 390):
                pictures, seconds, busy = _played(browser, path, width)
                rows.append([key, f"{page.size / 1e6:.1f}", f"{made:.0f}", str(width), str(pictures),
                             f"{pictures / seconds:.0f}", f"{1000 * busy / pictures:.0f}", str(len(page.exact)),
                             ", ".join(page.left_out) or "nothing"])  # fmt: skip
    header = ["method", "MB", "CPU s to make", "width", "pictures", "a second", "CPU ms each, all of the browser",
              "exact quantities", "left out"]  # fmt: skip
    table("A film of 60 iterations of 800 objects (at most 15 MB, at least 20 pictures a second)", header, rows)


def _played(browser, path: Path, width: int) -> tuple[int, float, float]:
    """Pictures, seconds, and CPU seconds of all processes of the browser meanwhile."""
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    ready = "() => { const view = document.querySelector('.quorum')?.api; return view?.finished && !view.busy; }"
    page.wait_for_function(ready, timeout=120_000)
    session = browser.new_browser_cdp_session()
    before = _cpu(session)
    pictures, seconds = page.evaluate(PLAY)
    busy = _cpu(session) - before
    context.close()
    return pictures, seconds, busy


def _cpu(session) -> float:
    return sum(one["cpuTime"] for one in session.send("SystemInfo.getProcessInfo")["processInfo"])


if __name__ == "__main__":
    main()
