"""The local store: complete or not there, one visitor cannot reach another's, limits by size and age, faults told."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from consensus_core.keep import places as places_room
from consensus_core.keep import store as store_room
from consensus_core.keep.fault import StoreFault
from consensus_core.keep.index import SCHEMA
from consensus_core.keep.places import ABOUT
from consensus_core.keep.store import Store, data_folder, new_id

ROOT = Path(__file__).resolve().parents[1]
DAY = 86400.0


class Clock:
    """A clock that can be set, and one that counts seconds whatever the first says."""

    def __init__(self):
        self.now, self.ticks = 1.8e9, 0.0

    def __call__(self) -> float:
        return self.now

    def tick(self) -> float:
        return self.ticks

    def passes(self, seconds: float) -> None:
        self.now += seconds
        self.ticks += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    return Store(tmp_path / "kept", clock=clock, ticks=clock.tick)


def again(store: Store, clock=time.time, ticks=time.monotonic, **more) -> Store:
    """As another server would open it."""
    return Store(store.folder, clock=clock, ticks=ticks, **more)


def folders(store: Store) -> list[str]:
    return sorted(entry.name for entry in (store.folder / "files").iterdir())


# --- what it is for -------------------------------------------------------------------------------------------------


def test_what_is_put_is_found_by_another_process_s_store(store):
    desk = new_id()
    kept = store.put(desk, "data", "votes", "votes.csv", {"rows": 3}, {"table": b"123"})
    other = again(store)
    assert other.get(kept.id).meta == {"rows": 3} and other.file(kept.id, "table") == b"123"
    assert other.find(desk, "data", "votes").id == kept.id
    assert [k.title for k in other.all(desk, "data")] == ["votes.csv"]


def test_the_same_key_is_replaced_and_keeps_its_id(store, clock):
    desk = new_id()
    one = store.put(desk, "run", "a", "first", {"at": 1}, {"state": b"x", "film": b"y"})
    clock.passes(5)
    two = store.put(desk, "run", "a", "", {"at": 2}, {"state": b"zz"})
    assert two.id == one.id and two.created == one.created and two.meta == {"at": 2} and two.title == "first"
    assert store.file(one.id, "state") == b"zz" and store.file(one.id, "film") is None
    assert store.used_bytes(desk) == 2 and len(folders(store)) == 1
    three = store.put(desk, "run", "a", meta={"at": 3})
    assert store.file(three.id, "state") == b"zz" and store.get(three.id).meta == {"at": 3}


def test_one_visitor_cannot_reach_anothers(store):
    mine, theirs = new_id(), new_id()
    kept = store.put(mine, "data", "votes")
    assert store.find(theirs, "data", "votes") is None and store.all(theirs, "data") == []
    assert store.forget(theirs) == 0 and store.get(kept.id) is not None
    assert len(new_id()) >= 22 and new_id() != new_id()


@pytest.mark.parametrize(
    "id", ["", "../../etc/passwd", "a" * 15, "x" * 65, "abc/def/ghi/jkl/mno", "%2e%2e%2f" * 3, None, 7]
)
def test_ids_from_links_are_not_trusted(store, id):
    assert store.get(id) is None and store.file(id, "f") is None


def test_names_are_not_trusted(store):
    kept = store.put(new_id(), "data", "votes", files={"a": b"1"})
    assert store.file(kept.id, "../index.sqlite") is None and store.file("../..", "a") is None
    for name in ("../a", "A", "", ".hidden", ABOUT):
        with pytest.raises(ValueError):
            store.put(new_id(), "data", "votes", files={name: b"1"})
    assert len(folders(store)) == 1, "nothing of what was refused stays"


def test_a_thing_can_be_given_another_name(store):
    kept = store.put(new_id(), "data", "votes", "votes.csv", {"rows": 3}, {"table": b"123"})
    store.rename(kept.id, "trees, second try")
    assert store.get(kept.id).title == "trees, second try" and store.file(kept.id, "table") == b"123"
    (store.folder / "index.sqlite").write_bytes(b"junk" * 999)
    assert again(store).get(kept.id).title == "trees, second try"
    store.rename(new_id(), "nobody")


def test_forget_everything_leaves_nothing(store):
    desk, other = new_id(), new_id()
    gone = [store.put(desk, "data", str(i), f"secret {i}", files={"f": b"1234"}).id for i in range(3)]
    stays = store.put(other, "data", "0", files={"f": b"1234"}).id
    assert store.forget(desk) == 3
    assert len(folders(store)) == 1 and store.file(stays, "f") == b"1234"
    assert all(store.get(id) is None and store.file(id, "f") is None for id in gone)
    assert store.used_bytes() == 4
    assert b"secret" not in b"".join(file.read_bytes() for file in store.folder.rglob("*") if file.is_file())


def test_everything_in_the_store_is_private(store):
    """The folder was closed to others, the files in it were not (0644)."""
    store.put(new_id(), "data", "votes", "votes.csv", {}, {"content": b"1"})
    store.put(new_id(), "settings", "keeping", meta={"on": False})
    for path in [store.folder, *store.folder.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


# --- limits: a visitor's own ----------------------------------------------------------------------------------------


def test_one_visitors_things_never_push_out_anothers(tmp_path, clock):
    """One pot of 10 MB: A kept 1 MB, B twelve times 1 MB, and A's data were gone."""
    store = Store(tmp_path, limit=10, clock=clock, ticks=clock.tick)
    first, second = new_id(), new_id()
    mine = store.put(first, "data", "0", files={"f": b"1"})
    for i in range(12):
        clock.passes(1)
        store.put(second, "data", str(i), files={"f": b"1"})
    assert store.get(mine.id) and len(store.all(second, "data")) == 10
    assert [kept.key for kept in store.all(second, "data")][-1] == "2"


