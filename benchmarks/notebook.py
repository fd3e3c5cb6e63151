"""The live view in JupyterLab, in a real browser: examples/2_watch_it.ipynb is run, played, scrubbed, pinned by hand.

    python -m benchmarks.notebook --lab PATH [--kernel PATH] [--keep FOLDER]

`--lab`: the Python of an environment with jupyterlab and anywidget; `--kernel`: of one with the package, ipykernel and
anywidget, the same unless said (a wheel in it shows that every module of the view came along). Keys and clicks are real
ones; what they did is read off the view and asked of the kernel. `--keep` leaves pictures there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.measure import ONE_THREAD, table
from tests.browser.chromium import FLAGS, NONE, find

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "examples" / "2_watch_it.ipynb"
PATIENCE = 300_000  # milliseconds: a kernel imports the core while others work
FAILED = '[data-mime-type="application/vnd.jupyter.stderr"], [data-mime-type="application/vnd.jupyter.error"]'
FOUND = """() => { for (const one of document.querySelectorAll('*')) {
  const root = one.shadowRoot?.querySelector('.quorum');
  if (root?.api) return (window.view = root.api, true);
} return false; }"""


@contextlib.contextmanager
def jupyter(lab: str, kernel: str, folder: Path) -> Iterator[str]:
    """A server of its own, with settings, kernels and files in a folder of its own."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    spec = folder / "data" / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = [kernel, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    books = folder / "books"
    books.mkdir()
    shutil.copy(BOOK, books / BOOK.name)
    places = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("DATA", "CONFIG", "RUNTIME")}
    environment = {**os.environ, **ONE_THREAD, **places, "IPYTHONDIR": str(folder / "ipython")}
    environment["JUPYTER_PATH"] = str(folder / "data")  # before the kernels of the environment of JupyterLab
    environment.pop("PYTHONPATH", None)
    words = ["--no-browser", f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={books}"]
    words += ["--ServerApp.allow_root=True", "--LabApp.news_url=None", "--KernelSpecManager.ensure_native_kernel=False"]
    with open(folder / "lab.log", "w") as log:
        how = {"env": environment, "cwd": books, "stdout": log, "stderr": log, "start_new_session": True}
        server = subprocess.Popen([lab, "-m", "jupyterlab", *words], **how)
    try:
        until = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                urllib.request.urlopen(f"http://localhost:{port}/api", timeout=10).close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > until:
                    raise SystemExit((folder / "lab.log").read_text()[-2000:]) from None
                time.sleep(0.3)
        yield f"http://localhost:{port}/lab/tree/{BOOK.name}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)


class Reader:
    """Somebody before the notebook."""

    def __init__(self, page, keep: Path | None):
        self.page, self.keep, self.rows = page, keep, []

    def ask(self, what: str):
        return self.page.evaluate(f"() => {{ const {{ view }} = window; return {what}; }}")

    def until(self, claim: str) -> None:
        self.page.wait_for_function(f"() => {{ const {{ view }} = window; return Boolean({claim}); }}")

    def saw(self, did: str, what: object, right: bool) -> None:
        self.rows.append([did, str(what), "as it should be" if right else "WRONG"])
        if self.keep:
            self.page.screenshot(path=self.keep / f"notebook_{len(self.rows)}.png")

    def told_by_the_kernel(self, expression: str) -> str:
        """What a cell of one's own says, added at the end."""
        page = self.page
        before = page.locator(".jp-OutputArea-output").count()
        page.keyboard.press("Escape")
        page.keyboard.press("b")
        page.keyboard.press("Enter")
        page.keyboard.type(f'print("says", {expression})')
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(f"() => document.querySelectorAll('.jp-OutputArea-output').length > {before}")
        said = page.locator(".jp-OutputArea-output", has_text="says ").last
        said.wait_for()
        return said.inner_text().split("says ", 1)[1].strip()


def goes_through(reader: Reader, url: str) -> None:
    page = reader.page
    page.goto(url)
    code = page.locator(".jp-CodeCell .cm-content").first
    code.wait_for()
    page.get_by_text("Python 3 | Idle").wait_for()  # what is typed before the kernel listens is lost
    code.click()
    page.keyboard.press("Shift+Enter")
    failed = page.locator(FAILED)
    page.wait_for_function(f"() => ({FOUND})() || document.querySelector({json.dumps(FAILED)})")
    if failed.count():
        raise SystemExit(failed.first.inner_text())
    reader.until("view.finished && view.shown === view.last && view.mode === 'hold' && !view.busy")
    last, cards = reader.ask("view.last"), reader.ask("view.pictures.length")
    reader.saw("the cell is run: the view comes and the run ends", f"{last} iterations, {cards} pictures", last > 3)

    range_ = page.get_by_role("slider", name="Iteration").first
    range_.scroll_into_view_if_needed()
    box = range_.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    reader.until("view.mode === 'hold' && !view.busy && view.shown > 0 && view.shown < view.last")
    at = reader.ask("view.shown")
    reader.saw("scrub: a click at a third of the scrubber", f"iteration {at} of {last}", 0 < at < last)

    page.get_by_role("button", name="Restart (Home)").first.click()
    page.evaluate("() => { window.seen = new Set(); window.view.on('painted', ({ i }) => window.seen.add(i)); }")
    page.get_by_role("button", name="Play (space)").or_(
        page.get_by_role("button", name="Pause (space)")
    ).first.wait_for()
    if reader.ask("view.mode") == "hold":
        page.get_by_role("button", name="Play (space)").first.click()
    reader.until("view.shown === view.last && view.mode === 'hold' && !view.busy")
    seen = page.evaluate("() => window.seen.size")
    reader.saw("play: from the start to the end", f"{seen} iterations painted", seen > 2)

    name = reader.ask("view.pictures.find((one) => one.card === 'matrix').name")
    page.locator(".quorum canvas").first.scroll_into_view_if_needed()
    where = "{ where: { object: [3, 200] } }"
    page.mouse.click(*reader.ask(f"view.placeOf({name!r}, {where})"))
    reader.until("view.pinned && view.told && !view.busy")
    told = reader.ask("[view.told.name, view.pinned.where.object]")
    reader.saw(f"pin: a click into {name}", f"{told[0]} of objects {told[1]}, and why", told[0] == name)

    buttons = (("Step (right arrow)", last), ("Back (left arrow)", last - 1))
    for name, wanted in (buttons[1], buttons[0], buttons[1]):
        page.get_by_role("button", name=name).first.click()
        reader.until(f"view.shown === {wanted} && !view.busy")
    reader.saw("back, step and back again", f"iteration {last - 1}", True)
    page.keyboard.press("Escape")
    below = page.locator(".jp-CodeCell .cm-content").nth(1)
    below.scroll_into_view_if_needed()
    below.click()
    at = reader.told_by_the_kernel("view.step.iteration")
    reader.saw("the kernel is asked for view.step", f"iteration {at}", at == str(last - 1))


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wishes.add_argument("--lab", required=True, metavar="PATH")
    wishes.add_argument("--kernel", metavar="PATH")
    wishes.add_argument("--keep", metavar="FOLDER")
    asked = wishes.parse_args()
    if not (chromium := find()):
        raise SystemExit(NONE)
    lab, keep = os.path.abspath(asked.lab), Path(asked.keep) if asked.keep else None
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    kernel = os.path.abspath(asked.kernel) if asked.kernel else lab
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        with jupyter(lab, kernel, Path(folder)) as url:
            browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
            page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
            page.set_default_timeout(PATIENCE)
            wrong = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            reader = Reader(page, keep)
            try:
                goes_through(reader, url)
            except Exception as fault:
                reader.saw("and then", f"{type(fault).__name__}: {fault}", False)
            browser.close()
        table("the live view in JupyterLab", ["what is done", "what is seen", "and"], reader.rows)
        print("", *wrong, sep="\n")
        raise SystemExit(bool(wrong) or any(row[-1] == "WRONG" for row in reader.rows))


if __name__ == "__main__":
    main()
