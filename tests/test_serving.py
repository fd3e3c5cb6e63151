"""What is written of serving is true: options that exist, doors under a base path, a container without rights."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from consensus_core.command import main
from consensus_core.command.main import _parser
from consensus_core.command.serve import asked

ROOT = Path(__file__).resolve().parents[1]
SERVING = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")


def options() -> set[str]:
    serve = _parser(None)[1]["serve"]
    return {word for action in serve._actions for word in action.option_strings}


def test_every_option_that_is_written_of_exists():
    known = options()
    for text in (SERVING, CONTAINER):
        for line in re.findall(r"quorum serve[^\n`]*", text):
            assert set(re.findall(r"--[a-z-]+", line)) <= known, line
    told = set(re.findall(r"^\| `(--[a-z-]+)", SERVING, flags=re.MULTILINE))
    assert {"--address", "--port", "--base-path", "--name", "--data-folder", "--tables", "--upload"} == told <= known


def test_what_is_asked_reaches_the_server(tmp_path):
    words = [
        "serve",
        "--port",
        "8932",
        "--base-path",
        "/quorum/",
        "--name",
        "lab.example.org",
        "--name",
        "b.example.org",
    ]
    words += ["--data-folder", str(tmp_path / "kept"), "--upload", "500", "--tables", str(tmp_path)]
    command, environment = asked(_parser(None)[0].parse_args(words))
    for option in (
        "--server.address=localhost", "--server.port=8932", "--server.baseUrlPath=quorum", "--server.maxUploadSize=500",
        "--server.allowedHosts=lab.example.org", "--server.allowedHosts=b.example.org",
    ):  # fmt: skip
        assert option in command, option
    assert environment["QUORUM_DATA"] == str(tmp_path / "kept") and (tmp_path / "kept").is_dir()
    assert environment["QUORUM_TABLES"] == str(tmp_path)
    assert Path(command[4]).name == "app.py"


@pytest.mark.parametrize(("path", "under"), [("", ""), ("quorum", "/quorum"), ("/a/b/", "/a/b")])
def test_all_doors_stand_under_the_base_path(monkeypatch, path, under):
    """They once stood at the server's own root: the live view's questions met nobody, and pages looked in the wrong
    place."""
    server = pytest.importorskip("pages.ui.server")
    monkeypatch.setattr(server.config, "get_option", lambda name: path if name == "server.baseUrlPath" else None)
    doors = {door.path for door in server.doors()}
    assert doors == {f"{under}/", f"{under}/live", *(f"{under}/{name}" for name in server.PAGES)}


def test_a_container_does_not_offer_a_number_that_nobody_outside_knows(monkeypatch):
    address = pytest.importorskip("pages.ui.address")
    monkeypatch.setattr(address, "own_number", lambda: "10.88.0.5")
    options = {"server.address": "0.0.0.0", "server.port": 8501}
    monkeypatch.setattr(address.config, "get_option", options.get)
    assert address.for_others() == "http://10.88.0.5:8501" and "ADDRESS=0.0.0.0" in address.how_others_come()
    said = dict(re.findall(r"(QUORUM_\w+)=(\S+)", CONTAINER[CONTAINER.index("ENV ") :]))
    monkeypatch.setenv("QUORUM_CONTAINER", said["QUORUM_CONTAINER"])
    assert address.for_others() == "" and "runs the container" in address.how_others_come()


@pytest.mark.parametrize(("base", "name"), [("", ""), ("/class/quorum/", "lab.example.org")])
def test_the_container_asks_how_it_is_by_a_name_that_is_known(base, name):
    """It asked by 127.0.0.1, which a server that goes by a name answers with 421: never healthy."""
    asked = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers["Host"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    check = CONTAINER[CONTAINER.index("HEALTHCHECK") :].split("\nCMD")[0].replace("\\\n", "")
    program = json.loads(check[check.index("[") :])[2]
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        environment = {**os.environ, "QUORUM_BASE_PATH": base, "QUORUM_NAME": name}
        program = program.replace(":8501", f":{server.server_port}")
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert asked == [(f"{base.rstrip('/')}/_stcore/health", name or "localhost")]


def test_the_guide_is_the_page(capsys):
    assert main(["serve", "--guide"]) == 0 and capsys.readouterr().out.strip() == SERVING.strip()


def test_the_container_runs_without_rights_and_says_how_it_is():
    user = re.findall(r"^USER (\S+)", CONTAINER, flags=re.MULTILINE)
    assert user == ["10001"] and CONTAINER.index("USER 10001") < CONTAINER.index('CMD ["sh"')
    assert "VOLUME /data" in CONTAINER and "QUORUM_DATA=/data" in CONTAINER
    assert "HEALTHCHECK" in CONTAINER and "_stcore/health" in CONTAINER