def test_the_longest_unused_go_when_there_is_too_much(tmp_path, clock):
    store = Store(tmp_path, limit=100, clock=clock, ticks=clock.tick)
    desk = new_id()
    ids = []
    for i in range(3):
        clock.passes(100)
        ids.append(store.put(desk, "data", str(i), files={"f": bytes(40)}).id)
    assert [store.get(id) is None for id in ids] == [True, False, False]
    clock.passes(100)
    store.get(ids[1])  # used again: now the third is the longest unused
    clock.passes(100)
    store.put(desk, "data", "3", files={"f": bytes(40)})
    assert [store.get(id) is None for id in ids] == [True, False, True]
    large = store.put(desk, "data", "large", files={"f": bytes(500)})
    assert store.get(large.id), "what has just been given is never thrown away"
    assert len(folders(store)) == 1


def test_runs_go_before_data_and_never_push_data_out(tmp_path, clock):
    store = Store(tmp_path, limit=100, clock=clock, ticks=clock.tick)
    desk = new_id()
    data = store.put(desk, "data", "d", files={"f": bytes(60)})
    for i in range(4):
        clock.passes(100)
        store.put(desk, "run", str(i), files={"f": bytes(30)})
    assert store.get(data.id) and [kept.key for kept in store.all(desk, "run")] == ["3"]
    clock.passes(100)
    store.put(desk, "data", "e", files={"f": bytes(40)})
    assert store.get(data.id) and store.all(desk, "run") == [] and len(store.all(desk, "data")) == 2
    store.put(desk, "run", "4", files={"f": bytes(30)})
    assert len(store.all(desk, "data")) == 2


def test_a_no_never_goes(tmp_path, clock):
    """ "Do not keep" was a row like any other and went first: keeping was then silently on again."""
    store = Store(tmp_path, limit=10, clock=clock, ticks=clock.tick)
    desk = new_id()
    store.put(desk, "settings", "keeping", meta={"on": False})
    for i in range(20):
        store.put(desk, "data", str(i), files={"f": bytes(9)})
    for _ in range(500):
        clock.passes(DAY)
        store.clean()
    assert store.all(desk, "data") == []
    assert store.find(desk, "settings", "keeping").meta == {"on": False}
    (tmp_path / "index.sqlite").write_bytes(b"junk")
    assert again(store).find(desk, "settings", "keeping").meta == {"on": False}


def test_beyond_what_all_may_keep_nothing_more_is_taken_in(tmp_path):
    store = Store(tmp_path, whole=100)
    kept = store.put(new_id(), "data", "d", files={"f": bytes(90)})
    with pytest.raises(StoreFault, match="100 B"):
        store.put(new_id(), "data", "d", files={"f": bytes(20)})
    assert store.get(kept.id) and len(folders(store)) == 1
    store.put(new_id(), "settings", "hint", meta={"seen": True})


