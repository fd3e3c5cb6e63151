"""From a file as people have it to a finished result on the screen: clicks, seconds, and whether the result is right.

    python -m benchmarks.newcomer

The five tables of `tests/browser/test_data.py`: texts with ids, gaps and a class; a wide table of expressions; a
workbook with a README; what R writes by default; labels beside one column of numbers. Right is what the core makes of
the same table, told its roles by hand: the number of objects and of base clusterings, and who is with whom.

Then a table that takes its time (20,000 x 10, 15,441 different rows): from the click on *Watch* to the frame of the
live view, and to the estimate (what it will take), with which it waits to be asked.
"""

from __future__ import annotations

import contextlib
import io
import time

import numpy as np
import pandas as pd
from playwright.sync_api import TimeoutError, sync_playwright

from benchmarks.classics import noisy
from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.scores import ari
from tests.browser.chromium import FLAGS, NONE, find
from tests.browser.server import Server
from tests.browser.steps import as_csv, give, read_csv, settled, taken, watched
from tests.browser.test_data import expression, patients, survey, with_ages, written_by_r

USE = "Use these labels"
LONGEST = 30.0  # seconds


def by_hand(frame: pd.DataFrame) -> Ensemble:
    return Ensemble.from_labels(frame.replace("", np.nan))


def files():
    """name -> the file, the buttons to press, and the base clusterings as somebody who knows them would write them."""
    texts, r = patients(), pd.read_csv(io.StringIO(written_by_r()), sep="\t")
    votes = pd.read_excel(io.BytesIO(survey()), sheet_name="votes")
    return {
        "patients.csv": (as_csv(texts), [USE], by_hand(texts.filter(like="run "))),
        "expression.csv": (as_csv(expression()), ["The 120 columns", "Make base clusterings"], None),
        "survey.xlsx": (survey(), [USE], by_hand(votes.filter(like="sorter"))),
        "trees.txt": (written_by_r(), [USE], by_hand(r)),
        "labels.csv": (as_csv(with_ages()), [USE], by_hand(with_ages().filter(like="run "))),
    }


def main() -> None:
    if not (chromium := find()):
        raise SystemExit(NONE)
    rows = []
    with Server() as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name, (content, buttons, known) in files().items():
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            settled(page.goto(f"{server.url}/data?from=upload") and page)
            began = time.perf_counter()
            give(page, name, content)
            for button in buttons:
                page.get_by_role("button", name=button).last.click()
            link = page.locator("[data-testid=stPageLink] a").filter(has_text="Watch").first
            link.click(timeout=60_000)
            watched(page)
            seconds = time.perf_counter() - began
            rows.append([name, str(2 + len(buttons)), f"{seconds:.1f}", _verdict(page, known)])
            page.context.close()
        waited = _large(browser, server)
        browser.close()
    table("20,000 x 10, after Watch", ["seen", "seconds"], waited)
    table("from a file to a result", ["file", "clicks, the file's own among them", "seconds", "result"], rows)


ESTIMATE = "(view) => /It will take|left|Press play/.test(view.innerText)"


def _large(browser, server) -> list[list[str]]:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    settled(page.goto(f"{server.url}/data?from=upload") and page)
    labels = noisy(20_000, m=10)
    give(page, "large.csv", as_csv(pd.DataFrame(labels, columns=[f"run {t}" for t in range(10)])))
    page.get_by_role("button", name=USE).last.click()
    page.locator("[data-testid=stPageLink] a").filter(has_text="Watch").first.click(timeout=60_000)
    began, rows = time.perf_counter(), []
    view = page.locator(".quorum")
    for seen, there in [("the live view's frame", "(view) => Boolean(view.innerText)"), ("the estimate", ESTIMATE)]:
        while not (view.count() and view.evaluate(there)) and time.perf_counter() - began < LONGEST:
            time.sleep(0.005)
        seconds = time.perf_counter() - began
        rows.append([seen, f"{seconds:.2f}" if seconds < LONGEST else f"not within {LONGEST:.0f} s"])
    page.context.close()
    return rows


def _verdict(page, known: Ensemble | None) -> str:
    labels = page.get_by_role("button", name="Labels (CSV)")
    for _ in range(5):  # an expander that is clicked while the page still moves closes again
        if not labels.is_visible():
            page.get_by_text("Take it home").click()
        with contextlib.suppress(TimeoutError):
            labels.wait_for(timeout=6000)
            break
    got = read_csv(taken(page, "Labels (CSV)")[0])["cluster"].to_numpy()
    method = page.get_by_role("combobox", name="Method").input_value()
    k = int(page.get_by_role("slider", name="clusters wanted k").input_value())
    if known is None:
        truth = np.random.default_rng(3).integers(0, 3, 120)
        return f"{method}, {len(got)} objects, ARI with the groups it was made of {ari(got, truth):.2f}"
    cls = next(cls for cls in METHODS.values() if method.startswith(cls.name()))
    same = ari(got, solve(cls(k=k), known).labels)
    return f"{method}, {len(got)} of {known.n} objects, ARI with the core's own {same:.2f}"


if __name__ == "__main__":
    main()
