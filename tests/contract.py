"""The laws every method is held to, as functions that raise AssertionError when one is broken."""

from __future__ import annotations

import dataclasses
import itertools
import math
import pickle
import re
import tracemalloc
from collections import Counter

import numpy as np
import pytest
import scipy.sparse
import scipy.special

from consensus_core import Ensemble, InputError, begin, iterate, solve
from consensus_core.linalg.paired import Paired
from consensus_core.method import Incidence, Matrix, Scalar, Weights
from consensus_core.method.loop import STOPS
from consensus_core.method.method import arrays_of
from consensus_core.method.path import Path
from consensus_core.method.telling import Address, Row
from consensus_core.method.why import Why
from consensus_core.numbers import number

STEPS = 6  # enough to see a path; whole runs are the business of a method's own test


def planted(n=48, m=7, k=3, wrong=0.15, seed=0, missing=0.0) -> np.ndarray:
    """A label table (n, m) around one partition of uneven groups: each label is wrong with probability `wrong`."""
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.choice(k, size=n, p=np.arange(1, k + 1) / (k * (k + 1) / 2)))
    truth[:k] = np.arange(k)
    table = np.repeat(truth[:, None], m, axis=1)
    flips = rng.random((n, m)) < wrong
    table[flips] = rng.integers(k, size=int(flips.sum()))
    table = (table + rng.integers(k, size=m)) % k
    table[rng.random((n, m)) < missing] = -1
    return table


def hard_draws(count: int, seed: int = 0, missing: bool = False, most: int = 40):
    """Label tables that are not easy: error rates from .08 to .5, few and many objects, repeated rows, ties, gaps."""
    for draw in range(count):
        rng = np.random.default_rng([seed, draw])
        n, m = int(rng.integers(10, most)), int(rng.integers(2, 9))
        gaps = float(rng.choice([0.1, 0.4])) if missing else 0.0
        table = planted(n, m, 3, float(rng.choice([0.08, 0.15, 0.3, 0.5])), draw, gaps)
        if draw % 3 == 0:
            table = table[rng.integers(n, size=n + 10)]  # rows that stand for several objects
        if draw % 4 == 1:
            table = np.column_stack([table, table[:, 0]])  # a base clustering twice
        if draw % 5 == 2:
            table = np.concatenate([table, np.roll(table, 1, axis=1)])  # much that looks alike
        if Ensemble.from_labels(table).q >= 3:
            yield table


def ensemble_of(**how) -> Ensemble:
    return Ensemble.from_labels(planted(**how))


def settings(cls) -> list[dict]:
    """The defaults, and each switch and choice moved once."""
    found = [{}]
    for param in cls.params():
        if param.kind == "switch":
            found.append({param.name: not param.default})
        if param.kind == "choice":
            found += [{param.name: choice} for choice in param.choices if choice != param.default]
    return found


def dense(value) -> np.ndarray:
    if isinstance(value, Paired):
        return np.concatenate([value.B, value.d[None]])
    return value.toarray() if scipy.sparse.issparse(value) else np.asarray(value)


def run(method, ensemble, steps=STEPS) -> list:
    path = []
    for step in iterate(method, ensemble):
        path.append(step)
        if len(path) > steps:
            break
    return path


def content(step) -> list[bytes]:
    return [np.ascontiguousarray(a).tobytes() for a in arrays_of(step.state)]


def same_groups(a, b) -> bool:
    """Equal up to the names of the clusters."""
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


# --- laws ---------------------------------------------------------------------------------------------------------


def objective_never_rises(method, ensemble):
    path = run(method, ensemble, steps=40)
    course = np.array([s.objective for s in path])
    assert np.isfinite(course).all(), f"the objective is no number at iteration {int(np.isfinite(course).argmin())}"
    rises = np.diff(course)
    worst = int(rises.argmax()) if len(rises) else 0
    assert (rises <= 1e-8 * (1 + np.abs(course[1:]))).all(), (
        f"the objective rises by {rises[worst]:.3g} from iteration {worst} to {worst + 1}"
    )


