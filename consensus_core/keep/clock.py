"""The store's own time, by which things grow old.

The clock of a machine may be wrong, by days or by years, and be put right in a moment. The store's time follows it
onwards, never back, and never by more than a day at once; so neither mistake nor correction makes anything old.
"""

from __future__ import annotations

import sqlite3

DAY = 86400.0
TABLE = "CREATE TABLE clock (time REAL NOT NULL, wall REAL NOT NULL)"


def store_time(index: sqlite3.Connection, wall: float) -> float:
    """What time it is, `wall` being what the machine's clock says; within a transaction that may write."""
    time, seen = index.execute("SELECT time, wall FROM clock").fetchone() or (wall, wall)
    time += min(max(wall - seen, 0.0), DAY)
    index.execute("DELETE FROM clock")
    index.execute("INSERT INTO clock VALUES (?, ?)", (time, wall))
    return time
