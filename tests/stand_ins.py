"""Stand-ins for methods, and small stages to watch them on."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from consensus_core import Ensemble, InputError, Method, State, param
from consensus_core.live.objects import Objects
from consensus_core.live.run import Run
from consensus_core.live.stage import Stage
from consensus_core.method import At, Cost, Matrix, Scalar, Told, Weights, derived, shown, tells
from consensus_core.method.params import common
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
    max_iter: int = common(1000, "most steps", span=(1, 100_000))
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

    @tells("S", "S / β", "(1)", first="A")
    def why_S(self, at: At) -> Told:
        if at.start:
            return at.terms("first", A=at.now("A"), words="It begins with what never changes.")
        return at.terms(S=at.then("S"), β=at.param("by"), words="Of what {i} and {j} had, {value} is left.")

    @tells("A", "together / seen", "(2)")
    def why_A(self, at: At) -> Told:
        words = "{together} of {seen} base clusterings put {i} and {j} together."
        return at.terms(together=at.now("together"), seen=at.now("seen"), words=words)


@dataclass(frozen=True, kw_only=True)
class Changing(Halving):
    """Objects change their clusters at every second step."""

    key = "changing"

    def labels(self, ensemble, state):
        return (np.arange(ensemble.q) + state.done // 2) * self.k // (ensemble.q + state.done // 2)


@dataclass(frozen=True, kw_only=True, eq=False)
class WalkingState(HalvingState):
    A: Matrix = shown("A", "what walks from one object to another, not bounded by 1")


class Walking(Halving):
    """Its A has the name of another method's, and is something else."""

    key = "walking"
    State = WalkingState


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


LONG = 600.0  # seconds a run is waited for: some take half a minute on two thousand objects, more on a busy machine


def ended(*methods, **more) -> Stage:
    """A stage whose runs have come to their ends."""
    stage = a_stage(*methods, **more)
    wait(lambda: stage.stopped and not stage.live, LONG)
    return stage


def wait(condition, seconds=20.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)
