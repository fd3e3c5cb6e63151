"""Which classes may stand in what is kept: found by looking at what methods' states and a run's moments are made of.

A class not listed here can neither be written nor read, whatever a file says.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import typing
from collections.abc import Iterator

from ..method import Method
from .fitting import fields_of

PACKAGE = __name__.split(".", 1)[0]
# beside the states of the methods: named here by us, and nowhere in a file
OF_RUNS = ("method.loop.Step", "linalg.paired.Paired", "live.moment.Moment")
OF_DATA = ("data.origin.Data",)


def run_types(method: Method | type[Method]) -> dict[str, type]:
    """What a run of this method is made of."""
    return _found((method.State, *map(_ours, OF_RUNS)))


def data_types() -> dict[str, type]:
    """What data are made of."""
    return _found(tuple(map(_ours, OF_DATA)))


@functools.cache
def _ours(name: str) -> type:
    room, _, cls = name.rpartition(".")
    return getattr(importlib.import_module(f"{PACKAGE}.{room}"), cls)


@functools.cache
def _found(roots: tuple[type, ...]) -> dict[str, type]:
    """The roots and every class of this package that a field of them names."""
    found: dict[str, type] = {}
    waiting = list(roots)
    while waiting:
        cls = waiting.pop()
        if found.setdefault(name_of(cls), cls) is not cls:
            raise TypeError(f"two classes are called {name_of(cls)}")
        waiting += [one for hint in fields_of(cls).values() for one in _named(hint) if one not in found.values()]
    return found


def name_of(cls: type) -> str:
    return f"{cls.__module__.removeprefix(PACKAGE + '.')}.{cls.__qualname__}"


def _named(hint) -> Iterator[type]:
    """Our classes within a type: those with fields, and those that hold nothing worth keeping (a pool of memory)."""
    if isinstance(hint, type) and hint.__module__.split(".")[0] == PACKAGE and _keepable(hint):
        yield hint
    for inside in typing.get_args(hint):
        yield from _named(inside)


def _keepable(cls: type) -> bool:
    if dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        return True
    return "__reduce__" in vars(cls) and cls().__reduce__() == (cls, ())
