"""What a run leaves behind can be read again, and says the truth."""

from __future__ import annotations

import csv
import io
import json

import contract
import numpy as np
import pytest

from consensus_core import METHODS, Ensemble, History, solve
from consensus_core.data import Origin
from consensus_core.data.exports import labels_csv, matrices_npz, run_record
from consensus_core.method import Paired

ENSEMBLE = contract.ensemble_of(n=40)


def test_labels_keep_ids_and_order():
    labels = np.array([1, 0, 1])
    ensemble = Ensemble.from_labels([[1, 1], [0, 0], [1, 2]])
    text = labels_csv(ensemble, labels, ids=["a,b", 'q"', "ü"], certainty=[0.5, 1.0, 0.25]).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["id", "cluster", "certainty"], ["a,b", "2", "0.5"], ['q"', "1", "1.0"], ["ü", "2", "0.25"]]
    assert labels_csv(ensemble, labels).decode("utf-8-sig").splitlines()[1:] == ["1,2", "2,1", "3,2"]


@pytest.mark.parametrize("key", METHODS)
def test_matrices_and_record_of_every_method(key):
    method = METHODS[key](k=3)
    history = History(method, ENSEMBLE)
    result = solve(method, ENSEMBLE, history=history)
    with np.load(io.BytesIO(matrices_npz(method, ENSEMBLE, history.last)), allow_pickle=False) as file:
        assert (file["labels"] == result.labels).all() and (file["member_of"] == ENSEMBLE.member_of).all()
        for quantity in method.quantities():
            value = method.value(ENSEMBLE, history.last.state, quantity.name)
            if isinstance(value, Paired):
                assert (file[f"{quantity.name}_self"] == value.d).all()
                value = value.B
            assert np.array_equal(file[quantity.name], contract.dense(value))
    record = json.loads(
        json.dumps(run_record(method, ENSEMBLE, Origin(sample="nine"), history.last, history.objective))
    )
    assert METHODS[record["method"]["key"]](**record["parameters"]) == method
    assert record["data"]["fingerprint"] == ENSEMBLE.fingerprint and record["run"]["stop"] == result.stop
    assert record["run"]["course of the objective"][-1] == result.objective
    assert record["run"]["clusters found by the method itself"] == result.found
    assert record["program"]["numpy"] == np.__version__
