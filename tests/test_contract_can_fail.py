"""Tests of the tests: a sound method passes every law, and each deliberate breakage is caught by its law."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace

import contract
import contract_told
import label_tables
import numpy as np
import pytest

from consensus_core import Ensemble, InputError
from consensus_core.ensemble.incidence import cluster_sizes
from consensus_core.linalg import components
from consensus_core.method import Cost, Matrix, Method, State, Weights, derived, param, shown, tells
from consensus_core.method.params import common
from consensus_core.partition import exactly
from consensus_core.similarity import coassociation


@dataclass(frozen=True, kw_only=True, eq=False)
class SoundState(State):
    S: Matrix = shown("S", "a matrix that moves halfway to the thresholded co-association")
    w: Weights = shown("w", "mean similarity of an object to all objects")


@dataclass(frozen=True, kw_only=True)
class Sound(Method):
    """min ‖S − T‖², T the co-association of pairs mostly together: S moves halfway in each step."""

    cut: float = param(0.5, "share from which a pair counts", low=0.0, high=1.0)
    max_iter: int = common(100, "most steps", span=(1, 1000))

    title, family, reference = "A sound stand-in", "test", "none"
    State = SoundState

    def target(self, ensemble):
        A = coassociation(ensemble)
        return np.where(A > self.cut, A, 0.0)

    def weights(self, ensemble, S):
        return S @ ensemble.counts / ensemble.n

    def init(self, ensemble):
        S = coassociation(ensemble)
        return self.State(S=S, w=self.weights(ensemble, S))

    def step(self, ensemble, state):
        S = (state.S + self.target(ensemble)) / 2
        return replace(state, S=S, w=self.weights(ensemble, S))

    def terms(self, ensemble, state):
        gap = (state.S - self.target(ensemble)) ** 2
        return {"distance": float(ensemble.counts @ gap @ ensemble.counts) / ensemble.n**2}

    def labels(self, ensemble, state):
        _, labels = components(np.where(state.S > self.cut, 1.0, 0.0))
        return exactly(self.k, labels, coassociation(ensemble), ensemble.counts)

    def converged(self, old, new):
        return np.abs(old.S - new.S).max() < 1e-3

    def cost(self, ensemble):
        return Cost(40 * ensemble.q**2, 1e-6 * ensemble.q**2)

    @derived("D", "what is left to go")
    def D(self, ensemble, state) -> Matrix:
        return state.S - self.target(ensemble)

    @tells("A", "together / seen", letter="A", meaning="co-association", axes=("object", "object"))
    def why_A(self, at):
        return at.terms(
            together=at.now("together"), seen=at.now("seen"), words="The share that puts {i}, {j} together."
        )

    @tells("T", "A if A > cut else 0", letter="T", meaning="where S goes", axes=("object", "object"))
    def why_T(self, at):
        kept = {"A > cut": "counts", "A <= cut": "does not count"}
        return at.terms(A=at.now("A"), cut=at.param("cut"), kept=kept, words="A = {A} {kept}.")

    @tells("S", "(S + T) / 2")
    def why_S(self, at):
        if at.start:
            return at.equals(at.now("A"), "To begin with, S is A.")
        return at.terms(S=at.then("S"), T=at.then("T"), words="Halfway from {S} to {T}.")

    @tells("w", "sum(counts[q]*S[q], q) / n")
    def why_w(self, at):
        return at.terms(counts=at.counts, S=at.row("S", at.i, None), n=at.n, words="The mean of the row of {i}.")

    @tells("D", "S - T")
    def why_D(self, at):
        return at.terms(S=at.now("S"), T=at.now("T"), words="What is left to go.")


def broken(**changes):
    """Sound, with some of its functions replaced."""
    for thing in changes.values():
        if hasattr(thing, "quantity"):
            thing.__module__ = __name__
    return dataclass(frozen=True, kw_only=True)(type("Broken", (Sound,), {"__module__": __name__, **changes}))


def rising(self, ensemble, state):
    return {"distance": -Sound.terms(self, ensemble, state)["distance"]}


def unseeded(self, ensemble):
    state = Sound.init(self, ensemble)
    return replace(state, S=state.S + np.random.default_rng().random() * 1e-3)


def counting(self, ensemble, state):  # remembers outside of the state how often it was called
    calls = self.__dict__.setdefault("calls", [])
    calls.append(1)
    return replace(Sound.step(self, ensemble, state), w=state.w + len(calls))


def editing(self, ensemble, state):
    state.S[...] = (state.S + self.target(ensemble)) / 2
    return replace(state, w=state.w)


def an_object_is_special(self, ensemble):  # the first in the file
    state = Sound.init(self, ensemble)
    S = state.S.copy()
    S[ensemble.member_of[0]] *= 0.5
    return replace(state, S=S)


def a_name_is_special(self, ensemble):  # the objects that the person's own table calls 0
    state = Sound.init(self, ensemble)
    called = np.array(
        [[labels[code] for labels, code in zip(ensemble.labels_given, row, strict=True)] for row in ensemble.rows]
    )
    return replace(state, w=state.w * np.where((called == 0).sum(axis=1) > 2, 2.0, 1.0))


def a_clustering_is_special(self, ensemble):  # the first in the file
    state = Sound.init(self, ensemble)
    first = ensemble.rows[:, ensemble.as_given[0]]
    return replace(state, S=state.S * np.where(first[:, None] == first, 1.0, 0.5))


@derived("s", "members of each cluster", axes=("hyperedge",))
def sizes(self, ensemble, state) -> Weights:
    return cluster_sizes(ensemble)


@derived("s", "members of each cluster, the one with the first name twice", axes=("hyperedge",))
def sizes_by_name(self, ensemble, state) -> Weights:
    called = np.concatenate(ensemble.labels_given)
    return cluster_sizes(ensemble) * np.where(called == 0, 2.0, 1.0)


def counts_forgotten(self, ensemble, S):
    return S.mean(axis=1)


def unscaled(self, ensemble, state):
    grouping = np.arange(ensemble.q) if ensemble.n > 60 else None
    return grouping % self.k if grouping is not None else Sound.labels(self, ensemble, state)


def one_cluster(self, ensemble, state):
    return np.zeros(ensemble.q, dtype=int)


@tells("S", "S")
def reading_off(self, at):
    return at.terms(S=at.now("S"), words="It is what it is.")


@tells("D", "D")
def reading_derived(self, at):
    return at.terms(D=at.now("D"), words="It is what it is.")


@tells("S", "(S + T) / 2 + 1e-6")
def wrong_formula(self, at):
    return Sound.why_S(self, at)


@tells("S", "(S + T) / 2")
def wrong_iteration(self, at):
    return at.equals(at.now("A"), "S is A.") if at.start else at.terms(S=at.now("S"), T=at.now("T"), words="Halfway.")


@tells("T", "A if A > cut else 0", letter="T", meaning="where S goes", axes=("object", "object"))
def words_for_no_case(self, at):
    kept = {"A > 2": "counts", "A < 0": "does not count"}
    return at.terms(A=at.now("A"), cut=at.param("cut"), kept=kept, words="A = {A} {kept}.")


@tells("S", "(S + T) / 2")
def a_term_of_another_place(self, at):
    return replace(Sound.why_S(self, at), terms={"S": at.now("S", 0, 0), "T": at.now("T")})


@tells("A", "together / seen", letter="A", meaning="co-association", axes=("object", "object"))
def a_trail_that_breaks_off(self, at):
    told = Sound.why_A(self, at)
    return replace(told, terms={**told.terms, "seen": replace(told.terms["seen"], to=None)})


@tells("w", "sum(counts[q]*S[q], q) / n")
def printed_otherwise(self, at):
    told = Sound.why_w(self, at)
    return replace(told, value=told.value * 1.02)


@dataclass(frozen=True, kw_only=True)
class Unguarded(Sound):
    def __post_init__(self):
        pass


def nan_labels(self, ensemble, state):
    return np.arange(ensemble.q) * 2


def crash(self, ensemble, state):
    raise ZeroDivisionError


TABLE = label_tables.planted()
ENSEMBLE = Ensemble.from_labels(TABLE)
LAWS = {
    "objective_never_rises": (lambda cls: contract.objective_never_rises(cls(k=3), ENSEMBLE), {"terms": rising}),
    "same_seed_same_path": (lambda cls: contract.same_seed_same_path(cls(k=3), ENSEMBLE), {"init": unseeded}),
    "resumes_from_a_pickle": (lambda cls: contract.resumes_from_a_pickle(cls(k=3), ENSEMBLE), {"step": counting}),
    "steps_are_values": (lambda cls: contract.steps_are_values(cls(k=3), ENSEMBLE), {"step": editing}),
    "order_decides_nothing": (
        lambda cls: contract.order_decides_nothing(cls(k=3), TABLE),
        {"init": an_object_is_special},
    ),
    "order_decides_nothing: names of clusters": (
        lambda cls: contract.order_decides_nothing(cls(k=3), TABLE),
        {"init": a_name_is_special},
    ),
    "order_decides_nothing: base clusterings": (
        lambda cls: contract.order_decides_nothing(cls(k=3), TABLE),
        {"init": a_clustering_is_special},
    ),
    "rows_are_exact": (
        lambda cls: contract.rows_are_exact(cls(k=3), label_tables.planted(wrong=0.05)),
        {"weights": counts_forgotten},
    ),
    "duplicates_change_nothing": (
        lambda cls: contract.duplicates_change_nothing(cls(k=3), label_tables.planted(wrong=0.05)),
        {"labels": unscaled},
    ),
    "obvious_consensus_is_found": (
        lambda cls: contract.obvious_consensus_is_found(cls(k=3)),
        {"labels": one_cluster},
    ),
    "labels_are_labels: gaps": (lambda cls: contract.labels_are_labels(cls(k=3), ENSEMBLE), {"labels": nan_labels}),
    "labels_are_labels: exactly k": (
        lambda cls: contract.labels_are_labels(cls(k=3), ENSEMBLE),
        {"labels": one_cluster},
    ),
    "explained: read off": (
        lambda cls: contract_told.explanations_do_not_read_off(cls(k=3), ENSEMBLE),
        {"why_S": reading_off},
    ),
    "explained: derived read off": (
        lambda cls: contract_told.explanations_do_not_read_off(cls(k=3), ENSEMBLE),
        {"why_D": reading_derived},
    ),
    "explained: wrong": (lambda cls: contract_told.shown_is_explained(cls(k=3), ENSEMBLE), {"why_S": wrong_formula}),
    "explained: of another iteration": (
        lambda cls: contract_told.shown_is_explained(cls(k=3), ENSEMBLE),
        {"why_S": wrong_iteration},
    ),
    "trails: no words hold": (lambda cls: contract_told.trails_end(cls(k=3), ENSEMBLE), {"why_T": words_for_no_case}),
    "trails: a term of another place": (
        lambda cls: contract_told.shown_is_explained(cls(k=3), ENSEMBLE),
        {"why_S": a_term_of_another_place},
    ),
    "trails: broken off": (
        lambda cls: contract_told.trails_end(cls(k=3), ENSEMBLE),
        {"why_A": a_trail_that_breaks_off},
    ),
    "printed otherwise": (
        lambda cls: contract_told.printed_numbers_compute(cls(k=3), ENSEMBLE),
        {"why_w": printed_otherwise},
    ),
    "cost_is_said": (
        lambda cls: contract.cost_is_said(cls(k=3), ENSEMBLE),
        {"cost": lambda self, ensemble: Cost(0, 0.0)},
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_sound_method_passes(law):
    LAWS[law][0](Sound)


@pytest.mark.parametrize("law", LAWS)
def test_a_broken_method_is_caught(law):
    check, breakage = LAWS[law]
    with pytest.raises(AssertionError):
        check(broken(**breakage))


def test_the_order_of_hyperedges_is_seen_through():
    """Numbers of clusters follow them through every renaming; numbers that depend on the names are caught."""
    contract.order_decides_nothing(broken(sizes=sizes)(k=3), TABLE)
    with pytest.raises(AssertionError, match="clusters renamed: sizes_by_name differs at iteration 0"):
        contract.order_decides_nothing(broken(sizes_by_name=sizes_by_name)(k=3), TABLE)


@dataclass(frozen=True, kw_only=True, eq=False)
class Thawing(SoundState):
    def __setstate__(self, content):
        self.__dict__.update(content)


def test_states_that_can_be_edited_are_caught(monkeypatch):
    with pytest.raises(AssertionError, match="an unpickled state can be edited"):
        contract.resumes_from_a_pickle(broken(State=Thawing)(k=3), ENSEMBLE)
    monkeypatch.setattr("consensus_core.method.loop.freeze", lambda state: state)
    with pytest.raises(AssertionError, match="must be read-only"):
        contract.steps_are_values(Sound(k=3), ENSEMBLE)


def test_a_quantity_without_explanation_is_caught():
    hidden = broken(W=derived("W", "never explained")(_unexplained))
    with pytest.raises(AssertionError, match="no equation"):
        contract_told.shown_is_explained(hidden(k=3), ENSEMBLE)


def _unexplained(self, ensemble, state) -> Matrix:
    return state.S


def test_unguarded_parameters_are_caught():
    contract.parameters_are_guarded(Sound)
    with pytest.raises(pytest.fail.Exception):
        contract.parameters_are_guarded(Unguarded)


def test_a_refusal_that_names_another_parameter_is_caught():
    class Mumbling(Unguarded):
        def __post_init__(self):
            raise InputError("Something is not as it must be, k, seed, max_iter, tol, cut or other.")

    with pytest.raises(AssertionError, match="Regex pattern"):
        contract.parameters_are_guarded(Mumbling)


def test_a_crash_on_degenerate_input_is_caught():
    for table, k in label_tables.DEGENERATE.values():
        contract.degenerate_input_is_survived(Sound, {}, table, k)
    with pytest.raises(ZeroDivisionError):
        contract.degenerate_input_is_survived(broken(step=crash), {}, np.array([[0, 0], [1, 1]]), 2)


def shy(self, ensemble):
    raise InputError("This ensemble is too small to be worth the work of anybody.")


def test_a_needless_refusal_is_caught():
    with pytest.raises(AssertionError, match="refused, though there is an answer"):
        contract.degenerate_input_is_survived(broken(init=shy), {}, *label_tables.DEGENERATE["two objects"])
    contract.degenerate_input_is_survived(broken(init=shy), {}, *label_tables.WITH_MISSING["no label at all"])


def test_a_law_needs_a_reason():
    import test_contract

    assert test_contract.obey("monotone", Sound(k=2))
    with pytest.raises(AssertionError, match="without a reason"):
        test_contract.obey("monotone", broken(monotone=False)(k=2))
    assert dataclasses.is_dataclass(SoundState)
