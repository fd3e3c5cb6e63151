"""The door for what is asked past Streamlit: a small, timely piece of JSON from a page of ours, or no answer at all.

The session's unguessable door stands in a header, which a foreign page cannot send without being asked first whether it
may; it is looked at before a byte of the body is read.
"""

from __future__ import annotations

import asyncio
import collections
import json
import math
from typing import Any

from starlette.requests import ClientDisconnect, Request

HEADER = "x-quorum-door"
LARGEST = 256 << 10  # bytes of a question
DEADLINE = 10.0  # seconds for its body to arrive
TOGETHER = 4  # questions of one door that may wait for their answers
_WAITING: collections.Counter[str] = collections.Counter()


class Refused(Exception):
    def __init__(self, status: int):
        super().__init__(status)
        self.status = status


def at_the_door(request: Request) -> str:
    """Who asks, by the headers alone."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused(415)
    length = request.headers.get("content-length")
    if length is not None and (not length.isascii() or not length.isdigit() or len(length) > 9):
        raise Refused(413 if length.isdigit() else 400)
    if length is not None and int(length) > LARGEST:
        raise Refused(413)
    return request.headers.get(HEADER, "")


class Waiting:
    """A place among those who wait at a door; `async with` so many of them at once and no more."""

    def __init__(self, door: str):
        self._door = door

    async def __aenter__(self) -> None:
        if _WAITING[self._door] >= TOGETHER:
            raise Refused(429)
        _WAITING[self._door] += 1

    async def __aexit__(self, *_) -> None:
        _WAITING[self._door] -= 1
        if not _WAITING[self._door]:
            del _WAITING[self._door]


async def question(request: Request) -> dict[str, Any]:
    """What is asked; Refused when it is too much, too slow, or no question."""
    try:
        async with asyncio.timeout(DEADLINE):
            body = bytearray()
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST:
                    raise Refused(413)
    except TimeoutError:
        raise Refused(408) from None
    except ClientDisconnect:
        raise Refused(400) from None
    try:
        said = json.loads(body, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Refused(400) from None
    if not isinstance(said, dict):
        raise Refused(400)
    return said


def _no_number(constant: str):
    raise ValueError(f"{constant} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number without end")
    return number
