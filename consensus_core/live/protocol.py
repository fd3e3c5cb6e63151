"""What goes to the browser: a header in JSON, then packed arrays. Only what the browser says it does not have yet.

4 bytes   length of the header, little-endian
header    facts, and for each array where its bytes lie behind the header
arrays    zlib
"""

from __future__ import annotations

import json
import math
import time
import zlib
from collections.abc import Iterator

import numpy as np

from ..drawing.orders import member_of
from ..drawing.places import map_of
from .film import Film, Numbers, drawn
from .moment import truth_codes
from .present import presented

MOST_BYTES = 900_000  # of pictures in one message: a few frames, so that the first is not kept waiting by the last
MOST_SECONDS = 0.06  # spent packing pictures nobody packed before
AHEAD = 12  # frames sent ahead of the one shown while it plays
HOLDS = 60 << 20  # bytes of pictures the browser keeps


class Message:
    def __init__(self):
        self.header: dict = {}
        self._parts: list[bytes] = []
        self.length = 0

    def place(self, data: bytes) -> list[int]:
        at = [self.length, len(data)]
        self._parts.append(data)
        self.length += len(data)
        return at

    def array(self, values, kind: str, packed: bool = True) -> dict:
        data = np.ascontiguousarray(values, dtype=np.dtype(kind).newbyteorder("<")).tobytes()
        return {"k": kind, "at": self.place(zlib.compress(data, 1) if packed else data)}

    def bytes(self) -> bytes:
        header = json.dumps(self.header, separators=(",", ":"), allow_nan=False).encode()
        return len(header).to_bytes(4, "little") + header + b"".join(self._parts)


def compose(run, film: Film, ask: dict, order: str, extras: dict) -> Message:
    """`ask` is what the browser last said: what it has, what it shows, what is pointed at."""
    message = Message()
    mine = ask.get("run") == run.id
    count = len(run.moments)
    message.header.update(
        run=run.id,
        state=run.state,
        live=run.live,
        count=count,
        order=order,
        error=run.error,
        now=time.time() * 1000,
        **extras,
    )
    if ask.get("data") != film.ensemble.fingerprint:
        message.header["data"] = None  # filled by the caller, who knows names and features
    if not mine:
        message.header["about"] = presented(run.method, film.ensemble)
    _moments(message, run, ask if mine else {})
    known = mine and ask.get("order") == order
    _pictures(message, run, film, ask if known else {**ask, "have": {}, "fresh": True}, order)
    if known:
        _details(message, run, film, ask, order)
    return message


def describe(message: Message, dataset, film: Film) -> None:
    """Everything about the objects that does not change from run to run."""
    ensemble = dataset.ensemble
    truth = None
    if ensemble.truth is not None:
        codes, names = truth_codes(ensemble)
        truth = {"codes": message.array(codes, "i2"), "names": names}
    message.header["data"] = {
        "id": ensemble.fingerprint,
        "title": dataset.title,
        "n": ensemble.n,
        "q": ensemble.q,
        "m": ensemble.m,
        "names": list(ensemble.names),
        "ids": None if dataset.ids is None else [str(name) for name in dataset.ids],
        "member": message.array(member_of(ensemble), "i4"),
        "rank": message.array(film.rank, "i4"),
        "rows": message.array(ensemble.rows, "i2"),
        "map": message.array(map_of(ensemble, dataset.features), "f4"),
        "mapping": _mapping(dataset),
        "truth": truth,
    }


def _mapping(dataset) -> str:
    if dataset.features is None:
        return "Objects that the base clusterings treat alike lie close (correspondence analysis of the ensemble)."
    p = dataset.features.shape[1]
    return "The two features of the data." if p == 2 else f"The {p} features, by their two principal components."


