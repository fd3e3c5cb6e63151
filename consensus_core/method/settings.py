"""A method's settings in words, for captions, tables and lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..numbers import number
from .method import Method
from .params import Param


def settings_in_words(method: Method) -> str:
    """ "θ = 0.2, k = 7": what was moved away from its default, and the method's own dials."""
    return ", ".join(
        setting(method, param)
        for param in method.params()
        if param.role == "method" or param.required or getattr(method, param.name) != param.default
    )


def difference_in_words(method: Method, other: Method) -> str:
    """ "θ = 0.2": where a method stands that another one of its kind does not; its settings where they are of two
    kinds."""
    if type(method) is not type(other):
        return settings_in_words(method)
    moved = [
        setting(method, param) for param in method.params() if getattr(method, param.name) != getattr(other, param.name)
    ]
    return ", ".join(moved) or settings_in_words(method)


def setting(method: Method, param: Param) -> str:
    """ "θ = 0.2"."""
    return f"{param.letter or param.name} = {value_in_words(getattr(method, param.name))}"


def value_in_words(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return number(value, 4) if isinstance(value, float) else str(value)


def called(methods: Sequence[Method]) -> list[str]:
    """What each is called among the others: by its name, and by the settings in which those of one name differ."""
    alike: dict[type, list[Method]] = {}
    for method in methods:
        alike.setdefault(type(method), []).append(method)
    names = [_told_apart(method, alike[type(method)]) for method in methods]
    seen, told = Counter(), []
    for name in names:
        seen[name] += 1
        told.append(name if names.count(name) == 1 else f"{name}, {seen[name]}")
    return told


def _told_apart(method: Method, others: Sequence[Method]) -> str:
    apart = [
        setting(method, param)
        for param in method.params()
        if any(getattr(other, param.name) != getattr(method, param.name) for other in others)
    ]
    return f"{method.name()} ({', '.join(apart)})" if apart else method.name()
