"""A matrix in a box [0, 1] lowered by quasi-Newton steps (`linalg.hypergraph`): why an entry goes where it goes."""

from __future__ import annotations

from dataclasses import dataclass

from ..linalg.hypergraph import Move
from .method import Method
from .telling import At, Told, tells

STEP = ("object", "hyperedge", "rank")  # the rank counts the quasi-Newton steps of a round


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Descent(Method):
    """Methods that move Y (q, K) by steps of L-BFGS-B. `slope` is an equation of theirs, over STEP."""

    def moves(self, at: At) -> list[Move]:
        """What the steps of this round do to the entry pointed at."""
        raise TypeError(f"{type(self).__name__} must define moves")

    def entry_within(self, at: At):
        """The entry before the step pointed at."""
        return at.constant(self.moves(at)[at.r].y, f"where the entry is after {at.r} quasi-Newton steps") if at.r else (
            at.then("Y", at.i, at.e))

    @tells("Y", "Y + sum(move[r], r)")
    def why_Y(self, at: At) -> Told:
        if at.start:
            return at.equals(at.now("H"), "The run begins with the given hypergraph.")
        moves = self.moves(at)
        if not moves:
            return at.unchanged("No entry has a slope above {tol}: Y stays as it is.", tol=at.param("inner_tol"))
        move = at.rows([m.after - m.y for m in moves], lambda r: at.now("move", at.i, at.e, r))
        steps, slope = at.constant(len(moves), "quasi-Newton steps in this round"), at.now("slope", at.i, at.e, 0)
        push = {"slope > 0": "pushes it down", "slope < 0": "pushes it up", "slope == 0": "leaves it alone"}
        words = "{i} begins the round with {Y} in {e}; the slope of (8), {slope}, {push}. {steps} steps later: {value}."
        return at.terms(Y=at.then("Y"), move=move, slope=slope, push=push, steps=steps, words=words)

    @tells("move", "length*(min(max(y - g/θ + sum(a[j]*Δg[j] + b[j]*Δy[j], j), 0), 1) - y)", "(10)", "move",
           "how far a quasi-Newton step moves an entry", STEP, steepest="-length*t*g", bound="length*(bound - y)",
           short="length*(min(max(y - t*g + share*(t*g - g/θ + sum(a[j]*Δg[j] + b[j]*Δy[j], j)), 0), 1) - y)")
    def why_move(self, at: At) -> Told:
        """y − g/θ + … is the least point of a model of the objective that the last steps have taught."""
        move, g, y = self.moves(at)[at.r], at.now("slope"), self.entry_within(at)
        kind, turn = move.kind, move.turn
        if kind == "still":
            return at.given(0, "It is {y}, and the slope {g} moves it no further.", y=y, g=g)
        length = at.constant(turn.step, "share of the way that lowers the objective enough, found by trying")
        if kind == "bound":
            bound = at.constant(move.aim, "the bound that lies straight down the slope")
            return at.terms(kind, length=length, bound=bound, y=y, words="Down the slope {g} lies {bound}.", g=g)
        down = at.constant(turn.time, "how far straight down the slope the model falls")
        if kind == "steepest":
            return at.terms(kind, length=length, t=down, g=g, words="The first step goes straight down the slope {g}.")
        a, changes, b, moves = move.learnt

        def remembered(values, meaning: str):
            return at.rows(values, lambda j: at.constant(values[j], meaning))

        model = {
            "y": y, "g": g, "θ": at.constant(turn.theta, "how much slopes change over a distance, by the last step"),
            "a": remembered(a, "what the model makes of a change of slope"),
            "b": remembered(b, "what the model makes of a move"),
            "Δg": remembered(changes, "change of the slope in a step remembered"),
            "Δy": remembered(moves, "how far a step remembered has moved the entry"),
        }
        words = "It is {y}. The model of (8) learned from the last steps, and the slope {g}, say where to go."
        if kind == "model":
            return at.terms(length=length, **model, words=words)
        share = at.constant(turn.along, "share of the way to the model's least point at which an entry meets its bound")
        return at.terms(kind, length=length, t=down, share=share, **model, words=words)
# fmt: on
