"""The laws every method is held to, as functions that raise AssertionError when one is broken.

What concerns explanations stands in contract_told.py."""

from __future__ import annotations

import itertools
import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from label_tables import ensemble_of, same_groups, scattered

from consensus_core import Ensemble, InputError, begin, iterate, solve
from consensus_core.linalg.paired import Paired
from consensus_core.method import Incidence, Matrix, Scalar, Weights
from consensus_core.method.loop import STOPS
from consensus_core.method.method import arrays_of
from consensus_core.method.schedule import PARTED

STEPS = 6  # enough to see a path; whole runs are the business of a method's own test


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
    """Two runs agree over objects: ensemble and path each; `objects[i]` of the first is object i of the second. `tol`:
    for all steps, or one for each."""
    (ensemble, path), (other, other_path) = one, two
    tols = np.broadcast_to(tol, len(path))
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
            off = np.abs(left - right)
            assert off.max(initial=0.0) <= tols[a.iteration] * size_of(right), (
                f"{name} differs at iteration {a.iteration} by {off.max():.3g}, "
                f"at {tuple(int(x) for x in np.unravel_index(off.argmax(), off.shape))}"
            )
    if PARTED in method.remarks(ensemble, path[-1].state):  # what alike objects would be parted by, it says, is no rule
        return
    left = ensemble.expand(method.labels(ensemble, path[-1].state))[objects]
    right = other.expand(method.labels(other, other_path[-1].state))
    assert same_groups(left, right) or mirrored(other.labels(), left, right), (
        f"the labels of {int((left != right).sum())} objects differ at the end"
    )


def mirrored(table, left, right) -> bool:
    """One clustering is the other's image under a symmetry of the table: with it as a column, so often that it is known
    among the others, both tables have the same canonical form."""
    one, other = (
        Ensemble.from_labels(np.column_stack([table, *[labels] * (table.shape[1] + 1)])).canonical
        for labels in (left, right)
    )
    return one.rows.tolist() == other.rows.tolist() and one.counts.tolist() == other.counts.tolist()


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
    if not one:
        return
    try:
        compare(method, (ensemble, one), (whole, two), ends=sound is None)
    except AssertionError:
        moved = moved_by_rounding(method, whole, two)
        firm = int(np.argmax(np.append(moved > 1e-3, True)))  # from here on the last digit decides, whatever the rows
        assert firm, "where it begins hangs on rounding"
        ends = sound is None and firm >= max(len(one), len(two))
        tol = np.maximum(1e-7, 100 * moved[:firm])
        compare(method, (ensemble, one[:firm]), (whole, two[:firm]), ends=ends, tol=tol[: len(one)])


def moved_by_rounding(method, ensemble, path) -> np.ndarray:
    """For each step how far the run moves, beside the size of what moves, when every second object counts for one
    digit of rounding more: so much nobody can promise. 1 where it has ended there."""
    other = pickle.loads(pickle.dumps(ensemble))
    weights = np.where(np.arange(ensemble.q) % 2, 1.0, 1.0 + np.finfo(float).eps)
    with pytest.MonkeyPatch.context() as patch:
        alike = property(lambda self: weights if self.q == len(weights) else self.counts.astype(float))
        patch.setattr(Ensemble, "weights", alike)
        steps = run(method, other)
        moved = np.ones(len(path))
        for a, b in zip(path, steps, strict=False):
            mine, theirs = quantities_at(method, ensemble, a), quantities_at(method, other, b)
            moved[a.iteration] = max(
                np.abs(v - theirs[name][1]).max(initial=0.0) / size_of(v) for name, (_, v) in mine.items()
            )
    return moved


def size_of(values) -> float:
    return max(1.0, np.abs(values).max(initial=0.0))


def duplicates_change_nothing(method, table):
    twice = Ensemble.from_labels(np.repeat(table, 2, axis=0))
    once = Ensemble.from_labels(table)
    left = once.expand(method.labels(once, run(method, once, 60)[-1].state))
    right = twice.expand(method.labels(twice, run(method, twice, 60)[-1].state))[::2]
    assert same_groups(left, right) or mirrored(table, left, right), "with every object twice the clusters are others"


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
        assert moved, (
            f"no ensemble tried feels the dial {param.name}: nothing reads it, or the draws are too easy (a run that "
            "has ended after its first step feels neither a cap nor a tolerance: iteration 0 shall be the bare start)"
        )


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
