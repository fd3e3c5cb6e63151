"""A run survives as bytes: the same numbers, the same states, and it goes on as if nothing had happened."""

from __future__ import annotations

import dataclasses

import contract
import label_tables
import numpy as np
import pytest
from test_contract_can_fail import Sound

from consensus_core import METHODS, History, InputError, advance, iterate
from consensus_core.keep import run_file as kept_runs
from consensus_core.keep.codec import decode, encode
from consensus_core.keep.program import COMPUTING, CORE, program
from consensus_core.keep.run_file import as_bytes, from_bytes, run_key
from consensus_core.keep.types import run_types
from consensus_core.live.moment import moment

ENSEMBLE = label_tables.ensemble_of(n=60)


def watched(method, steps=100):
    history, moments = History(method, ENSEMBLE), []
    for step in iterate(method, ENSEMBLE):
        history.record(step)
        moments.append(moment(method, ENSEMBLE, step))
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
    whole, _ = watched(method, steps=method.max_iter)  # to its end, however many steps that takes
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
    assert as_bytes(history, moments) is None


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
    assert run_key(one, ENSEMBLE) != run_key(one, label_tables.ensemble_of(n=61))


def test_another_runs_file_is_not_taken_for_this_one():
    """Whoever can write into the store, or a slip of ours, could put one run's file in another's place."""
    lwea, other = METHODS["lwea"](k=3), METHODS["lwea"](k=3, theta=0.5)
    content = as_bytes(*watched(lwea))
    assert from_bytes(content, lwea, ENSEMBLE)
    assert from_bytes(content, other, ENSEMBLE) is None
    assert from_bytes(content, METHODS["eac"](k=3), ENSEMBLE) is None
    assert from_bytes(content, lwea, label_tables.ensemble_of(n=61)) is None


def test_another_programs_run_is_computed_again(monkeypatch):
    """Numbers of an older program would stand among today's, and no two of them need agree."""
    method = METHODS["lwea"](k=3)
    content = as_bytes(*watched(method))
    monkeypatch.setattr(kept_runs, "program", lambda: "another")
    assert from_bytes(content, method, ENSEMBLE) is None


def test_the_program_is_everything_that_computes():
    again = program.__wrapped__
    assert program() == again() and len(program()) == 32
    for room in COMPUTING:
        assert (CORE / room).exists(), room


def changed(method, change) -> bytes:
    """A file that is right in form and wrong in sense."""
    history, moments = watched(method)
    content = decode(as_bytes(history, moments), run_types(method))
    return encode(change(content) or content, run_types(method))


def with_state(content, **fields):
    last = max(content["steps"])
    step = content["steps"][last]
    content["steps"][last] = dataclasses.replace(step, state=dataclasses.replace(step.state, **fields))


def with_moment(content, **fields):
    content["moments"][-1] = dataclasses.replace(content["moments"][-1], **fields)


WRONG = {
    "no steps": lambda c: c.pop("steps") and None,
    "no moments": lambda c: c.pop("moments") and None,
    "no objective": lambda c: c.pop("objective") and None,
    "no stop": lambda c: c.pop("stop") and None,
    "no scalars": lambda c: c.update(scalars={}),
    "a stop nobody knows": lambda c: c.update(stop="soon"),
    "no beginning": lambda c: c["steps"].pop(0) and None,
    "a step that is none": lambda c: c["steps"].update({1: "step"}),
    "a step elsewhere": lambda c: c["steps"].update({1: c["steps"][0]}),
    "a step beyond the end": lambda c: c["steps"].update({10**9: c["steps"][0]}),
    "a course too short": lambda c: c["objective"].pop() and None,
    "moments that are none": lambda c: c.update(moments=[1] * len(c["moments"])),
    "moments missing": lambda c: c["moments"].pop() and None,
    "labels of others": lambda c: with_moment(c, labels=np.zeros(3, dtype=int)),
    "labels without end": lambda c: with_moment(c, labels=np.full(ENSEMBLE.q, 10**6)),
    "certainty of others": lambda c: with_moment(c, certainty=np.zeros(3)),
    "a state of another size": lambda c: with_state(c, alpha=np.ones(3)),
    "a state of another objective": lambda c: with_state(c, alpha=np.full(ENSEMBLE.m, 0.5)),
    "a list": lambda c: [c],
    "nothing": lambda c: {"steps": {}},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_damage_inside_means_that_the_run_is_computed_again(wrong):
    """Each of these was a traceback on Watch, every time the page was opened, as the file stayed."""
    method = METHODS["spce"](k=3)
    assert from_bytes(changed(method, lambda c: None), method, ENSEMBLE)
    assert from_bytes(changed(method, WRONG[wrong]), method, ENSEMBLE) is None


def test_a_run_too_long_to_be_kept_is_left_out(monkeypatch):
    monkeypatch.setattr(kept_runs, "MOMENTS", 10)
    assert as_bytes(*watched(METHODS["lwea"](k=3))) is None


def test_a_method_the_registry_does_not_know_is_left_out():
    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Odd(type(ENSEMBLE).__mro__[-1]):
        secret: object

    history, moments = watched(METHODS["lwea"](k=3))
    with_state_of = dataclasses.replace(history.last.state, tree=Odd(secret=1))
    history._kept[len(history) - 1] = dataclasses.replace(history.last, state=with_state_of)
    assert as_bytes(history, moments) is None
