"""A film of 60 iterations on 800 objects: how large, how long it takes to make, how many pictures a second it plays.

    python -m benchmarks.film

Claims: at most 15 MB; at least 20 pictures a second, opened from the disk without a network, at 1280 and 390 pixels.
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
  const root = document.querySelector('.quorum'), view = root.api;
  const speed = root.querySelector('.speed');
  speed.value = '0'; speed.dispatchEvent(new Event('change'));
  view.scrub(0);
  while (view.shown !== 0 || view.busy) await new Promise(requestAnimationFrame);
  let painted = 0, began = null, ended = null;
  const stop = view.on('painted', ({ i }) => {
    if (i > 0) { painted++; began ??= performance.now(); ended = performance.now(); }
  });
  const last = view.last;
  for (let at = 1; at <= last; at++) {
    view.scrub(at);
    while (view.shown !== at || view.busy) await new Promise(requestAnimationFrame);
  }
  stop();
  return (painted - 1) / ((ended - began) / 1000);
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
            speeds = [_played(browser, path, width) for width in (1280, 390)]
            rows.append([key, f"{page.size / 1e6:.1f}", f"{made:.0f}", *(f"{speed:.0f}" for speed in speeds),
                         str(len(page.exact)), ", ".join(page.left_out) or "nothing"])  # fmt: skip
    header = ["method", "MB", "CPU s to make", "pictures/s at 1280", "at 390", "exact quantities", "left out"]
    table("A film of 60 iterations of 800 objects (at most 15 MB, at least 20 pictures a second)", header, rows)


def _played(browser, path: Path, width: int) -> float:
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    ready = "() => { const view = document.querySelector('.quorum')?.api; return view?.finished && !view.busy; }"
    page.wait_for_function(ready, timeout=120_000)
    speed = page.evaluate(PLAY)
    context.close()
    return speed


if __name__ == "__main__":
    main()
