"""The one loop: counting, stopping, cancelling, refusing; and a run remembered within a byte budget."""

from __future__ import annotations

import math
import pickle
import re
from dataclasses import replace
from pathlib import Path

import contract
import label_tables
import numpy as np
import pytest
from test_contract_can_fail import Sound, broken

from consensus_core import METHODS, Cancelled, Ensemble, History, InputError, TooLarge, advance, begin, iterate, solve
from consensus_core.method import Exempt, Param, conclude, param
from consensus_core.method.method import arrays_of, freeze

ENSEMBLE = label_tables.ensemble_of()


def test_counting_and_stopping():
    steps = list(iterate(Sound(k=3), ENSEMBLE))
    assert [s.iteration for s in steps] == list(range(len(steps)))
    assert [s.stop for s in steps[:-1]] == [""] * (len(steps) - 1) and steps[-1].stop == "converged"
    assert advance(Sound(k=3), ENSEMBLE, steps[-1]) is steps[-1], "a step that has stopped stays"
    short = list(iterate(Sound(k=3, max_iter=2), ENSEMBLE))
    assert len(short) == 3 and short[-1].stop == "max_iter"
    result = solve(Sound(k=3), ENSEMBLE)
    assert result.iterations == len(steps) - 1 and result.stop == "converged"
    assert result.objective == steps[-1].objective == sum(steps[-1].terms.values())
    with pytest.raises(ValueError):
        result.labels[0] = 1


def spoiling(self, ensemble, state):
    new = Sound.step(self, ensemble, state)
    gone_wrong = np.abs(state.S - self.target(ensemble)).max() < 0.1
    return replace(new, w=new.w * np.nan) if gone_wrong else new


def test_nan_stops_the_run_and_keeps_the_last_sound_state():
    steps = list(iterate(broken(step=spoiling)(k=3), ENSEMBLE))
    assert steps[-1].stop == "diverged" and math.isnan(steps[-1].objective)
    assert steps[-1].state is steps[-2].state
    assert np.isfinite(steps[-1].state.w).all()
    assert conclude(Sound(k=3), ENSEMBLE, steps[-1]).stop == "diverged"


def test_a_runaway_is_stopped():
    cls = broken(diverged=lambda self, state: True)
    assert solve(cls(k=3), ENSEMBLE).stop == "diverged"
    cls = broken(terms=lambda self, ensemble, state: {"far": np.inf})
    assert solve(cls(k=3), ENSEMBLE).stop == "diverged"


def test_cancel():
    seen = []
    with pytest.raises(Cancelled):
        for step in iterate(Sound(k=3), ENSEMBLE, cancel=lambda: len(seen) == 3):
            seen.append(step)
    assert len(seen) == 3


def test_too_large_is_refused_before_anything_is_allocated():
    def never(self, ensemble):
        raise AssertionError("init was called")

    with pytest.raises(TooLarge, match=r"microclusters needs about .* are free"):
        begin(broken(init=never)(k=3), ENSEMBLE, memory=100)


def test_a_table_is_not_an_ensemble():
    for wrong in ((Sound(k=3), label_tables.planted()), (ENSEMBLE, Sound(k=3)), (Sound, ENSEMBLE)):
        with pytest.raises(InputError, match=r"a Method and an Ensemble, in this order, .* got "):
            solve(*wrong)


def test_branching_from_an_earlier_step():
    method = Sound(k=3)
    steps = list(iterate(method, ENSEMBLE))
    branch = list(iterate(replace(method, cut=0.9), ENSEMBLE, start=steps[2]))
    assert branch[0] is steps[2] and branch[1].iteration == 3
    assert branch[-1].objective != steps[-1].objective


def test_a_method_must_define_its_parts():
    from consensus_core import Method

    bare = Method(k=2)
    for call in (bare.init, bare.cost):
        with pytest.raises(TypeError, match="must define"):
            call(ENSEMBLE)
    for call in (bare.step, bare.terms, bare.labels):
        with pytest.raises(TypeError, match="must define"):
            call(ENSEMBLE, None)
    with pytest.raises(TypeError, match="must define"):
        bare.converged(None, None)


