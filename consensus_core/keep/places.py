"""The files of what is kept: a folder for each thing, there as a whole or not at all, and open to nobody else.

A folder is written beside its place and then moved into it. `thing.json` in it says what the thing is, so that an
index that was lost can be made again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
ABOUT = "thing.json"
UNFINISHED = ".new-"
PATIENCE = 600  # seconds an unfinished folder is left alone, whoever began it
RESERVE = 256 << 10
LARGEST_ABOUT = 4 << 20
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_PLACE = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Places:
    def __init__(self, folder: Path):
        self.folder = folder

    def prepare(self) -> None:
        private_folder(self.folder)

    def begin(self, files: Mapping[str, bytes]) -> Path:
        """A folder with these files, beside all places; `finish` moves it into one, `drop` takes it away."""
        begun = self.folder / f"{UNFINISHED}{os.getpid()}-{secrets.token_hex(8)}"
        begun.mkdir(PRIVATE_FOLDER)
        try:
            for name, content in files.items():
                if not _NAME.fullmatch(name) or name == ABOUT:
                    raise ValueError(f"{name!r} is not a file name of the store")
                write(begun / name, content)
        except BaseException:
            drop(begun)
            raise
        return begun

    def finish(self, begun: Path, about: dict[str, Any]) -> str:
        """The place where it lies from now on."""
        place = secrets.token_urlsafe(16)
        write(begun / ABOUT, _as_text(about))
        begun.rename(self.folder / place)
        _settle(self.folder)
        return place

    def close(self, place: str) -> None:
        """Open to nobody else from now on."""
        private_folder(self.folder / place)
        for entry in os.scandir(self.folder / place):
            os.chmod(entry.path, PRIVATE_FILE)

    def describe(self, place: str, about: dict[str, Any]) -> None:
        """Says anew what lies there."""
        unfinished = self.folder / place / f".{secrets.token_hex(4)}"
        write(unfinished, _as_text(about))
        unfinished.replace(self.folder / place / ABOUT)

    def read(self, place: str, name: str) -> bytes | None:
        if not _PLACE.fullmatch(place) or not _NAME.fullmatch(name):
            return None
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return (self.folder / place / name).read_bytes()
        return None

    def disown(self, places: list[str]) -> None:
        """From now on no index made anew will name them."""
        for place in places:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                (self.folder / place / ABOUT).unlink()

    def remove(self, places: list[str]) -> None:
        for place in places:
            if _PLACE.fullmatch(place):
                drop(self.folder / place)

    def described(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every place that says what lies there."""
        for entry in os.scandir(self.folder):
            if _PLACE.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError, ValueError, RecursionError):
                    file = Path(entry.path) / ABOUT
                    if file.stat().st_size <= LARGEST_ABOUT and isinstance(
                        about := json.loads(file.read_bytes()), dict
                    ):
                        yield entry.name, about

    def lay_by_reserve(self) -> None:
        """Room on the disk that is given up when there is none left to forget in."""
        with contextlib.suppress(OSError):
            write(self.folder.parent / "reserve", bytes(RESERVE))

    def use_reserve(self) -> None:
        drop(self.folder.parent / "reserve")

    def size(self, place: str) -> int:
        """Bytes of its files, but for what says what it is."""
        with contextlib.suppress(OSError):
            return sum(entry.stat().st_size for entry in os.scandir(self.folder / place) if entry.name != ABOUT)
        return 0

    def strangers(self, known: set[str]) -> list[Path]:
        """What a killed process left behind: places no index names, and unfinished folders of nobody alive.

        To be asked while nobody can be moving a folder into its place.
        """
        found = []
        for entry in os.scandir(self.folder):
            if entry.name.startswith(UNFINISHED):
                if _abandoned(entry):
                    found.append(Path(entry.path))
            elif entry.name not in known:
                found.append(Path(entry.path))
        return found


def write(file: Path, content: bytes) -> None:
    """On the disk, and not merely on its way to it, when this returns."""
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
    try:
        with os.fdopen(number, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        drop(file)
        raise


def _settle(folder: Path) -> None:
    """What was moved into a folder is there after a power cut too (where the system can say so)."""
    if os.name != "nt":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def private_folder(folder: Path) -> None:
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # a folder of somebody else's may still be a good place
        folder.chmod(PRIVATE_FOLDER)


def drop(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def _as_text(about: dict[str, Any]) -> bytes:
    return json.dumps(about, separators=(",", ":")).encode()


def _abandoned(entry: os.DirEntry) -> bool:
    """By its time, and because the process that began it is no more (where that can be asked)."""
    try:
        old = abs(time.time() - entry.stat(follow_symlinks=False).st_mtime) > PATIENCE
        process = int(entry.name.removeprefix(UNFINISHED).split("-")[0])
        if not old or process == os.getpid():
            return False
        if os.name == "nt":
            return True
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False