def _moments(message: Message, run, ask: dict) -> None:
    """One row of numbers per iteration the browser has not heard of."""
    rows = []
    for seen in run.moments[int(ask.get("rows", 0)) : len(run.moments)]:
        rows.append(
            {
                "i": seen.iteration,
                "t": seen.at * 1000,
                "f": _number(seen.objective),
                "terms": {name: _number(value) for name, value in seen.terms.items()},
                "scalars": {name: _number(value) for name, value in seen.scalars.items()},
                "scores": {name: _number(value) for name, value in seen.scores.items()},
                "found": seen.found,
                "stage": seen.stage,
                "stop": seen.stop,
                "remarks": list(seen.remarks),
                "labels": message.array(seen.labels, "i2", packed=False),
                "sure": message.array(np.round(seen.certainty * 254), "u1", packed=False),
                "second": message.array(seen.second, "i2", packed=False),
            }
        )
    message.header["rows"] = rows


def _pictures(message: Message, run, film: Film, ask: dict, order: str) -> None:
    """The frames wanted most, as many as fit in a message; "more" says that others are waiting."""
    names = [q.name for q in drawn(run.method)]
    visible = [name for name in ask.get("names") or names[:4] if name in names]
    run.watched = tuple(visible)
    have = {name: _spans(text) for name, text in (ask.get("have") or {}).items()}
    frames, more, sent = [], False, {}
    began, start = time.perf_counter(), message.length
    for iteration in dict.fromkeys(_wanted(len(run.moments), ask)):
        for name in visible:
            if any(a <= iteration <= b for a, b in have.get(name, ())):
                continue
            spent = time.perf_counter() - began > MOST_SECONDS and not film.has(run, name, iteration, order)
            if frames and (message.length - start > MOST_BYTES or spent):
                more = True
                break
            picture = run.picture(name, iteration, order)
            twin, _ = sent.get((name, id(picture)), (None, None))
            if picture is None or twin is None:
                frames.append(_framed(message, name, iteration, picture))
                sent[name, id(picture)] = iteration, picture
            else:
                frames.append({"n": name, "i": iteration, "k": "same", "of": twin})
        if more:
            break
    message.header.update(frames=frames, more=more, visible=visible)


def _wanted(count: int, ask: dict) -> Iterator[int]:
    """Iterations by how soon they will be looked at."""
    if not count:
        return
    last = count - 1
    shown = last if ask.get("fresh") and ask.get("shown") is None else min(int(ask.get("shown") or 0), last)
    if ask.get("newest"):  # playing as fast as it comes: the latest counts, what it overtook can wait
        yield last
        if ask.get("mode") == "play":
            return
    yield from range(shown, min(shown + AHEAD, count))
    if ask.get("mode") == "play" or ask.get("full"):
        return
    yield last
    yield from range(shown - 1, max(shown - AHEAD, -1), -1)
    yield from range(count)


def _details(message: Message, run, film: Film, ask: dict, order: str) -> None:
    """Zoomed in: the part in view at its own sharpness."""
    wanted = ask.get("detail")
    if not wanted or wanted["i"] >= len(run.moments):
        return
    r0, r1, c0, c1 = (min(max(int(at), 0), film.ensemble.n) for at in wanted["window"])
    if r1 - r0 < 1 or c1 - c0 < 1:
        return
    frames = []
    for name in wanted["names"]:
        picture = film.detail(run, name, wanted["i"], order, ((r0, r1), (c0, c1)))
        if picture is not None:
            frame = _framed(message, name, wanted["i"], picture)
            frames.append({**frame, "window": [r0, r1, c0, c1], "run": run.id, "order": order})
    message.header.update(details=frames, detailed=wanted["key"])


def _framed(message: Message, name: str, iteration: int, picture) -> dict:
    if picture is None:
        return {"n": name, "i": iteration, "k": "none"}
    frame = {"n": name, "i": iteration, "r": picture.rows, "c": picture.cols, "lo": picture.low, "hi": picture.high}
    kind = picture.kind if isinstance(picture, Numbers) else "u1"
    return {**frame, "k": kind, "log": getattr(picture, "log", False), "at": message.place(picture.data)}


def _spans(text: str) -> list[tuple[int, int]]:
    """ "0-37,40" -> [(0, 37), (40, 40)]"""
    spans = []
    for part in filter(None, text.split(",")):
        a, _, b = part.partition("-")
        spans.append((int(a), int(b or a)))
    return spans


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


__all__ = ["Message", "compose", "describe"]
