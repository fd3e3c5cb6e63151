"""A run survives as bytes: the same numbers, the same states, and it goes on as if nothing had happened."""

from __future__ import annotations

import pickle
import zlib

import contract
import pytest
from test_contract_can_fail import Sound

from consensus_core import METHODS, History, InputError, advance, iterate
from consensus_core.keep import run_file as kept_runs
from consensus_core.keep.run_file import as_bytes, from_bytes, run_key
from consensus_core.live.moment import moment

ENSEMBLE = contract.ensemble_of(n=60)


def watched(method, steps=100):
    history, moments = History(method, ENSEMBLE), []
    for step in iterate(method, ENSEMBLE):
        history.record(step)
        moments.append(moment(method, ENSEMBLE, step, moments[-1].labels if moments else None))
        if len(moments) > steps:
            break
    return history, moments


@pytest.mark.parametrize("key", METHODS)
def test_a_finished_run_comes_back(key):
    method = METHODS[key](k=3)
    history, moments = watched(method)
    again, seen = from_bytes(as_bytes(history, moments), method, ENSEMBLE)
    assert again.objective == history.objective and again.stop == history.stop and again.scalars == history.scalars
    assert len(seen) == len(moments) and (seen[-1].labels == moments[-1].labels).all()
    for at in range(len(history)):
        assert contract.content(again.step(at)) == contract.content(history.step(at))


@pytest.mark.parametrize("key", METHODS)
def test_an_interrupted_run_goes_on_to_the_same_end(key):
    method = METHODS[key](k=3)
    whole, _ = watched(method)
    again, _ = from_bytes(as_bytes(*watched(method, steps=1)), method, ENSEMBLE)
    step = again.last
    while not step.stop:
        step = advance(method, ENSEMBLE, step)
        again.record(step)
    assert again.objective == whole.objective and contract.content(again.last) == contract.content(whole.last)


def test_large_states_are_thinned_or_left_to_be_computed_again(monkeypatch):
    method = METHODS["lwea"](k=3)
    history, moments = watched(method)
    monkeypatch.setattr(kept_runs, "BUDGET", 10)
    assert from_bytes(as_bytes(history, moments), method, ENSEMBLE) is None


def test_a_restored_run_stands_at_its_last_kept_step():
    method = Sound(k=3)
    history, _ = watched(method)
    again = History(method, ENSEMBLE)
    again.restore(
        {0: history.step(0), 2: history.step(2)}, history.objective, history.terms, history.scalars, "converged"
    )
    assert len(again) == 3 and again.stop == "" and again.last.iteration == 2
    with pytest.raises(InputError, match="iteration 0"):
        again.restore({2: history.step(2)}, [], {}, {}, "")


def test_parameters_and_data_make_the_key():
    one = METHODS["lwea"](k=3)
    assert run_key(one, ENSEMBLE) == run_key(METHODS["lwea"](k=3), ENSEMBLE)
    assert run_key(one, ENSEMBLE) != run_key(METHODS["lwea"](k=3, theta=0.5), ENSEMBLE)
    assert run_key(one, ENSEMBLE) != run_key(METHODS["eac"](k=3), ENSEMBLE)
    assert run_key(one, ENSEMBLE) != run_key(one, contract.ensemble_of(n=61))


class Malice:
    def __reduce__(self):
        import os

        return os.system, ("echo never",)


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"garbage",
        zlib.compress(b"garbage"),
        zlib.compress(pickle.dumps(Malice())),
        zlib.compress(pickle.dumps({"form": 0})),
    ],
)
def test_damaged_foreign_or_malicious_bytes_are_left_alone(kept, capfd):
    assert from_bytes(kept, METHODS["lwea"](k=3), ENSEMBLE) is None
    assert "never" not in capfd.readouterr().out
