"""What a person gave and computed, kept on this machine: an SQLite index beside files in the user's data directory.

Everything belongs to a desk (a visitor's unguessable id, held in a cookie, never in a link) and has an unguessable id
of its own (which may stand in a link: who is given the link may see that one thing). Nothing leaves the machine.
A thing is complete or not there, and what replaces it takes its place in one step. Faults are StoreFaults.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..method.cost import bytes_in_words
from .cleaning import Cleaning
from .clock import store_time
from .fault import StoreFault, closed, crowded, fault, full
from .index import COLUMNS, Index, newest
from .places import Places, drop, private_folder

LIMIT = 10**9  # bytes kept for one visitor; beyond it that visitor's own longest unused things go first
WHOLE = 8 * 10**9  # bytes kept for all; beyond it nothing more is taken in
FREE = 5 * 10**8  # bytes to leave free on the disk, or a twentieth of a small one
DAYS = 90  # things not looked at for so long are removed
SETTINGS = "settings"  # the kind that never goes by itself: a "no" does not expire
RUN = "run"  # can be computed again, so it goes before data do, and never pushes data out
MARKED = 60.0  # seconds within which a thing is not marked as used again
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_ALL = ", ".join(COLUMNS)
_PINNED = "CASE WHEN json_valid(meta) THEN COALESCE(json_extract(meta, '$.pinned'), 0) ELSE 0 END"


@dataclass(frozen=True)
class Kept:
    id: str
    desk: str
    kind: str  # "data", "run", "settings"
    key: str  # what it is, to its desk: the same (desk, kind, key) is replaced
    title: str
    meta: dict[str, Any]
    created: float  # seconds since the epoch
    used: float  # by the store's own time (clock.py)
    bytes: int


def data_folder() -> Path:
    """Where this system keeps a user's data; QUORUM_DATA names another place."""
    if named := os.environ.get("QUORUM_DATA"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "quorum"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "quorum"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "quorum"


def new_id() -> str:
    """128 bits nobody guesses."""
    return secrets.token_urlsafe(16)


class Store:
    """Safe to use from several threads and processes at once."""

    def __init__(
        self,
        folder: Path | None = None,
        limit: int = LIMIT,
        whole: int = WHOLE,
        days: float = DAYS,
        clock=time.time,
        ticks=time.monotonic,
    ):
        self.folder = Path(folder) if folder else data_folder()
        self.limit, self.whole, self._clock = limit, whole, clock
        self._places = Places(self.folder / "files")
        try:
            private_folder(self.folder)
            self._places.prepare()
        except OSError as problem:
            if not newest(self.folder).exists():
                raise fault(problem, self.folder) from problem
        self._index = Index(self.folder, self._refill, self._adopt)
        self.told = False  # somebody was told of the repair
        self._cleaning = Cleaning(self._index, self._places, days, SETTINGS, clock, ticks)
        if self.writable:
            self._places.lay_by_reserve()
            self._cleaning.due()

    @property
    def writable(self) -> bool:
        """False where things can be read and no more."""
        return self._index.writable

    def closed(self) -> StoreFault:
        """Why nothing can be written where it can be read."""
        return closed(self.folder)

    @property
    def was_repaired(self) -> bool:
        """A damaged index was set aside, and a new one made from the files."""
        return self._index.set_aside

    # --- keeping ----------------------------------------------------------------------------------------------------

    def put(
        self, desk: str, kind: str, key: str, title: str = "", meta: dict | None = None, files: dict | None = None
    ) -> Kept:
        """Keeps a thing in place of the one with the same desk, kind and key, whose id and title it takes over.

        `title` is a new thing's first name; `rename` gives it others. `files`: name -> bytes, all of the thing's files;
        None leaves them as they are.
        """
        files = None if files is None else dict(files)
        size = sum(map(len, (files or {}).values()))
        begun, made, gone = None, [], []
        try:
            self._check_room(size)
            begun = self._places.begin(files or {})
            with self._index.changing() as index:
                before = index.execute(
                    "SELECT id, title, created, place, bytes FROM things WHERE desk = ? AND kind = ? AND key = ?",
                    (desk, kind, key),
                ).fetchone()
                id, title, created, place, kept_bytes = before or (new_id(), title, self._clock(), "", 0)
                about = dict(id=id, desk=desk, kind=kind, key=key, title=title, meta=meta or {})
                about |= dict(created=created, kept=store_time(index, self._clock()))
                if files is None and place:
                    size = kept_bytes
                    self._places.describe(place, about)
                else:
                    gone += [place] if place else []
                    place = self._places.finish(begun, about)
                    made.append(place)
                self._write(index, about, size, place)
                gone += self._make_room(index, desk, kind, id)
        except BaseException as problem:
            self._places.remove(made)
            if isinstance(problem, OSError) and not isinstance(problem, StoreFault):
                raise fault(problem, self.folder) from problem
            raise
        finally:
            if begun:
                drop(begun)
        self._places.remove(gone)
        self._cleaning.due()
        return Kept(id, desk, kind, key, title, about["meta"], created, about["kept"], size)

    def rename(self, id: str, title: str) -> None:
        self._describe(id, title=title)

    def note(self, id: str, **meta) -> None:
        """Adds to what is said of a thing."""
        self._describe(id, meta=meta)

    def _describe(self, id: str, title: str | None = None, meta: dict | None = None) -> None:
        with self._index.changing() as index:
            row = index.execute(f"SELECT {_ALL} FROM things WHERE id = ?", (id,)).fetchone()
            if row and (kept := _kept(row)):
                about = {name: getattr(kept, name) for name in ("id", "desk", "kind", "key", "title", "created")}
                about |= dict(meta={**kept.meta, **(meta or {})}, kept=kept.used)
                about |= {} if title is None else {"title": title}
                self._places.describe(row[-1], about)
                said = (about["title"], json.dumps(about["meta"]), id)
                index.execute("UPDATE things SET title = ?, meta = ? WHERE id = ?", said)

    def remove(self, id: str) -> None:
        self._remove("id = ?", id)

    def forget(self, desk: str) -> int:
        """Removes everything of a desk; says how many things that were."""
        count = self._remove("desk = ?", desk)
        self._index.wipe()
        return count

    # --- looking ----------------------------------------------------------------------------------------------------

    def get(self, id: str) -> Kept | None:
        """The thing with this id, from now on counted as used; None where there is none (any more)."""
        if not isinstance(id, str) or not _ID.fullmatch(id):
            return None
        with self._index.reading() as index:
            row = index.execute(f"SELECT {_ALL} FROM things WHERE id = ?", (id,)).fetchone()
            seen = index.execute("SELECT time, wall FROM clock").fetchone()
        if row and (not seen or abs(self._clock() - seen[1]) + abs(seen[0] - row[7]) > MARKED):
            with contextlib.suppress(StoreFault), self._index.changing() as index:  # reading matters more
                index.execute("UPDATE things SET used = ? WHERE id = ?", (store_time(index, self._clock()), id))
        return _kept(row) if row else None

    def find(self, desk: str, kind: str, key: str) -> Kept | None:
        return self._one("desk = ? AND kind = ? AND key = ?", desk, kind, key)

    def all(self, desk: str, kind: str) -> list[Kept]:
        """A desk's things of a kind, the last used first."""
        with self._index.reading() as index:
            rows = index.execute(
                f"SELECT {_ALL} FROM things WHERE desk = ? AND kind = ? ORDER BY used DESC, created DESC", (desk, kind)
            ).fetchall()
        return [kept for row in rows if (kept := _kept(row))]

    def file(self, id: str, name: str) -> bytes | None:
        if not isinstance(id, str) or not _ID.fullmatch(id):
            return None
        for _ in range(3):  # it may be replaced between the two looks
            with self._index.reading() as index:
                row = index.execute("SELECT place FROM things WHERE id = ?", (id,)).fetchone()
            try:
                content = self._places.read(row[0], name) if row else None
            except OSError as problem:
                raise fault(problem, self.folder) from problem
            if row is None or content is not None:
                return content
        return None

    def used_bytes(self, desk: str | None = None) -> int:
        where, values = ("WHERE desk = ?", (desk,)) if desk else ("", ())
        with self._index.reading() as index:
            return index.execute(f"SELECT COALESCE(SUM(bytes), 0) FROM things {where}", values).fetchone()[0]

    def probe(self) -> None:
        """A StoreFault where nothing can be kept just now."""
        self._check_room(0)
        drop(self._places.begin({}))
        with self._index.changing() as index:
            store_time(index, self._clock())

    def clean(self) -> list[str]:
        """At once, and not when it is due; the ids of what went."""
        return self._cleaning.now()

    # --- inside -----------------------------------------------------------------------------------------------------

    def _check_room(self, size: int) -> None:
        disk = shutil.disk_usage(self.folder)
        if size and disk.free - size < min(FREE, disk.total // 20):
            raise full(self.folder)
        if size and self.used_bytes() + size > self.whole:
            raise crowded(self.folder, bytes_in_words(self.whole))

    def _make_room(self, index, desk: str, kind: str, spare: str) -> list[str]:
        """Takes the desk's longest unused things out until it keeps within its limit; the places they leave.

        What has just been given stays, whatever its size. A run makes other runs go, never data; pinned ones go last.
        """
        rows = index.execute(
            f"SELECT id, place, bytes, kind FROM things WHERE desk = ? AND kind != ? "
            f"ORDER BY kind != ?, {_PINNED}, used, created",
            (desk, SETTINGS, RUN),
        ).fetchall()
        total, gone = sum(row[2] for row in rows), []
        for id, place, size, its_kind in rows:
            if total > self.limit and id != spare and (its_kind == RUN or kind != RUN):
                index.execute("DELETE FROM things WHERE id = ?", (id,))
                total -= size
                gone.append(place)
        return gone

    def _remove(self, where: str, value: str) -> int:
        with self._index.reading() as index:
            places = [row[0] for row in index.execute(f"SELECT place FROM things WHERE {where}", (value,))]
        try:
            self._places.disown(places)
            self._delete(where, value)
        except OSError as problem:
            if fault(problem, self.folder).kind != "full":
                raise fault(problem, self.folder) from problem
            # the files and the reserve make room for the journal of forgetting them
            self._places.remove(places)
            self._places.use_reserve()
            self._delete(where, value)
        self._places.remove(places)
        return len(places)

    def _delete(self, where: str, value: str) -> None:
        with self._index.changing() as index:
            index.execute(f"DELETE FROM things WHERE {where}", (value,))

    def _one(self, where: str, *values) -> Kept | None:
        with self._index.reading() as index:
            row = index.execute(f"SELECT {_ALL} FROM things WHERE {where}", values).fetchone()
        return _kept(row) if row else None

    def _write(self, index, about: dict, size: int, place: str) -> None:
        row = {**about, "meta": json.dumps(about["meta"]), "used": about["kept"], "bytes": size, "place": place}
        index.execute(
            f"INSERT INTO things ({_ALL}) VALUES ({', '.join('?' * len(COLUMNS))}) "
            "ON CONFLICT (desk, kind, key) DO UPDATE SET title = excluded.title, meta = excluded.meta, "
            "used = excluded.used, bytes = excluded.bytes, place = excluded.place",
            [row[name] for name in COLUMNS],
        )

    def _refill(self, index) -> None:
        """An index that was lost, made again from what the files say; of two that say the same the later counts."""
        found = [(about, place) for place, about in self._places.described() if _describes(about)]
        newest = max([about["kept"] for about, _ in found], default=self._clock())
        index.execute("INSERT INTO clock VALUES (?, ?)", (newest, self._clock()))
        for about, place in sorted(found, key=lambda pair: pair[0]["kept"]):
            with contextlib.suppress(sqlite3.IntegrityError):  # one id for two things: a copy made by hand
                self._write(index, about, self._places.size(place), place)

    def _adopt(self, index, rows: list[tuple]) -> None:
        """Takes over the first form: a folder per id, runs and built data as pickles, which nobody reads any more."""
        for id, desk, kind, key, title, meta, created, used, size in rows:
            with contextlib.suppress(ValueError, OSError):
                if kind == RUN or not _ID.fullmatch(id):
                    drop(self._places.folder / id)
                    continue
                about = dict(id=id, desk=desk, kind=kind, key=key, title=title, meta=json.loads(meta), created=created)
                self._places.close(id)
                drop(self._places.folder / id / "built")
                self._places.describe(id, {**about, "kept": used})
                self._write(index, {**about, "kept": used}, self._places.size(id) if size else 0, id)


def _kept(row) -> Kept | None:
    """None for a row that is damaged: it is lost alone."""
    id, desk, kind, key, title, meta, created, used, size, _ = row
    try:
        meta = json.loads(meta)
        if not isinstance(meta, dict):
            return None
        return Kept(id, desk, kind, key, str(title), meta, float(created), float(used), int(size))
    except (ValueError, TypeError, RecursionError):
        return None


def _describes(about: dict) -> bool:
    texts = all(isinstance(about.get(name), str) for name in ("id", "desk", "kind", "key", "title"))
    numbers = all(isinstance(about.get(name), (int, float)) for name in ("created", "kept"))
    return texts and numbers and isinstance(about.get("meta"), dict) and bool(_ID.fullmatch(about["id"]))
