"""The index of what is kept: SQLite beside the files. It can be lost: the files say what they are.

A damaged index is set aside and a new one begun under another name: whoever still has the old one open would take away
the new one's journal on closing it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from . import clock
from .fault import StoreFault, broken, fault, name_of, newer
from .places import PRIVATE_FILE, drop

SCHEMA = 2
BUSY = 3.0  # seconds to wait for another program that is writing
WAYS = ("rw", "ro")  # to open it for reading, one after the other
COLUMNS = ("id", "desk", "kind", "key", "title", "meta", "created", "used", "bytes", "place")
_TABLES = """
CREATE TABLE things (
    id TEXT PRIMARY KEY, desk TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, title TEXT NOT NULL,
    meta TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL, bytes INTEGER NOT NULL, place TEXT NOT NULL,
    UNIQUE (desk, kind, key)
);
CREATE INDEX by_use ON things (desk, used);
"""


class Index:
    """`refill(connection)` is asked to write everything anew into an empty index, `adopt` to take over an older one."""

    def __init__(self, folder: Path, refill: Callable, adopt: Callable):
        self.folder, self.file = folder, newest(folder)
        self._refill, self._adopt = refill, adopt
        self.writable = True
        self.set_aside = False  # a damaged one was found and replaced
        self._open()

    # --- use ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Also where nothing can be written any more."""
        with self._told(), contextlib.closing(self._connected_for_reading()) as connection:
            yield connection

    @contextlib.contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; nobody else changes anything meanwhile."""
        with self._told(), contextlib.closing(self._connected()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def wipe(self) -> None:
        """What was deleted is in no journal either, nor in an index that was set aside."""
        with self._told(), contextlib.closing(self._connected()) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for old in self.folder.glob("index*"):
            if not old.name.startswith(self.file.name):
                drop(old)

    # --- opening --------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        with self._told(repairing=False):
            try:
                self._begin()
                return
            except (OSError, sqlite3.Error) as problem:
                if broken(problem):
                    self._replace()
                    return
                if not self.file.exists() or getattr(problem, "kind", "") == "newer":
                    raise
                trouble = problem
            # it cannot be written: perhaps it can still be read
            try:
                with contextlib.closing(self._connected_for_reading()) as connection:
                    if _form(connection) != SCHEMA:
                        raise trouble
            except (OSError, sqlite3.Error):
                raise trouble from None
            self.writable = False

    def _begin(self) -> None:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        with contextlib.closing(self._connected()) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            form = _form(connection)
            if form > SCHEMA:
                raise newer(self.folder)
            if form == SCHEMA:
                _check(connection)
                connection.rollback()
                return
            older = _older_rows(connection)
            _make(connection)
            self._refill(connection) if older is None else self._adopt(connection, older)
            connection.commit()

    def _replace(self) -> None:
        """Sets a damaged index aside and begins a new one; of two servers that find it so, one does."""
        with _alone(self.folder):
            self.file = newest(self.folder)
            try:
                self._begin()
                return  # the other one did
            except sqlite3.DatabaseError as problem:
                if not broken(problem):
                    raise
            aside = f"index.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
            os.replace(self.file, self.folder / aside)
            self.file = self.folder / f"index-{_number(self.file) + 1}.sqlite"
            self.set_aside = True
            self._begin()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._address("rw"), uri=True, timeout=BUSY, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, names included
        except BaseException:
            connection.close()
            raise
        return connection

    def _connected_for_reading(self) -> sqlite3.Connection:
        """As usual; or without a journal of its own, where a full disk or a closed folder allows no more."""
        for way in (*WAYS, "ro&immutable=1"):
            try:
                connection = sqlite3.connect(self._address(way), uri=True, timeout=BUSY)
                with contextlib.ExitStack() as unless_it_works:
                    unless_it_works.callback(connection.close)
                    connection.execute("SELECT 1 FROM things LIMIT 1")
                    unless_it_works.pop_all()
                    return connection
            except sqlite3.Error as problem:
                if way not in WAYS or broken(problem) or name_of(problem).startswith("SQLITE_BUSY"):
                    raise

    def _address(self, way: str) -> str:
        if not self.file.exists():
            self.file = newest(self.folder)  # another server set the old one aside
        return f"{self.file.absolute().as_uri()}?mode={way}"

    @contextlib.contextmanager
    def _told(self, repairing: bool = True) -> Iterator[None]:
        """Every problem is told as a fault; an index that broke while it was used is replaced for the next question."""
        try:
            yield
        except StoreFault:
            raise
        except (OSError, sqlite3.Error) as problem:
            if repairing and broken(problem):
                with contextlib.suppress(OSError, sqlite3.Error):
                    self._replace()
            raise fault(problem, self.folder) from problem


def newest(folder: Path) -> Path:
    """Of the indices the one begun last."""
    return max([folder / "index.sqlite", *folder.glob("index-*.sqlite")], key=_number)


def _number(file: Path) -> int:
    found = re.fullmatch(r"index-(\d{1,9})\.sqlite", file.name)
    return int(found[1]) if found else 0


def _form(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _make(connection: sqlite3.Connection) -> None:
    for statement in [*filter(str.strip, _TABLES.split(";")), clock.TABLE]:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _check(connection: sqlite3.Connection) -> None:
    """That it has today's columns, and is sound inside."""
    try:
        connection.execute(f"SELECT {', '.join(COLUMNS)} FROM things LIMIT 0")
        connection.execute("SELECT time, wall FROM clock LIMIT 0")
    except sqlite3.OperationalError as problem:
        raise _damaged() from problem
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise _damaged()


def _older_rows(connection: sqlite3.Connection) -> list[tuple] | None:
    """Of the first form, which had no number: its rows, and its table is gone. None where there is nothing at all."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    columns = [row[1] for row in connection.execute("PRAGMA table_info(things)")]
    if tables != {"things"} or columns != list(COLUMNS[:-1]) or _form(connection):
        raise _damaged()
    rows = connection.execute(f"SELECT {', '.join(COLUMNS[:-1])} FROM things").fetchall()
    connection.execute("DROP TABLE things")
    return rows


def _damaged() -> sqlite3.DatabaseError:
    problem = sqlite3.DatabaseError("this index is not one of Quorum's, or damaged inside")
    problem.sqlite_errorname = "SQLITE_CORRUPT"
    return problem


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else repairs meanwhile (where the system knows such locks)."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(os.open(folder / ".repair", os.O_RDWR | os.O_CREAT, PRIVATE_FILE), "rb+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
