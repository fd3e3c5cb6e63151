"""Finds a Chromium or Chrome for the browser tests; installs Debian's where apt and root are there. The one that is
made for machines without a screen opens a page in two thirds of the time, and comes first.

python -m tests.browser.chromium   says what was found; ends with an error in CI when there is none
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
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
# What opens by sliding is open at once: a pointer aims at where a link is, and on a busy machine it has slid on when
# the click comes. Transitions stay: what is grown old fades slowly, and is fresh before it has.
STILL = """(() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    return animate.call(this, frames, { ...(typeof how === 'object' ? how : {}), duration: 0, delay: 0 });
  };
})()"""
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
    print("Installing Debian's Chromium for the browser tests ...", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", SHELL],
    ):
        subprocess.run(command, env=quiet, check=False, stdout=subprocess.DEVNULL)
    if not find():  # older releases have the whole browser only
        subprocess.run([*command[:-1], "chromium"], env=quiet, check=False, stdout=subprocess.DEVNULL)


def main() -> int:
    if not find() or (os.environ.get("CI") and not shutil.which(SHELL)):
        install()
    if path := find():
        print(f"Browser tests use {path}")
        return 0
    print(NONE)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
