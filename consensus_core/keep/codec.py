"""Values as bytes and back, without anything that could run: a structure in JSON, and raw arrays behind it.

    mark        which form this is
    digest      of everything that follows: a flipped bit, a lost end is noticed before anything is believed
    sizes       of the structure, packed and unpacked
    structure   JSON (zlib): the value, and what each array is and where it lies
    arrays      each as it lies in memory, packed where that is worth it; equal arrays once

Numbers, texts, None, tuples, lists, dicts, NumPy arrays of plain types, SciPy's compressed matrices, and the classes
handed in (`types.py`) are known; nothing else is written or read. Names in the bytes are looked up among those classes
and never imported. What the bytes say of sizes is added up before memory is taken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ..method.cost import available_bytes
from .arrays import Arrays, Damaged, Unkeepable, inflated, packed
from .structure import Reader, Writer

MARK = b"quorum kept 2\n"
DIGEST = 16
HEADER = len(MARK) + DIGEST + 16
STRUCTURE_MOST = 32 << 20  # bytes of JSON: its values take some ten times as much memory
GENEROUS = 64 << 20  # bytes that may come out of however few
RATIO = 200  # real values stay far below this ratio of unpacked to packed, bombs far above

__all__ = ["Damaged", "Unkeepable", "decode", "encode"]


def encode(value: Any, types: Mapping[str, type]) -> bytes:
    """Unkeepable, with the place and the type, when there is something in it that is not known."""
    arrays = Arrays()
    structure = Writer(types, arrays).written(value)
    body = arrays.content(ratio=RATIO, generous=GENEROUS)
    text = json.dumps({"value": structure, "arrays": arrays.table}, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > STRUCTURE_MOST:
        raise Unkeepable(f"its structure takes {len(text):,} bytes, more than {STRUCTURE_MOST:,}")
    small = packed(text)
    sizes = len(small).to_bytes(8, "little") + len(text).to_bytes(8, "little")
    rest = b"".join([sizes, small, *body])
    return MARK + _digest(rest) + rest


def decode(content: bytes, types: Mapping[str, type], most: int | None = None) -> Any:
    """The value; Damaged where the bytes are anything else than what `encode` makes of these classes.

    `most`: bytes of arrays that may come out; by default what such a file may honestly hold and the machine has.
    """
    if most is None:
        most = min(max(GENEROUS, RATIO * len(content)), available_bytes())
    try:
        return _decoded(content, types, most)
    except Damaged:
        raise
    except Exception as fault:  # whatever strange bytes bring about is damage, and never the reader's end
        raise Damaged(f"{type(fault).__name__}: {fault}") from fault


def _decoded(content: bytes, types: Mapping[str, type], most: int) -> Any:
    content = memoryview(content)
    if bytes(content[: len(MARK)]) != MARK:
        raise Damaged("another form, or not ours at all")
    if len(content) < HEADER or _digest(content[len(MARK) + DIGEST :]) != bytes(content[len(MARK) :][:DIGEST]):
        raise Damaged("bytes were lost or changed")
    short, long = (int.from_bytes(content[HEADER - 16 + at : HEADER - 8 + at], "little") for at in (0, 8))
    if long > STRUCTURE_MOST or HEADER + short > len(content):
        raise Damaged("the structure is larger than any that is written")
    text = inflated(content[HEADER : HEADER + short], long)
    head = json.loads(text, parse_constant=_refused)
    arrays = Arrays.behind(content[HEADER + short :], head["arrays"], most)
    return Reader(types, arrays).read(head["value"])


def _digest(content) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


def _refused(constant: str):
    raise Damaged(f"{constant} in the structure")
