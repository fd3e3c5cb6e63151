"""The command as a new user meets it: from a built wheel, in an empty environment, outside of the project's folder.

    python -m benchmarks.new_user                      # builds the wheel and an environment for it: some minutes
    python -m benchmarks.new_user --python PATH        # an environment that has it already
    python -m benchmarks.new_user --dashboard          # and in a real browser: the same labels for the same record

Every subcommand is run as a program and its ending, what it says and the files it leaves are looked at; then every
refusal of tests/test_command.py in one process of that environment. `quorum serve` is started under a base path and
asked how it is. Nothing of the project's folder is on the path.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from pathlib import Path

import pandas as pd

from benchmarks.measure import ONE_THREAD, table
from consensus_core.command.main import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # where tests find each other
from test_command import REFUSED  # noqa: E402
from test_provenance import VOTES  # noqa: E402

# what is typed, how it ends, what is said on the standard output, the files that are there afterwards
TRIED = (
    ("", 0, "quorum serve", ()),
    ("--version", 0, "quorum ", ()),
    ("info votes.csv", 0, "12 objects", ()),
    ("info votes.csv --json", 0, '"objects": 12', ()),
    ("methods", 0, "Self-paced", ()),
    ("methods spce", 0, "--theta", ()),
    ("methods --json", 0, '"key": "spce"', ()),
    ("run votes.csv --method spce --k 2 --theta 0.2 --out result", 0, "Written",
     ("result/labels.csv", "result/run.json", "result/run.py")),
    ("run votes.csv --method spce --k 2 --theta 0.2 --out result", 3, "", ()),
    ("run votes.csv --record result/run.json --out again --matrices", 0, "Written", ("again/matrices.npz",)),
    ("run --sample shapes --json --out sample.csv", 0, '"files"', ("sample.csv",)),
    ("run points.csv --base kmeans_random_k m=8 --k 3 --out made", 0, "Written", ("made/labels.csv",)),
    ("run --sample nine --method eac --k 3 --out -", 0, "cluster", ()),
    ("run --sample shapes --method spce --k 7 --theta 0.3 --strict", 5, "", ()),
    ("why votes.csv --method eac --k 2 --of A o0 2", 0, "A(", ()),
    ("why votes.csv --method eac --k 2 --of A o0 2 --json", 0, '"name": "A"', ()),
    ("compare votes.csv --with eac spce:theta=0.4 lwea --k 2 --out table.csv", 0, "SPCE", ("table.csv",)),
    ("compare votes.csv --with eac lwea --k 2 --json", 0, '"rows"', ()),
    ("sweep votes.csv --method lwea --k 2 --over theta=0.2:0.6:0.2 --processes 1 --out curve.csv", 0, "agree",
     ("curve.csv",)),
    ("report votes.csv --method eac --k 2 --compare lwea --budget 0 --out report.html", 0, "", ("report.html",)),
    ("report votes.csv --method eac --k 2 --budget 0 --out report.html", 3, "", ()),
    ("count runs.parquet --ids name --processes 1 --out runs.counts", 0, "distinct", ("runs.counts",)),
    ("write runs.counts --method lwea --k 3 --processes 1 --out labels", 0, "", ("labels",)),
    ("write runs.parquet --ids name --method eac --k 3 --processes 1 --out labels", 3, "", ()),
)  # fmt: skip
NAME = "lab.example.org"
MANY = """
import contextlib, io, json, sys
from consensus_core.command import main
ends = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    ends.append([code, out.getvalue(), err.getvalue()])
json.dump(ends, sys.stdout)
"""


def wheel_and_environment(folder: Path) -> tuple[Path, Path]:
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "-w", str(folder)]
    copy = folder / "source"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
    subprocess.run([*pip, str(copy)], check=True)
    [wheel] = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    python = folder / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-compile", f"{wheel}[dashboard]"], check=True)
    return wheel, python


class NewUser:
    """Types words where there is nothing but the command."""

    def __init__(self, python: Path, folder: Path):
        self.python, self.folder = python, folder
        self.environment = {"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(folder), **ONE_THREAD}
        (folder / "votes.csv").write_text(VOTES)
        (folder / "other.csv").write_text(VOTES.replace("o1;1", "o1;0"))
        points = "".join(f"{i % 3 * 5 + i * 0.01},{i % 3}\n" for i in range(30))
        (folder / "points.csv").write_text(f"x,y\n{points}")
        many = {f"run {j}": [(i * (j + 1) // 7) % 3 for i in range(600)] for j in range(5)}
        pd.DataFrame({"name": [f"n{i}" for i in range(600)], **many}).to_parquet(folder / "runs.parquet")

    def types(self, *words: str, given: str | None = None) -> subprocess.CompletedProcess:
        how = {"cwd": self.folder, "env": self.environment, "capture_output": True, "text": True, "input": given}
        return subprocess.run([self.python.parent / "quorum", *words], **how)

    def calls(self, each: list[list[str]]) -> list:
        how = {"cwd": self.folder, "env": self.environment, "capture_output": True, "text": True}
        done = subprocess.run([self.python, "-c", MANY], input=json.dumps(each), **how)
        return json.loads(done.stdout)


def tried(user: NewUser) -> list[list[str]]:
    rows = []
    for words, code, said, files in TRIED:
        done = user.types(*shlex.split(words))
        wrong = []
        if done.returncode != code:
            wrong.append(f"ended with {done.returncode}, not {code}: {(done.stderr or done.stdout)[-200:]}")
        if said not in done.stdout:
            wrong.append(f"did not say {said!r}")
        if code in (2, 3) and (len(done.stderr.splitlines()) != 1 or done.stdout):
            wrong.append("was not refused in one sentence")
        wrong += [f"{name} is not there" for name in files if not (user.folder / name).exists()]
        if "--json" in words:
            json.loads(done.stdout)
        if "Traceback" in done.stderr:
            wrong.append("a traceback")
        rows.append([f"quorum {words}"[:96], str(done.returncode), "; ".join(wrong) or "as it should be"])
    return rows


def helped(user: NewUser) -> list[list[str]]:
    rows = []
    for name, (code, out, _) in zip(COMMANDS, user.calls([[name, "--help"] for name in COMMANDS]), strict=True):
        teaches = f"  quorum {name}" in out and "ends with: 0" in out and code == 0
        rows.append([f"quorum {name} --help", str(code), "as it should be" if teaches else "it does not teach"])
    return rows


def refused(user: NewUser) -> list[list[str]]:
    """Those of the tests; what they have made before comes first."""
    user.types(*"run votes.csv --method eac --k 2 --out there".split())
    (user.folder / "there" / "one.csv").write_text("mine")
    before = {path: path.read_bytes() for path in user.folder.rglob("*") if path.is_file()}
    ends = user.calls([shlex.split(words) for words, _, _ in REFUSED])
    wrong = []
    for (words, code, sentence), (given, _, err) in zip(REFUSED, ends, strict=True):
        if given != code or sentence not in err or len(err.strip().splitlines()) != 1:
            wrong.append([f"quorum {words}", str(given), f"wanted {code} and {sentence!r}: {err.strip()[:200]}"])
    after = {path: path.read_bytes() for path in user.folder.rglob("*") if path.is_file()}
    kept = "" if before == after else ", and files were changed"
    right = len(REFUSED) - len(wrong)
    return [[f"{len(REFUSED)} refusals", "", f"{right} in one sentence with their code{kept}"], *wrong]


def _answered(port: int, server: subprocess.Popen) -> str:
    """What it says of itself, once it says something."""
    url, until = f"http://localhost:{port}/class/quorum/_stcore/health", time.monotonic() + 300
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError):
            request = urllib.request.Request(url, headers={"Host": NAME})
            return urllib.request.urlopen(request, timeout=5).read().decode()
        time.sleep(0.2)
    return "no answer"


def served(user: NewUser, port: int) -> list[list[str]]:
    words = ["serve", "--port", str(port), "--base-path", "/class/quorum", "--data-folder", "kept", "--name", NAME]
    with open(user.folder / "serve.log", "w") as log:
        how = {"cwd": user.folder, "env": user.environment, "stdout": log, "stderr": log, "start_new_session": True}
        server = subprocess.Popen([user.python.parent / "quorum", *words], **how)
    said = f"health by its name: {_answered(port, server)}"
    second = user.types(*words)
    os.killpg(server.pid, signal.SIGINT)
    server.wait(30)
    log = (user.folder / "serve.log").read_text()
    told = "its address is told" if f"http://localhost:{port}/class/quorum" in log else "its address is not told"
    kept = "data folder made" if (user.folder / "kept").is_dir() else "no data folder"
    quiet = "a traceback" if "Traceback" in log else "no traceback"
    return [
        [f"quorum {' '.join(words)}", str(server.returncode), f"{said}; {told}; {kept}; {quiet}"],
        ["the same once more, the port is taken", str(second.returncode), second.stderr.strip()],
    ]


class Passing(socketserver.ThreadingTCPServer):
    """A proxy at a port of its own, that passes on every byte: the Host as the browser said it, websockets too."""

    daemon_threads = allow_reuse_address = True

    def __init__(self, to: int):
        super().__init__(("127.0.0.1", 0), None)
        self.to = to
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address) -> None:
        with socket.create_connection(("localhost", self.to)) as server:
            back = threading.Thread(target=self._pass, args=(server, request), daemon=True)
            back.start()
            self._pass(request, server)
            back.join()

    @staticmethod
    def _pass(come: socket.socket, go: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while part := come.recv(1 << 16):
                go.sendall(part)
            go.shutdown(socket.SHUT_WR)


def behind_a_proxy(user: NewUser, port: int) -> list[list[str]]:
    """Under a base path, by a name, at another port than its own: what a visitor copies, another visitor opens."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import FLAGS, find
    from tests.browser.steps import watched

    words = ["serve", "--port", str(port), "--base-path", "/class/quorum", "--data-folder", "behind", "--name", NAME]
    how = {"cwd": user.folder, "env": user.environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([user.python.parent / "quorum", *words], start_new_session=True, **how)
    try:
        _answered(port, server)
        with Passing(port) as proxy, sync_playwright() as driver:
            flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
            browser = driver.chromium.launch(executable_path=find(), args=flags)
            here = f"http://{NAME}:{proxy.server_address[1]}/class/quorum/"
            page = browser.new_context().new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{here}?data=iris&method=lwea&p_k=4")
            watched(page)
            page.get_by_text("Share this screen").click()
            link = page.get_by_role("textbox", name="Link to this screen").input_value()
            alone = page.get_by_text("Only this machine can open this link").is_visible()
            other = browser.new_context().new_page()
            other.set_default_timeout(120_000)
            other.goto(link)
            method = watched(other).get_by_role("combobox", name="Method").input_value()
            browser.close()
            proxy.shutdown()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)
    right = link.startswith(here) and "p_k=4" in link and method.startswith("LWEA") and not alone
    return [[f"a link copied at {here}", "", f"{link} opens {method}: {'as it should be' if right else 'WRONG'}"]]


