"""What was sent -> a Question, its numbers and texts held to what they can be; or NotAQuestion."""

from __future__ import annotations

import math

from .protocol import Detail, Dial, Entry, Known, NotAQuestion, Pointed, Question, Spans

MOST = 2**31 - 1  # no number of an iteration, object or question is greater
LARGEST = 1e300  # a dial can be turned no further
LONGEST = 64  # letters of an id, an order or the name of a quantity
MANY = 400  # entries of one list
SPANS = 20_000  # letters in which the iterations a browser holds may be written
COMMANDS = ("play", "pause", "step")


def parsed(said) -> Question:
    """The question in a JSON object, or NotAQuestion."""
    said = _mapping(said)
    return Question(
        seq=_whole(said.get("seq", 0)),
        data=_maybe(_text, said.get("data"), ""),
        placed=bool(said.get("placed")),
        order=_maybe(_text, said.get("order"), ""),
        orders=_maybe(_spans, said.get("orders"), Spans()),
        runs=_maybe(_runs, said.get("runs"), {}),
        shown=_maybe(_whole, said.get("shown")),
        playing=said.get("mode") == "play",
        newest=bool(said.get("newest")),
        full=bool(said.get("full")),
        settled=_maybe(_whole, said.get("settled")),
        do=tuple(one for one in _maybe(_texts, said.get("do"), ()) if one in COMMANDS),
        dial=_maybe(_dial, said.get("dial")),
        point=_maybe(_pointed, said.get("point")),
        pin=_maybe(_pointed, said.get("pin")),
        why=_maybe(_entry, said.get("why")),
        detail=_maybe(_detail, said.get("detail")),
        scene=_maybe(_text, said.get("scene"), ""),
        look=_maybe(_look, said.get("look")),
    )


def _runs(said) -> dict[str, Known]:
    return {_text(run): _known(known) for run, known in _few(_mapping(said)).items()}


def _known(said) -> Known:
    said = _mapping(said)
    return Known(_whole(said.get("rows", 0)), _maybe(_texts, said.get("see")), _maybe(_have, said.get("have"), {}))


def _have(said) -> dict[str, Spans]:
    return {_text(name): _spans(held) for name, held in _few(_mapping(said)).items()}


def _pointed(said) -> Pointed:
    said = _mapping(said)
    where = {
        _text(run): {_text(name): _places(at) for name, at in _few(_mapping(entries)).items()}
        for run, entries in _few(_mapping(said.get("where"))).items()
    }
    return Pointed(_text(said.get("id"), 4 * LONGEST), _whole(said.get("at")), where)


def _entry(said) -> Entry:
    said = _mapping(said)
    run, name = _text(said.get("run")), _text(said.get("name"))
    return Entry(run, name, _places(said.get("where")), _whole(said.get("iteration")))


def _detail(said) -> Detail:
    said = _mapping(said)
    window = _places(said.get("window"))
    if len(window) != 4:
        raise NotAQuestion("a window has four ends")
    see = {_text(run): _texts(names) for run, names in _few(_mapping(said.get("see"))).items()}
    return Detail(_text(said.get("key"), 20 * LONGEST), _whole(said.get("at")), window, see)


def _dial(said) -> Dial:
    said = _mapping(said)
    value = said.get("value")
    if not _is_number(value) or abs(value) > LARGEST:
        raise NotAQuestion("a dial stands at a number")
    return Dial(_text(said.get("run")), _text(said.get("name")), float(value))


def _look(said) -> dict[str, str]:
    return {_text(name): _text(value, 4 * LONGEST) for name, value in _few(_mapping(said)).items()}


def _maybe(parse, said, else_=None):
    return else_ if said is None else parse(said)


def _mapping(said) -> dict:
    if not isinstance(said, dict):
        raise NotAQuestion("an object was expected")
    return said


def _few(said):
    if len(said) > MANY:
        raise NotAQuestion(f"more than {MANY} entries")
    return said


def _text(said, longest: int = LONGEST) -> str:
    if not isinstance(said, str) or len(said) > longest:
        raise NotAQuestion(f"a text of at most {longest} letters was expected")
    return said


def _texts(said) -> tuple[str, ...]:
    if not isinstance(said, list):
        raise NotAQuestion("a list was expected")
    return tuple(_text(one) for one in _few(said))


def _whole(said) -> int:
    """A whole number from 0, held to what a number of an iteration or an object can be."""
    if not _is_number(said):
        raise NotAQuestion("a whole number was expected")
    return min(max(int(said), 0), MOST)


def _is_number(said) -> bool:
    """Python reads whole numbers of any length, of which no float can say whether they are finite: they are."""
    whole = isinstance(said, int) and not isinstance(said, bool)
    return whole or (isinstance(said, float) and math.isfinite(said))


def _places(said) -> tuple[int, ...]:
    if not isinstance(said, list) or len(said) > 4:
        raise NotAQuestion("a list of at most four places was expected")
    return tuple(_whole(at) for at in said)


def _spans(said) -> Spans:
    """ "0-37,40" -> 0 to 37, and 40"""
    parts = []
    for part in filter(None, _text(said, SPANS).split(",")):
        a, _, b = part.partition("-")
        if not all(end.isascii() and end.isdecimal() and len(end) < 10 for end in (a, b or a)):
            raise NotAQuestion("places are written like 0-37,40")
        parts.append((int(a), int(b or a)))
    return Spans(tuple(parts))
