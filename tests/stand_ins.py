"""Stand-ins for methods, and small stages to watch them on."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from consensus_core import Ensemble, InputError, Method, State, param
from consensus_core.live.objects import Objects
from consensus_core.live.run import Run
from consensus_core.live.stage import Stage
from consensus_core.method import Cost, Explanation, Matrix, Scalar, Weights, derived, shown
from consensus_core.similarity import coassociation


@dataclass(frozen=True, kw_only=True, eq=False)
class HalvingState(State):
    S: Matrix = shown("S", "what is left", span=(0, 1))
    A: Matrix = shown("A", "what never changes", span=(0, 1))
    R: Matrix = shown("R", "clusters against clusters", axes=("cluster", "cluster"), diverging=True)
    size: Scalar = shown("s", "size of S")
    done: int = 0


@dataclass(frozen=True, kw_only=True)
class Halving(Method):
    """A stand-in: every step halves S, slowly if asked to."""

    by: float = param(2.0, "what S is divided by", letter="β", low=1.0, high=4.0, step=0.5)
    steps: int = 6
    pause: float = 0.0
    fails_at: int = -1
    key = "halving"
    State = HalvingState

    def init(self, ensemble):
        A = coassociation(ensemble)
        R = np.arange(self.k**2, dtype=float).reshape(self.k, self.k)
        return HalvingState(S=A.copy(), A=A, R=R, size=float(A.sum()))

    def step(self, ensemble, state):
        time.sleep(self.pause)
        if state.done + 1 == self.fails_at:
            raise InputError("It cannot go on.")
        S = state.S / self.by
        return replace(state, S=S, size=float(S.sum()), done=state.done + 1)

    def terms(self, ensemble, state):
        return {"sum": float(state.S.sum())}

    def labels(self, ensemble, state):
        # numbers change hands at every step, clusters do not
        return (np.arange(ensemble.q) * self.k // ensemble.q + state.done) % self.k

    def converged(self, old, new):
        return new.done == self.steps

    def cost(self, ensemble):
        return Cost(bytes=1, seconds=0.0)

    @derived("w", "row sums")
    def w(self, ensemble, state) -> Weights:
        return state.S.sum(axis=1)

    def explain_S(self, ensemble, before, after, i, j):
        value = float(after.S[ensemble.microcluster_of(i), ensemble.microcluster_of(j)])
        return Explanation("S / 2", "…", value, "Half of what it was.")


@dataclass(frozen=True, kw_only=True)
class Changing(Halving):
    """Objects change their clusters at every second step."""

    key = "changing"

    def labels(self, ensemble, state):
        return (np.arange(ensemble.q) + state.done // 2) * self.k // (ensemble.q + state.done // 2)


class Told:
    """What a method's `why` returns: an equation with terms that lead on, as JSON."""

    def __init__(self, said: dict):
        self._said = said

    def json(self) -> dict:
        return self._said


@dataclass(frozen=True, kw_only=True)
class Telling(Halving):
    """Tells why with terms: S of a step is S of the step before divided by a dial; at the start it is A, and A ends
    in the base labels."""

    key = "telling"

    def why(self, ensemble, before, after, name, *where, iteration=0):
        value = self.entry(ensemble, after, name, *where)
        told = {"name": name, "letter": name, "where": list(where), "iteration": iteration, "equation": "(1)"}
        told |= {"value": value, "said": f"{value:.3g}", "rest": None}
        if name != "S":
            return Told({**told, **self._ending(name, where)})
        there = {"name": "S", "where": list(where), "iteration": iteration - 1}
        if not iteration:
            there = {"name": "A", "where": list(where), "iteration": 0}
        earlier = value * (self.by if iteration else 1)
        terms = [
            {"symbol": "S", "meaning": "what was left", "value": earlier, "said": f"{earlier:.3g}", "to": there}
            | {"when": "before" if iteration else "now", "kind": "entry", "end": []},
            {"symbol": "β", "meaning": "what S is divided by", "value": self.by, "said": f"{self.by:.3g}", "to": None}
            | {"when": "always", "kind": "dial", "end": ["β is a dial: it stands at ", f"{self.by:.3g}", "."]},
        ]
        formula = ["S = ", {"t": "S", "term": 0}, " / ", {"t": "β", "term": 1}]
        filled = [{"t": terms[0]["said"], "term": 0}, " / ", {"t": terms[1]["said"], "term": 1}]
        words = ["Of ", {"object": where[0]}, " and ", {"object": where[1]}, " half is left."]
        mathml = (
            '<math display="block"><mi>S</mi><mo>=</mo><mfrac><mi data-term="0">S</mi><mi data-term="1">β</mi></mfrac>'
            "</math>"
        )
        return Told({**told, "formula": formula, "filled": filled, "words": words, "terms": terms, "mathml": mathml})

    def _ending(self, name, where):
        said = ["It is what the base clusterings say."]
        labels = {"symbol": "labels", "meaning": "base labels", "value": None, "said": "", "to": None}
        labels |= {"when": "always", "kind": "labels", "end": ["Here the trail ends: in the base labels."]}
        piece = {"t": "labels", "term": 0}
        return {"formula": [f"{name} = share of ", piece], "filled": [piece], "words": said, "terms": [labels]}


def an_ensemble(n=30, seed=0, truth=True) -> Ensemble:
    rng = np.random.default_rng(seed)
    return Ensemble.from_labels(rng.integers(3, size=(n, 4)), truth=rng.integers(3, size=n) if truth else None)


def all_distinct(n=30, seed=0) -> Ensemble:
    """Every object has label rows of its own, which do not stand in the order of the objects: q = n."""
    rng = np.random.default_rng(seed)
    while True:
        ensemble = Ensemble.from_labels(rng.integers(5, size=(n, 6)), truth=rng.integers(3, size=n))
        if ensemble.q == n and not np.array_equal(ensemble.member_of, np.arange(n)):
            return ensemble


def a_run(method=None, ensemble=None, **more) -> Run:
    return Run(method or Halving(k=3), ensemble or an_ensemble(), **more)


def a_stage(*methods, ensemble=None, begin=True, **more) -> Stage:
    stage = Stage(Objects(ensemble or an_ensemble(), "title", k=3), **more)
    stage.objects.places()
    stage.follow(methods or (Halving(k=3),), begin)
    stage.begin_waiting()  # as the page does when it has answered
    return stage


def ended(*methods, **more) -> Stage:
    """A stage whose runs have come to their ends."""
    stage = a_stage(*methods, **more)
    wait(lambda: stage.stopped and not stage.live)
    return stage


def wait(condition, seconds=20.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)
