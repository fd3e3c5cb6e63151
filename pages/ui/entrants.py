"""Methods and settings that are compared, as a link writes them: with=lwea,ec_cms~alpha:0.7,ec_cms~alpha:0.8."""

from __future__ import annotations

from collections.abc import Sequence

from consensus_core import METHODS, InputError, Method
from consensus_core.numbers import counted

from .settings import Heard, heard_by, quoted, value_in_words, value_of

MOST = 80  # entrants in one comparison


def written(methods: Sequence[Method], k: int) -> str:
    """Every setting that is not today's default; `k` where it is not that of the page."""
    return ",".join(dict.fromkeys(_written(method, k) for method in methods))


def _written(method: Method, k: int) -> str:
    settings = [method.key]
    for param in method.params():
        value = getattr(method, param.name)
        if value != (k if param.name == "k" else param.default):
            settings.append(f"{param.name}:{value_in_words(param, value)}")
    return "~".join(settings)


def entrants(text: str, k: int) -> list[Method]:
    """The methods a link names, each once."""
    return list(dict.fromkeys(method for method, _ in _each(text, k) if method is not None))


def heard(text: str) -> Heard:
    """What can be gone on with, and what to say of the rest."""
    found = _each(text, 2)
    wrong = [why for _, why in found if why]
    right = [
        written([method], 2) if why else part
        for part, (method, why) in zip(_parts(text), found, strict=True)
        if method is not None
    ]
    if not found:
        wrong.append("“with” names no method")
    if len(_parts(text, None)) > MOST:
        wrong.append(f"of {counted(len(_parts(text, None)), 'entrant')} the first {MOST} are compared")
    return ",".join(right) or None, "; ".join(wrong[:1])


def heard_one(text: str) -> Heard:
    """The same of a single one: eac, or eac~linkage:single."""
    first, *more = text.split(",")
    method, why = _one(first, 2)
    if method is None:
        return None, why
    why = why or ("“beside” names one method; the first counts" if more else "")
    return (written([method], 2) if why else first), why


def _parts(text: str, most: int | None = MOST) -> list[str]:
    return [one for one in text.split(",") if one][:most]


def _each(text: str, k: int) -> list[tuple[Method | None, str]]:
    return [_one(part, k) for part in _parts(text)]


def _one(part: str, k: int) -> tuple[Method | None, str]:
    key, *settings = part.split("~")
    cls = METHODS.get(key)
    if cls is None:
        return None, f"there is no method {quoted(key)} to compare"
    known = {param.name: param for param in cls.params()}
    chosen, wrong = {"k": k}, ""
    for setting in settings:
        name, _, value = setting.partition(":")
        if name not in known:
            wrong = wrong or f"{cls.name()} has no setting {quoted(name)}"
            continue
        said, why = heard_by(known[name])(value)
        wrong = wrong or why
        if said is not None:
            chosen[name] = value_of(known[name], said)
    try:
        return cls(**chosen), wrong
    except InputError as refusal:
        return None, str(refusal)
