"""Comparing all methods in a real browser: how soon the first result is on the screen, and how soon all are.

    python -m benchmarks.compare                  all methods on seven shapes, one click
    python -m benchmarks.compare --data digits    on another sample
    python -m benchmarks.compare --spf            on SPF, where the optional real data are there (20 of 100 clusterings)
    python -m benchmarks.compare --large          on ten thousand objects: what does not fit is refused in a sentence

First result (to 50 ms): from the click (or from opening the page) to a row with a score on the screen; all: until every
row has one or says why it never will.
"""

from __future__ import annotations

import argparse
import io
import os
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.measure import table
from tests.browser.chromium import FLAGS, find
from tests.browser.server import Server

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
WAIT = 600_000
DONE = r"""() => { const told = /(\d+) of (\d+) done/.exec(document.body.innerText);
  return told && Number(told[2]) > 4 && told[1] === told[2]; }"""
# milliseconds since the click at which a row had a result, by its name
CLOCK = """() => {
  window.__came = {};
  const began = performance.now(), look = () => {
    for (const host of document.querySelectorAll('*')) {
      for (const row of host.shadowRoot?.querySelectorAll('.board tbody tr') ?? []) {
        const name = row.querySelector('th span').textContent;
        const state = row.dataset.state;
        if (['finished', 'failed', 'refused'].includes(state)) window.__came[name] ??= performance.now() - began;
      }
    }
    window.__looking = setTimeout(look, 50);  // not with every frame: looking takes a processor of its own
  };
  look();
}"""


def measured(page, click: bool) -> dict[str, float]:
    if click:
        page.get_by_text("All that take less than").wait_for(timeout=WAIT)
        page.wait_for_function(r"() => /(\d+) of \1 done/.test(document.body.innerText)", timeout=WAIT)
        page.evaluate("() => { window.__came = {} }")
        page.evaluate(CLOCK)
        before = set(page.evaluate("() => window.__came"))
        page.get_by_text("All that take less than").click()
        page.wait_for_timeout(50)
    else:
        page.evaluate(CLOCK)
        before = set()
    page.wait_for_function(DONE, timeout=WAIT, polling=200)  # by default with every frame
    page.wait_for_timeout(300)
    came = page.evaluate("() => window.__came")
    return {name: at / 1000 for name, at in came.items() if name not in before}


def upload(page, server, name: str) -> str:
    """A pool of real base clusterings, 20 of its 100, given as a person would; the key under which it is known then."""
    from scipy.io import loadmat

    file = loadmat(SHARED / "pools" / f"{name}.mat")
    order = np.argsort(np.random.RandomState(1).random_sample(100))[:20]
    lines = io.StringIO()
    lines.write(",".join([*(f"run {j + 1}" for j in range(20)), "truth"]) + "\n")
    for row, truth in zip(file["members"][:, order], file["gt"].ravel(), strict=True):
        lines.write(",".join(map(str, [*row, f"class {truth}"])) + "\n")
    page.goto(f"{server.url}/data?from=upload")
    page.locator("input[type=file]").set_input_files(
        {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": lines.getvalue().encode()}
    )
    page.get_by_role("button", name="Use these labels").click(timeout=WAIT)
    page.wait_for_function("() => /data=/.test(location.search)", timeout=WAIT)
    return page.evaluate("() => new URLSearchParams(location.search).get('data')")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="shapes")
    parser.add_argument("--spf", action="store_true")
    parser.add_argument("--large", action="store_true")
    asked = parser.parse_args()
    with Server() as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        page.set_default_timeout(WAIT)
        key = upload(page, server, "SPF") if asked.spf else "ten_thousand" if asked.large else asked.data
        began = time.perf_counter()
        page.goto(f"{server.url}/compare?data={key}&with=lwea", wait_until="commit")
        page.wait_for_selector(".board tbody tr[data-state=finished]")
        opened = time.perf_counter() - began
        came = measured(page, click=True)
        rows = [[name, f"{seconds:.2f}"] for name, seconds in sorted(came.items(), key=lambda pair: pair[1])]
        table(f"methods compared on {key}, seconds from the click until a row is there", ["method", "seconds"], rows)
        print(f"\npage opened to its first result: {opened:.2f} s")
        print(f"click to the first result: {min(came.values()):.2f} s; to all {len(came)}: {max(came.values()):.2f} s")
        said = page.locator(".board tbody tr:not([data-state=finished])").all_inner_texts()
        for line in said:
            print(" ".join(line.split()))
        browser.close()


if __name__ == "__main__":
    main()
