"""What a person gave and computed, kept on this machine: an SQLite index beside files in the user's data directory.

Everything belongs to a desk (a visitor's unguessable id, held in a cookie, never in a link) and has an unguessable id
of its own (which may stand in a link: who is given the link may see that one thing). Nothing leaves the machine.
A thing is complete or not there: its files are written and moved into place before the index names them.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT = 2 << 30  # bytes kept in all; beyond it the longest unused things go first
DAYS = 90  # things not looked at for so long are removed
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_TABLE = """
CREATE TABLE IF NOT EXISTS things (
    id TEXT PRIMARY KEY, desk TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL,
    meta TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL, bytes INTEGER NOT NULL,
    UNIQUE (desk, kind, key)
)
"""


@dataclass(frozen=True)
class Kept:
    id: str
    desk: str
    kind: str  # "data", "run", "settings"
    key: str  # what it is, to its desk: the same (desk, kind, key) is replaced
    title: str
    meta: dict[str, Any]
    created: float  # seconds since the epoch
    used: float
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

    def __init__(self, folder: Path | None = None, limit: int = LIMIT, days: float = DAYS):
        self.folder = Path(folder) if folder else data_folder()
        self.limit, self.days = limit, days
        self._files = self.folder / "files"
        self._files.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            self.folder.chmod(0o700)  # other users of the machine have no business here
        with self._index() as index:
            index.execute("PRAGMA journal_mode = WAL")
            index.execute(_TABLE)

    def put(self, desk: str, kind: str, key: str, title: str = "", meta: dict | None = None, files=None) -> Kept:
        """Keeps a thing in place of the one with the same desk, kind and key, whose id it takes over.

        `files`: name -> bytes. Files of the thing replaced that are not named again stay.
        """
        before = self.find(desk, kind, key)
        id = before.id if before else new_id()
        for name, content in (files or {}).items():
            self._write(id, name, content)
        now = time.time()
        size = sum(file.stat().st_size for file in self._place(id).glob("*")) if self._place(id).exists() else 0
        row = (id, desk, kind, key, title, json.dumps(meta or {}), before.created if before else now, now, size)
        with self._index() as index:
            index.execute(
                "INSERT INTO things VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (desk, kind, key) DO UPDATE SET "
                "title = excluded.title, meta = excluded.meta, used = excluded.used, bytes = excluded.bytes",
                row,
            )
        self.clean(spare=id)
        return self.find(desk, kind, key)

    def get(self, id: str) -> Kept | None:
        """The thing with this id, from now on counted as used; None where there is none (any more)."""
        if not isinstance(id, str) or not _ID.fullmatch(id):
            return None
        with self._index() as index:
            index.execute("UPDATE things SET used = ? WHERE id = ?", (time.time(), id))
            return self._one(index.execute("SELECT * FROM things WHERE id = ?", (id,)))

    def find(self, desk: str, kind: str, key: str) -> Kept | None:
        with self._index() as index:
            return self._one(
                index.execute("SELECT * FROM things WHERE desk = ? AND kind = ? AND key = ?", (desk, kind, key))
            )

    def all(self, desk: str, kind: str) -> list[Kept]:
        """A desk's things of a kind, the last used first."""
        with self._index() as index:
            rows = index.execute("SELECT * FROM things WHERE desk = ? AND kind = ? ORDER BY used DESC", (desk, kind))
            return [_kept(row) for row in rows]

    def file(self, id: str, name: str) -> bytes | None:
        if not _ID.fullmatch(id) or not _NAME.fullmatch(name):
            return None
        with contextlib.suppress(FileNotFoundError):
            return (self._place(id) / name).read_bytes()
        return None

    def remove(self, id: str) -> None:
        with self._index() as index:
            index.execute("DELETE FROM things WHERE id = ?", (id,))
        shutil.rmtree(self._place(id), ignore_errors=True)

    def forget(self, desk: str) -> int:
        """Removes everything of a desk; says how many things that were."""
        with self._index() as index:
            ids = [row[0] for row in index.execute("SELECT id FROM things WHERE desk = ?", (desk,))]
        for id in ids:
            self.remove(id)
        with self._index() as index:  # nor in the journal
            index.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(ids)

    def used_bytes(self, desk: str | None = None) -> int:
        where, values = ("WHERE desk = ?", (desk,)) if desk else ("", ())
        with self._index() as index:
            return index.execute(f"SELECT COALESCE(SUM(bytes), 0) FROM things {where}", values).fetchone()[0]

    def clean(self, spare: str = "") -> list[str]:
        """Removes what has not been used for `days`, and the longest unused while more than `limit` bytes are kept."""
        gone = []
        with self._index() as index:
            rows = index.execute("SELECT id, used, bytes FROM things ORDER BY used").fetchall()
        total = sum(size for _, _, size in rows)
        for id, used, size in rows:
            if id != spare and (used < time.time() - self.days * 86400 or total > self.limit):
                self.remove(id)
                total -= size
                gone.append(id)
        self._sweep({id for id, _, _ in rows})
        return gone

    def _sweep(self, known: set[str]) -> None:
        """Removes what a killed process left half written: it is in no index, and nobody has touched it for an hour."""
        for file in self._files.glob("*/*"):
            abandoned = file.name.startswith(".") or file.parent.name not in known
            with contextlib.suppress(FileNotFoundError):
                if abandoned and file.stat().st_mtime < time.time() - 3600:
                    file.unlink()
        for place in self._files.iterdir():
            with contextlib.suppress(OSError):  # not empty, or gone already
                # an empty one that is new may be somebody's who is about to write
                if place.name not in known and place.stat().st_mtime < time.time() - 3600:
                    place.rmdir()

    def _write(self, id: str, name: str, content: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a file name of the store")
        place = self._place(id)
        place.mkdir(parents=True, exist_ok=True)
        unfinished = place / f".{name}.{secrets.token_hex(4)}"
        unfinished.write_bytes(content)
        unfinished.replace(place / name)

    def _place(self, id: str) -> Path:
        return self._files / id

    @contextlib.contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.folder / "index.sqlite", timeout=10)
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, names included
        try:
            with connection:
                yield connection
        finally:
            connection.close()

    @staticmethod
    def _one(rows) -> Kept | None:
        row = rows.fetchone()
        return _kept(row) if row else None


def _kept(row) -> Kept:
    id, desk, kind, key, title, meta, created, used, size = row
    return Kept(id, desk, kind, key, title, json.loads(meta), created, used, size)
