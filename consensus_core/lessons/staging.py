"""A screen as it is put on a stage: its data, its methods as the controls and the switch have them, its scene."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..data import Data
from ..errors import InputError
from ..live.scene import Pinned, Scene
from ..method import Method
from .algorithm import algorithm
from .checking import entry_of, moved_where_known, shows
from .facts import quantity_named
from .lesson import PANELS, Lesson, Look, Screen
from .material import FILLED, material, method_of


@dataclass(frozen=True, eq=False)
class Staged:
    data: Data
    methods: tuple[Method, ...]
    scene: Scene
    look: Look
    filled_for: str  # the method that needs every label, where some are missing: then they are filled for all


def staged(
    lesson: Lesson,
    number: int,
    *,
    answered: bool = False,
    broken: bool = False,
    dials: Mapping[str, str] | None = None,
    large: bool = False,
    data: Data | None = None,
) -> Staged:
    """`dials`: where the controls stand; `data`: what somebody has made, for screens that are worked with."""
    screen = lesson.screens[number]
    look = look_of(screen, answered, broken)
    switch = screen.breaks if broken else None
    moved = {**(switch.dials if switch else {}), **(dials or {})}
    data = data or material((switch and switch.data) or screen.data, lesson.path.parent)
    k = data.k
    methods = tuple(method_of(moved_where_known(wanted, moved), k) for wanted in screen.methods)
    needs = [method.name() for method in methods if not method.handles_missing]
    filled_for = needs[0] if needs and data.ensemble.has_missing else ""
    data = _filled(data) if filled_for else data
    key = repr((lesson.key, number, answered, broken, large, look))
    lead = methods[0]
    scene = Scene(
        key=hashlib.blake2b(key.encode(), digest_size=8).hexdigest(),
        show=tuple(_named(methods, name) for name in look.show),
        hide=look.hide,
        at=look.at,
        until=look.until,
        pin=_pinned(data, lead, look.pin),
        tap=screen.question is not None and screen.question.kind == "tap" and not answered,
        large=large,
        algorithm=algorithm(type(lead)) if "algorithm" in look.show else (),
    )
    return Staged(data, methods, scene, look, filled_for)


@functools.lru_cache(maxsize=64)
def _filled(data: Data) -> Data:
    return replace(data, ensemble=data.ensemble.filled(FILLED))


def look_of(screen: Screen, answered: bool, broken: bool) -> Look:
    if broken and screen.breaks is not None:
        return screen.breaks.look
    return screen.reveal if answered and screen.reveal is not None else screen.look


def _named(methods: tuple[Method, ...], name: str) -> str:
    """A quantity by its own name, of the first method that has it; “~” and the way it is drawn stay."""
    if name in PANELS:
        return name
    quantity, way, drawing = name.partition("~")
    owner = next((method for method in methods if shows(method, name)), methods[0])
    return quantity_named(owner, quantity) + way + drawing


def _pinned(data: Data, method: Method, said: str) -> Pinned | None:
    if not said:
        return None
    try:
        return Pinned(*entry_of(data, method, said))
    except InputError:  # other data than the lesson's own: worked with by hand
        return None
