"""What browser and server say to each other.

A question is a JSON object, parsed once into a frozen value: what is nonsense in it raises NotAQuestion and has changed
nothing. An answer is a header in JSON, then packed arrays:

    4 bytes   length of the header, little-endian
    header    facts, and for each array where its bytes lie behind the header
    arrays    zlib, or as they are where the header says so
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


class NotAQuestion(ValueError):
    """What was sent is no question of the live view's."""


@dataclass(frozen=True)
class Spans:
    """Whole numbers, written "0-37,40"."""

    parts: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        return any(a <= number <= b for a, b in self.parts)


@dataclass(frozen=True)
class Known:
    """What a browser has of one run, and which of its pictures are in view."""

    rows: int = 0  # iterations whose numbers it knows
    see: tuple[str, ...] | None = None  # None: it does not say
    have: Mapping[str, Spans] = field(default_factory=dict)  # places whose picture it holds; "" of labels


@dataclass(frozen=True)
class Pointed:
    """Entries whose exact values are wanted: of each run, where in each quantity."""

    id: str
    at: int
    where: Mapping[str, Mapping[str, tuple[int, ...]]]


@dataclass(frozen=True)
class Entry:
    """One entry of a quantity of a run at an iteration: what is asked why."""

    run: str
    name: str
    where: tuple[int, ...]
    iteration: int


@dataclass(frozen=True)
class Detail:
    """The part in view at its own sharpness: objects from … to of the rows and of the columns."""

    key: str
    at: int
    window: tuple[int, int, int, int]
    see: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Dial:
    """A hyper-parameter moved in the view."""

    run: str
    name: str
    value: float


@dataclass(frozen=True)
class Question:
    seq: int = 0
    data: str = ""  # the fingerprint of the ensemble whose objects are known
    placed: bool = False  # and whether their places on the map are
    order: str = ""
    orders: Spans = Spans()  # places whose row order is known
    runs: Mapping[str, Known] = field(default_factory=dict)
    shown: int | None = None
    playing: bool = False
    newest: bool = False  # playing as fast as it comes
    full: bool = False  # as many pictures are held as may be
    settled: int | None = None  # the place a person has come to rest at
    do: tuple[str, ...] = ()
    dial: Dial | None = None
    point: Pointed | None = None
    pin: Pointed | None = None
    why: Entry | None = None
    detail: Detail | None = None
    scene: str = ""  # the key of the scene that is known
    look: Mapping[str, str] | None = None  # what the link shall say of the view, as it stands in a query


@dataclass(frozen=True, eq=False)
class Answer:
    header: Mapping
    body: bytes

    def bytes(self) -> bytes:
        header = json.dumps(self.header, separators=(",", ":"), allow_nan=False).encode()
        return len(header).to_bytes(4, "little") + header + self.body


class Body:
    """The arrays of an answer while it is put together."""

    def __init__(self):
        self._parts: list[bytes] = []
        self.length = 0

    def place(self, data: bytes) -> list[int]:
        at = [self.length, len(data)]
        self._parts.append(data)
        self.length += len(data)
        return at

    def array(self, values, kind: str) -> dict:
        data = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
        return {"k": kind, "at": self.place(zlib.compress(data, 1))}

    def order(self, things: np.ndarray) -> dict:
        """A permutation, in the smallest numbers that hold it."""
        return self.array(things, "u2" if len(things) <= 2**16 else "i4")

    def content(self) -> bytes:
        return b"".join(self._parts)
