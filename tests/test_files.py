"""Label tables in files: counted, solved and written back piece by piece, as if they had been in memory."""

from __future__ import annotations

import errno
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_tables import planted

from consensus_core import EAC, LWEA, Ensemble, InputError, iterate, solve
from consensus_core.command import main
from consensus_core.command.same import files_command
from consensus_core.data import Data, filled, represented
from consensus_core.data.counts import load_counts, save_counts
from consensus_core.data.script import program
from consensus_core.ensemble.files import find_files, write
from consensus_core.ensemble.files.count import counted_of
from consensus_core.ensemble.files.hands import each
from consensus_core.ensemble.files.tally import merged, tally
from consensus_core.ensemble.files.write import Finder
from consensus_core.errors import Cancelled, TooLarge
from consensus_core.report import report


def table_of(n=600, m=6, missing=0.03, seed=2) -> pd.DataFrame:
    labels = planted(n=n, m=m, k=4, wrong=0.2, seed=seed, missing=missing)
    table = pd.DataFrame(labels, columns=[f"run {j}" for j in range(m)]).astype("Int64").replace(-1, pd.NA)
    table["run 1"] = table["run 1"].map(lambda x: f"kind {x}", na_action="ignore")
    table.insert(0, "name", [f"object {i:04d}" for i in range(n)])
    return table


def as_files(table, folder: Path, kind="parquet", parts=4) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for at, rows in enumerate(np.array_split(np.arange(len(table)), parts)):
        some = table.iloc[rows]
        if kind == "parquet":
            some.to_parquet(folder / f"part {at}.parquet", row_group_size=70, index=False)
        else:
            some.to_csv(folder / f"part {at}.{kind}", index=False)
    return folder


def in_memory(table) -> Ensemble:
    return Ensemble.from_labels(table.drop(columns="name"))


def joined(files) -> pd.DataFrame:
    return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)


def same(one: Ensemble, other: Ensemble) -> bool:
    return np.array_equal(one.rows, other.rows) and np.array_equal(one.counts, other.counts)


@pytest.mark.parametrize("kind", ["parquet", "csv", "csv.gz"])
def test_the_answer_is_that_of_the_table_in_memory(tmp_path, kind):
    table = table_of()
    counted, whole = Ensemble.from_files(as_files(table, tmp_path / "in", kind), ids="name"), in_memory(table)
    assert same(counted, whole) and counted.member_of is None and counted.names == whole.names
    assert [x.tolist() for x in counted.labels_given] == [x.tolist() for x in whole.labels_given]
    result = solve(LWEA(k=4), counted)
    found = joined(result.write(tmp_path / "out"))
    assert found["name"].tolist() == table["name"].tolist()
    assert (found["cluster"] == solve(LWEA(k=4), whole).labels + 1).all()
    about = json.loads((tmp_path / "out" / "about.json").read_text())
    assert about["method"] == "lwea" and about["parameters"]["k"] == 4


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 5), st.lists(st.integers(0, 60), max_size=4))
def test_however_it_is_cut_and_whatever_the_order_of_the_pieces(seed, n, m, cuts):
    import tempfile

    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.integers(-1, 3, size=(n, m)), columns=[f"c{j}" for j in range(m)])
    with tempfile.TemporaryDirectory() as folder:
        for at, rows in enumerate(np.split(np.arange(n), sorted(min(cut, n) for cut in cuts))):
            table.iloc[rows].to_parquet(f"{folder}/{at}.parquet", index=False)
        files = find_files(folder)
        pieces = [tally(piece, files) for piece in rng.permutation(np.array(files.pieces, dtype=object))]
        total = pieces[0]
        for piece in pieces[1:]:
            total = merged(total, piece)
        found, whole = counted_of(total, files).distinct, Ensemble.from_labels(table)
        assert np.array_equal(found.rows, whole.rows) and np.array_equal(found.counts, whole.counts)


