"""Claims: what a lesson says of numbers, one to a line, held against the core.

S(x3,x5) @ 1..5 = 0            at each of these iterations
S(x3,x5) @ 6 = .577            to the digits written
alpha(C3) @ 6 < alpha(C3) @ 5
groups @ 3 = 1 1 2 2 2        who is with whom
ARI with theta .2 > ARI with theta .5
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from .facts import FactError, Facts

RELATION = re.compile(r"\s(=|≠|<|>|≤|≥)\s(?![^(]*\))")  # not the ones within brackets
SPAN = re.compile(r"@\s*(\d+)\.\.(\d+)")
LITERAL = re.compile(r"[-−]?\d*\.?\d+(?:e-?\d+)?")
SAME = 1e-9  # of the greater one: two computed numbers that are equal


@dataclass(frozen=True)
class Judged:
    """Whether a claim holds, and what the core says."""

    claim: str
    holds: bool
    found: str


def judge(facts: Facts, claim: str) -> Judged:
    for one in spread(claim):
        left, relation, right = sides(one)
        found = facts.value(left)
        holds, compared = _holds(facts, found, relation, right)
        if not holds:
            return Judged(claim, False, f"{left} is {_said(found)}{compared}")
    return Judged(claim, True, "")


def spread(claim: str) -> list[str]:
    """A claim over a span of iterations, as one for each."""
    spans = {(int(a), int(b)) for a, b in SPAN.findall(claim)}
    if not spans:
        return [claim]
    if len(spans) > 1:
        raise FactError(f"“{claim}” speaks of more than one span of iterations")
    ((a, b),) = spans
    return [SPAN.sub(f"@ {at}", claim) for at in range(a, b + 1)]


def sides(claim: str) -> tuple[str, str, str]:
    parts = RELATION.split(claim.strip())
    if len(parts) != 3 or not parts[0].strip() or not parts[2].strip():
        raise FactError(f"“{claim}” is no claim: write a fact, one of = ≠ < > ≤ ≥ between blanks, and what it is")
    return parts[0].strip(), parts[1], parts[2].strip()


def is_literal(text: str) -> bool:
    return LITERAL.fullmatch(text) is not None


def _holds(facts: Facts, found, relation: str, right: str) -> tuple[bool, str]:
    if isinstance(found, str):
        return (found == right) == (relation == "="), ""
    if is_literal(right):
        other = float(right.replace("−", "-"))
        exact = relation in "=≠"  # to the digits written
        close = abs(found - other) <= (0.5 * 10.0 ** -decimals(right) * (1 + SAME) if exact else 0)
        compared = ""
    else:
        other = float(facts.value(right))
        close = math.isclose(found, other, rel_tol=SAME, abs_tol=1e-12)
        compared = f", {right} is {_said(other)}"
    match relation:
        case "=":
            return close, compared
        case "≠":
            return not close, compared
        case "<":
            return found < other and not close, compared
        case ">":
            return found > other and not close, compared
        case "≤":
            return found <= other or close, compared
    return found >= other or close, compared


def decimals(text: str) -> int:
    front, _, power = text.partition("e")
    return len(front.partition(".")[2]) - int(power or 0)


def _said(found) -> str:
    return found if isinstance(found, str) else f"{found:.6g}"
