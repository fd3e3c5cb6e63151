"""Reports of several data sets: how large, how long they take, and how they stand in a real browser and on paper.

    python -m benchmarks.report                 # a table
    python -m benchmarks.report --keep FOLDER   # the pages, their PDFs and pictures of them besides, to be looked at

Claims: at most 5 MB and 10 s each; opened from the disk at 1280 and 390 pixels nothing runs off the side, axe-core
finds nothing to mend and nothing is asked of a network; every line under a figure makes a figure; printed, nothing is
cut off and no sheet is empty. One of the sets has gaps, one is large; a pool of real base clusterings joins in where it
is at hand.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import tempfile
from html import unescape
from pathlib import Path

import pypdf
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from benchmarks.measure import ONE_THREAD, measured, table
from consensus_core import METHODS, History, solve
from consensus_core.compare import compare
from consensus_core.data import Origin, build
from consensus_core.report import report
from tests.browser.chromium import FLAGS, NONE, find

SETS = (("votes", "spce"), ("missing", "pce"), ("ten_thousand", "lwea"), ("iris", "ec_cms"))
POOLS = (("SPF.mat", "trce"),)  # where they are at hand
SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
WIDTHS = (1280, 390)
PAPER = 688  # pixels between the margins of an A4 sheet
CUT_OFF = """() => [...document.querySelectorAll('.wide, .equation, pre, figure')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.innerText.slice(0, 40))"""
MOST_BYTES, MOST_SECONDS, LEAST_LETTERS = 5e6, 10.0, 40


def prepared(name: str, key: str):
    """What a person has who asks for a report: data, a run, its course, and two methods compared."""
    pool = SHARED / "pools" / name
    data = build(Origin(file=name), pool.read_bytes()) if pool.is_file() else build(Origin(sample=name))
    method = METHODS[key](k=data.k)
    history = History(method, data.ensemble)
    step = solve(method, data.ensemble, history=history).step
    return data, step, history, compare(data.ensemble, [method, METHODS["eac"](k=data.k)])


def written(had) -> bytes:
    data, step, history, comparison = had
    return report(data, step, history, comparison)


def lines_that_fail(page: str, data, step) -> list[str]:
    scope = {"data": data, "step": step}
    exec("from consensus_core.report.lines import *", scope)
    failed = []
    for line in re.findall(r"<figure>.*?<figcaption>.*?<code>(.*?)</code>", page, flags=re.DOTALL):
        *before, last = unescape(line).split("; ")
        try:
            exec("; ".join(before), scope)
            assert eval(last, scope).marks
        except Exception as fault:
            failed.append(f"{type(fault).__name__} in {last}")
    return failed


def opened(browser, path: Path) -> dict[str, object]:
    """What a reader meets: at both widths, and on paper."""
    wrong, asked, axe = [], [], []
    for width in WIDTHS:
        context = browser.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url.split(":")[0]))
        page.goto(path.as_uri())
        page.get_by_role("heading", name="The same in Python").wait_for()
        over = page.evaluate("document.documentElement.scrollWidth") - width
        if over > 0:
            wrong.append(f"{over} pixels off the side at {width}")
        axe += [f"{one['id']} at {width}" for one in Axe().run(page).response["violations"]]
        page.screenshot(path=path.with_suffix(f".{width}.png"), full_page=True)
        if width == WIDTHS[0]:
            printed = page.pdf(format="A4")
            page.set_viewport_size({"width": PAPER, "height": 900})
            page.emulate_media(media="print")
            wrong.extend([f"cut off on paper: {one!r}" for one in page.evaluate(CUT_OFF)])
        context.close()
    path.with_suffix(".pdf").write_bytes(printed)
    sheets = [len(sheet.extract_text().strip()) for sheet in pypdf.PdfReader(io.BytesIO(printed)).pages]
    wrong += [f"sheet {i + 1} is empty" for i, letters in enumerate(sheets) if letters < LEAST_LETTERS]
    if beyond := set(asked) - {"file", "data"}:
        wrong.append(f"asked of {', '.join(sorted(beyond))}")
    return {"wrong": wrong, "axe": axe, "sheets": len(sheets), "pdf": len(printed)}


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wishes.add_argument("--keep", metavar="FOLDER", help="leave pages, PDFs and pictures there")
    keep = wishes.parse_args().keep
    if not (chromium := find()):
        raise SystemExit(NONE)
    os.environ.update(ONE_THREAD)
    pools = [each for each in POOLS if (SHARED / "pools" / each[0]).is_file()]
    rows, faults = [], []
    with tempfile.TemporaryDirectory() as passing, sync_playwright() as driver:
        folder = Path(keep or passing)
        folder.mkdir(parents=True, exist_ok=True)
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name, key in (*SETS, *pools):
            made = measured(written, name, key, prepare=prepared)
            path = folder / f"{Path(name).stem}_{key}.html"
            path.write_bytes(made.answer)
            page = made.answer.decode()
            data, step, *_ = prepared(name, key)
            seen, failed = opened(browser, path), lines_that_fail(page, data, step)
            absent = page.count("could not be made")
            found = [*seen["wrong"], *failed, *([f"{absent} parts could not be made"] if absent else [])]
            if len(made.answer) > MOST_BYTES:
                found.append("larger than 5 MB")
            if min(made.cpu, made.wall) > MOST_SECONDS:  # waiting for others is not the report's
                found.append("longer than 10 s")
            faults += [f"{path.stem}: {one}" for one in (*found, *seen["axe"])]
            ensemble = data.ensemble
            rows.append([
                path.stem, f"{ensemble.n:,} x {ensemble.m}", f"{100 * (ensemble.labels() < 0).mean():.1f} %",
                f"{made.wall:.1f}", f"{made.cpu:.1f}", f"{len(made.answer) / 1e6:.2f}", str(page.count("<figure>")),
                str(seen["sheets"]), f"{seen['pdf'] / 1e6:.2f}", str(len(seen["axe"])), str(len(found)),
            ])  # fmt: skip
        browser.close()
    made_of, looks = ["report", "objects x clusterings", "gaps"], ["sheets", "MB as PDF", "axe", "wrong"]
    head = [*made_of, "s", "CPU s", "MB", "figures", *looks]
    table("reports from the disk, at 1280 and 390 pixels, and on paper", head, rows)
    print("", *faults, sep="\n")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
