"""Reading in a box: what comes out is what reading gives, no file takes more than its share, the box outlives all."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from bad_files import bad_files, feather, mat, npz, parquet, xlsx
from hostile_files import MB, hostile_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consensus_core.errors import Cancelled, InputError
from consensus_core.reading import Choices, look, opened, understood
from consensus_core.reading import process as processes
from consensus_core.reading.box import Allowance, Box
from consensus_core.reading.wire import Damaged, read_back, written

SECONDS, MEMORY = 10, 1 << 30  # of a processor, and bytes, for any file
TEXTS = ["red", "blue", None, "größer", "", "a,b"]
FILES = {
    "a.csv": b"id,a,b,c\nx,1,2,1\ny,2,2,1\nz,1,,2\nw,2,1,2\n",
    "b.csv": b"x,y\n1.5,2\n2.5,3\n,4\n",
    "c.csv": 'name;größe;art\nä;1,5;rot\nö;2,5;"blau;grün"\n'.encode("cp1252"),
    "d.xlsx": xlsx([["a", "b", "day"], [1, 2, "x"], [2, 1, "y"], [1, None, "x"]]),
    "e.parquet": parquet({"a": TEXTS, "b": [1, 2, 1, 2, None, 2]}),
    "f.feather": feather({"a": [1.5, None, 1], "b": [1, 2, 3]}),
    "g.npz": npz(labels=np.array([[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, -1]]), truth=np.array([1, 1, 2, 2])),
    "h.mat": mat(members=np.array([[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, 2], [3, 1, 1]]), gt=np.arange(5)[:, None]),
    "i.json": b'[{"a": "x", "b": "u"}, {"a": null, "b": "v"}, {"a": "x", "b": "u"}]',
    "j.csv": b",".join(b"%d" % (i % 2) for i in range(40)) + b"\n" + b",".join(b"%d" % (i % 3) for i in range(40)),
    "k.txt": b'"a" "b"\n"x" 1 "u v"\n"y" 2 "u"\n',
}


@pytest.fixture(scope="module")
def box():
    made = Box()
    yield made
    made.close()


def alike(one, other):
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for name in one:
            alike(one[name], other[name])
    elif hasattr(one, "codes"):
        assert one.texts().tolist() == other.texts().tolist()
    else:
        assert one == other


@pytest.mark.parametrize("name", FILES)
def test_out_of_the_box_comes_what_reading_gives(box, name):
    here = look(FILES[name], name)
    there = understood(box.opened(FILES[name], name), Choices())
    for field in vars(here) | vars(there):
        alike(getattr(here, field), getattr(there, field))


@pytest.mark.parametrize("bad", [bad for bad in bad_files() if not bad.limits][::7], ids=lambda bad: bad.kind)
def test_its_sentences_are_those_of_reading(box, bad):
    here = look(bad.data, bad.name, bad.choices)
    try:
        there = understood(box.opened(bad.data, bad.name, bad.choices.of_the_file(arrays=True)), bad.choices)
        said, seen = there.fault, there.columns
        assert [(c.name, c.role, c.head) for c in seen] == [(c.name, c.role, c.head) for c in here.columns]
    except InputError as trouble:
        said = str(trouble)
    assert said == here.fault


def test_what_was_seen_of_a_file_that_cannot_be_read_comes_out_too(box):
    ragged = b"name,a,b\nx,1,2\ny,1\nz,2,1\n"
    with pytest.raises(InputError) as here:
        opened(ragged, "x.csv")
    with pytest.raises(InputError) as there:
        box.opened(ragged, "x.csv")
    assert [name for name, _ in there.value.seen] == ["name", "a", "b"]
    assert there.value.seen == [(name, list(head)) for name, head in here.value.seen]


# --- limits ---------------------------------------------------------------------------------------------------------

HOSTILE = hostile_files()
EVERY = os.environ.get("QUORUM_HOSTILE") == "all"
TRIED = [hostile for hostile in HOSTILE if EVERY or not hostile.rare]


class Taken:
    """What the processes of a box take for a file, from when it is given to them."""

    def __init__(self, monkeypatch):
        self.seconds = self.peak = 0.0
        plain_ask, plain_end = processes.Process.ask, processes.Process.end

        def ask(process, *how):
            self._before = process.worked or 0.0
            with contextlib.suppress(OSError):
                Path(f"/proc/{process._process.pid}/clear_refs").write_text("5")  # its peak is counted anew
            try:
                return plain_ask(process, *how)
            finally:
                self._look(process)

        def end(process):
            self._look(process)
            plain_end(process)

        monkeypatch.setattr(processes.Process, "ask", ask)
        monkeypatch.setattr(processes.Process, "end", end)

    def _look(self, process):
        try:
            self.seconds = max(self.seconds, (process.worked or 0.0) - self._before)
            told = Path(f"/proc/{process._process.pid}/status").read_text()
        except OSError:
            return
        if "VmHWM:" in told:  # gone where it was ended already
            self.peak = max(self.peak, 1024 * int(told.partition("VmHWM:")[2].split()[0]))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell what a process takes")
@pytest.mark.parametrize("hostile", TRIED, ids=lambda hostile: f"{hostile.name}-{hostile.what}".replace(" ", "_"))
def test_a_hostile_file_gets_its_sentence_and_no_more_than_its_share(hostile, box, monkeypatch):
    """Excel of 1,358 bytes took 6.9 GB and had no end, Parquet of 1,128 bytes wanted 10 GB, NPY of 128 had no end.

    Seconds of a processor are counted, not of the clock: other tests may be running. One process reads file after file,
    as on a server; with QUORUM_HOSTILE=all the rare ones too (hostile_files.py), and each in a process of its own.
    """
    content = hostile.make()
    if EVERY:
        box.close()
    taken = Taken(monkeypatch)
    before = time.process_time()
    try:
        reading = understood(box.opened(content, hostile.name), Choices())
        said = reading.fault or reading.gap
        assert said or reading.n > 1
    except InputError as trouble:
        said = str(trouble)
    for words in hostile.words:
        assert words in said
    assert hostile.words or not said, said
    assert "foresaw" not in said and "\n" not in said
    seconds = taken.seconds + time.process_time() - before
    assert seconds < 2 * SECONDS, f"{seconds:.1f} s"  # a shared processor counts up to twice as many
    assert taken.peak < MEMORY, f"{taken.peak / MB:,.0f} MB"


def test_there_are_enough_of_every_kind():
    kinds = {hostile.name.rpartition(".")[2] for hostile in HOSTILE}
    assert (
        len(HOSTILE) >= 60 and {"csv", "gz", "xlsx", "npy", "npz", "mat", "h5", "parquet", "feather", "json"} <= kinds
    )


def quoted(rows: int) -> bytes:
    return b"a,b\n" + b'"1","x"\n"2","y"\n' * (rows // 2)


def test_a_file_that_takes_too_long_is_given_up():
    """The deadline holds where nothing is said of how far it is, for the second file a process reads too (it had none);
    the next file gets a process of its own."""
    box = Box()
    try:
        assert box.opened(FILES["b.csv"], "b.csv").n == 3
        with pytest.raises(InputError, match=r"long\.csv: reading it takes longer than 0 seconds; give fewer"):
            box.opened(quoted(2_000_000), "long.csv", allowance=Allowance(0.01, 1 << 30))
        assert box.opened(FILES["a.csv"], "a.csv").n == 4
    finally:
        box.close()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system knows no limit on memory")
def test_a_file_that_needs_too_much_memory_is_given_up():
    box = Box()
    try:
        with pytest.raises(InputError, match=r"large\.csv: .*memory"):
            box.opened(quoted(4_000_000), "large.csv", allowance=Allowance(60, 40 << 20))
        assert box.opened(FILES["a.csv"], "a.csv").n == 4
    finally:
        box.close()


def test_a_process_that_dies_is_a_sentence():
    box = Box()
    try:
        box.warm()
        process = box._idle[0]

        def told(*_):
            process._process.kill()

        with pytest.raises(InputError, match=r"x\.csv: the program that reads it was ended"):
            box.opened(quoted(6_000_000), "x.csv", progress=told)
        assert box.opened(FILES["a.csv"], "a.csv").n == 4
    finally:
        box.close()


def test_reading_is_cancelled_and_its_process_with_it():
    box = Box()
    try:
        box.warm()
        process = box._idle[0]
        with pytest.raises(Cancelled):
            box.opened(quoted(6_000_000), "x.csv", cancel=lambda: True)
        assert not process.alive
    finally:
        box.close()


def test_progress_is_told_and_what_it_raises_ends_the_reading():
    rows = [[f"t{i % 7}", i, i % 3] for i in range(20_000)]
    content, heard = xlsx(rows), []
    box = Box()
    try:
        box.opened(content, "x.xlsx", progress=lambda what, share: heard.append((what, share)))
        assert any(what == "reading the workbook" and 0 < share <= 1 for what, share in heard)

        class Enough(Exception):
            pass

        def stop(what, share):
            raise Enough

        with pytest.raises(Enough):
            box.opened(content, "x.xlsx", progress=stop)
        assert box.opened(FILES["a.csv"], "a.csv").n == 4
    finally:
        box.close()


def test_one_process_reads_many_files_and_two_may_read_at_once():
    box = Box(places=2)
    try:
        box.warm()
        first = box._idle[0]._process.pid
        for _ in range(5):
            box.opened(FILES["a.csv"], "a.csv")
            os.kill(first, signal.SIGINT)  # Ctrl-C reaches all of a terminal's processes, and is for the program alone
        assert [process._process.pid for process in box._idle] == [first]
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(box.opened(quoted(40_000), "x.csv").n)) for _ in "abcd"
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [40_000] * 4 and len(box._idle) <= 2
    finally:
        box.close()


# --- the wire -------------------------------------------------------------------------------------------------------


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_table_whose_bytes_were_tampered_with_is_refused_or_a_table(data):
    """The process that reads has seen the file: what it says is believed no more than the file."""
    name = data.draw(st.sampled_from(list(FILES)))
    head, buffers = written(opened(FILES[name], name))
    buffers = [bytearray(buffer) for buffer in buffers]
    head = bytearray(head)
    target = data.draw(st.sampled_from([head, *[buffer for buffer in buffers if buffer]]))
    for _ in range(data.draw(st.integers(1, 4))):
        target[data.draw(st.integers(0, len(target) - 1))] = data.draw(st.integers(0, 255))
    try:
        table = read_back(bytes(head), [bytes(buffer) for buffer in buffers])
    except Damaged:
        return
    for column in table.columns:
        assert len(column) == table.n
        for i in range(min(table.n, 3)):
            column.cell(i)


@pytest.mark.parametrize(
    "told", [None, [], {}, {"said": 1}, {"said": "x.", "large": 0, "seen": 3, "parts": [{"no": 1}]}]
)
def test_a_fault_that_makes_no_sense_is_a_sentence_too(told):
    assert str(processes._fault("x.csv", told)).startswith("x.csv: the program that reads it gave no sense; ")
    assert processes._progress(told) == ("reading", None)
    assert processes._progress(["unpacking", 0.5]) == ("unpacking", 0.5)


def test_sizes_that_do_not_fit_are_refused():
    head, buffers = written(opened(FILES["a.csv"], "a.csv"))
    said = json.loads(head)
    for change in ({"n": 10**12}, {"n": -1}, {"columns": said["columns"] * 2}):
        with pytest.raises(Damaged):
            read_back(json.dumps(said | change).encode(), [bytes(buffer) for buffer in buffers])
