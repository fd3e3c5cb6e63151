"""What a teacher writes under a film, and what a link says is pinned, as values."""

from __future__ import annotations

from ..errors import InputError
from .run import Run

LONGEST = 300  # signs of a caption
MOST = 200  # captions of a film


def captions_in(text: str) -> dict[int, str]:
    """Lines like "6: Now they are linked."; from this iteration on this text stands above the pictures."""
    found: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        at, colon, words = line.partition(":")
        if not colon or not at.strip().isdecimal() or not at.strip().isascii() or len(at.strip()) > 9:
            raise InputError(f"Captions, line {number}: begin with an iteration and a colon, as in “6: Look here.”")
        if len(words.strip()) > LONGEST:
            raise InputError(f"Captions, line {number}: at most {LONGEST} signs, not {len(words.strip())}.")
        if int(at) in found:
            raise InputError(f"Captions, line {number}: iteration {int(at)} has a caption already.")
        found[int(at)] = words.strip()
    if len(found) > MOST:
        raise InputError(f"At most {MOST} captions, not {len(found)}.")
    return found


def pinned_in(pin: str, run: Run) -> list[tuple]:
    """ "S.3.7" -> [("S", 3, 7)], where the method explains such an entry."""
    name, *numbers = pin.split(".")
    if name not in run.method.equations() or not all(number.isdecimal() for number in numbers):
        return []
    where = tuple(map(int, numbers))
    try:
        run.method.place(run.ensemble, name, *where)
    except (InputError, IndexError):
        return []
    return [(name, *where)]
