"""The laws of what a method says: every entry shown is told, and what is printed computes."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import scipy.sparse
from calculator import read_formula
from contract import run

from consensus_core.linalg.paired import Paired
from consensus_core.method.path import Path
from consensus_core.method.telling import Address, Row
from consensus_core.method.why import Why
from consensus_core.numbers import number

ENDS = {"dial", "labels", "start", "constant"}
TOLERANCE = 1e-9


def some_entries(rng, method, ensemble, equation, path_of, iteration, tries):
    """Places of an equation: an object with itself, two of one microcluster, and others by chance."""
    lengths = [
        ensemble.n if axis == "object" else path_of.length(equation.name, side, iteration)
        for side, axis in enumerate(equation.axes)
    ]
    for turn in range(tries):
        where = [int(rng.integers(length)) for length in lengths]
        if len(where) == 2 and equation.axes[0] == equation.axes[1]:
            if turn == 0:
                where[1] = where[0]
            elif turn == 1 and equation.axes[0] == "object":
                alike = np.flatnonzero(ensemble.member_of == ensemble.member_of[where[0]])
                where[1] = int(rng.choice(alike))
        yield tuple(where)


LATE = 12  # steps after which numbers are no longer those of a start


def told_of_run(method, ensemble, steps=4, tries=4, seed=0):
    """(path, equation, address, what is told) for entries of every quantity shown: first, in the middle, at the end."""
    rng = np.random.default_rng(seed)
    ensemble = ensemble.canonical
    run_ = run(method, ensemble, LATE)
    looked_back = Path(method, ensemble, run_.__getitem__)
    for step in [*run_[: steps - 1], run_[-1]]:  # the first ones, and a late one
        for name, equation in method.equations().items():
            if not equation.shown:
                continue
            value = method.raw(ensemble, step.state, name)
            if value is None:
                continue
            for where in some_entries(rng, method, ensemble, equation, looked_back, step.iteration, tries):
                address = Address(name, where, step.iteration)
                yield looked_back, equation, address, looked_back.tell(address)


def shown_is_explained(method, ensemble, steps=4, tries=4, seed=0):
    """Every quantity shown has an equation, and the printed formula at its terms is the entry."""
    for quantity in method.quantities():
        assert quantity.name in method.equations(), f"{quantity.name} has no equation"
    for path, equation, address, told in told_of_run(method, ensemble, steps, tries, seed):
        truth, scale = path.entry(address.name, address.where, address.iteration), 1.0
        if told.formula.is_condition:
            scale = max(1.0, *(float(np.abs(x).max(initial=0)) for x in told.numbers.values()))
            assert abs(told.rest) <= TOLERANCE * scale, f"{address}: {told.rest} is left of {equation.formula.text()}"
        elif told.case not in ("given", "same"):
            found = told.formula.value(told.numbers)
            if told.formula.source.startswith(("argmin", "argmax")):
                found = told.terms[told.formula.names[0]].name(int(found))
            assert abs(found - told.value) <= TOLERANCE * (1 + abs(truth)), f"{address}: {told.formula.text()}"
        assert abs(told.value - truth) <= TOLERANCE * (1 + abs(truth)), (
            f"{address} is {truth!r}, told as {told.value!r}"
        )
        assert told.words, f"{address} has no words"
        assert all(told.conditions), f"{address}: not exactly one choice of words holds in {told.words}"


def explanations_do_not_read_off(method, ensemble, steps=3, tries=2, seed=0):
    """With one entry of the state spoilt, what is told is not that entry any more."""
    rng = np.random.default_rng(seed)
    ensemble = ensemble.canonical
    run_ = run(method, ensemble, steps)
    for step in run_:
        for name, equation in method.equations().items():
            if not equation.shown:
                continue
            quantity = method.quantity(name)
            if method.raw(ensemble, step.state, name) is None:
                continue
            sound = Path(method, ensemble, run_.__getitem__)
            for where in some_entries(rng, method, ensemble, equation, sound, step.iteration, tries):
                address = Address(name, where, step.iteration)
                wrong_method, wrong_state = corrupted(method, ensemble, step.state, quantity, where)
                spoilt = [*run_[: step.iteration], dataclasses.replace(step, state=wrong_state)]
                path = Path(wrong_method, ensemble, spoilt.__getitem__)
                told = path.tell(address)
                wrong = path.entry(name, where, step.iteration)
                if told.formula.is_condition:
                    assert abs(told.rest) > 1e-7, f"the condition told of {name} holds for a wrong entry too"
                else:
                    assert abs(told.value - wrong) > 1e-6, f"the explanation of {name} only reads the entry off"


def trails_end(method, ensemble, steps=6, tries=2, seed=0, most=3, places=30):
    """Every term is the entry it refers to, and every trail ends in base labels, dials, constants or start values.

    Followed from at most so many places of an equation at an iteration; deepest first, so that ends are reached."""
    rng = np.random.default_rng(seed)
    seen: set = set()
    followed = Counter()
    depth = 0
    for path, _, address, _ in told_of_run(method, ensemble, steps, tries, seed):
        waiting = [(address, 0)]
        while waiting:
            at, deep = waiting.pop()
            if at in seen or followed[at.name, at.iteration] >= places:
                continue
            seen.add(at)
            followed[at.name, at.iteration] += 1
            depth = max(depth, deep)
            told = path.tell(at)
            assert all(told.conditions), f"{at}: not exactly one choice of words holds"
            for name, thing in told.terms.items():
                for number_, term in terms_of(thing, rng, most):
                    assert abs(number_ - term.value) <= TOLERANCE * (1 + abs(number_)), f"{name} of {at}: {term.to}"
                    if term.to is None:
                        assert term.kind in ENDS, f"{name} of {at} ends in {term.kind}"
                        assert term.end, f"{name} of {at} ends without a word"
                        continue
                    truth = path.entry(term.to.name, term.to.where, term.to.iteration)
                    assert abs(term.value - truth) <= TOLERANCE * (1 + abs(truth)), f"{name} of {at} is not {term.to}"
                    assert term.to.iteration in (at.iteration, at.iteration - 1), f"{name} of {at} is of {term.to}"
                    assert term.meaning, f"{name} of {at} has no meaning"
                    if term.to != at:  # a condition speaks of the entry itself
                        waiting.append((term.to, deep + 1))
    return len(seen), depth


def terms_of(thing, rng, most) -> list:
    """Some of what a formula is made of: the number it is reckoned with, and the term a person can open."""
    if not isinstance(thing, Row):
        return [(thing.value, thing)]
    if not len(thing):
        return []
    greatest = np.argsort(-np.abs(thing.values))[:most]
    chosen = {*greatest.tolist(), int(rng.integers(len(thing))), len(thing) - 1}
    return [(float(thing.values[k]), thing.term(int(k))) for k in chosen]


def printed_numbers_compute(method, ensemble, steps=4, tries=3, seed=1):
    """What is printed computes: the formula read off the page, numbers and all, gives the printed result."""
    for path, _, address, told in told_of_run(method, ensemble, steps, tries, seed):
        if told.case in ("given", "same"):
            continue
        said = Why(path, path.ensemble, told)
        try:
            if told.formula.is_condition:
                sides = zip(said.filled.split(" = "), told.formula.sides, strict=True)
                pairs = [
                    (read_formula(text), side.value({n: told.numbers[n] for n in side.names})) for text, side in sides
                ]
            else:
                printed = read_formula(said.filled)
                if told.formula.source.startswith(("argmin", "argmax")):
                    printed = told.terms[told.formula.names[0]].name(int(printed))
                pairs = [(printed, told.value)]
        except SyntaxError as fault:
            raise AssertionError(f"{address}: {said.filled!r} cannot be read: {fault}") from None
        for printed, value in pairs:
            assert number(printed) == number(value) or abs(printed - value) <= max(told.floor, 1e-12), (
                f"{address}: {said.filled} computes to {printed!r}, printed as {number(value)}"
            )


def corrupted(method, ensemble, state, quantity, where, by=0.0371):
    """The same method and state, but one entry of one quantity is wrong."""
    place = method.place(ensemble, quantity.name, *where)

    def spoil(value):
        if isinstance(value, Paired):
            B, d = value.B.copy(), value.d.copy()
            B[place] += by
            d[place[0]] += by
            return Paired(B, d)
        if scipy.sparse.issparse(value):
            value = value.tolil(copy=True)
            value[place] = value[place] + by
            return value.tocsr()
        if not place:
            return value + by
        value = np.array(value, dtype=float)
        value[place] += by
        return value

    value = method.raw(ensemble, state, quantity.name)
    if not quantity.derived:
        return method, dataclasses.replace(state, **{quantity.name: spoil(value)})
    function = getattr(type(method), quantity.name)

    def spoiled(self, ensemble, any_state):  # at this step alone: a quantity may refer to itself a step before
        value = function(self, ensemble, any_state)
        return spoil(value) if any_state is state else value

    spoiled.quantity, spoiled.__annotations__ = function.quantity, function.__annotations__
    spoiled.__wrapped__ = function  # annotations are looked up where the function was written
    liar = type(type(method).__name__, (type(method),), {quantity.name: spoiled, "__module__": type(method).__module__})
    return liar(**method.parameters()), state
