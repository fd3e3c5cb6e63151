"""From an entry of a matrix to the base labels, by clicks alone: every value on the way is the core's.

Some methods (`steps.walked`) on one of three samples, all methods on all of them with QUORUM_WALK=all.
"""

from __future__ import annotations

import os
import random
from collections import deque

import pytest

from consensus_core import METHODS
from consensus_core.data.samples import load
from consensus_core.drawing.kinds import drawn
from consensus_core.errors import InputError
from consensus_core.method import Incidence, Matrix
from tests.browser.steps import WAIT, walked
from tests.stand_ins import ended

ENDS = ("labels", "dial", "start", "constant")
TRIES = 40  # entries looked at for one that is computed
WIDEST = 400  # explanations looked through
WALK = 6  # terms opened as they come


def prepared(sample, key):
    """A method at its end on a sample."""
    ensemble = load(sample).ensemble
    if ensemble.has_missing and not METHODS[key].handles_missing:
        ensemble = ensemble.filled("nearest")
    return ended(METHODS[key](k=3), ensemble=ensemble)


def lengths(run, quantity):
    ensemble = run.ensemble
    known = {"object": ensemble.n, "clustering": ensemble.m, "hyperedge": ensemble.K}
    value = run.at(len(run.moments) - 1).value(quantity.name)
    drawn_as = getattr(value, "B", value).shape
    return [known.get(axis, size) for axis, size in zip(quantity.axes, drawn_as, strict=True)]


def an_entry(run, last):
    """Of the last matrix that is shown: an entry whose value is computed, not given by rule, where there is one."""
    quantity = [one for one in drawn(run.method) if one.kind in (Matrix, Incidence)][-1]
    rng, sizes, found = random.Random(0), lengths(run, quantity), None
    for _ in range(TRIES):
        where = tuple(rng.randrange(size) for size in sizes)
        told = run.at(last).why(quantity.name, *where).json()
        if found is None or told["case"] not in ("given", "same"):
            found = where
        if told["case"] not in ("given", "same") and told["terms"]:
            break
    return quantity.name, found


def a_walk(run, name, where, iteration):
    """A few terms opened as they come, and where that leads: numbers of terms, and a place never seen before."""
    rng, at, way = random.Random(1), (name, tuple(where), iteration), []
    seen = {at}
    for _ in range(WALK):
        terms = run.at(at[2]).why(at[0], *at[1]).json()["terms"]
        to = [
            (k, (term["to"]["name"], tuple(term["to"]["where"]), term["to"]["iteration"]))
            for k, term in enumerate(terms)
            if term["to"]
        ]
        new = [(k, place) for k, place in to if place not in seen]
        if not new:
            break
        k, at = rng.choice(new)
        seen.add(at)
        way.append(k)
    return way, at


def way_to_the_labels(run, name, where, iteration):
    """The fewest terms to open until a base label is read, or else until the trail ends otherwise: numbers of terms."""
    other, waiting, seen = None, deque([((name, tuple(where), iteration), ())]), set()
    while waiting and len(seen) < WIDEST:
        (name, where, iteration), way = waiting.popleft()
        told = run.at(iteration).why(name, *where).json()
        for k, term in enumerate(told["terms"]):
            if term["kind"] == "labels" and any(term["end"]):
                return (*way, k)
            if term["to"] is None and term["meaning"]:
                other = other or (*way, k)
                continue
            to = term["to"] and (term["to"]["name"], tuple(term["to"]["where"]), term["to"]["iteration"])
            if to and to not in seen:
                seen.add(to)
                waiting.append((to, (*way, k)))
    return other or ()


SAMPLES = ("iris", "wine", "missing")
SOME = [(key, SAMPLES[i % 3]) for i, key in enumerate(METHODS) if key in walked(METHODS)]
EVERY = [(key, sample) for key in METHODS for sample in SAMPLES]


@pytest.mark.parametrize(("key", "sample"), EVERY if os.environ.get("QUORUM_WALK") == "all" else SOME)
def test_a_trail_leads_from_a_matrix_to_the_base_labels(bare, key, sample):
    stage = prepared(sample, key)
    run = stage.run
    last = len(run.moments) - 1
    name, where = an_entry(run, last)
    about, there = a_walk(run, name, where, last)
    way = (*about, *way_to_the_labels(run, *there))
    view = bare(stage)
    view.say(f"view.pin({{ quantity: '{name}', where: view.pinAt('{name}', {list(where)}) }})")
    why, at = view.page.locator(".why"), (name, list(where), last)
    for k in way:
        view.until("view.told && !view.busy")
        told, core = view.ask("view.told"), run.at(at[2]).why(at[0], *at[1])
        assert [told["name"], told["where"], told["iteration"]] == [*at]
        assert told["value"] == core.json()["value"] and view.ask("view.trail.at(-1).iteration") == at[2]
        if any(quantity.name == at[0] for quantity in run.method.quantities()):
            assert told["value"] == pytest.approx(run.at(at[2]).entry(at[0], *at[1]), rel=1e-9, abs=1e-12)
        assert core.told.letter in why.locator(".about").inner_text()
        term, row = told["terms"][k], why.locator(".terms button").nth(k)
        if term["to"]:
            _is_what_it_leads_to(run, term)
        assert row.locator(".said").inner_text() == term["said"]
        row.click(timeout=WAIT)
        at = term["to"] and (term["to"]["name"], term["to"]["where"], term["to"]["iteration"])
    assert way, f"{key}: no term leads anywhere"
    assert term["kind"] in ENDS and not term["to"]
    view.until("view.trail.at(-1).end && !view.busy")
    assert why.locator(".crumbs li").count() == len(way) + 1
    said = why.locator(".told").inner_text()
    assert term["said"] in said and "undefined" not in said
    print(f"{key} on {sample}: {len(way)} clicks from {name} at iteration {last} to {term['kind']}")
    # and back at once
    why.locator(".crumbs button").first.click()
    view.until(f"view.trail.length === 1 && view.told?.name === '{name}' && view.shown === {last}")


def _is_what_it_leads_to(run, term):
    to = term["to"]
    try:
        exact = run.at(to["iteration"]).entry(to["name"], *to["where"])
    except InputError:  # it stands between quantities
        exact = run.at(to["iteration"]).why(to["name"], *to["where"]).value
    assert term["value"] == pytest.approx(exact, rel=1e-9, abs=1e-9 * max(abs(exact), 1.0))
