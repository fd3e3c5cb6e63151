"""Finds a Chromium or Chrome for the browser tests; installs Debian's where apt and root are there.

python -m tests.browser.chromium   says what was found; ends with an error in CI when there is none
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
# no sandbox for root (containers); nothing that reaches out by itself
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
NONE = (
    "No Chromium or Chrome was found, so the browser tests cannot run. Install one (on Debian or Ubuntu: "
    "sudo apt install chromium), or name it in QUORUM_CHROMIUM."
)


def find() -> str | None:
    named = os.environ.get("QUORUM_CHROMIUM")
    if named:
        return named
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return next((place for place in PLACES if Path(place).exists()), None)


def install() -> None:
    """Debian's own package. A machine without apt or without root is left as it is."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    print("Installing Debian's chromium for the browser tests ...", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ):
        subprocess.run(command, env=quiet, check=False, stdout=subprocess.DEVNULL)


def main() -> int:
    if not find():
        install()
    if path := find():
        print(f"Browser tests use {path}")
        return 0
    print(NONE)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
