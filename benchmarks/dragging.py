"""A dial of Tune dragged over its range in a real Chromium: how many finished results a second are on the screen.

    python -m benchmarks.dragging                every dial and sample below
    python -m benchmarks.dragging --seconds 5    dragged to and fro for so long each (3 if nothing is said)

First every value is looked at on its own, and what its pictures look like is kept. Then the mouse takes the slider over
the range and back, from value to value as fast as the browser takes them up. After every painting the two pictures and
the value on the screen are read back; a result counts when the pictures are those of that value, and another value was
on the screen before. Reading back takes time too, so the figures are rather too low.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time

from playwright.sync_api import sync_playwright

from benchmarks.measure import table
from consensus_core.data.samples import load
from tests.browser.chromium import FLAGS, NONE, find
from tests.browser.server import Server
from tests.browser.steps import tuned

DIALS = (
    ("spce", "theta", ("island", "shapes", "digits", "ten_thousand")),
    ("ec_cms", "alpha", ("island", "shapes", "digits")),
    ("ec_cms", "lam", ("lazy", "digits")),
    ("trce", "lam", ("coins_few", "digits")),
    ("pce", "gamma", ("half",)),
    ("ceshl", "lam", ("big_island",)),
    ("lwea", "theta", ("moons",)),
)
WAIT = 300_000
# what is on the screen: the value said, whether its result is there, and a print of both pictures, made small
LOOK = """root => {
  const small = root.__small ??= new OffscreenCanvas(48, 36).getContext('2d', { willReadFrequently: true });
  let print = 7, parts;
  for (const canvas of root.querySelectorAll('.big figure:not([hidden]) canvas')) {
    small.clearRect(0, 0, 48, 36);
    small.drawImage(canvas, 0, 0, 48, 36);
    parts = new Uint32Array(small.getImageData(0, 0, 48, 36).data.buffer);
    for (const part of parts) print = (Math.imul(print, 31) + part) | 0;
  }
  return [root.querySelector('output').textContent, print, /clusters/.test(root.querySelector('.words').textContent)];
}"""
# every painting is looked at, once it is on the screen
FOLLOW = f"""root => {{
  const seen = root.__seen = [], channel = new MessageChannel();
  channel.port1.onmessage = () => seen.push([performance.now(), ...({LOOK})(root)]);
  const frame = () => {{
    if (root.__seen !== seen) return;
    channel.port2.postMessage(0);
    requestAnimationFrame(frame);
  }};
  requestAnimationFrame(frame);
}}"""
SEEN = "root => { const seen = root.__seen; root.__seen = null; return seen; }"


def places(slider, count: int) -> list[tuple[float, float]]:
    """Where the thumb stands at each of so many values."""
    box, thumb = slider.bounding_box(), 16
    span = box["width"] - thumb
    return [(box["x"] + thumb / 2 + span * i / (count - 1), box["y"] + box["height"] / 2) for i in range(count)]


def dragged(page, seconds: float):
    """Moments at which another finished result was on the screen, how many values there are, and how many were seen."""
    strip = page.locator(".strip")
    strip.scroll_into_view_if_needed()
    slider = strip.locator("#strip-dial")
    at = places(slider, int(slider.get_attribute("max")) + 1)
    page.mouse.move(*at[0])
    page.mouse.down()
    looks = {}
    for place in at:
        page.mouse.move(*place)
        value, print_, there = strip.evaluate(LOOK)
        assert there, f"{value}: no result"
        looks[value] = print_
    assert len(looks) == len(at), f"the mouse met {len(looks)} of {len(at)} values"
    strip.evaluate(FOLLOW)
    until, there_and_back = time.monotonic() + seconds, [*at[::-1], *at[1:-1]]
    while time.monotonic() < until:
        for place in there_and_back:
            page.mouse.move(*place)
    page.mouse.up()
    moments, before = [], None
    for moment, value, print_, there in strip.evaluate(SEEN):
        if there and value != before and looks[value] == print_:
            moments.append((moment, value))
            before = value
    return moments, len(at), len({value for _, value in moments})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    path = find()
    if not path:
        raise SystemExit(NONE)
    rows = []
    with Server() as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        for method, dial, samples in DIALS:
            for data in samples:
                page = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
                page.set_default_timeout(WAIT)
                began = time.perf_counter()
                page.goto(f"{server.url}/tune?data={data}&method={method}&dial={dial}")
                page.wait_for_selector(".strip[data-drawn]")
                first = time.perf_counter() - began
                count = int(page.locator("#strip-dial").get_attribute("max")) + 1
                tuned(page, count)
                every = time.perf_counter() - began
                moments, values, met = dragged(page, seconds)
                gaps = [b - a for (a, _), (b, _) in itertools.pairwise(moments)]
                rate = 1000 * len(gaps) / sum(gaps)
                rows.append([data, str(load(data).ensemble.n), f"{method} {dial}", f"{first:.1f}", f"{every:.1f}",
                             f"{met} of {values}", f"{rate:.1f}", f"{max(gaps):.0f}"])  # fmt: skip
                page.context.close()
        browser.close()
    header = ["sample", "objects", "dial", "first s", "all s", "values seen", "results/s", "longest ms"]
    table(f"Dragged over its range ({os.cpu_count()} processors, load {os.getloadavg()[0]:.1f})", header, rows)


if __name__ == "__main__":
    main()
