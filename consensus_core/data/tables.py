"""Label tables in a folder of this machine that its owner offers: which there are, counted once for all who come, and
where labels may be written. Whoever asks names a table that is offered, never a path."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..ensemble import Ensemble
from ..ensemble.files import Files, count_files, find_files
from ..ensemble.files.pieces import KINDS, stamp_of
from ..ensemble.files.write import ABOUT
from ..errors import AlreadyThere, InputError
from ..method import Result
from .counts import load_counts, save_counts

OFFERED = "QUORUM_TABLES"  # names the folder
PREFIX = "files-"  # of a key
MOST = 5_000_000  # objects that are shown; beyond, the command line counts and writes
_KEY = re.compile(PREFIX + "[0-9a-f]{32}")
_NEW = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")


@dataclass(frozen=True)
class Table:
    """One file, or the files of one kind in a folder."""

    name: str
    paths: tuple[str, ...]
    bytes: int


class Tables:
    """`kept`: where counts are kept, so that a table is counted once."""

    def __init__(self, folder: Path | str, kept: Path | str):
        self.folder, self._kept = Path(os.path.realpath(folder)), Path(kept)

    # --- what is offered --------------------------------------------------------------------------------------

    def offered(self) -> list[Table]:
        """Files of the folder, those of one kind together, and the folders in it; nothing that leads out of it."""
        files, folders = [], []
        for name in self._names(self.folder):
            path = self.folder / name
            if path.is_dir():
                inside = (
                    [] if (path / ABOUT).exists() else [path / one for one in self._names(path)]
                )  # no labels of ours
                folders += self._together(f"{name}/", inside)
            elif self._is_table(path):
                files.append(path)
        every = self._together("", files)
        return (
            [one for one in every if len(one.paths) > 1] + [self._table(path.name, [path]) for path in files] + folders
        )

    def files(self, name: str, columns: Sequence[str] | None = None, ids: str | None = None) -> Files:
        """Of a table that is offered."""
        found = next((table for table in self.offered() if table.name == name), None)
        if found is None:
            raise InputError(f"No table called {name} is offered here.")
        return find_files(found.paths, columns, ids)

    def _names(self, folder: Path) -> list[str]:
        try:
            return sorted(name for name in os.listdir(folder) if name[0] not in "._" and self._holds(folder / name))
        except OSError:
            return []

    def _holds(self, path: Path) -> bool:
        """Whether it lies in the folder, links followed."""
        return Path(os.path.realpath(path)).is_relative_to(self.folder)

    def _is_table(self, path: Path) -> bool:
        return path.is_file() and path.name.lower().endswith(tuple(KINDS))

    def _together(self, where: str, paths: list[Path]) -> list[Table]:
        kinds: dict[str, list[Path]] = {}
        for path in filter(self._is_table, paths):
            kind = next(kind for ending, kind in KINDS.items() if path.name.lower().endswith(ending))
            kinds.setdefault(kind, []).append(path)
        return [self._table(f"{where}*.{kind}", some) for kind, some in kinds.items()]

    def _table(self, name: str, paths: list[Path]) -> Table:
        return Table(name, tuple(map(str, paths)), sum(path.stat().st_size for path in paths))

    # --- counted ----------------------------------------------------------------------------------------------

    def key(self, files: Files) -> str:
        said = json.dumps([files.paths, files.columns, files.ids, files.stamp])
        return PREFIX + hashlib.blake2b(said.encode(), digest_size=16).hexdigest()

    def count(self, title: str, files: Files, told: Callable[[int, int], None] | None = None) -> str:
        """The key of what was counted. `told(pieces done, pieces)` may raise Cancelled."""
        key = self.key(files)
        if self._note(key) is None:
            if files.rows is not None and files.rows > MOST:
                raise InputError(_too_many(files.rows))
            found = count_files(files, told=told)
            n = int(found.distinct.counts.sum())
            if n > MOST:
                raise InputError(_too_many(n))
            self._kept.mkdir(parents=True, exist_ok=True, mode=0o700)
            place = self._kept / f"{key}.counts"
            place.unlink(missing_ok=True)  # of a note that was lost
            save_counts(Ensemble.of_counts(found), place)
            note = {"title": title, "stamp": files.stamp, "paths": files.paths}
            aside = place.with_suffix(f".{os.getpid()}")
            aside.write_text(json.dumps(note), encoding="utf-8")
            os.replace(aside, place.with_suffix(".json"))
        return key

    def titles(self) -> dict[str, str]:
        """key -> title, of what was counted and has not changed since."""
        keys = [path.stem for path in self._kept.glob(f"{PREFIX}*.json")] if self._kept.is_dir() else []
        notes = {key: self._note(key) for key in sorted(keys)}
        return {key: note["title"] for key, note in notes.items() if note is not None}

    def counted(self, key: str) -> tuple[str, Ensemble]:
        note = self._note(key)
        if note is None:
            raise InputError("These files have changed since they were counted, or are offered no longer.")
        return note["title"], load_counts(self._kept / f"{key}.counts")

    def _note(self, key: str) -> dict | None:
        if not _KEY.fullmatch(key):
            return None
        try:
            note = json.loads((self._kept / f"{key}.json").read_text(encoding="utf-8"))
            within = all(self._holds(Path(path)) for path in note["paths"])
            return note if within and stamp_of(note["paths"]) == note["stamp"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    # --- written ----------------------------------------------------------------------------------------------

    def write(self, result: Result, name: str, told: Callable[[int, int], None] | None = None) -> list[Path]:
        """The labels beside the ids, in a new folder of this name; one this answer was begun in is gone on with."""
        if not _NEW.fullmatch(name) or name.endswith((".", " ")):
            raise InputError(
                f"{name!r} cannot be the name of a new folder: letters, digits, blanks and . _ - are, up to 80."
            )
        target = self.folder / name
        if target.is_symlink() or (target.exists() and not (target / ABOUT).is_file()):
            raise AlreadyThere(f"{name} is there already, and nothing is overwritten: choose another name.")
        return result.write(target, told=told)


def _too_many(n: int) -> str:
    return (
        f"{n:,} objects are more than the pages show ({MOST:,}). On the command line they are no trouble: quorum count "
        "and quorum write."
    )