def test_questions_get_answers():
    method, lwea = METHODS["eac"](k=3), METHODS["lwea"](k=3)
    first = begin(method, ENSEMBLE)
    assert first.why("A", 0, 1).value == first.entry("A", 0, 1)
    for call, sentence in [
        (lambda: method.quantity("Q"), "shows no quantity 'Q'"),
        (lambda: first.why("A", 0), "2 numbers say where"),
        (lambda: first.why("A", 0, 999), "object 999"),
        (
            lambda: lwea.entry(ENSEMBLE, begin(lwea, ENSEMBLE).state, "ECI", 999),
            "ECI is over 21 clusters of the base clusterings.* 999 is",
        ),
        (lambda: begin(lwea, ENSEMBLE).why("ECI", -1), "-1 is not among them"),
        (lambda: first.why("v", 0), "shows no quantity"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()
    assert not Exempt("because") and str(Exempt("because")) == "because"


# --- parameters ---------------------------------------------------------------------------------------------------


def test_parameters_take_numpy_numbers_and_whole_floats():
    method = METHODS["spce"](k=np.int64(3), theta=np.float32(0.5), max_iter=7.0)
    assert (method.k, method.theta, method.max_iter) == (3, 0.5, 7)
    assert type(method.k) is int and type(method.theta) is float and type(method.max_iter) is int
    assert hash(method) == hash(METHODS["spce"](k=3, theta=0.5, max_iter=7))
    how = METHODS["eac"](k=2, linkage=np.array(["single", "complete"])[0]).linkage
    assert how == "single" and type(how) is str


@pytest.mark.parametrize(
    ("declared", "value", "sentence"),
    [
        (Param("theta", 0.2, "", low=0.0, high=0.9), 1.3, "SPCE: theta must be a number in [0, 0.9], got 1.3."),
        (Param("k", 2, "", low=1), 1.5, "SPCE: k must be a whole number of at least 1, got 1.5."),
        (Param("k", 2, "", low=1), True, "SPCE: k must be a whole number of at least 1, got True."),
        (Param("x", 0.5, "", high=2.0), 3, "SPCE: x must be a number of at most 2, got 3."),
        (Param("x", 0.5, ""), "a", "SPCE: x must be a number, got 'a'."),
        pytest.param(
            Param("x", 1.0, "", low=0.0),
            2**1024,
            f"SPCE: x must be a number of at least 0, got {2**1024}.",
            id="beyond",
        ),
        (Param("on", True, ""), 1, "SPCE: on must be True or False, got 1."),
        (Param("how", "a", "", choices=("a", "b")), "c", "SPCE: how must be one of 'a', 'b', got 'c'."),
    ],
)
def test_a_refusal_is_a_sentence(declared, value, sentence):
    with pytest.raises(InputError) as refused:
        declared.check("SPCE", value)
    assert str(refused.value) == sentence


def test_roles_are_known():
    with pytest.raises(ValueError, match="role"):
        param(1, "meaning", role="magic")


# --- history ------------------------------------------------------------------------------------------------------


def recorded(budget):
    method = Sound(k=3, cut=0.3)
    history = History(method, ENSEMBLE, budget)
    steps = []
    for step in iterate(method, ENSEMBLE):
        history.record(step)
        steps.append(step)
    return history, steps


def test_history_keeps_every_number_and_whole_states_within_the_budget():
    history, steps = recorded(budget=1 << 30)
    assert history.kept == tuple(range(len(steps))) and history.stop == "converged"
    assert history.objective == [s.objective for s in steps]
    assert history.terms["distance"] == history.objective
    assert history.last is steps[-1]
    one = sum(a.nbytes for a in (steps[0].state.S, steps[0].state.w))
    assert history.nbytes == one * len(steps)


@pytest.mark.parametrize("states", [1, 2, 3, 4, 6])
def test_a_thinned_history_still_gives_every_step(states):
    whole, steps = recorded(budget=1 << 30)
    thin, _ = recorded(budget=whole.nbytes // len(steps) * states)
    assert len(thin.kept) <= max(states, 2) < len(steps) and thin.kept[0] == 0 and thin.kept[-1] == len(steps) - 1
    for at, step in enumerate(steps):
        again = thin.step(at)
        assert again.iteration == at and contract.content(again) == contract.content(step)


def test_bytes_kept_are_those_of_the_arrays_kept():
    """Whatever was added, thinned, branched or pickled; an array that states share counts once."""
    method = METHODS["eac"](k=3)
    history = History(method, ENSEMBLE)
    for step in iterate(method, ENSEMBLE):
        history.record(step)
    first, last = history.step(0).state, history.last.state
    tree = sum(a.nbytes for a in arrays_of(last.tree))
    assert first.A is last.A and history.nbytes == first.A.nbytes + tree
    for budget in (1 << 30, 20_000, 1):
        history, steps = recorded(budget)
        for now in (history, pickle.loads(pickle.dumps(history))):
            assert now.nbytes == sum(a.nbytes for at in now.kept for a in arrays_of(now.step(at).state))
            now.record(steps[2])
            assert now.nbytes == sum(a.nbytes for at in now.kept for a in arrays_of(now.step(at).state))


def test_recording_looks_at_each_state_a_bounded_number_of_times(monkeypatch):
    """A run of thousands of steps was once recorded in quadratic time."""
    looked = []
    monkeypatch.setattr("consensus_core.method.history.arrays_of", lambda state: looked.append(1) or arrays_of(state))
    history, start = History(Sound(k=3), ENSEMBLE), begin(Sound(k=3), ENSEMBLE)
    for i in range(200):
        history.record(replace(start, iteration=i))
    assert len(looked) <= 2 * 200


@pytest.mark.parametrize("key", ["ec_cms", "spce", "imvc"])
def test_a_run_is_concluded_with_its_labels_computed_once(key, monkeypatch):
    """Where the number of clusters found follows from the labels, a linkage or k-means is not done again for it."""
    method, ensemble = METHODS[key](k=3), label_tables.ensemble_of()
    steps, calls = list(iterate(method, ensemble)), []
    told = method.labels(ensemble, steps[-1].state).tolist(), method.found(ensemble, steps[-1].state)
    name = "groups" if key == "imvc" else "labels"
    computed = getattr(METHODS[key], name)
    monkeypatch.setattr(METHODS[key], name, lambda *given: (calls.append(1), computed(*given))[1])
    result = conclude(method, ensemble, steps[-1])
    assert (result.raw.tolist(), result.found) == told
    assert len(calls) == 1


def test_recording_an_earlier_iteration_goes_on_from_there():
    history, steps = recorded(budget=1 << 30)
    branch = replace(history.method, cut=0.6)
    history.record(steps[2])
    assert len(history) == 3 and history.stop == ""
    history.record(advance(branch, ENSEMBLE, steps[2]))
    assert len(history) == 4
    for at in (-1, 4):
        with pytest.raises(InputError, match="iterations 0 to 3"):
            history.step(at)
    with pytest.raises(InputError, match="cannot follow"):
        history.record(steps[6])
    assert repr(history).startswith("History(Sound, 4 iterations")


def test_freeze_reaches_sparse_matrices_and_tuples():
    import scipy.sparse

    state = Sound.State(S=scipy.sparse.csr_array(np.eye(3)), w=(np.ones(2), [np.ones(1)]))
    freeze(state)
    assert not state.S.data.flags.writeable and not state.w[0].flags.writeable and not state.w[1][0].flags.writeable


def test_the_core_never_imports_streamlit():
    """In a fresh interpreter: nothing of the dashboard comes along."""
    import subprocess
    import sys

    code = (
        "import sys, pkgutil, importlib, consensus_core\n"
        "for module in pkgutil.walk_packages(consensus_core.__path__, 'consensus_core.'):\n"
        "    importlib.import_module(module.name)\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'streamlit']"
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False).returncode == 0
    for file in (Path(__file__).parents[1] / "consensus_core").rglob("*.py"):  # nor later, from within a function
        assert not re.search(r"^\s*(import|from) streamlit", file.read_text(encoding="utf-8"), re.M), file


def test_every_public_name_is_there():
    import consensus_core

    promised = """Ensemble MISSING METHODS Method Param Step Result begin advance iterate solve scores
        SPCE ECCMS TRCE PCE CESHL EAC LWEA ConsensusClusterer EnsembleClusterer History InputError""".split()
    assert set(promised) <= set(consensus_core.__all__)
    for name in consensus_core.__all__:
        assert hasattr(consensus_core, name)
    assert {"spce", "ec_cms", "trce", "pce", "ceshl", "eac", "lwea"} <= set(METHODS)
    assert isinstance(Ensemble.from_labels([[1, 2]]), consensus_core.Ensemble)
