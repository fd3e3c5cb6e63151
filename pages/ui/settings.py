"""Texts of a link for a method's settings: what each may be, and what is said of text that means nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

from consensus_core import METHODS, Param
from consensus_core.live.dials import stops
from consensus_core.numbers import number
from consensus_core.text import visible

LONGEST = 30  # signs of a text that are shown
DIGITS = 18  # of a whole number: beyond, reading it takes time and it is beyond every limit

Heard = tuple[str | None, str]  # the text to go on with, None for none; and what is to be said, "" where all is well


# --- texts ----------------------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    return f"“{visible(text, LONGEST)}”"


def one_of(key: str, choices: Iterable[str]) -> Callable[[str], Heard]:
    choices = tuple(choices)

    def heard(text: str) -> Heard:
        if text in choices:
            return text, ""
        return None, f"{key} cannot be {quoted(text)}: it is one of {', '.join(choices)}"

    return heard


def written_like(key: str, pattern: str, example: str) -> Callable[[str], Heard]:
    def heard(text: str) -> Heard:
        if re.fullmatch(pattern, text, re.ASCII):
            return text, ""
        return None, f"{key} cannot be {quoted(text)}: it is written like {example}"

    return heard


def line_of_text(text: str) -> Heard:
    """Anything at all, on one line and not too long."""
    said = visible(text, 200)
    return (said, "") if said else (None, "“caption” is empty")


def whole(key: str, low: int, high: int) -> Callable[[str], Heard]:
    def heard(text: str) -> Heard:
        value = _whole(text)
        if value is None:
            return None, f"{key} must be a whole number, not {quoted(text)}"
        return _clipped(key, value, low, high, text)

    return heard


# --- a method's parameters ------------------------------------------------------------------------------------------


def key_of(param: Param) -> str:
    return "seed" if param.name == "seed" else f"p_{param.name}"


def is_a_setting(key: str) -> bool:
    """A parameter of some method."""
    return any(key == key_of(param) for cls in METHODS.values() for param in cls.params())


def value_in_words(param: Param, value) -> str:
    """As its widget writes it into the address."""
    if param.kind == "switch":
        return str(bool(value)).lower()
    if param.kind == "number":
        return f"{value:g}" if is_stepped(param) else _written(float(value))
    return str(value)


def value_of(param: Param, text: str):
    """And back, of text that was heard."""
    match param.kind:
        case "switch":
            return text == "true"
        case "choice":
            return next(choice for choice in param.choices if str(choice) == text)
        case "integer":
            return int(float(text))
    value = float(text)
    return min(stops(param), key=lambda stop: abs(math.log(stop / value))) if is_stepped(param) else value


def is_stepped(param: Param) -> bool:
    """Moved in factors, from stop to stop."""
    return bool(param.kind == "number" and param.log and param.low and param.high)


def heard_by(param: Param) -> Callable[[str], Heard]:
    name = param.title

    def switch(text: str) -> Heard:
        said = {"true": "true", "1": "true", "false": "false", "0": "false"}.get(text.lower())
        return said, "" if said else f"{name} is true or false, not {quoted(text)}"

    def choice(text: str) -> Heard:
        return one_of(name, map(str, param.choices))(text)

    def integer(text: str) -> Heard:
        return whole(name, param.low, param.high)(text)

    def anything(text: str) -> Heard:
        value = _real(text)
        if value is None:
            return None, f"{name} must be a number, not {quoted(text)}"
        within, why = _clipped(name, value, param.low, param.high, text)
        if is_stepped(param) and not why:
            nearest = min(stops(param), key=lambda stop: abs(math.log(stop / value)))
            if not math.isclose(nearest, value, rel_tol=1e-6):
                why = f"{name} was set to {nearest:g}, the stop nearest to {quoted(text)}"
            within = f"{nearest:g}"
        return within, why

    return {"switch": switch, "choice": choice, "integer": integer, "number": anything}[param.kind]


def _clipped(name: str, value: float, low, high, text: str) -> Heard:
    if low is not None and value < low:
        return _written(low), f"{name} was set to {number(low)}, the least there is, not {quoted(text)}"
    if high is not None and value > high:
        return _written(high), f"{name} was set to {number(high)}, the most there is, not {quoted(text)}"
    return _written(value), ""


def _written(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(value).removesuffix(".0")


def _whole(text: str) -> int | None:
    """Also "7.0" and "1e3", as programs write them."""
    if re.fullmatch(rf"[+-]?\d{{1,{DIGITS}}}", text, re.ASCII):
        return int(text)
    real = _real(text)
    return int(real) if real is not None and real.is_integer() and abs(real) < 10**DIGITS else None


def _real(text: str) -> float | None:
    """A finite number; very long ones are finite or they are none."""
    if len(text) > 40 or not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", text, re.ASCII):
        return None
    value = float(text)
    return value if math.isfinite(value) else None
