"""A store that cannot be used, and things in it that are damaged: a sentence, never a traceback, and samples go on."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from visiting import Visitor

from consensus_core.data import Origin, build
from consensus_core.keep import data_file
from consensus_core.keep.index import SCHEMA
from consensus_core.keep.store import Store, new_id
from tests.browser.server import Server
from tests.browser.steps import WAIT, as_csv, give, label_table, settled, told, watched

LOOKS = (("data=iris", ""), ("data=iris", "data"), ("from=kept", "data"), ("data=" + "x" * 22, ""))
CSV = as_csv(label_table(30)).encode()
NOTHING_KEPT = "Nothing can be kept at present"


def kept_before(folder: Path, desk: str):
    """What an earlier server kept: data of this visitor."""
    data = build(Origin(file="mine.csv"), CSV)
    files = {"built": data_file.as_bytes(data), "content": CSV}
    return Store(folder).put(desk, "data", "d", "mine.csv", {"origin": data.origin.to_json()}, files)


def notices(server, desk, query, page) -> list[str]:
    with Visitor(server, desk) as visitor:
        seen = visitor.open(query, page)
    assert not seen.faults, seen.faults
    return [words.replace("\\", "") for words in seen.warnings if NOTHING_KEPT in words]


@contextlib.contextmanager
def running(tmp_path):
    with Server(tmp_path) as server:
        yield server
        assert "Traceback" not in server.said(), server.said()


def garbage(folder):
    Store(folder)
    (folder / "index.sqlite").write_bytes(os.urandom(7000))


def another_schema(folder):
    folder.mkdir()
    with contextlib.closing(sqlite3.connect(folder / "index.sqlite")) as index:
        index.execute("CREATE TABLE things (a, b)")


def newer(folder):
    Store(folder)
    with contextlib.closing(sqlite3.connect(folder / "index.sqlite")) as index:
        index.execute(f"PRAGMA user_version = {SCHEMA + 1}")


def no_folder(folder):
    folder.write_text("a file where the folder should be")


# each was a traceback on every page
@pytest.mark.parametrize(
    ("damage", "told"), [(garbage, ""), (another_schema, ""), (newer, "newer Quorum"), (no_folder, "data")]
)
def test_a_store_that_cannot_be_used_is_one_notice(tmp_path, damage, told):
    damage(tmp_path / "data")
    with running(tmp_path) as server:
        for query, page in LOOKS:
            said = notices(server, new_id(), query, page)
            assert len(said) == bool(told) and all(told in words for words in said)


def test_a_disk_that_is_full_is_one_notice_and_what_is_kept_can_be_read_and_forgotten(tmp_path):
    place = tmp_path / "data"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("needs to be allowed to mount a small disk")
    try:
        desk = new_id()
        kept = kept_before(place, desk)
        with contextlib.suppress(OSError), open(place / "filler", "wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        with running(tmp_path) as server:
            for query, page in (*LOOKS, (f"data={kept.id}", "")):
                (said,) = notices(server, desk, query, page)
                assert "full" in said
            with Visitor(server, desk) as visitor:
                assert any("mine" in words for words in visitor.open(f"data={kept.id}", "data").texts)
        assert Store(place).forget(desk) == 1
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_store_locked_by_another_program_is_one_notice(tmp_path):
    kept = kept_before(tmp_path / "data", desk := new_id())
    with running(tmp_path) as server:
        assert not notices(server, desk, "data=iris", "")
        with contextlib.closing(sqlite3.connect(tmp_path / "data" / "index.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for query, page in LOOKS:
                notices(server, desk, query, page)
            with Visitor(server, desk) as visitor:
                assert any("mine" in words for words in visitor.open(f"data={kept.id}", "data").texts)
            until = time.monotonic() + WAIT / 1000
            while not (said := notices(server, desk, "data=moons&method=lwea", "")) and time.monotonic() < until:
                pass  # the run is kept, and found not to be, beside the page
            assert "locked" in said[0]


DAMAGES = {
    "gone": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:100]),
    "junk": lambda file: file.write_bytes(os.urandom(500)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_in_one_thing_loses_that_thing_alone(tmp_path, damage):
    desk = new_id()
    store = Store(tmp_path / "data")
    bad = kept_before(store.folder, desk)
    (place,) = (store.folder / "files").iterdir()
    for name in ("built", "content"):
        DAMAGES[damage](place / name)
    origin = Origin(file="fine.csv").to_json()
    fine = store.put(desk, "data", "fine", "fine.csv", {"origin": origin}, {"content": CSV})
    with running(tmp_path) as server:
        for page in ("", "data"):
            with Visitor(server, desk) as visitor:
                seen = visitor.open(f"data={bad.id}", page)
                assert not seen.faults and any("can no longer be read" in words for words in seen.warnings)
            with Visitor(server, desk) as visitor:
                assert any("fine" in words for words in visitor.open(f"data={fine.id}", "data").texts)


def test_a_damaged_run_is_computed_again(chromium, tmp_path):
    """A flipped bit, a lost end, or a file of another run: Watch showed a traceback each time it was opened."""
    with running(tmp_path) as server:
        page = chromium.new_context().new_page()
        page.goto(f"{server.url}/?data=moons&method=lwea")
        watched(page)
        last = told(page, "view.last")
        for file in (tmp_path / "data" / "files").glob("*/run"):
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(content)
        page.reload()
        watched(page)
        assert told(page, "view.last") == last
        page.context.close()


def test_a_person_reads_why_nothing_is_kept(chromium, tmp_path):
    newer(tmp_path / "data")
    with running(tmp_path) as server:
        page = chromium.new_context().new_page()
        page.goto(f"{server.url}/data?from=upload")
        page.get_by_text(NOTHING_KEPT).wait_for()
        give(page, "votes.csv", CSV)
        page.get_by_role("button", name="Use these labels").click()
        page.get_by_text("votes.csv is in use now").wait_for()
        page.get_by_role("link", name="Watch a method on it").click()
        watched(page)
        expect(page.get_by_text(NOTHING_KEPT)).to_have_count(1)
        settled(page)
        page.context.close()