def as_on_the_screen(user: NewUser) -> list[list[str]]:
    """The record and the labels of the Watch page, from a real browser; the command makes the labels of that record."""
    from playwright.sync_api import sync_playwright

    from tests.browser.chromium import FLAGS, NONE, find
    from tests.browser.server import Server
    from tests.browser.steps import taken, watched

    if not (chromium := find()):
        raise SystemExit(NONE)
    rows = []
    asked = (
        "data=shapes&method=spce&p_theta=0.3",
        "data=iris&method=ec_cms&p_k=4",
        "data=missing&method=pce",
    )
    with Server() as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for i, link in enumerate(asked):
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(120_000)
            page.goto(f"{server.url}/?{link}")
            page.wait_for_selector(".quorum.ready")
            watched(page)
            page.get_by_text("Take it home").click()
            (user.folder / f"{i}.json").write_bytes(taken(page, "Run record")[0])
            labels, _ = taken(page, "Labels (CSV)")
            done = user.types("run", "--record", f"{i}.json", "--out", f"screen{i}")
            written = user.folder / f"screen{i}" / "labels.csv"
            same = written.is_file() and written.read_bytes() == labels
            said = (
                f"{len(labels.splitlines()) - 1} labels, the same to the last byte" if same else done.stderr or "others"
            )
            rows.append([f"/?{link}, then quorum run --record", str(done.returncode), said])
            page.context.close()
        browser.close()
    return rows


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    wishes.add_argument("--python", metavar="PATH", help="the Python of an environment that has the package")
    wishes.add_argument("--port", type=int, default=8797)
    wishes.add_argument("--dashboard", action="store_true", help="compare with the dashboard in a real browser")
    asked = wishes.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        folder = Path(passing)
        if asked.python:
            python = Path(os.path.abspath(asked.python))
        else:
            wheel, python = wheel_and_environment(folder)
            names = zipfile.ZipFile(wheel).namelist()
            kinds = pd.Series([Path(name).suffix for name in names]).value_counts()
            print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB, {len(names)} files: {dict(kinds)}")
        (folder / "home").mkdir()
        user = NewUser(python, folder / "home")
        head = ["what is typed", "ends with", "and"]
        table("every subcommand", head, tried(user) + helped(user))
        table("refusals", head, refused(user))
        table("the dashboard's server", head, served(user, asked.port))
        if asked.dashboard:
            table("behind a proxy", head, behind_a_proxy(user, asked.port))
            table("the labels of the dashboard, for the same record", head, as_on_the_screen(user))


if __name__ == "__main__":
    main()
