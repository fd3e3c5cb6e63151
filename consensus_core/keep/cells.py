"""The cells of sweeps, kept as they come: one SQLite file, a row for each, written before anybody is told of it.

A row says which data and method it is of, so that what is kept can be listed, and goes with its data.

A program that is killed loses nothing that was told (a power cut may cost the last seconds). Like everything kept,
cells belong to a desk, are written without anything that could run, and go when they are not wanted or too many.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .codec import Damaged, decode, encode
from .places import PRIVATE_FILE, drop, private_folder
from .types import PACKAGE, name_of

LIMIT = 200 << 20  # bytes of cells of one desk; beyond it the oldest go
DAYS = 90
FILE = "cells.sqlite"
_TABLE = """CREATE TABLE IF NOT EXISTS cells (
    desk TEXT NOT NULL, key TEXT NOT NULL, came REAL NOT NULL, bytes INTEGER NOT NULL, content BLOB NOT NULL,
    data TEXT NOT NULL DEFAULT '', method TEXT NOT NULL DEFAULT '', PRIMARY KEY (desk, key)) WITHOUT ROWID"""
_COLUMNS = "desk, key, came, bytes, content, data, method"
_AT_ONCE = 500  # keys in one question


@dataclass(frozen=True)
class Filed:
    """All cells of one method on the same data."""

    data: str  # as whoever kept them calls it; "" where nobody said
    method: str  # its key
    count: int
    bytes: int
    came: float  # the last, seconds since the epoch


class Cells:
    """Safe to use from several threads and processes. What cannot be kept is not kept; `trouble` says why."""

    def __init__(self, folder: Path | str, desk: str = "", limit: int = LIMIT, data: str = ""):
        self.folder, self.desk, self.limit, self.data = Path(folder), desk, limit, data
        self.trouble = ""
        self._door = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._since = 0  # bytes written since the last look at the limit

    def get(self, keys: Sequence[str], n: int | None = None) -> dict:
        """The outcomes there are; what is damaged, or of another number of objects, is not there."""
        found = {}
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._ask(
                lambda c, some=some, marks=marks: c.execute(
                    f"SELECT key, content FROM cells WHERE desk = ? AND key IN ({marks})", (self.desk, *some)
                ).fetchall()
            )
            for key, content in rows or ():
                with contextlib.suppress(Damaged):
                    outcome = decode(content, _types())["cell"]
                    if n is None or outcome.labels is None or outcome.labels.shape == (n,):
                        found[key] = outcome
        return found

    def put(self, key: str, outcome, method: str = "") -> None:
        content = encode({"cell": outcome}, _types())
        row = (self.desk, key, time.time(), len(content), content, self.data, method)
        self._ask(lambda c: c.execute(f"INSERT OR REPLACE INTO cells ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", row))
        self._since += len(content)
        if self._since > self.limit // 20:
            self._since = 0
            self._ask(self._make_room)

    def listed(self) -> list[Filed]:
        """What is kept at this desk, the last that came first."""
        rows = self._ask(
            lambda c: c.execute(
                "SELECT data, method, COUNT(*), SUM(bytes), MAX(came) FROM cells WHERE desk = ? "
                "GROUP BY data, method ORDER BY MAX(came) DESC",
                (self.desk,),
            ).fetchall()
        )
        return [Filed(*row) for row in rows or ()]

    def remove(self, data: str, method: str | None = None) -> None:
        """What is kept of these data: of one method, or all of it."""
        which, values = ("", ()) if method is None else (" AND method = ?", (method,))
        self._ask(
            lambda c: c.execute(f"DELETE FROM cells WHERE desk = ? AND data = ?{which}", (self.desk, data, *values))
        )

    def forget(self) -> None:
        """Everything of this desk, also from the journal."""
        self._ask(lambda c: c.execute("DELETE FROM cells WHERE desk = ?", (self.desk,)))
        self._ask(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    @property
    def bytes(self) -> int:
        rows = self._ask(
            lambda c: c.execute("SELECT COALESCE(SUM(bytes), 0) FROM cells WHERE desk = ?", (self.desk,)).fetchall()
        )
        return rows[0][0] if rows else 0

    def _make_room(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM cells WHERE came < ?", (time.time() - DAYS * 86400,))
        said = connection.execute("SELECT key, bytes FROM cells WHERE desk = ? ORDER BY came DESC", (self.desk,))
        total, old = 0, []
        for key, size in said.fetchall():
            total += size
            if total > self.limit:
                old.append((self.desk, key))
        connection.executemany("DELETE FROM cells WHERE desk = ? AND key = ?", old)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _ask(self, what):
        with self._door:
            try:
                return self._asked(what)
            except (OSError, sqlite3.Error) as problem:
                self.trouble = f"Results of sweeps cannot be kept in {self.folder} ({problem})."
                if self._connection is not None:
                    self._connection.close()
                self._connection = None
                return None

    def _asked(self, what):
        try:
            if self._connection is None:
                self._open()
            return what(self._connection)
        except sqlite3.DatabaseError as problem:
            if getattr(problem, "sqlite_errorname", "") not in ("SQLITE_CORRUPT", "SQLITE_NOTADB"):
                raise
            if self._connection is not None:
                self._connection.close()
            for part in ("", "-wal", "-shm"):  # results can be computed again: a damaged file goes
                drop(self.folder / f"{FILE}{part}")
            self._open()
            return what(self._connection)

    def _open(self) -> None:
        self._connection = self._opened()
        weakref.finalize(self, self._connection.close)  # whoever names a folder to a sweep closes nothing

    def _opened(self) -> sqlite3.Connection:
        private_folder(self.folder)
        file = self.folder / FILE
        with contextlib.suppress(FileExistsError):
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        connection = sqlite3.connect(file, timeout=10.0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(_TABLE)
            _completed(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        with self._door:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _completed(connection: sqlite3.Connection) -> None:
    """A table of an older version does not say what its cells are of."""
    there = {row[1] for row in connection.execute("PRAGMA table_info(cells)")}
    for column in ("data", "method"):
        if column not in there:
            with contextlib.suppress(sqlite3.OperationalError):  # another program has just done it
                connection.execute(f"ALTER TABLE cells ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


@functools.cache
def _types() -> dict[str, type]:
    cls = importlib.import_module(f"{PACKAGE}.sweep.outcome").Outcome  # named by us, and nowhere in a file
    return {name_of(cls): cls}
