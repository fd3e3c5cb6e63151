"""Every parameter a link may have: what it is, what its text may be, and what is said of text that means nothing.

`understood` takes any query there is; what it gives back every page can use as it stands. Pages and the live view write
these keys and no others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from consensus_core import METHODS, Param
from consensus_core.live.dials import stops
from consensus_core.methods import SHOWN_FIRST
from consensus_core.numbers import number
from consensus_core.sweep.curves import MEASURES
from consensus_core.text import visible

PARTS = {
    "nav": "the other pages",
    "sidebar": "the whole sidebar",
    "data": "the choice of data",
    "method": "the choice of method",
    "parameters": "the method's parameters",
    "switches": "switches, schedule and seed",
    "order": "the order of rows",
    "trust": "how far to trust it",
    "presets": "the settings to break and repair with",
    "home": "downloads and sharing",
    "hint": "the three steps for a first visit",
}
TUNED = {"curve": "One dial", "map": "Two dials", "k": "How many clusters"}
WAYS = {"sample": "Samples", "upload": "Your file", "make": "From features", "kept": "Kept"}
SHELVES = {"lessons": "Lessons", "words": "Words and letters"}
FILLED = {
    "nearest": "like the rows that agree best",
    "random": "at random, as in the PCE paper",
    "own cluster": "as clusters of their own",
}
ROWS = {
    "all": "every one for itself",
    "500": "500 stand for all",
    "1000": "1,000 stand for all",
    "2000": "2,000 stand for all",
    "5000": "5,000 stand for all",
}
ORDERS = {
    "consensus": "the consensus",
    "leaf": "likeness (leaves of the tree)",
    "given": "the table, as given",
    "truth": "the truth",
}
TOLD = 3  # of what was not understood so many are told, the rest are counted
LONGEST = 30  # signs of a text that are shown
DIGITS = 18  # of a whole number: beyond, reading it takes time and it is beyond every limit

Heard = tuple[str | None, str]  # the text to go on with, None for none; and what is to be said, "" where all is well


@dataclass(frozen=True)
class Parameter:
    key: str
    meaning: str
    heard: Callable[[str], Heard]


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


def hidden(text: str) -> Heard:
    """Parts of the page, with commas between them."""
    asked = [name.strip() for name in text.split(",") if name.strip()]
    known = [name for name in dict.fromkeys(asked) if name in PARTS]
    strange = [name for name in asked if name not in PARTS]
    why = "" if known else "“hide” names nothing"
    if strange:
        why = f"“hide” knows no {quoted(strange[0])}: it knows {', '.join(PARTS)}"
    return ",".join(known) or None, why


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


# --- all of them ----------------------------------------------------------------------------------------------------

_DATA, _ORDER, _ZOOM = r"[\w-]{1,64}", r"[a-z]+|base:\d{1,6}", r"[\d.,:-]{1,80}"
_PIN = r"\w{1,40}(\.\d{1,9}){0,2}(-\w{1,40}(\.\d{1,9}){1,2})*"  # an entry; or things along axes, object.3-clustering.2
_DIALS = r"\w{1,40}:[\w.+-]{1,40}(,\w{1,40}:[\w.+-]{1,40}){0,5}"
PARAMETERS = {
    parameter.key: parameter
    for parameter in (
        Parameter("data", "a sample, or data that are kept, by their id", written_like("“data”", _DATA, "iris")),
        Parameter("method", "the method", one_of("“method”", METHODS)),
        Parameter("it", "the iteration looked at", whole("“it”", 0, 10**9)),
        Parameter("order", "the order of rows", written_like("“order”", _ORDER, "consensus or base:3")),
        Parameter("fill", "how missing labels are filled", one_of("“fill”", FILLED)),
        Parameter("rows", "how many distinct rows stand for all", one_of("“rows”", ROWS)),
        Parameter("from", "where data come from", one_of("“from”", WAYS)),
        Parameter("hide", "parts of the page that are not shown", hidden),
        Parameter("beside", "a second method beside the first", one_of("“beside”", METHODS)),
        Parameter("pin", "the entry pinned", written_like("“pin”", _PIN, "S.3.7")),
        Parameter("zoom", "the part of the matrices looked at", written_like("“zoom”", _ZOOM, "0.10.0.10")),
        Parameter("contrast", "colours by the values", one_of("“contrast”", ("0", "1"))),
        Parameter("eq", "the equation asked for", written_like("“eq”", r"\w{1,40}", "W")),
        Parameter("big", "for a large screen", one_of("“big”", ("0", "1"))),
        Parameter("see", "what Tune shows", one_of("“see”", TUNED)),
        Parameter("dial", "the dial that is moved", written_like("“dial”", r"\w{1,40}", "theta")),
        Parameter("dial2", "the second dial", written_like("“dial2”", r"\w{1,40}", "k")),
        Parameter("measure", "what a curve shows", one_of("“measure”", MEASURES)),
        Parameter("learn", "lessons, or words and letters", one_of("“learn”", SHELVES)),
        Parameter("lesson", "the lesson", written_like("“lesson”", r"[\w-]{1,64}", "spce")),
        Parameter("screen", "which screen of a lesson", whole("“screen”", 1, 1000)),
        Parameter("answer", "whether the answer is shown", one_of("“answer”", ("shown",))),
        Parameter("broken", "whether the switch that breaks it is on", one_of("“broken”", ("0", "1"))),
        Parameter("dials", "where a lesson's controls stand", written_like("“dials”", _DIALS, "theta:0.5,k:3")),
        Parameter("caption", "a teacher's own line over the pictures", line_of_text),
    )
}


def understood(query: Mapping[str, list[str]]) -> tuple[dict[str, str], list[str]]:
    """What can be gone on with, and of the rest why not."""
    right: dict[str, str] = {}
    wrong: list[str] = []
    asked = query.get("method", [SHOWN_FIRST])[-1:] or [SHOWN_FIRST]
    method = METHODS.get(asked[0], METHODS[SHOWN_FIRST])
    own = {key_of(param): param for param in method.params()}
    for key, texts in query.items():
        if key in own:
            heard = heard_by(own[key])
        elif key in PARAMETERS:
            heard = PARAMETERS[key].heard
        elif is_a_setting(key):
            wrong.append(f"{method.name()} has no “{key}”")
            continue
        else:
            wrong.append(f"{quoted(key)} is not known")
            continue
        text, why = heard(texts[-1] if texts else "")
        if why:
            wrong.append(why)
        elif len(texts) > 1:
            wrong.append(f"“{key}” stands there {len(texts)} times, and the last counts")
        if text is not None:
            right[key] = text
    return right, wrong


def in_one_sentence(wrong: list[str]) -> str:
    more = f"; and {len(wrong) - TOLD} more" if len(wrong) > TOLD else ""
    return f"Not everything in this link was understood: {'; '.join(wrong[:TOLD])}{more}." if wrong else ""