def test_the_columns_one_names_and_the_number_of_the_row_where_nothing_names_the_objects(tmp_path):
    table = table_of(n=100)
    where = as_files(table, tmp_path / "in", parts=2)
    counted = Ensemble.from_files(str(where / "*.parquet"), columns=["run 2", "run 0", "run 3"])
    assert counted.names == ("run 2", "run 0", "run 3")
    found = joined(solve(LWEA(k=3), counted).write(tmp_path / "out"))
    assert found["row"].tolist() == [*range(1, 51), *range(1, 51)]  # of each file


def test_texts_that_are_all_numbers_are_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,p\n01,q\n1.0,p\nNA,\n")
    (tmp_path / "b.csv").write_text("x,y\n2,p\n+1,q\n -1 ,q\n")
    counted = Ensemble.from_files(tmp_path)
    assert [x.tolist() for x in counted.labels_given] == [[1, 2], ["p", "q"]]
    assert sorted(zip(counted.rows.tolist(), counted.counts.tolist(), strict=True)) == [
        ([-1, -1], 1), ([-1, 1], 1), ([0, 0], 2), ([0, 1], 2), ([1, 0], 1)
    ]  # fmt: skip
    assert joined(solve(LWEA(k=2), counted).write(tmp_path / "out")).shape == (7, 4)


def test_a_row_is_found_among_the_distinct_ones_however_wide():
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(-1, 40, size=(300, 30)).astype(np.int32), axis=0)  # several words
    rows = rows[rng.permutation(len(rows))]
    finder, asked = Finder(rows), rng.integers(len(rows), size=1000)
    assert (finder.places(rows[asked]) == asked).all()
    strange = rows[asked[:50]].copy()
    strange[:, 7] = 39 - strange[:, 7]
    known = {tuple(row) for row in rows.tolist()}
    assert [place >= 0 for place in finder.places(strange)] == [tuple(row) in known for row in strange.tolist()]


# --- what is wrong with files is a sentence ------------------------------------------------------------------------


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("make", "asked", "said"),
    [
        (lambda f: f / "nothing", {}, "no Parquet or CSV file"),
        (lambda f: written(f, a="x,y\n1,2\n1,2,3\n"), {}, "a.csv, line 3: 3 cells, where the header has 2"),
        (lambda f: written(f, a="x,y\n1,2\n", b="x,z\n1,2\n"), {}, "b.csv has no column 'y'; it has x, z"),
        (lambda f: written(f, a="x,y\n1,2\n"), {"columns": ["w"]}, "a.csv has no column 'w'"),
        (lambda f: written(f, a="x,x\n1,2\n"), {}, "two columns are called 'x'"),
        (lambda f: written(f, a="x\n1\n"), {"ids": "x"}, "a base clustering is needed"),
        (lambda f: written(f, a="x,y\n"), {}, "not a single row"),
        (lambda f: written(f, a="x,y\n1,inf\n1,1e999\n1,2\n"), {}, ""),
        (lambda f: [f / "a.txt"], {}, "no such file"),
        (lambda f: 5, {}, "is needed, not 5"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, make, asked, said):
    where = make(tmp_path)
    if said:
        with pytest.raises(InputError) as refusal:
            Ensemble.from_files(where, processes=1, **asked)
        assert said in str(refusal.value)
    else:  # texts that are no finite numbers are texts
        assert Ensemble.from_files(where, processes=1, **asked).n == 3


def test_a_bad_row_far_down_is_named(tmp_path):
    lines = ["a,b", *("1,2" for _ in range(300_000)), "1,2,3", "1,2"]
    (tmp_path / "long.csv").write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"long\.csv, line 300,002: 3 cells, where the header has 2"):
        Ensemble.from_files(tmp_path, processes=1)


