"""quorum serve: the dashboard, with its samples."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

from ..beside import beside
from ..data.tables import OFFERED
from ..errors import InputError
from ..method import Method
from .parser import Misused, Parser
from .telling import Teller

HELP = "the dashboard, in a browser"
USAGE = "[--address ADDRESS] [--port PORT] [--base-path PATH] [--data-folder FOLDER] [--tables FOLDER]"
ABOUT = """Serves the dashboard, by default to this machine alone, at http://localhost:8501.

  quorum serve
  quorum serve --address 0.0.0.0                          everybody in the same network
  quorum serve --base-path /quorum --name lab.example.org behind a proxy
  quorum serve --guide                                    the page on serving a class: proxy, https, container
  quorum serve --data-folder /srv/quorum                  where what visitors keep lies
  quorum serve --tables runs/                             large tables on this machine: counted, labels written there

Ctrl-C ends it. Runs go on, and nothing that was kept is lost."""
PORT = 8501
_PATH = re.compile(r"[A-Za-z0-9._~/-]*")
_NAME = re.compile(r"[A-Za-z0-9.-]{1,253}")


def add(parser: Parser, method: type[Method] | None) -> None:
    how = parser.add_argument_group("where")
    how.add_argument("--address", default="localhost", help="who may open it: localhost, or 0.0.0.0 for everybody")
    how.add_argument("--port", default=str(PORT), help=f"{PORT} unless said")
    how.add_argument("--base-path", default="", metavar="PATH", help="the path it is found under, such as /quorum")
    how.add_argument("--name", action="append", default=[], help="a name by which others open it, behind a proxy")
    how.add_argument("--data-folder", metavar="FOLDER", help="where what visitors keep lies")
    how.add_argument(
        "--tables", metavar="FOLDER", help="offer the label tables in it to all visitors, who may write labels there"
    )
    how.add_argument(
        "--upload", default="200", metavar="MB", help="the largest file that may be given, 200 unless said"
    )
    how.add_argument("--guide", action="store_true", help="print the page on serving others, and serve nothing")
    how.add_argument("--open", action="store_true", help="open it in a browser here")


def work(arguments, teller: Teller) -> int:
    if arguments.guide:
        teller.say(beside("docs/serving.md").read_text(encoding="utf-8").rstrip())
        return 0
    command, environment = asked(arguments)
    where = f"http://{_shown(arguments.address)}:{arguments.port}/{arguments.base_path.strip('/')}"
    teller.say(f"Quorum is at {where}   (Ctrl-C ends it)")
    sys.stdout.flush()
    if os.name != "nt":
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)  # Windows knows no taking over


def asked(arguments) -> tuple[list[str], dict[str, str]]:
    """The command that serves, and its environment; refused in a sentence where it cannot be."""
    if importlib.util.find_spec("streamlit") is None:
        raise InputError(
            "The dashboard needs its own libraries: python -m pip install 'quorum-consensus[dashboard]' brings them."
        )
    app = beside("app.py", "dashboard/app.py")
    if not app.is_file():
        raise InputError("The dashboard did not come along with this installation: install the package anew.")
    port = _port(arguments.port)
    address = _address(arguments.address)
    _free(address, port)
    base = arguments.base_path.strip("/")
    if not _PATH.fullmatch(base):
        raise Misused(f"--base-path is a path such as /quorum, not {arguments.base_path!r}.")
    if wrong := [name for name in arguments.name if not _NAME.fullmatch(name)]:
        raise Misused(f"--name is a name such as lab.example.org, not {wrong[0]!r}.")
    if not arguments.upload.isdigit() or not int(arguments.upload):
        raise Misused(f"--upload is a number of megabytes, not {arguments.upload!r}.")
    options = {
        "server.address": address,
        "server.port": str(port),
        "server.baseUrlPath": base,
        "server.maxUploadSize": arguments.upload,
        "server.headless": "false" if arguments.open else "true",
    }
    # -P: what lies beside the starter is no library
    command = [sys.executable, "-P", str(app.parent / "pages" / "ui" / "served.py"), "run", str(app)]
    for name, value in options.items():
        command += [f"--{name}={value}"]
    command += [f"--server.allowedHosts={name}" for name in arguments.name]
    environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ}
    if arguments.data_folder:
        environment["QUORUM_DATA"] = str(_folder(arguments.data_folder))
    if arguments.tables:
        if not os.path.isdir(arguments.tables):
            raise Misused(f"--tables {arguments.tables} is no folder.")
        environment[OFFERED] = os.path.abspath(arguments.tables)
    return command, environment


def _port(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise Misused(f"--port is a number from 1 to 65535, not {text!r}.")
    return int(text)


def _address(text: str) -> str:
    if text != "localhost":
        try:
            ipaddress.ip_address(text)
        except ValueError:
            raise Misused(
                f"--address is localhost, 0.0.0.0 or a number of this machine, not {text!r}; a name goes to --name."
            ) from None
    return text


def _free(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        if os.name != "nt":  # where it would let two listen
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((address, port))
        except OSError as trouble:
            raise InputError(
                f"Nobody can be listened to at {address}, port {port} ({trouble.strerror}): perhaps another Quorum is "
                f"there already. Another port: --port {min(port + 1, 65535)}."
            ) from None


def _folder(text: str) -> Path:
    """Absolute, and one that can be written in."""
    folder = Path(os.path.abspath(text))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise InputError(f"--data-folder {text} cannot be made ({trouble.strerror}): name another place.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"--data-folder {text} may not be written in: name another place.")
    return folder


def _shown(address: str) -> str:
    if address in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{address}]" if ":" in address else address
