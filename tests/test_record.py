"""What a run leaves behind can be read again, and says the truth."""

from __future__ import annotations

import csv
import io
import json

import contract
import label_tables
import numpy as np
import pytest

from consensus_core import METHODS, Ensemble, History, InputError, solve
from consensus_core.data import Origin
from consensus_core.data.exports import file_name, labels_csv, matrices_npz, run_record, write_folder, write_new
from consensus_core.linalg.paired import Paired
from consensus_core.partition.numbering import numbered
from consensus_core.scores import certainty

ENSEMBLE = label_tables.ensemble_of(n=40)


def test_labels_keep_ids_and_order():
    table = [["x", "u"], ["y", "v"], ["x", "w"], ["x", "u"]]
    step = solve(METHODS["lwea"](k=2), Ensemble.from_labels(table, truth=["a", None, "b", "a"])).step
    text = labels_csv(step, ids=["a,b", 'q"', "ü", "=1"], id_name="sample no.").decode()
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["sample no.", "cluster", "certainty", "second choice", "truth", "iteration"]
    assert [row[0] for row in rows] == ["a,b", 'q"', "ü", "'=1"]  # no cell is a formula
    assert [row[1] for row in rows] == [str(label + 1) for label in step.labels]
    ensemble = step.run.ensemble
    sure = certainty(ensemble, numbered(ensemble, step.run.method.labels(ensemble, step.state)))
    assert [float(row[2]) for row in rows] == pytest.approx(ensemble.expand(sure.margin).tolist(), abs=1e-6)
    assert [row[3] for row in rows] == [str(3 - int(row[1])) for row in rows]  # of two clusters, the other one
    assert [row[4] for row in rows] == ["a", "", "b", "a"] and {row[5] for row in rows} == {"1"}
    plain = labels_csv(solve(METHODS["lwea"](k=2), Ensemble.from_labels([[0], [1]])).step).decode()
    assert [line.split(",")[0] for line in plain.splitlines()] == ["id", "1", "2"] and plain.startswith("id,")


def test_certainty_is_how_much_nearer_the_own_cluster_is_than_the_next():
    step = solve(METHODS["lwea"](k=3), ENSEMBLE).step
    rows = list(csv.DictReader(io.StringIO(labels_csv(step).decode())))
    sure = certainty(ENSEMBLE, numbered(ENSEMBLE, step.run.method.labels(ENSEMBLE, step.state)))
    assert (sure.other > 0).any() and (sure.margin != sure.own).any()
    assert [float(row["certainty"]) for row in rows] == pytest.approx(ENSEMBLE.expand(sure.margin).tolist(), abs=1e-6)
    assert [float(row["certainty"]) for row in rows] != pytest.approx(ENSEMBLE.expand(sure.own).tolist(), abs=1e-3)


@pytest.mark.parametrize("key", METHODS)
def test_matrices_and_record_of_every_method(key):
    """At an iteration on the way too: what is written is of the step given."""
    method = METHODS[key](k=3)
    history = History(method, ENSEMBLE)
    result = solve(method, ENSEMBLE, history=history)
    for step in (history.step(0), history.step(len(history) // 2), history.last):
        with np.load(io.BytesIO(matrices_npz(step)), allow_pickle=False) as file:
            assert (file["labels"] == step.labels + 1).all() and (file["member_of"] == ENSEMBLE.member_of).all()
            assert int(file["iteration"]) == step.iteration
            for quantity in method.quantities():
                value = step.value(quantity.name)
                if value is None:  # there is nothing yet
                    assert quantity.name not in file
                    continue
                if isinstance(value, Paired):
                    assert (file[f"{quantity.name}_self"] == value.d).all()
                    value = value.B
                assert np.array_equal(file[quantity.name], contract.dense(value))
        record = json.loads(json.dumps(run_record(step, Origin(sample="nine"), history.objective)))
        assert METHODS[record["method"]["key"]](**record["parameters"]) == method
        assert record["data"]["fingerprint"] == ENSEMBLE.fingerprint and record["run"]["stop"] == step.stop
        assert record["run"]["iteration"] == step.iteration and record["run"]["objective"] == step.objective
        numbers, sizes = np.unique(step.labels + 1, return_counts=True)  # as in the file of labels
        assert record["run"]["clusters"] == {str(c): int(size) for c, size in zip(numbers, sizes, strict=True)}
        assert record["program"]["numpy"] == np.__version__
    assert record["run"]["clusters found by the method itself"] == result.found
    assert record["run"]["stopped because"] == result.stopped
    assert (history.last.labels == result.labels).all()


def test_nothing_is_overwritten(tmp_path):
    mine = tmp_path / "labels.csv"
    mine.write_text("mine")
    with pytest.raises(InputError, match=r"labels\.csv is there already and is not overwritten"):
        write_new(mine, b"theirs")
    assert mine.read_text() == "mine"
    assert write_new(tmp_path / "other.csv", b"theirs").read_bytes() == b"theirs"
    step = solve(METHODS["lwea"](k=2), ENSEMBLE).step
    assert file_name("My data (3).csv", step, "labels.csv") == "my_data_3_csv_lwea_it1_labels.csv"


def test_a_folder_is_written_as_a_whole_and_tells_where(tmp_path):
    written = write_folder(tmp_path / "out", {"a.csv": b"a", "b.csv": b"b"})
    assert written == [tmp_path / "out" / "a.csv", tmp_path / "out" / "b.csv"]
    assert [path.read_bytes() for path in written] == [b"a", b"b"]
    with pytest.raises(InputError):
        write_folder(tmp_path / "out", {"a.csv": b"other"})
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.csv", "b.csv", "out"]
