"""Why nothing can be kept, in a sentence that says what to do about it."""

from __future__ import annotations

import errno
import shutil
import sqlite3

FULL = (errno.ENOSPC, errno.EDQUOT)
SMALL = 1 << 20
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class StoreFault(OSError):
    """The store cannot be used; the message says why and what to do. `kind`: full, closed, locked, newer, other."""

    def __init__(self, kind: str, sentence: str):
        super().__init__(sentence)
        self.kind = kind


def newer(folder) -> StoreFault:
    return StoreFault(
        "newer", f"{folder} was written by a newer Quorum. Use that one, or name another folder in QUORUM_DATA."
    )


def full(folder) -> StoreFault:
    return StoreFault("full", f"The disk with {folder} is full. Free some space, or delete kept data and runs.")


def closed(folder) -> StoreFault:
    return StoreFault("closed", f"{folder} cannot be written. Allow it, or name another folder in QUORUM_DATA.")


def crowded(folder, limit: str) -> StoreFault:
    return StoreFault(
        "full", f"The data and runs of all visitors in {folder} have reached {limit}. Delete some of what is kept."
    )


def fault(problem: Exception, folder) -> StoreFault:
    """What went wrong, told by what it means to a person."""
    if isinstance(problem, StoreFault):
        return problem
    name = name_of(problem)
    number = getattr(problem, "errno", None)
    if name == "SQLITE_FULL" or number in FULL or (name.startswith("SQLITE_IOERR") and _no_room(folder)):
        return full(folder)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreFault("locked", f"Another program keeps {folder} locked. Close it, or wait until it is done.")
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")) or number in CLOSED:
        return closed(folder)
    said = " ".join(str(problem).split()) or type(problem).__name__
    return StoreFault(
        "other", f"{folder} cannot be used ({said}). Check the disk, or name another folder in QUORUM_DATA."
    )


def _no_room(folder) -> bool:
    """Not even for what SQLite needs beside the index."""
    try:
        return shutil.disk_usage(folder).free < SMALL
    except OSError:
        return False


def broken(problem: Exception) -> bool:
    """The index is no database, or its inside is damaged: a new one can be made."""
    return isinstance(problem, sqlite3.DatabaseError) and name_of(problem).startswith(BROKEN)


def name_of(problem: Exception) -> str:
    """SQLite's name of what went wrong."""
    return getattr(problem, "sqlite_errorname", "") or ""