# --- time -----------------------------------------------------------------------------------------------------------


def test_what_nobody_looks_at_goes_after_ninety_days(store, clock):
    desk = new_id()
    old, new = store.put(desk, "data", "old"), store.put(desk, "data", "new")
    for day in range(120):
        clock.passes(DAY)
        store.get(new.id)
        gone = store.clean()
        assert (day < 89) <= (not gone)
    assert store.get(old.id) is None and store.get(new.id)


def test_a_clock_ahead_removes_nothing(store, clock):
    """One put while the clock was 100 days ahead removed everybody's data."""
    desks = [new_id() for _ in range(5)]
    for desk in desks:
        for i in range(10):
            store.put(desk, "data", str(i), files={"f": b"1"})
    clock.now += 100 * DAY
    for _ in range(48):  # two days of it
        clock.passes(3601)
        store.put(desks[0], "run", "r")
        again(store, clock, clock.tick)
    clock.now -= 100 * DAY
    store.put(desks[0], "run", "r")
    assert all(len(store.all(desk, "data")) == 10 for desk in desks)


def test_a_clock_behind_or_long_ago_removes_nothing(store, clock):
    desk = new_id()
    kept = store.put(desk, "data", "d", files={"f": b"1"})
    right = clock.now
    for wrong in (0.0, right - 400 * DAY, right + 4000 * DAY, right):
        clock.now = wrong
        clock.ticks += 3601
        store.put(desk, "run", "r")
        assert store.get(kept.id) and store.file(kept.id, "f") == b"1"


def test_only_a_share_goes_at_once(store, clock):
    desk = new_id()
    for i in range(50):
        store.put(desk, "data", str(i))
    for _ in range(90):
        clock.passes(DAY)
        store.clean()
    clock.passes(DAY)
    assert len(store.clean()) == 5


def test_cleaning_is_rare_and_cheap(store, clock, monkeypatch):
    """Every put looked at every thing and listed every folder: 2.7 s among 20,000 things, every 3 s of every run."""
    looked = []
    strangers = places_room.Places.strangers
    monkeypatch.setattr(places_room.Places, "strangers", lambda self, known: looked.append(1) or strangers(self, known))
    desk = new_id()
    for i in range(40):
        clock.passes(30)
        store.put(desk, "run", str(i % 4), files={"f": b"1"})
    assert len(looked) == 0
    clock.passes(3600)
    store.put(desk, "run", "0")
    assert len(looked) == 1


# --- several at once ------------------------------------------------------------------------------------------------


def test_many_threads_at_once(store):
    desks = [new_id() for _ in range(8)]

    def work(desk):
        for i in range(10):
            store.put(desk, "run", str(i % 3), meta={"i": i}, files={"f": bytes(i)})

    at_once([lambda desk=desk: work(desk) for desk in desks])
    assert all(len(store.all(desk, "run")) == 3 for desk in desks)


def at_once(works) -> None:
    wrong = []

    def guarded(work):
        try:
            work()
        except Exception as problem:
            wrong.append(problem)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong, wrong


def test_four_threads_with_the_same_key_leave_one_whole_thing(store):
    """176 folders that nobody owned in 60 rounds; the index had the last one's words, the file was the first one's."""
    desk, other = new_id(), again(store)

    def work(number):
        for i in range(15):
            text = f"{number} {i}"
            (store if number % 2 else other).put(desk, "run", "same", text, {"said": text}, {"f": text.encode()})

    at_once([lambda n=n: work(n) for n in range(4)])
    (kept,) = store.all(desk, "run")
    assert kept.meta["said"] == store.file(kept.id, "f").decode()
    assert len(folders(store)) == 1


def test_two_servers_on_one_store(store):
    """One keeps, one forgets, both clean: what is acknowledged is there, and nothing is half there."""
    other, desk, rival = again(store), new_id(), new_id()
    kept = [store.put(desk, "data", str(i), files={"f": bytes([i])}) for i in range(5)]

    def forgets():
        for i in range(15):
            other.put(rival, "data", str(i), files={"f": b"1"})
            other.forget(rival)
            other.clean()

    def keeps():
        for _ in range(30):
            for i, thing in enumerate(kept):
                assert store.file(thing.id, "f") == bytes([i])
            store.put(desk, "run", "r", files={"f": b"2"})
            store.clean()

    at_once([forgets, keeps])
    assert len(store.all(desk, "data")) == 5 and store.all(rival, "data") == []


