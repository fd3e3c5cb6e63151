"""Every method found keeps every law, or has declared the mathematical reason why it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import contract
import contract_told
import label_tables
import numpy as np
import pytest

from consensus_core import METHODS, Ensemble, InputError, begin
from consensus_core.data.samples import load
from consensus_core.method import LAWS
from tests.heart import draws_of

CASES = [
    pytest.param(cls, setting, id="-".join([key, *(f"{name}={value}" for name, value in setting.items())]))
    for key, cls in METHODS.items()
    for setting in contract.settings(cls)
]
each_setting = pytest.mark.parametrize(("cls", "setting"), CASES)
each_method = pytest.mark.parametrize("cls", METHODS.values(), ids=list(METHODS))


def obey(law, method) -> bool:
    """True where the law holds; else the declared reason must be a reason."""
    kept = getattr(method, law)
    assert kept is True or (not kept and len(str(kept)) > 20), f"{law} is switched off without a reason"
    return bool(kept)


@each_setting
def test_the_objective_never_rises(cls, setting):
    if obey("monotone", method := cls(k=3, **setting)):
        for seed in range(3):
            contract.objective_never_rises(method, label_tables.ensemble_of(seed=seed))


@each_setting
def test_same_seed_same_path(cls, setting):
    contract.same_seed_same_path(cls(k=3, **setting), label_tables.ensemble_of())


def test_same_path_in_another_process():
    """Nothing hangs on the order of Python's sets, which differs from process to process."""
    code = (
        "import contract, hashlib, label_tables\n"
        "from consensus_core import METHODS, Ensemble\n"
        "table = [[f'c{x}' for x in row] for row in label_tables.planted(n=120, wrong=0.3).tolist()]\n"
        "for key, cls in METHODS.items():\n"
        "    steps = contract.run(cls(k=3), Ensemble.from_labels(table))\n"
        "    print(key, hashlib.md5(b''.join(part for step in steps for part in contract.content(step))).hexdigest())"
    )
    folder = Path(__file__).resolve().parent
    said = set()
    for seed in ("1", "2"):
        surroundings = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(folder.parent), str(folder)]),
        }
        done = subprocess.run(
            [sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, check=True
        )
        said.add(done.stdout)
    assert len(said) == 1 and len(said.pop().splitlines()) == len(METHODS)


@each_setting
def test_a_run_resumes_from_a_pickled_step(cls, setting):
    contract.resumes_from_a_pickle(cls(k=3, **setting), label_tables.ensemble_of())


@each_setting
def test_steps_are_values(cls, setting):
    contract.steps_are_values(cls(k=3, **setting), label_tables.ensemble_of())


def draws(cls, setting, **how):
    """So many of the defaults; of every other setting a tenth."""
    many = draws_of(cls.key)
    return label_tables.hard_draws(many if not setting else max(many // 10, 1), **how)


@each_setting
def test_order_decides_nothing(cls, setting):
    """Ties included, on hard draws; with gaps where the method takes them."""
    if obey("order_free", method := cls(k=3, **setting)):
        for missing in (False, True) if cls.handles_missing else (False,):
            for draw, table in enumerate(draws(cls, setting, missing=missing)):
                contract.held(contract.order_decides_nothing, f"draw {draw}", method, table, seed=draw)


@each_setting
def test_rows_are_exact(cls, setting):
    if obey("exact_on_rows", method := cls(k=3, **setting)):
        for draw, table in enumerate(draws(cls, setting, seed=1)):
            if Ensemble.from_labels(table).q < len(table):
                contract.held(contract.rows_are_exact, f"draw {draw}", method, table)


@each_setting
def test_duplicates_change_nothing(cls, setting):
    if obey("scale_free", method := cls(k=3, **setting)):
        for draw, table in enumerate(draws(cls, setting, seed=2, most=24)):
            contract.held(contract.duplicates_change_nothing, f"draw {draw}", method, table)


@each_setting
def test_an_obvious_consensus_is_found(cls, setting):
    if obey("finds_the_obvious", method := cls(k=3, **setting)):
        contract.obvious_consensus_is_found(method)


@each_setting
def test_labels_are_labels(cls, setting):
    contract.labels_are_labels(cls(k=4, **setting), label_tables.ensemble_of(seed=2, k=4))


EXPLAINED = {"plain": {}, "hard, with ties": {"wrong": 0.45, "n": 24, "m": 4, "seed": 3}}


def ensembles(cls, setting) -> dict:
    """An easy one, a hard one, and one with gaps where the method takes them. Of a setting other than the default one
    the hardest that it takes; all of them with QUORUM_DRAWS."""
    gaps = {"gaps": {"missing": 0.25, "seed": 5}} if cls.handles_missing else {}
    wanted = {**EXPLAINED, **gaps}
    if setting and "QUORUM_DRAWS" not in os.environ:
        wanted = dict([list(wanted.items())[-1]])
    return {name: label_tables.ensemble_of(**{"n": 30, "m": 6, **how}) for name, how in wanted.items()}


@each_setting
def test_what_is_shown_is_explained(cls, setting):
    for name, ensemble in ensembles(cls, setting).items():
        contract.held(contract_told.shown_is_explained, name, cls(k=3, **setting), ensemble)


@each_setting
def test_explanations_do_not_read_off(cls, setting):
    contract_told.explanations_do_not_read_off(cls(k=3, **setting), label_tables.ensemble_of(n=30, m=6))


@each_setting
def test_trails_end_in_base_labels_dials_and_start_values(cls, setting):
    """Of a setting other than the default one a third of the entries is followed; all of them with QUORUM_DRAWS."""
    places = 10 if setting and "QUORUM_DRAWS" not in os.environ else 30
    for name, ensemble in ensembles(cls, setting).items():
        contract.held(contract_told.trails_end, name, cls(k=3, **setting), ensemble, places=places)


@each_setting
def test_what_is_printed_computes(cls, setting):
    for name, ensemble in ensembles(cls, setting).items():
        contract.held(contract_told.printed_numbers_compute, name, cls(k=3, **setting), ensemble)


@each_method
@pytest.mark.parametrize("case", label_tables.DEGENERATE)
def test_degenerate_input_is_survived(cls, case):
    for setting in contract.settings(cls):
        contract.degenerate_input_is_survived(cls, setting, *label_tables.DEGENERATE[case])


@each_method
@pytest.mark.parametrize("case", label_tables.WITH_MISSING)
def test_missing_labels_are_taken_or_refused(cls, case):
    table, k = label_tables.WITH_MISSING[case]
    if cls.handles_missing:
        for setting in contract.settings(cls):
            contract.degenerate_input_is_survived(cls, setting, table, k)
    else:
        with pytest.raises(InputError, match="filled"):
            begin(cls(k=k), Ensemble.from_labels(table))


@each_method
def test_more_clusters_than_groups_are_refused(cls):
    with pytest.raises(InputError, match="at most 2"):
        begin(cls(k=3), Ensemble.from_labels(np.array([[0, 0], [0, 0], [1, 1]])))


@each_method
def test_parameters_are_guarded(cls):
    contract.parameters_are_guarded(cls)


@each_method
def test_every_dial_moves_something(cls):
    contract.every_dial_moves_something(cls)


@each_method
def test_seconds_are_seconds(cls):
    """On 150 objects every method takes between five milliseconds and a second (measured): what is said of one is
    within a factor of sixty of what is said of the method in the middle, on whatever machine."""
    ensemble = load("iris").ensemble
    said = {each: each(k=3).cost(ensemble).seconds for each in METHODS.values()}
    assert 1 / 60 < said[cls] / np.median(list(said.values())) < 60


@each_method
def test_cost_is_said_and_grows(cls):
    small, large = label_tables.ensemble_of(n=40), label_tables.ensemble_of(n=400, wrong=0.4)
    for ensemble in (small, large):
        contract.cost_is_said(cls(k=3), ensemble)
    assert cls(k=3).cost(small).bytes < cls(k=3).cost(large).bytes
    with pytest.raises(InputError, match="are free"):
        begin(cls(k=3), large, memory=10)


@each_method
def test_a_method_says_what_it_is(cls):
    assert cls.title and cls.family and cls.reference and cls.__doc__
    assert cls.quantities(), "a method must show something"
    for quantity in cls.quantities():
        assert quantity.letter and quantity.meaning
    for param in cls.params():
        assert param.meaning
    names = [quantity.name for quantity in cls.quantities()]
    assert len(set(names)) == len(names)
    assert set(LAWS) == {"monotone", "scale_free", "order_free", "exact_on_rows", "finds_the_obvious"}


@each_method
def test_the_memory_said_is_the_memory_taken(cls):
    contract.memory_is_taken_as_said(cls(k=5), label_tables.scattered(500))
