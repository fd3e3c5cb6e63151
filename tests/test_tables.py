"""Tables in a folder that is offered: which there are, counted once, nothing outside of it, nothing overwritten."""

import os

import numpy as np
import pandas as pd
import pytest
from test_files import as_files, table_of

from consensus_core import LWEA, Ensemble, InputError, solve
from consensus_core.data.tables import MOST, Tables
from consensus_core.errors import AlreadyThere, Cancelled


@pytest.fixture
def offered(tmp_path):
    table = table_of(n=200)
    as_files(table, tmp_path / "tables" / "runs", "parquet", 3)
    as_files(table, tmp_path / "tables", "csv", 2)
    outside = tmp_path / "outside"
    as_files(table, outside, "csv", 1)
    os.symlink(outside, tmp_path / "tables" / "away")
    os.symlink(next(outside.iterdir()), tmp_path / "tables" / "leads out.csv")
    (tmp_path / "tables" / "notes.txt").write_text("no table")
    return Tables(tmp_path / "tables", tmp_path / "kept"), table


def test_what_lies_in_the_folder_is_offered_and_nothing_outside(offered):
    tables, _ = offered
    found = {table.name: len(table.paths) for table in tables.offered()}
    assert found == {"*.csv": 2, "part 0.csv": 1, "part 1.csv": 1, "runs/*.parquet": 3}
    for name in ("../outside/part 0.csv", "/etc/passwd", "away/*.csv", "leads out.csv", "", "runs", "notes.txt"):
        with pytest.raises(InputError, match="No table called"):
            tables.files(name)


def test_a_table_is_counted_once_and_counts_go_with_their_files(offered):
    tables, table = offered
    files, heard = tables.files("runs/*.parquet", ids="name"), []
    key = tables.count("runs", files, lambda *said: heard.append(said))
    assert heard[-1] == (3, 3) and tables.titles() == {key: "runs"}
    assert tables.count("runs", files, lambda *said: pytest.fail("counted again")) == key
    title, ensemble = tables.counted(key)
    inside = Ensemble.from_labels(table.drop(columns="name").to_numpy(dtype=object, na_value=None))
    assert title == "runs" and ensemble.n == 200 and ensemble.q == inside.q and ensemble.files.ids == "name"
    for wrong in ("files-" + "0" * 32, "files-../../x", "iris"):
        with pytest.raises(InputError):
            tables.counted(wrong)
    as_files(table.iloc[:150], tables.folder / "runs", "parquet", 3)
    assert tables.titles() == {}
    with pytest.raises(InputError, match="changed since"):
        tables.counted(key)


# joblib's own thread may stumble over what was taken from it when the work is given up; nothing hangs on it
@pytest.mark.filterwarnings("ignore:Exception in thread Executor:pytest.PytestUnhandledThreadExceptionWarning")
def test_counting_can_be_stopped_and_too_many_are_refused(offered, monkeypatch):
    tables, _ = offered
    files = tables.files("runs/*.parquet", ids="name")

    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        tables.count("runs", files, stop)
    assert tables.titles() == {}
    monkeypatch.setattr("consensus_core.data.tables.MOST", 199)
    with pytest.raises(InputError, match="200 objects are more than the pages show"):
        tables.count("runs", files)
    assert MOST > 10**6


def test_labels_are_written_under_a_new_name_only(offered):
    tables, table = offered
    key = tables.count("runs", tables.files("runs/*.parquet", ids="name"))
    _, ensemble = tables.counted(key)
    result = solve(LWEA(k=4), ensemble)
    written = tables.write(result, "labels 1")
    told = pd.concat([pd.read_parquet(path) for path in written])
    alone = solve(LWEA(k=4), Ensemble.from_labels(table.drop(columns="name").to_numpy(dtype=object, na_value=None)))
    by_name = dict(zip(told["name"], told["cluster"], strict=True))
    assert [by_name[name] for name in table["name"]] == (alone.labels + 1).tolist()
    assert tables.write(result, "labels 1") == written  # the same answer: gone on with
    with pytest.raises(AlreadyThere, match="another run"):
        tables.write(solve(LWEA(k=3), ensemble), "labels 1")
    (tables.folder / "empty").mkdir()
    for name in ("runs", "empty", "away", "part 0.csv"):
        with pytest.raises(AlreadyThere):
            tables.write(result, name)
    for name in ("../x", "/tmp/x", "a/b", "", ".hidden", "x.", "..", "a\\b", "ä", "x" * 81):
        with pytest.raises(InputError, match="cannot be the name"):
            tables.write(result, name)
    assert "labels 1" not in " ".join(one.name for one in tables.offered()) and np.all(told["certainty"] <= 1)