def test_a_kill_in_the_middle_leaves_complete_things(store):
    """A process that writes, replaces and removes without pause is killed; everything the index names is whole."""
    code = (
        "import itertools; from consensus_core.keep.store import Store\n"
        f"store = Store({str(store.folder)!r})\n"
        "for i in itertools.count():\n"
        "    kept = store.put('d' * 22, 'run', str(i % 5), meta={'i': i}, files={'f': bytes([i % 251]) * 200_000})\n"
        "    store.put('e' * 22, 'data', 'x', files={'f': b'1'})\n"
        "    print(i, flush=True)\n"
        "    store.forget('e' * 22)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    for _ in range(8):
        last = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    found = again(store)
    kept = found.all("d" * 22, "run")
    assert len(kept) == 5 and max(thing.meta["i"] for thing in kept) >= last
    for thing in kept:
        content = found.file(thing.id, "f")
        assert len(content) == 200_000 and set(content) == {thing.meta["i"] % 251}


def test_what_was_left_half_written_is_swept_away(store, clock):
    kept = store.put(new_id(), "data", "votes", files={"f": b"1"})
    files = store.folder / "files"
    gone, fresh, stranger = files / ".new-999999999-dead", files / f".new-{os.getpid()}-alive", files / new_id()
    for place in (gone, fresh, stranger):
        place.mkdir()
        (place / "f").write_bytes(b"half")
    os.utime(gone, (time.time() - 7200,) * 2)
    clock.passes(3601)
    store.put(kept.desk, "settings", "hint")
    assert not gone.exists() and not stranger.exists()
    assert fresh.exists(), "somebody is about to finish it"
    assert store.file(kept.id, "f") == b"1"


# --- a store that cannot be used ------------------------------------------------------------------------------------


DAMAGED = {
    "garbage": lambda file: file.write_bytes(os.urandom(7000)),
    "text": lambda file: file.write_bytes(b"hello"),
    "another schema": lambda file: made(file, "CREATE TABLE things (a, b)"),
    "another program's": lambda file: made(file, "CREATE TABLE bookmarks (a, b)", "PRAGMA user_version = 7"),
    "columns missing": lambda file: made(file, "CREATE TABLE things (id)", f"PRAGMA user_version = {SCHEMA}"),
    "a page of zeros": lambda file: zeroed(file),
}


def made(file: Path, *statements):
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as index:
        for statement in statements:
            index.execute(statement)
        index.commit()


def zeroed(file: Path):
    content = bytearray(file.read_bytes())
    content[4096:8192] = bytes(4096)
    file.write_bytes(content)


@pytest.mark.parametrize("how", [how for how in DAMAGED if how != "another program's"])
def test_a_damaged_index_is_set_aside_and_nothing_is_lost(store, how):
    """A garbage index was a traceback on every page until somebody deleted it by hand, and everything in it lost."""
    desk = new_id()
    kept = store.put(desk, "data", "votes", "votes.csv", {"rows": 3}, {"f": b"123"})
    store.put(desk, "settings", "keeping", meta={"on": True})
    store._index.wipe()  # no journal that would mend it
    for ending in ("-wal", "-shm"):
        Path(f"{store.folder}/index.sqlite{ending}").unlink(missing_ok=True)
    DAMAGED[how](store.folder / "index.sqlite")
    found = again(store)
    assert found.was_repaired and len(list(store.folder.glob("index.damaged-*"))) == 1
    assert found.get(kept.id).title == "votes.csv" and found.get(kept.id).meta == {"rows": 3}
    assert found.file(kept.id, "f") == b"123" and found.used_bytes(desk) == 3
    assert not again(store).was_repaired
    found.forget(desk)
    assert not list(store.folder.glob("index.damaged-*")), "what is forgotten is in no old index either"


def test_an_index_that_breaks_while_it_is_used_is_set_aside(store):
    kept = store.put(new_id(), "data", "votes", files={"f": b"123"})
    (store.folder / "index.sqlite").write_bytes(os.urandom(9000))
    with contextlib.suppress(StoreFault):
        store.get(kept.id)
    assert store.get(kept.id).id == kept.id and store.was_repaired


def test_several_that_find_it_damaged_set_it_aside_once(store):
    kept = store.put(new_id(), "data", "votes", files={"f": b"123"})
    (store.folder / "index.sqlite").write_bytes(b"junk" * 2000)
    found = []
    at_once([lambda: found.append(again(store)) for _ in range(6)])
    assert all(one.get(kept.id) for one in found) and sum(one.was_repaired for one in found) == 1


def test_what_was_forgotten_does_not_come_back_with_a_new_index(store):
    desk = new_id()
    kept = store.put(desk, "data", "votes", files={"f": b"123"})
    store.remove(kept.id)
    (store.folder / "index.sqlite").write_bytes(b"junk")
    assert again(store).all(desk, "data") == []


def test_a_newer_programs_store_is_left_as_it_is(store):
    kept = store.put(new_id(), "data", "votes")
    with contextlib.closing(sqlite3.connect(store.folder / "index.sqlite")) as index:
        index.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(StoreFault, match="newer Quorum") as told:
        again(store)
    assert told.value.kind == "newer"
    with contextlib.closing(sqlite3.connect(store.folder / "index.sqlite")) as index:
        assert index.execute("SELECT id FROM things").fetchall() == [(kept.id,)]


def test_the_first_form_is_taken_over(tmp_path):
    """0.1.0: a folder per id, runs and built data as pickles. Data and settings stay, nobody reads the pickles."""
    desk, ids = new_id(), [new_id() for _ in range(3)]
    with contextlib.closing(sqlite3.connect(tmp_path / "index.sqlite")) as index:
        index.execute(
            "CREATE TABLE things (id TEXT PRIMARY KEY, desk TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, "
            "title TEXT NOT NULL, meta TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL, "
            "bytes INTEGER NOT NULL, UNIQUE (desk, kind, key))"
        )
        for id, kind, size in zip(ids, ("data", "run", "settings"), (6, 6, 0), strict=True):
            row = (id, desk, kind, "keeping", f"a {kind}", '{"on": false}', 1.0, time.time(), size)
            index.execute("INSERT INTO things VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        index.commit()
    for id in ids[:2]:
        (tmp_path / "files" / id).mkdir(parents=True)
        for name in ("content", "built"):
            (tmp_path / "files" / id / name).write_bytes(b"123")
    store = Store(tmp_path)
    assert store.file(ids[0], "content") == b"123" and store.file(ids[0], "built") is None
    assert store.get(ids[0]).title == "a data" and store.used_bytes(desk) == 3
    assert store.find(desk, "settings", "keeping").meta == {"on": False}
    assert store.all(desk, "run") == [] and not (tmp_path / "files" / ids[1]).exists()
    assert (tmp_path / "files" / ids[0] / "content").stat().st_mode & 0o077 == 0
    (tmp_path / "index.sqlite").write_bytes(b"junk")
    assert again(store).get(ids[0]).title == "a data"


def test_damage_in_one_thing_loses_that_thing_alone(store):
    desk = new_id()
    bad, good = store.put(desk, "data", "1", files={"f": b"1"}), store.put(desk, "data", "2", files={"f": b"2"})
    with store._index.changing() as index:
        index.execute("UPDATE things SET meta = 'no JSON' WHERE id = ?", (bad.id,))
    assert [kept.id for kept in store.all(desk, "data")] == [good.id]
    assert store.get(bad.id) is None and store.find(desk, "data", "1") is None
    assert store.put(desk, "data", "1", files={"f": b"3"}).id == bad.id


@pytest.mark.parametrize("about", [b"junk", b"[]", b"{}", b'{"id": 3}', b"[" * 5000, b"\xff"], ids=range(6))
def test_a_damaged_description_loses_that_thing_alone(store, about):
    desk = new_id()
    store.put(desk, "data", "1", files={"f": b"1"})
    (place,) = (store.folder / "files").iterdir()
    good = store.put(desk, "data", "2", files={"f": b"2"})
    (place / ABOUT).write_bytes(about)
    (store.folder / "index.sqlite").write_bytes(b"junk")
    assert [kept.id for kept in again(store).all(desk, "data")] == [good.id]


def test_a_full_disk_keeps_what_is_there_and_says_so(store, monkeypatch):
    kept = store.put(new_id(), "data", "votes", files={"f": b"123"})
    write = os.open

    def full(path, flags, *more, **named):
        if flags & os.O_CREAT:
            raise OSError(28, "No space left on device")
        return write(path, flags, *more, **named)

    monkeypatch.setattr(places_room.os, "open", full)
    with pytest.raises(StoreFault, match=r"disk .* is full") as told:
        store.put(kept.desk, "data", "votes", files={"f": b"456"})
    assert told.value.kind == "full"
    assert store.file(kept.id, "f") == b"123" and len(folders(store)) == 1


def test_some_of_the_disk_is_left_free(store, monkeypatch):
    usage = store_room.shutil.disk_usage(store.folder)
    monkeypatch.setattr(store_room.shutil, "disk_usage", lambda _: type(usage)(10**12, 0, 400 << 20))
    with pytest.raises(StoreFault, match="is full"):
        store.put(new_id(), "data", "votes", files={"f": b"123"})


def test_a_locked_store_can_be_read_and_says_so(store, monkeypatch):
    kept = store.put(new_id(), "data", "votes", files={"f": b"123"})
    monkeypatch.setattr("consensus_core.keep.index.BUSY", 0.05)
    with contextlib.closing(sqlite3.connect(store.folder / "index.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFault, match="locked") as told:
            store.put(kept.desk, "data", "more")
        assert told.value.kind == "locked"
        assert store.get(kept.id).id == kept.id and store.file(kept.id, "f") == b"123"
        with pytest.raises(StoreFault, match="locked"):
            store.probe()
    store.probe()


def as_nobody(work) -> str:
    """What `work` says in a process that may read but not write (root may everything)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setuid(65534)
            said = work()
        except BaseException as problem:
            said = f"{type(problem).__name__}: {problem}"
        os.write(writer, str(said).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as out:
        said = out.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_folder_that_cannot_be_written_is_still_read(store):
    kept = store.put(new_id(), "data", "votes", "votes.csv", files={"f": b"123"})
    for path in [store.folder, *store.folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in store.folder.parents:
        if str(parent).startswith("/tmp/"):
            parent.chmod(0o755)

    def reads():
        found = again(store)
        said = [found.writable, found.get(kept.id).title, found.file(kept.id, "f")]
        try:
            found.put(kept.desk, "data", "more", files={"f": b"1"})
        except StoreFault as told:
            said.append(told.kind)
        return said

    try:
        assert as_nobody(reads) == "[False, 'votes.csv', b'123', 'closed']"
        fresh = Path("/proc/1/quorum")
        assert as_nobody(lambda: Store(fresh)).startswith("StoreFault: /proc/1/quorum cannot be")
    finally:
        for path in [store.folder, *store.folder.rglob("*")]:
            path.chmod(0o700)


def test_a_full_disk_does_not_hinder_forgetting(store, monkeypatch):
    """The journal of forgetting found no room beside the files that were to be forgotten."""
    desk = new_id()
    store.put(desk, "data", "votes", files={"f": b"123"})
    delete, tries = store._delete, []

    def first_full(where, value):
        tries.append(len(folders(store)))
        if len(tries) == 1:
            raise StoreFault("full", "the disk is full")
        return delete(where, value)

    monkeypatch.setattr(store, "_delete", first_full)
    assert store.forget(desk) == 1 and tries == [1, 0] and store.all(desk, "data") == []


def test_the_place_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("QUORUM_DATA", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    monkeypatch.delenv("QUORUM_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform.startswith("linux"):
        assert data_folder() == tmp_path / "quorum"
        assert (Store().folder.stat().st_mode & 0o077) == 0


def test_what_lies_in_a_place_says_what_it_is(store):
    kept = store.put(new_id(), "data", "votes", "votes.csv", {"rows": 3}, {"f": b"1"})
    (place,) = (store.folder / "files").iterdir()
    about = json.loads((place / ABOUT).read_text())
    assert about["id"] == kept.id and about["title"] == "votes.csv" and about["meta"] == {"rows": 3}
