"""Walkers on a graph: where they are after so many steps, and how alike the ways of two of them are."""

from __future__ import annotations

from ..linalg.trajectories import trajectory
from ..numbers import counted
from .telling import At, Row, Told

ALIKE = {"value > 0.9": "nearly the same way", "value <= 0.9 and value > 0.1": "partly the same way",
         "value <= 0.1": "different ways"}  # fmt: skip


def way_of(at: At, start: int, steps: int) -> Row:
    """Where a walker from `start` is after 1, 2, … steps, one after the other: entries of "way". The steps are P's."""
    ensemble, objects = at.ensemble, at.path.axes("P")[0] == "object"
    first = ensemble.microcluster_of(start) if objects else start
    way = at.path.once(f"way {first}", at.iteration,
                       lambda: trajectory(at.path.array("P", at.iteration), first, steps))  # fmt: skip
    name = ensemble.first_of.tolist() if objects else range(way.shape[1])
    return at.known("way", way.ravel(), lambda k: (start, int(name[k % way.shape[1]]), k // way.shape[1]))


def told_way(at: At, steps: int) -> Told:
    """sum(way[b]*P[b], b) after the first step, which is P (the case "first"); over two things and the steps made."""
    start, there = at.address.where[:2]
    one, other = ("{i}", "{j}") if at.path.axes("P")[0] == "object" else ("{e}", "{l}")
    if not at.r:
        return at.terms("first", P=at.now("P", start, there), words=f"The first step from {one} leads to {other}.")
    way = way_of(at, start, steps)
    size = len(way.values) // steps
    before = at.rows(way.values[(at.r - 1) * size : at.r * size], lambda b: way.term((at.r - 1) * size + b))
    words = f"After {counted(at.r, 'step')} the walker from {one} is somewhere; one step more leads to {other}."
    return at.terms(way=before, P=at.row("P", None, there), words=words)


def told_cosine(at: At, steps: int) -> Told:
    """dot(way_i, way_j) / (norm(way_i)*norm(way_j)), of two things the letters of which are in the formula."""
    ways = [way_of(at, start, steps) for start in at.address.where]
    one, other = ("{i}", "{j}") if at.path.axes("P")[0] == "object" else ("{e}", "{l}")
    words = f"Two walkers that start in {one} and {other} and make {counted(steps, 'step')} go {{alike}}."
    return at.terms(**dict(zip(at.equation.formula.names, ways, strict=True)), alike=ALIKE, words=words)
