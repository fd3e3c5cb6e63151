"""Every parameter a link may have: what it is, what its text may be, and what is said of text that means nothing.

`understood` takes any query there is; what it gives back every page can use as it stands. Pages and the live view write
these keys and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from consensus_core import METHODS
from consensus_core.methods import SHOWN_FIRST
from consensus_core.sweep.curves import MEASURES

from .entrants import heard as compared
from .entrants import heard_one as beside
from .settings import (
    Heard,
    heard_by,
    is_a_setting,
    key_of,
    line_of_text,
    one_of,
    quoted,
    whole,
    written_like,
)

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
WAYS = {
    "sample": "Samples",
    "upload": "Your file",
    "make": "From features",
    "kept": "Kept",
    "tables": "Files on this machine",
}
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


@dataclass(frozen=True)
class Parameter:
    key: str
    meaning: str
    heard: Callable[[str], Heard]


def hidden(text: str) -> Heard:
    """Parts of the page, with commas between them."""
    asked = [name.strip() for name in text.split(",") if name.strip()]
    known = [name for name in dict.fromkeys(asked) if name in PARTS]
    strange = [name for name in asked if name not in PARTS]
    why = "" if known else "“hide” names nothing"
    if strange:
        why = f"“hide” knows no {quoted(strange[0])}: it knows {', '.join(PARTS)}"
    return ",".join(known) or None, why


# --- all of them ----------------------------------------------------------------------------------------------------

_DATA, _ORDER, _ZOOM = r"[\w-]{1,64}", r"[a-z]+|base:\d{1,6}", r"[\d.,:-]{1,80}"
_PIN = r"\w{1,40}(\.\d{1,9}){0,2}(-\w{1,40}(\.\d{1,9}){1,2})*"  # an entry; or things along axes, object.3-clustering.2
_SIDE = r"\d{1,3}(\.\d{1,3}){0,7}"
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
        Parameter("beside", "a second method beside the first, and its settings: eac~linkage:single", beside),
        Parameter("with", "the methods and settings compared", compared),
        Parameter(
            "side", "which of them stand side by side", written_like("“side”", r"\d{1,3}(\.\d{1,3}){0,7}", "0.2")
        ),
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
        Parameter("large", "a lesson in larger letters", one_of("“large”", ("0", "1"))),
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
