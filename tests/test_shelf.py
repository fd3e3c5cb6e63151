"""A store that cannot be used means "not kept", said in one sentence; it never stands in a page's way."""

from __future__ import annotations

import contextlib
import os
import sqlite3

import pytest
from test_store import Clock

from consensus_core.keep import shelf as shelf_room
from consensus_core.keep.fault import StoreFault
from consensus_core.keep.index import SCHEMA
from consensus_core.keep.shelf import AGAIN, Shelf
from consensus_core.keep.store import Store, new_id


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def shelf(tmp_path, clock):
    return Shelf(tmp_path / "kept", ticks=clock.tick)


def everything(shelf: Shelf, desk: str, id: str):
    """Every question a page asks."""
    return [
        shelf.put(desk, "data", "d", "d.csv", {}, {"content": b"1"}),
        shelf.find(desk, "data", "d"),
        shelf.get(id),
        shelf.all(desk, "data"),
        shelf.file(id, "content"),
        shelf.used_bytes(desk),
        shelf.rename(id, "x"),
        shelf.remove(id),
        shelf.forget(desk),
    ]


NOTHING = [None, None, None, [], None, 0, None, None, None]


def test_in_good_times_it_is_the_store(shelf):
    desk = new_id()
    kept = shelf.put(desk, "data", "d", "d.csv", {"a": 1}, {"content": b"1"})
    assert shelf.get(kept.id).meta == {"a": 1} and shelf.file(kept.id, "content") == b"1"
    assert shelf.all(desk, "data") and shelf.used_bytes(desk) == 1 and shelf.trouble == "" == shelf.repaired
    shelf.rename(kept.id, "e.csv")
    assert shelf.find(desk, "data", "d").title == "e.csv"
    assert shelf.forget(desk) == 1 and shelf.get(kept.id) is None


def test_a_folder_that_cannot_be_made(clock):
    shelf = Shelf("/proc/quorum", ticks=clock.tick)
    assert everything(shelf, new_id(), new_id()) == NOTHING
    assert "/proc/quorum cannot be" in shelf.trouble and "QUORUM_DATA" in shelf.trouble


def test_a_newer_programs_store(shelf, clock):
    desk = new_id()
    shelf.put(desk, "data", "d")
    with contextlib.closing(sqlite3.connect(shelf.folder / "index.sqlite")) as index:
        index.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    later = Shelf(shelf.folder, ticks=clock.tick)
    assert everything(later, desk, new_id()) == NOTHING and "newer Quorum" in later.trouble


def test_a_garbage_index_is_mended_and_told_once(shelf, clock):
    desk = new_id()
    kept = shelf.put(desk, "data", "d")
    (shelf.folder / "index.sqlite").write_bytes(os.urandom(5000))
    later = Shelf(shelf.folder, ticks=clock.tick)
    assert later.get(kept.id) and later.trouble == ""
    assert "was damaged" in later.repaired and later.repaired == ""


def test_an_index_that_breaks_under_way_is_mended_and_told(shelf, clock):
    desk = new_id()
    kept = shelf.put(desk, "data", "d")
    (shelf.folder / "index.sqlite").write_bytes(os.urandom(5000))
    shelf.get(kept.id)
    clock.passes(AGAIN + 1)
    assert shelf.trouble == "" and shelf.get(kept.id) and "was damaged" in shelf.repaired


def test_trouble_ends_by_itself(shelf, clock, monkeypatch):
    """A disk that was full when the server started must not need a restart when it no longer is."""
    desk, kept = new_id(), None

    def full(*_, **__):
        raise StoreFault("full", "The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_check_room", full)
        assert shelf.put(desk, "data", "d", files={"f": b"1"}) is None
        assert shelf.trouble == "The disk is full."
        asked = []
        patch.setattr(Store, "_check_room", lambda *_: asked.append(1) or full())
        shelf.put(desk, "data", "d", files={"f": b"1"})
        assert not asked, "it is left alone for a while"
        clock.passes(AGAIN + 1)
        assert shelf.trouble == "The disk is full." and asked
    assert shelf.trouble == "The disk is full."
    clock.passes(AGAIN + 1)
    assert shelf.trouble == ""
    kept = shelf.put(desk, "data", "d", files={"f": b"1"})
    assert shelf.file(kept.id, "f") == b"1"


def test_a_store_that_could_not_be_opened_is_opened_later(tmp_path, clock):
    (tmp_path / "kept").write_text("a file where the folder should be")
    shelf = Shelf(tmp_path / "kept", ticks=clock.tick)
    assert shelf.trouble
    (tmp_path / "kept").unlink()
    assert shelf.put(new_id(), "data", "d") is None
    clock.passes(AGAIN + 1)
    assert shelf.trouble == "" and shelf.put(new_id(), "data", "d")


def test_reading_goes_on_while_nothing_can_be_written(shelf, clock, monkeypatch):
    desk = new_id()
    kept = shelf.put(desk, "data", "d", files={"f": b"1"})
    monkeypatch.setattr(Store, "put", lambda *_: (_ for _ in ()).throw(StoreFault("full", "full")))
    assert shelf.put(desk, "data", "e") is None and shelf.trouble == "full"
    assert shelf.get(kept.id) and shelf.file(kept.id, "f") == b"1" and shelf.all(desk, "data")


def test_a_locked_store_does_not_make_every_page_wait(shelf, clock, monkeypatch):
    """A link with data= waited ten seconds, and then showed a traceback."""
    monkeypatch.setattr("consensus_core.keep.index.BUSY", 0.05)
    desk = new_id()
    kept = shelf.put(desk, "data", "d", files={"f": b"1"})
    with contextlib.closing(sqlite3.connect(shelf.folder / "index.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert shelf.put(desk, "data", "e") is None and "locked" in shelf.trouble
        looked = []
        monkeypatch.setattr(shelf_room.Store, "put", lambda *_: looked.append(1))
        assert shelf.put(desk, "data", "e") is None and not looked
        assert shelf.get(kept.id) in (None, kept)
    monkeypatch.undo()
    clock.passes(AGAIN + 1)
    assert shelf.trouble == "" and shelf.get(kept.id)


# --- a visitor's wish -----------------------------------------------------------------------------------------------


def test_no_means_no(shelf):
    desk = new_id()
    assert shelf.keeps(desk)
    shelf.put(desk, "settings", "keeping", meta={"on": False})
    assert not shelf.keeps(desk)
    assert shelf.put(desk, "data", "d") is None and shelf.put(desk, "run", "r") is None
    assert shelf.all(desk, "data") == shelf.all(desk, "run") == []
    assert shelf.put(desk, "settings", "hint", meta={"seen": True})
    assert shelf.keeps(new_id())


def test_when_nobody_can_tell_nothing_is_kept(shelf, monkeypatch):
    """A "no" that cannot be read is still a no."""
    desk = new_id()
    shelf.put(desk, "settings", "keeping", meta={"on": False})
    find = Store.find

    def unreadable(store, desk, kind, key):
        if kind == "settings":
            raise StoreFault("locked", "locked")
        return find(store, desk, kind, key)

    monkeypatch.setattr(Store, "find", unreadable)
    assert not shelf.keeps(desk) and shelf.put(desk, "data", "d") is None


def test_a_browser_without_cookies_keeps_nothing(shelf):
    assert everything(shelf, "", new_id())[:-1] == NOTHING[:-1] and not shelf.keeps("") and shelf.trouble == ""
    assert not [place for place in (shelf.folder / "files").iterdir()]