def same_seed_same_path(method, ensemble):
    one, two = run(method, ensemble), run(method, ensemble)
    assert [s.objective for s in one] == [s.objective for s in two], "two runs have different objectives"
    for a, b in zip(one, two, strict=True):
        assert content(a) == content(b), f"two runs differ at iteration {a.iteration}"


def resumes_from_a_pickle(method, ensemble):
    path = run(method, ensemble)
    middle = pickle.loads(pickle.dumps(path[len(path) // 2]))
    assert not any(a.flags.writeable for a in arrays_of(middle.state)), "an unpickled state can be edited"
    resumed = []
    for step in iterate(method, ensemble, start=middle):
        resumed.append(step)
        if step.iteration == path[-1].iteration:
            break
    assert content(resumed[-1]) == content(path[-1]), f"resumed at {middle.iteration}, the run ends elsewhere"
    assert resumed[-1].stop == path[-1].stop, f"resumed at {middle.iteration}, the run stops otherwise"


def steps_are_values(method, ensemble):
    first = begin(method, ensemble)
    assert not any(a.flags.writeable for a in arrays_of(first.state)), "arrays of a state must be read-only"
    before = content(first)
    for array in arrays_of(first.state):  # a step that edits must be seen to edit, not be stopped by the lock
        if array.flags.owndata:
            array.flags.writeable = True
    after = method.step(ensemble, first.state)
    assert content(first) == before, "the step has edited its argument"
    assert after is not first.state, "the step has returned its argument"


def quantities_at(method, ensemble, step) -> dict:
    """Values by name, for what can be compared across orders: embeddings turn and coordinates have no names."""
    return {
        q.name: (q, dense(method.value(ensemble, step.state, q.name)))
        for q in method.quantities()
        if q.kind in (Matrix, Incidence, Weights, Scalar) and set(q.axes) <= {"object", "clustering", "hyperedge"}
    }


def hyperedges(ensemble, other, objects, clusterings) -> tuple[np.ndarray, np.ndarray]:
    """Where the same cluster stands in each: those of the second in their order, by a member and its clustering."""
    mine, theirs = ensemble.labels()[objects][:, clusterings], other.labels()
    at, i = np.nonzero(theirs >= 0)
    number = theirs[at, i] + other.offsets[i]
    _, first = np.unique(number, return_index=True)
    return mine[at[first], i[first]] + ensemble.offsets[clusterings[i[first]]], number[first]


def compare(method, one, two, objects=None, clusterings=None, tol=1e-7, ends=True):
    """Two runs agree over objects: ensemble and path each; `objects[i]` of the first is object i of the second."""
    (ensemble, path), (other, other_path) = one, two
    assert len(path) == len(other_path), f"{len(path) - 1} steps here, {len(other_path) - 1} there"
    assert not ends or path[-1].stop == other_path[-1].stop, (
        f"stopped by {path[-1].stop!r} here, {other_path[-1].stop!r} there"
    )
    objects = np.arange(ensemble.n) if objects is None else objects
    clusterings = np.arange(ensemble.m) if clusterings is None else clusterings
    places = {
        "object": (ensemble.member_of[objects], other.member_of),
        "clustering": (clusterings, np.arange(other.m)),
        "hyperedge": hyperedges(ensemble, other, objects, clusterings),
    }
    for a, b in zip(path, other_path, strict=True):
        mine, theirs = quantities_at(method, ensemble, a), quantities_at(method, other, b)
        for name, (quantity, value) in mine.items():
            where = [places[axis][0] for axis in quantity.axes]
            elsewhere = [places[axis][1] for axis in quantity.axes]
            left = value[np.ix_(*where)] if where else value
            right = theirs[name][1][np.ix_(*elsewhere)] if where else theirs[name][1]
            scale = max(1.0, np.abs(right).max(initial=0.0))
            off = np.abs(left - right)
            assert off.max(initial=0.0) <= tol * scale, (
                f"{name} differs at iteration {a.iteration} by {off.max():.3g}, "
                f"at {tuple(int(x) for x in np.unravel_index(off.argmax(), off.shape))}"
            )
    left = ensemble.expand(method.labels(ensemble, path[-1].state))[objects]
    right = other.expand(method.labels(other, other_path[-1].state))
    assert same_groups(left, right), f"the labels of {int((left != right).sum())} objects differ at the end"


def stirred(rng, count: int) -> np.ndarray:
    """A permutation that leaves nothing in its place: one random cycle."""
    cycle, places = rng.permutation(count), np.empty(count, dtype=int)
    places[cycle] = np.roll(cycle, 1)
    return places


def order_decides_nothing(method, table, seed=1):
    """Objects in another order, other names for the clusters of each base clustering, columns in another order.

    The canonical forms are the same arrays, ties included, and so are the runs on them, to the last bit. Object by
    object the answer is the same too, unless the ensemble has a symmetry: then it is the answer's mirror image.
    """
    rng = np.random.default_rng(seed)
    ensemble = Ensemble.from_labels(table)
    path = run(method, ensemble)
    objects, clusterings = stirred(rng, len(table)), stirred(rng, table.shape[1])
    names = [stirred(rng, table.max() + 2) for _ in clusterings]  # other names for the clusters of each
    renamed = np.column_stack([np.where(c < 0, -1, new[c]) for c, new in zip(table.T, names, strict=True)])
    for what, other, places in (
        ("objects in another order", table[objects], {"objects": objects}),
        ("clusters renamed", renamed, {}),
        ("columns in another order", table[:, clusterings], {"clusterings": clusterings}),
    ):
        other = Ensemble.from_labels(other)
        held(canonically_the_same, what, method, (ensemble, path), (other, run(method, other)), **places)


def canonically_the_same(method, one, two, objects=None, clusterings=None):
    (ensemble, path), (other, other_path) = one, two
    mine, theirs = ensemble.canonical, other.canonical
    assert mine.rows.tolist() == theirs.rows.tolist(), "the canonical forms are different tables"
    assert mine.counts.tolist() == theirs.counts.tolist(), "the canonical forms have different counts"
    assert len(path) == len(other_path), f"{len(path) - 1} steps here, {len(other_path) - 1} there"
    for a, b in zip(path, other_path, strict=True):
        assert content(a) == content(b), f"the states differ at iteration {a.iteration}"
    objects = np.arange(ensemble.n) if objects is None else objects
    if (ensemble.member_of[objects] == other.member_of).all():  # no symmetry has put one object in another's place
        places = np.argsort(mine.as_given)[theirs.as_given]  # of two that are one partition either may come first
        for given, found in zip(np.arange(ensemble.m) if clusterings is None else clusterings, places, strict=True):
            assert given == found or same_groups(*ensemble.rows.T[[given, found]]), (
                f"base clustering {found} stands where {given} should"
            )
        compare(method, one, two, objects, places, tol=0)


def held(law, what, *arguments, **more):
    try:
        law(*arguments, **more)
    except AssertionError as broken:
        raise AssertionError(f"{what}: {broken}") from None


def rows_are_exact(method, table):
    ensemble = Ensemble.from_labels(table)
    assert ensemble.q < ensemble.n, "a draw without repeated rows says nothing"
    place = np.empty(ensemble.n, dtype=np.intp)  # the rows of n objects, in the order of the microclusters
    place[np.argsort(ensemble.member_of, kind="stable")] = np.arange(ensemble.n)
    rows = np.repeat(ensemble.rows, ensemble.counts, axis=0)
    whole = Ensemble(rows, np.ones(len(rows), dtype=np.int64), place, ensemble.names, order=ensemble.order)
    one, two = run(method, ensemble), run(method, whole)
    # a method may find on the way that microclusters no longer stand for their objects, and then says so
    sound = next((k for k, step in enumerate(one) if not getattr(step.state, "exact", True)), None)
    if sound is not None:
        assert method.remarks(ensemble, one[-1].state), "what is not exact must be said"
        one, two = one[:sound], two[:sound]
    if one:
        compare(method, (ensemble, one), (whole, two), ends=sound is None)


def duplicates_change_nothing(method, table):
    twice = Ensemble.from_labels(np.repeat(table, 2, axis=0))
    once = Ensemble.from_labels(table)
    left = once.expand(method.labels(once, run(method, once, 60)[-1].state))
    right = twice.expand(method.labels(twice, run(method, twice, 60)[-1].state))[::2]
    assert same_groups(left, right), "with every object twice the clusters are others"


def obvious_consensus_is_found(method, k=3):
    truth = np.repeat(np.arange(k), [5, 9, 14])
    result = solve(method, Ensemble.from_labels(np.repeat(truth[:, None], 6, axis=1)))
    assert same_groups(result.labels, truth), "six equal base clusterings, and their clusters are not found"


def parameters_are_guarded(cls, k=3):
    for param in cls.params():
        outside = []
        if param.low is not None:
            outside.append(param.low - 1)
        if param.high is not None:
            outside.append(param.high + 1)
        if param.kind in ("choice", "switch"):
            outside.append("no such thing")
        outside += [float("nan"), None, "text"]
        for value in outside:
            with pytest.raises(InputError, match=rf"^{cls.name()}: {param.name} must be "):
                cls(**{"k": k, param.name: value})


def labels_are_labels(method, ensemble):
    result = solve(method, ensemble)
    assert result.labels.shape == (ensemble.n,), f"labels of shape {result.labels.shape} for {ensemble.n} objects"
    assert result.labels.dtype.kind == "i", f"labels of type {result.labels.dtype}"
    groups = np.unique(result.labels)
    assert (groups == np.arange(len(groups))).all(), "labels must be 0, 1, … without gaps"
    if method.exact_k:
        assert len(groups) == method.k, f"{len(groups)} clusters, {method.k} were wanted"
    assert result.found >= 1, "nothing is found"
    assert result.stop in STOPS[1:], f"stopped by {result.stop!r}"
    assert np.isfinite(result.objective) or result.stop == "diverged", "the objective is no number"
    assert result.stopped.endswith("."), "why the run stopped is a sentence"


# --- laws of equations ------------------------------------------------------------------------------------------

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


def told_of_run(method, ensemble, steps=4, tries=4, seed=0):
    """(path, equation, address, what is told) for entries of every quantity shown: first, in the middle, at the end."""
    rng = np.random.default_rng(seed)
    ensemble = ensemble.canonical
    run_ = run(method, ensemble, steps)
    looked_back = Path(method, ensemble, run_.__getitem__)
    for step in run_:
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


def read_formula(text: str) -> float:
    """A filled formula as a person would type it into a pocket calculator."""
    if found := re.fullmatch(r"(.+) where (.+), else (.+)", text):
        then, condition, other = found.groups()
        condition = condition.replace("≥", ">=").replace("≤", "<=")
        for sign in (" >= ", " <= ", " > ", " < "):
            if sign in condition:
                left, right = (read_formula(side) for side in condition.split(sign))
                true = {" >= ": left >= right, " <= ": left <= right, " > ": left > right, " < ": left < right}[sign]
                return read_formula(then) if true else read_formula(other)
        raise SyntaxError(condition)
    if found := re.fullmatch(r"(least|greatest) of (.+)", text):
        values = [read_formula(part) for part in found[2].replace(" …", "").split(", ")]
        return float(values.index(min(values) if found[1] == "least" else max(values)))
    return float(eval(" ".join(typed(text)), {"__builtins__": {}}, CALCULATOR))


CALCULATOR = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "digamma": scipy.special.digamma,
    "trigamma": lambda x: scipy.special.polygamma(1, x),
    "min": min,
    "max": max,
    "abs": abs,
}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
TOKENS = re.compile(
    r"\((?P<more>\d+) more: |(?P<power>10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<name>log₂|[a-z]+)|(?P<sign>[−+·/^(),√|‖])|(?P<blank>\s+)"
)


def typed(text: str) -> list[str]:
    """The keys a person would press; what stands side by side is multiplied, √ and | | become functions."""
    keys, at, bars = [], 0, 0

    def value_begins():
        if keys and (keys[-1][0].isdigit() or keys[-1] == ")"):
            keys.append("*")

    while at < len(text):
        found = TOKENS.match(text, at)
        if not found:
            raise SyntaxError(f"{text[at:]!r} in {text!r}")
        at, kind, said = found.end(), found.lastgroup, found[0]
        if kind == "more":
            keys.append("(")
        elif kind == "power":
            value_begins()
            keys.append(f"1e{said[2:].translate(RAISED)}")
        elif kind == "number":
            value_begins()
            keys.append(said.replace(",", ""))
        elif kind == "raised":
            keys += ["**", said.translate(RAISED)]
        elif kind == "name":
            value_begins()
            keys.append(said.replace("₂", "2"))
        elif said == "√":
            value_begins()
            keys.append("sqrt")
            if text[at] != "(":  # of the number, or of the function with its brackets, that follows
                end = TOKENS.match(text, at).end()
                if text[at].isalpha():
                    depth, end = 0, text.index("(", at)
                    while depth or end == text.find("(", at):
                        depth += {"(": 1, ")": -1}.get(text[end], 0)
                        end += 1
                keys += ["(", *typed(text[at:end]), ")"]
                at = end
        elif said in "|‖":
            bars += 1
            if bars % 2:
                value_begins()
                keys += ["abs", "("]
            else:
                keys.append(")")
        elif kind == "sign":
            if said == "(":
                value_begins()
            keys.append({"−": "-", "·": "*", "^": "**"}.get(said, said))
    return keys


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


def every_dial_moves_something(cls):
    """For each Param there is an ensemble and a setting on which another value changes a state, a result or a cost."""
    tried = [(ensemble_of(n=30, m=6, wrong=0.3), 3), (ensemble_of(n=26, m=5, wrong=0.5, seed=3), 3)]
    # no clear groups, and many of them: where a start begins decides
    tried += [(ensemble_of(n=40, m=4, wrong=1.0, seed=4), 9), (ensemble_of(n=26, m=5, wrong=0.7, seed=2), 3)]
    if cls.handles_missing:
        tried.append((ensemble_of(n=30, m=6, wrong=0.3, missing=0.3, seed=1), 3))
    known = {}  # how each setting looks before a dial is moved

    def unmoved(method, place):
        if (method, place) not in known:
            known[method, place] = seen_of(method, tried[place][0])
        return known[method, place]

    for param in cls.params():
        if param.name == "k":
            continue
        moved = any(
            unmoved(cls(**{"k": k, **setting}), place)
            != seen_of(cls(**{"k": k, **setting, param.name: value}), ensemble)
            for setting in [*settings(cls), *settings_by_chance(cls, 40)]
            if param.name not in setting
            for place, (ensemble, k) in enumerate(tried)
            for value in others_of(param)
        )
        assert moved, f"no ensemble tried feels the dial {param.name}: nothing reads it, or the draws are too easy"


def settings_by_chance(cls, count: int):
    """Several dials moved at once: some are felt only where others stand otherwise."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        some = [param for param in cls.params() if param.name != "k" and rng.random() < 0.4]
        yield {param.name: others[int(rng.integers(len(others)))] for param in some if (others := others_of(param))}


def others_of(param) -> list:
    """Values of a dial other than its default, those that move most first."""
    if param.choices is not None:
        return [choice for choice in param.choices if choice != param.default]
    if param.kind == "switch":
        return [not param.default]
    span = [param.low, param.high, param.default * 3, param.default / 3]
    if param.kind == "integer":
        span = [param.low, param.low + 1, min(param.high, param.default * 3)]
    return [x for x in dict.fromkeys(span) if param.low <= x <= param.high and x != param.default]


def seen_of(method, ensemble) -> tuple:
    """All that can be seen of a run."""
    path = run(method, ensemble, 40)
    last = path[-1]
    return (
        [content(step) for step in path], last.stop, [step.objective for step in path], method.cost(ensemble).bytes,
        method.labels(ensemble, last.state).tolist(), method.remarks(ensemble, last.state),
    )  # fmt: skip


DEGENERATE = {
    "one base clustering": (np.array([[0], [0], [1], [2], [2]]), 3),
    "one base clustering, k = 1": (np.array([[0], [0], [1], [2], [2]]), 1),
    "one cluster wanted": (planted(n=20), 1),
    "as many clusters as objects": (np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), 4),
    "identical clusterings": (np.repeat(np.array([0, 0, 1, 1, 2])[:, None], 4, axis=1), 3),
    "identical clusterings, fewer wanted": (np.repeat(np.array([0, 0, 1, 1, 2])[:, None], 4, axis=1), 2),
    "one cluster only": (np.zeros((6, 3), dtype=int), 1),
    "two objects": (np.array([[0, 0, 0], [0, 1, 1]]), 2),
    "two objects, together": (np.array([[0, 0, 0], [0, 1, 1]]), 1),
    "one object": (np.array([[0, 0]]), 1),
    "singletons": (np.repeat(np.arange(5)[:, None], 3, axis=1), 2),
    "one clustering of one cluster": (np.column_stack([np.zeros(6, dtype=int), [0, 0, 0, 1, 1, 1]]), 2),
}
WITH_MISSING = {
    "a row without labels": (np.array([[0, 0, 0], [0, 0, 0], [1, 1, 1], [-1, -1, -1], [1, 1, 0]]), 2),
    "a column without labels": (np.array([[0, -1, 0], [0, -1, 0], [1, -1, 1], [1, -1, 1], [0, -1, 1]]), 2),
    "pairs never seen together": (np.array([[0, -1], [0, -1], [-1, 0], [-1, 1], [1, 1], [0, 0]]), 2),
    "no label at all": (np.full((4, 3), -1), 1),
    "two objects that share no clustering": (np.array([[0, -1], [-1, 0]]), 2),
    "two thirds missing": (planted(n=30, m=6, missing=0.67, seed=4), 3),
}


def degenerate_input_is_survived(cls, params, table, k):
    """An answer of k clusters; a refusal, in a sentence, only where no label says anything."""
    ensemble = Ensemble.from_labels(table)
    try:
        labels_are_labels(cls(**{"k": k, **params}), ensemble)
    except InputError as refusal:
        assert ensemble.never_observed.all(), f"refused, though there is an answer: {refusal}"
        assert len(str(refusal)) > 30 and str(refusal).endswith((".", "?")), "a refusal is a sentence"


def cost_is_said(method, ensemble):
    cost = method.cost(ensemble)
    assert isinstance(cost.bytes, int) and cost.bytes > 0, f"{cost.bytes!r} bytes are no estimate"
    assert cost.seconds > 0, f"{cost.seconds!r} seconds are no estimate"


def scattered(n, m=12, groups=5):
    """Hardly two objects with the same row: every matrix over pairs is as large as it gets."""
    rng = np.random.default_rng(0)
    truth = rng.integers(groups, size=n)
    return Ensemble.from_labels(
        np.column_stack([np.where(rng.random(n) < 0.35, rng.integers(4 + j % 5, size=n), truth) for j in range(m)])
    )


def memory_is_taken_as_said(method, ensemble):
    """What the first steps take at most, by the interpreter's own count, against the estimate by which runs are let in:
    once a process has loaded what it needs, and at a size where the rows of pairs outweigh everything else."""
    list(itertools.islice(iterate(method, scattered(40)), 2))
    tracemalloc.start()
    try:
        list(itertools.islice(iterate(method, ensemble), 3))
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = method.cost(ensemble).bytes
    assert taken / 2 < said < 5 * taken, f"{said:,} bytes are said, {taken:,} are taken"
