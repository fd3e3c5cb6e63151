"""The live view in a real Chromium: how soon and how often a picture is on the screen.

    python -m benchmarks.live            five runs of everything; the median and the worst
    python -m benchmarks.live --runs 2

Everything goes through the product's own Watch page: SPCE on real samples, three matrices and their curves in view.
"After paint" is a message posted in the animation frame that drew, taken up after the browser has painted. A tree whose
live view has no api yet is measured by the same file.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from playwright.sync_api import sync_playwright

from tests.browser.chromium import FLAGS, find
from tests.browser.server import Server

HOOK = """
window.__log = [];
addEventListener('keydown', (event) => { window.__pressed = event.timeStamp; }, true);
window.__painted = (seen) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => window.__log.push([performance.now(), seen.i, seen.run, Date.now() - seen.t]);
  channel.port2.postMessage(0);
};
"""
# what the view says of itself; trees without an api are asked inside
API = """root => window.__api ||= root.api || {
  get run() { return root.view.model.run; }, get shown() { return root.view.model.shown; },
  get last() { return root.view.model.last; }, get zoom() { return root.view.model.zoom; },
  zoomTo: (window) => root.view.zoomTo(window), scrub: (place) => root.view.scrub(place), on: () => null,
}"""
HEAR = f"root => {{ ({API})(root).on('painted', (seen) => window.__painted(seen)); }}"
# every animation frame: is there a canvas that lost its place or its picture?
WATCHMAN = """(root) => {
  window.__blank = 0; window.__frames = 0; window.__nodes = new Set();
  const look = () => {
    const all = [...root.querySelectorAll('.stage canvas')];
    window.__frames++;
    all.forEach((canvas) => window.__nodes.add(canvas));
    if (all.length < 3) window.__blank++;
    else for (const canvas of all) {
      const pixel = canvas.getContext('2d').getImageData(canvas.width * .5, canvas.height * .6, 1, 1).data;
      if (!pixel[3]) window.__blank++;
    }
    window.__watch = requestAnimationFrame(look);
  };
  look();
}"""
# one step back (or to the end), from the call to after paint
SCRUB = """root => new Promise((done) => {
  const began = performance.now(), api = window.__api, before = window.__painted;
  const wanted = api.shown ? api.shown - 1 : api.last;
  window.__painted = (seen) => {
    if (seen.i !== wanted) return;
    window.__painted = before;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - began);
    channel.port2.postMessage(0);
  };
  api.scrub(wanted);
})"""


class Screen:
    """One visitor before the Watch page."""

    def __init__(self, browser, server, path="/?method=spce", wait=True):
        self.page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        self.page.add_init_script(HOOK)
        self.began = time.perf_counter()
        self.page.goto(server.url + path, wait_until="commit")
        self.page.wait_for_selector(".quorum.ready", timeout=60_000)
        self.first = time.perf_counter() - self.began
        self.root.evaluate(HEAR)
        if wait:
            self.settled()

    @property
    def root(self):
        return self.page.locator(".quorum")

    def settled(self):
        self.page.get_by_role("button", name="Play (space)").wait_for(timeout=120_000)
        self.page.wait_for_timeout(400)  # after which the page takes a dial over
        self.page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        self.page.wait_for_timeout(400)  # and what it has drawn anew is on the screen

    def log(self, since=0.0):
        return [line for line in self.page.evaluate("window.__log") if line[0] >= since]

    def press(self, slider, keys):
        """When the browser heard of the key: what the way from here to there takes is no part of the product."""
        slider.focus()
        self.page.keyboard.press(keys)
        return self.page.evaluate("window.__pressed")

    def slide(self, keys):
        return self.press(self.page.locator(".st-key-p_theta [role=slider], .st-key-p_theta input").first, keys)

    def ask(self, what):
        return self.root.evaluate(f"root => {{ const view = ({API})(root); return {what}; }}")

    def dial(self, keys):
        """As `slide`, in the view itself."""
        return self.press(self.page.get_by_role("group", name="Dials").get_by_role("slider").first, keys)

    def close(self):
        self.page.context.close()


def first_picture(browser, runs):
    """From the request to the first picture, each on a server that has just started."""
    times = []
    for _ in range(runs):
        with Server() as server:
            screen = Screen(browser, server, wait=False)
            times.append(screen.first)
            screen.close()
    return times


def played(screen, move=Screen.slide, keys="ArrowRight"):
    """θ is moved and the run played as it comes: when it began, and the first painting of each iteration shown."""
    run = screen.ask("view.run")
    began = move(screen, keys)
    screen.page.wait_for_function("run => window.__log.length && window.__log.at(-1)[2] !== run", arg=run)
    screen.settled()
    seen = screen.log(began)
    fresh = [line for line in seen if line[2] == seen[-1][2]]
    return began, [line for k, line in enumerate(fresh) if k == 0 or line[1] != fresh[k - 1][1]]


def live(browser, server, data, runs):
    """Yield to paint, pictures a second, slider to first picture; then, watched frame by frame, blanks and nodes.

    Reading pixels back costs as much as drawing them, so the watched runs are not the timed ones.
    """
    latency, rate, slider, dial, blank, nodes, kept = [], [], [], [], [], [], []
    screen = Screen(browser, server, f"/?data={data}&method=spce")
    screen.page.get_by_label("Speed").select_option("0")
    screen.ask("view.zoomTo({ r0: 40, r1: 240, c0: 40, c1: 240 })")
    for _ in range(runs):
        began, steps = played(screen)
        slider.append((steps[0][0] - began) / 1000)
        latency += [line[3] / 1000 for line in steps]
        rate.append((len(steps) - 1) / ((steps[-1][0] - steps[0][0]) / 1000))
        kept.append(screen.ask("view.zoom?.r0 === 40"))
    opens = screen.page.get_by_role("button", name="Move the method's own dials here")
    if opens.count():
        opens.click()
        for k in range(runs):
            began, steps = played(screen, Screen.dial, "ArrowLeft" if k < runs / 2 else "ArrowRight")
            dial.append((steps[0][0] - began) / 1000)
    for _ in range(min(runs, 3)):
        screen.root.evaluate(WATCHMAN)
        played(screen)
        screen.page.evaluate("cancelAnimationFrame(window.__watch)")
        blank.append(screen.page.evaluate("window.__blank"))
        nodes.append(screen.page.evaluate("window.__nodes.size") / 3)
        kept.append(screen.ask("view.zoom?.r0 === 40"))
    screen.close()
    return latency, rate, slider, dial, blank, nodes, kept


def scrub(browser, server, runs):
    """One step of the scrubber, from the key to after paint."""
    screen, times = Screen(browser, server), []
    screen.page.wait_for_timeout(1500)
    for _ in range(8 * runs):
        times.append(screen.root.evaluate(SCRUB) / 1000)
    screen.close()
    return times


def line(name, values, unit, target):
    values = sorted(values)
    if unit == "ms":
        shown = [f"{1000 * x:.0f}" for x in (values[0], statistics.median(values), values[-1])]
    else:
        shown = [f"{x:.3g}" for x in (values[0], statistics.median(values), values[-1])]
    print(f"{name:44} {shown[0]:>8} {shown[1]:>8} {shown[2]:>8} {unit:6} {target}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print(f"{'':44} {'least':>8} {'median':>8} {'most':>8}")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find(), args=list(FLAGS))
        line("request to first picture, fresh server", first_picture(browser, runs), "s", "<= 2")
        with Server() as server:
            for data, target in (("digits", ">= 10"), ("ten_thousand", ">= 5")):
                latency, rate, slider, dial, blank, nodes, kept = live(browser, server, data, runs)
                line(f"{data}: yield to paint", latency, "ms", "<= 80 median")
                line(f"{data}: pictures", rate, "1/s", target)
                line(f"{data}: slider to first new picture", slider, "ms", "<= 300")
                if dial:
                    line(f"{data}: dial in the view to first new picture", dial, "ms", "<= 120 median")
                line(f"{data}: blank pictures", blank, "", "0")
                line(f"{data}: nodes per picture", nodes, "", "1")
                print(f"{data}: zoom kept {sum(kept)} of {len(kept)} times")
            line("scrub step", scrub(browser, server, runs), "ms", "<= 30")
        browser.close()
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
