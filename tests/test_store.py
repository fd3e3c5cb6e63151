"""The local store: complete or not there, one visitor cannot reach another's, limits by size and age."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from consensus_core.keep.store import Store, data_folder, new_id

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "kept")


def test_what_is_put_is_found_by_another_process_s_store(store):
    desk = new_id()
    kept = store.put(desk, "data", "votes", "votes.csv", {"rows": 3}, {"table.npz": b"123"})
    again = Store(store.folder)
    assert again.get(kept.id).meta == {"rows": 3} and again.file(kept.id, "table.npz") == b"123"
    assert again.find(desk, "data", "votes").id == kept.id
    assert [k.title for k in again.all(desk, "data")] == ["votes.csv"]


def test_the_same_key_is_replaced_and_keeps_its_id(store):
    desk = new_id()
    one = store.put(desk, "run", "a", meta={"at": 1}, files={"state": b"x", "film": b"y"})
    two = store.put(desk, "run", "a", meta={"at": 2}, files={"state": b"zz"})
    assert two.id == one.id and two.created == one.created and two.meta == {"at": 2}
    assert store.file(one.id, "state") == b"zz" and store.file(one.id, "film") == b"y"
    assert store.used_bytes(desk) == 3


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
    assert store.get(id) is None


def test_names_are_not_trusted(store):
    kept = store.put(new_id(), "data", "votes", files={"a": b"1"})
    assert store.file(kept.id, "../index.sqlite") is None and store.file("../..", "a") is None
    with pytest.raises(ValueError):
        store.put(new_id(), "data", "votes", files={"../a": b"1"})


def test_forget_everything_leaves_nothing(store):
    desk, other = new_id(), new_id()
    gone = [store.put(desk, "data", str(i), files={"f": b"1234"}).id for i in range(3)]
    stays = store.put(other, "data", "0", files={"f": b"1234"}).id
    assert store.forget(desk) == 3
    assert [p.name for p in (store.folder / "files").iterdir()] == [stays]
    assert all(store.get(id) is None and store.file(id, "f") is None for id in gone)
    assert store.used_bytes() == 4


def test_old_things_go(store):
    desk = new_id()
    old, new = store.put(desk, "data", "old"), store.put(desk, "data", "new")
    with store._index() as index:
        index.execute("UPDATE things SET used = ? WHERE id = ?", (time.time() - 91 * 86400, old.id))
    assert store.clean() == [old.id] and store.get(new.id)


def test_the_longest_unused_go_when_there_is_too_much(tmp_path):
    store = Store(tmp_path, limit=100)
    desk = new_id()
    ids = []
    for i in range(3):
        ids.append(store.put(desk, "data", str(i), files={"f": bytes(40)}).id)
        time.sleep(0.01)
    assert [store.get(id) is None for id in ids] == [True, False, False]
    store.get(ids[1])  # used again: now the third is the longest unused
    time.sleep(0.01)
    store.put(desk, "data", "3", files={"f": bytes(40)})
    assert [store.get(id) is None for id in ids] == [True, False, True]
    large = store.put(desk, "data", "large", files={"f": bytes(500)})
    assert store.get(large.id), "what has just been given is never thrown away"


def test_many_threads_at_once(store):
    desks = [new_id() for _ in range(8)]

    def work(desk):
        for i in range(10):
            store.put(desk, "run", str(i % 3), meta={"i": i}, files={"f": bytes(i)})

    threads = [threading.Thread(target=work, args=(desk,)) for desk in desks]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(len(store.all(desk, "run")) == 3 for desk in desks)


def test_a_kill_in_the_middle_leaves_complete_things(store):
    """A process that writes without pause is killed; every thing named by the index is whole."""
    code = (
        "import sys, itertools; from consensus_core.keep.store import Store\n"
        f"store = Store({str(store.folder)!r})\n"
        "for i in itertools.count():\n"
        "    store.put('d' * 22, 'run', str(i % 5), meta={'i': i}, files={'f': bytes([i % 251]) * 200_000})\n"
        "    print(i, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    for _ in range(8):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    kept = Store(store.folder).all("d" * 22, "run")
    assert len(kept) == 5
    for thing in kept:
        content = store.file(thing.id, "f")
        assert len(content) == 200_000 and len(set(content)) == 1


def test_what_was_left_half_written_is_swept_away(store):
    kept = store.put(new_id(), "data", "votes", files={"f": b"1"})
    orphan = store.folder / "files" / new_id()
    orphan.mkdir()
    for file in (orphan / "f", orphan.parent / kept.id / ".f.1234", orphan.parent / kept.id / ".g.1234"):
        file.write_bytes(b"half")
    for file in (orphan / "f", orphan.parent / kept.id / ".f.1234"):
        os.utime(file, (time.time() - 7200,) * 2)
    store.clean()
    assert orphan.exists(), "a new empty place may be somebody's who is about to write"
    os.utime(orphan, (time.time() - 7200,) * 2)
    store.clean()
    assert not orphan.exists() and store.file(kept.id, "f") == b"1"
    assert sorted(p.name for p in (orphan.parent / kept.id).iterdir()) == [".g.1234", "f"]


def test_the_place_can_be_named(monkeypatch, tmp_path):
    monkeypatch.setenv("QUORUM_DATA", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    monkeypatch.delenv("QUORUM_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform.startswith("linux"):
        assert data_folder() == tmp_path / "quorum"
        assert (Store().folder.stat().st_mode & 0o077) == 0
