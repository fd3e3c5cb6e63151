"""A pocket calculator: a printed formula typed in as a person would, and what comes out."""

from __future__ import annotations

import math
import re

import scipy.special


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