def test_damaged_parquet_infinite_numbers_and_ids_are_said(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    with pytest.raises(InputError, match=r"a\.parquet cannot be read"):
        Ensemble.from_files(tmp_path, processes=1)
    pd.DataFrame({"x": [1.0, np.inf]}).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match="infinity is not a label"):
        Ensemble.from_files(tmp_path, processes=1)
    parquet.write_table(pa.table({"x": [[1], [2]]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="must be numbers or texts"):
        Ensemble.from_files(tmp_path, processes=1)
    pd.DataFrame({"who": [f"o{i}" for i in range(70_000)], "x": 1}).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match="ids='who'"):
        Ensemble.from_files(tmp_path, processes=1)


def test_rows_that_hardly_repeat_are_refused_before_memory_is_gone(tmp_path):
    where = as_files(table_of(n=400), tmp_path)
    with pytest.raises(TooLarge, match=r"After \d+ of 400 objects there are already \d+ distinct label rows"):
        Ensemble.from_files(where, ids="name", memory=2000, processes=1)


# --- stopped, killed, full: nothing half there, and it goes on -----------------------------------------------------


def test_a_full_disk_is_a_sentence_and_leaves_nothing_half_written(tmp_path, monkeypatch):
    counted = Ensemble.from_files(as_files(table_of(), tmp_path / "in"), ids="name", processes=1)
    result, out, real, calls = solve(LWEA(k=4), counted), tmp_path / "out", os.replace, []

    def full(aside, final):
        calls.append(final)
        if len(calls) == 4:  # the note, two pieces, and then
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(aside, final)

    monkeypatch.setattr(write.os, "replace", full)
    with pytest.raises(InputError, match=r"part-00002\.parquet could not be written .*No space left"):
        result.write(out, processes=1)
    assert sorted(path.name for path in out.iterdir()) == ["about.json", "part-00000.parquet", "part-00001.parquet"]
    times = [path.stat().st_mtime_ns for path in sorted(out.glob("part*"))]
    files = result.write(out, processes=1)  # room was made
    assert [path.stat().st_mtime_ns for path in files[:2]] == times, "finished pieces are not written again"
    assert len(joined(files)) == 600


def test_nothing_of_others_is_overwritten_and_changed_files_are_noticed(tmp_path):
    where = as_files(table_of(), tmp_path / "in")
    counted = Ensemble.from_files(where, ids="name", processes=1)
    solve(LWEA(k=4), counted).write(tmp_path / "out", processes=1)
    with pytest.raises(InputError, match="labels of another run"):
        solve(LWEA(k=3), counted).write(tmp_path / "out", processes=1)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("…")
    with pytest.raises(InputError, match="not empty"):
        solve(LWEA(k=3), counted).write(tmp_path / "mine", processes=1)
    table_of(seed=5).to_parquet(where / "part 0.parquet")
    with pytest.raises(InputError, match="have changed"):
        solve(LWEA(k=3), counted).write(tmp_path / "new", processes=1)
    with pytest.raises(InputError, match="from_files"):
        solve(LWEA(k=3), in_memory(table_of())).write(tmp_path / "new")


def dies_once(piece, folder):
    """Ends its process the first time it is asked for the second piece."""
    mark = Path(folder) / "died"
    if piece == 1 and not mark.exists():
        mark.touch()
        os._exit(9)
    return piece * 10


def dies_always(piece, folder):
    os._exit(9)


def test_a_process_that_dies_costs_its_piece_a_second_try(tmp_path):
    assert dict(each(dies_once, [0, 1, 2, 3], (str(tmp_path),), processes=2)) == {0: 0, 1: 10, 2: 20, 3: 30}


# joblib's own thread may stumble over what was taken from it when the work is given up; nothing hangs on it
@pytest.mark.filterwarnings("ignore:Exception in thread Executor:pytest.PytestUnhandledThreadExceptionWarning")
def test_counting_can_be_stopped(tmp_path):
    def told(done, every):
        raise Cancelled

    with pytest.raises(Cancelled):
        Ensemble.from_files(as_files(table_of(), tmp_path), ids="name", processes=1, told=told)


# --- counts that are kept, rows that stand for all, and the commands -------------------------------------------------


def test_counts_are_kept_and_written_from(tmp_path):
    counted = Ensemble.from_files(as_files(table_of(), tmp_path / "in"), ids="name", processes=1)
    path = save_counts(counted, tmp_path / "kept.counts")
    again = load_counts(path)
    assert again == counted and again.files == counted.files
    assert [x.tolist() for x in again.labels_given] == [x.tolist() for x in counted.labels_given]
    one = joined(solve(LWEA(k=4), again).write(tmp_path / "a", processes=1))
    assert one.equals(joined(solve(LWEA(k=4), counted).write(tmp_path / "b", processes=1)))
    with pytest.raises(InputError, match="already"):
        save_counts(counted, path)
    for damage in (b"", b"PAR1", path.read_bytes()[:-200]):
        (tmp_path / "bad.counts").write_bytes(damage)
        with pytest.raises(InputError, match="count again"):
            load_counts(tmp_path / "bad.counts")


def test_rows_that_stand_for_all_are_written_to_every_object(tmp_path):
    table = table_of()
    counted = Ensemble.from_files(as_files(table, tmp_path / "in"), ids="name", processes=1)
    found = joined(solve(LWEA(k=4), counted.represented(40)).write(tmp_path / "out", processes=1))
    assert (found["cluster"] == solve(LWEA(k=4), in_memory(table).represented(40)).labels + 1).all()


MADE = {
    "as counted": (lambda data: data, LWEA),
    "40 rows stand for all": (lambda data: represented(data, 40), LWEA),
    "gaps filled": (lambda data: filled(data, "nearest"), EAC),
    "filled, then 40 rows": (lambda data: represented(filled(data, "own cluster"), 40), EAC),
}


@pytest.mark.parametrize("made", MADE)
def test_what_was_counted_has_a_program_a_command_and_a_report(tmp_path, monkeypatch, capsys, made):
    as_files(table_of(), tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    counted = Data(None, "runs/*.parquet", Ensemble.from_files("runs/*.parquet", ids="name", processes=1))
    how, method = MADE[made]
    data = how(counted)
    result = solve(method(k=4), data.ensemble)
    expected = joined(result.write(tmp_path / "mine", processes=1))
    alike = how(replace(counted, ensemble=in_memory(table_of()))).ensemble
    assert (expected["cluster"] == solve(method(k=4), alike).labels + 1).all()  # each beside its own name
    (tmp_path / "run.py").write_text(program(None, data.title, result.step), encoding="utf-8")
    runpy.run_path("run.py", run_name="__main__")
    (said,) = re.findall("files in (.*)", capsys.readouterr().out)
    assert joined(sorted(Path(said).glob("part-*"))).equals(expected)
    words = shlex.split(files_command(data.title, result.step).replace(" \\\n", ""))
    assert words[0] == "quorum" and words[-1] == said
    assert main([*words[1:-1], "by command"]) == 0
    assert joined(sorted(Path("by command").glob("part-*"))).equals(expected)
    page = report(data, result.step, budget=0).decode()
    assert 'class="missing"' not in page and said in page


def test_columns_may_be_left_out_and_are_written_beside_all(tmp_path):
    counted = Ensemble.from_files(as_files(table_of(), tmp_path / "in"), ids="name", processes=1)
    found = joined(solve(LWEA(k=4), counted.select([0, 2, 5])).write(tmp_path / "out", processes=1))
    assert (found["cluster"] == solve(LWEA(k=4), in_memory(table_of()).select([0, 2, 5])).labels + 1).all()
    with pytest.raises(InputError, match="as they were counted"):
        save_counts(counted.select([0, 2]), tmp_path / "few.counts")


def test_a_program_stops_at_the_iteration_shown_and_none_is_given_where_gaps_were_filled_at_random(
    tmp_path, monkeypatch, capsys
):
    as_files(table_of(), tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    data = Data(None, "runs/*.parquet", Ensemble.from_files("runs/*.parquet", ids="name", processes=1))
    step = next(step for step in iterate(LWEA(k=4), data.ensemble) if step.iteration == 0)
    (tmp_path / "run.py").write_text(program(None, data.title, step), encoding="utf-8")
    runpy.run_path("run.py", run_name="__main__")
    assert "Iteration 0," in capsys.readouterr().out
    by_chance = solve(LWEA(k=4), data.ensemble.filled("random", 0))
    with pytest.raises(InputError, match="object by object"):
        program(None, data.title, by_chance.step)


def told(capsys, *argv) -> tuple[int, str, str]:
    code = main([str(one) for one in argv])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_commands(tmp_path, capsys):
    table = table_of()
    where, kept, out = as_files(table, tmp_path / "in"), tmp_path / "runs.counts", tmp_path / "labels"
    code, said, beside = told(capsys, "count", where, "--ids", "name", "--out", kept, "--processes", 1)
    assert code == 0 and "600 objects, 6 base clusterings" in said and "4 files" in beside
    code, said, _ = told(capsys, "write", kept, "--method", "lwea", "--k", 4, "--out", out, "--processes", 1)
    assert code == 0 and "600 objects" in said
    expected = solve(LWEA(k=4), in_memory(table)).labels + 1
    assert (joined(sorted(out.glob("part-*")))["cluster"] == expected).all()
    few = ["write", kept, "--method", "lwea", "--k", 4, "--rows", 50, "--processes", 1, "--json"]
    code, said, _ = told(capsys, *few, "--out", tmp_path / "few")
    assert code == 0 and json.loads(said)["rows that stand for all"] == 50
    code, _, beside = told(capsys, *few, "--out", out)
    assert code == 3 and "another run" in beside
    code, _, beside = told(capsys, "count", tmp_path / "nowhere")
    assert code == 2 and "no Parquet or CSV file" in beside
    code, _, beside = told(capsys, "write", kept, "--ids", "name", "--out", out)
    assert code == 2 and "leave --ids" in beside
    code, _, beside = told(capsys, "count", where, "--may-take", "1e-6", "--processes", 1)
    assert code in (2, 4) and ("distinct label row" in beside or "different values" in beside)


# --- on a cluster --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two workers, each a process of its own, on this machine."""
    pytest.importorskip("distributed")
    from distributed import Client

    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parent)])}
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show",
         "--scheduler-file", (note := f"/tmp/quorum-scheduler-{os.getpid()}.json")],
        env=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "dask",
                "worker",
                "--scheduler-file",
                note,
                "--nthreads",
                "1",
                "--no-dashboard",
                "--no-nanny",
                "--host",
                "127.0.0.1",
            ],
            env=here,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    try:
        with Client(scheduler_file=note, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            yield client
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
        Path(note).unlink(missing_ok=True)


def test_a_cluster_counts_and_writes_the_same(cluster, tmp_path):
    table = table_of()
    where = as_files(table, tmp_path / "in", parts=6)
    counted = Ensemble.from_files(where, ids="name", client=cluster)
    assert same(counted, in_memory(table))
    found = joined(solve(LWEA(k=4), counted).write(tmp_path / "out", client=cluster.scheduler.address))
    assert (found["cluster"] == solve(LWEA(k=4), in_memory(table)).labels + 1).all()


def test_a_cluster_that_is_not_there_is_a_sentence(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("consensus_core.ensemble.files.hands.PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        Ensemble.from_files(as_files(table_of(), tmp_path), ids="name", client="tcp://127.0.0.1:9")


def test_a_refusal_on_a_cluster_is_the_same_sentence(cluster, tmp_path):
    with pytest.raises(InputError, match=r"a\.csv, line 3: 3 cells"):
        Ensemble.from_files(written(tmp_path, a="x,y\n1,2\n1,2,3\n"), client=cluster)


def test_a_worker_that_dies_costs_nothing_but_time(cluster, tmp_path):
    """The last test: one worker is left."""
    assert dict(each(dies_once, [0, 1, 2, 3, 4, 5], (str(tmp_path),), client=cluster)) == {i: 10 * i for i in range(6)}
