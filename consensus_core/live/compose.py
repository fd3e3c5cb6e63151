"""The answer to a question: only what the browser says it does not have yet. Composing changes nothing on the stage."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ..drawing import palettes
from ..drawing.orders import member_of
from ..drawing.owners import classes, owners
from ..ensemble.truth import truth_codes
from ..numbers import finite
from .film import Shot
from .moment import Moment
from .pace import time_left
from .pin import pointed_at, why
from .present import AXES, presented
from .protocol import Answer, Body, Detail, Known, Question, Spans
from .run import LIVE, Run
from .stage import Pair, Stage

MOST_BYTES = 900_000  # of pictures in one message: a few frames, so that the first is not kept waiting by the last
MOST_SECONDS = 0.06  # spent packing pictures nobody packed before
AHEAD = 12  # frames sent ahead of the one shown while it plays
HOLDS = 60 << 20  # bytes of pictures a browser may keep
LABELS = ""  # the name under which the labels of a place are sent


def compose(stage: Stage, question: Question) -> Answer:
    return _Composing(stage, question).answer()


def pace() -> int:
    """Milliseconds between two questions while a run is live: fewer when many are watching."""
    return max(30, 25 * len(LIVE))


class _Composing:
    def __init__(self, stage: Stage, question: Question):
        self.stage, self.question, self.body = stage, question, Body()
        self.reach = stage.reach  # once: runs go on while this is written

    def answer(self) -> Answer:
        stage, asked = self.stage, self.question
        pictures = self._frames() | self._details()  # first: scales are told as they are with what is sent here
        header = {
            "seq": asked.seq,
            "door": stage.door,
            "now": time.time() * 1000,
            "pace": pace(),
            "count": self.reach,
            "order": stage.order,
            "standing": stage.standing,
            "live": stage.live,
            "runs": [self._run(run) for run in stage.runs],
            "pairs": [self._pair(pair) for pair in stage.pairs],
            **pictures,
        }
        if asked.data != stage.ensemble.fingerprint:
            header |= {"data": self._data(), "palette": _palette(), "look": dict(stage.asked), "holds": HOLDS}
        if stage.objects.placed and (not asked.placed or "data" in header):
            header["placed"] = {
                "map": self.body.array(stage.objects.places().xy, "f4"),
                "mapping": stage.objects.mapping,
            }
        for name, pointed in (("pinned", asked.pin), ("pointed", asked.point)):
            if pointed is not None:
                header[name] = pointed_at(stage, pointed)
        if asked.why is not None:
            header["why"] = why(stage, asked.why)
        return Answer(header, self.body.content())

    # --- facts -----------------------------------------------------------------------------------------------

    def _data(self) -> dict:
        objects, ensemble = self.stage.objects, self.stage.ensemble
        truth = None
        if ensemble.truth is not None:
            codes, names = truth_codes(ensemble)
            truth = {"codes": self.body.array(codes, "i2"), "names": names}
        return {
            "id": ensemble.fingerprint,
            "title": objects.title,
            "n": ensemble.n,
            "q": ensemble.q,
            "m": ensemble.m,
            "names": list(ensemble.names),
            "k": [int(k) for k in ensemble.k_each],
            "ids": None if objects.ids is None else [str(name) for name in objects.ids],
            "member": self.body.array(member_of(ensemble), "i4"),
            "rows": self.body.array(ensemble.rows, "i2"),
            "truth": truth,
        }

    def _run(self, run: Run) -> dict:
        known = self.question.runs.get(run.id)
        count = len(run.moments)
        said = {
            "id": run.id,
            "state": run.state,
            "live": run.live,
            "count": count,
            "error": run.error,
            "left": time_left(run),
            "rows": [_row(seen) for seen in run.moments[known.rows if known else 0 : count]],
            "scales": self._scales(run, run.method.quantities()),
        }
        if known is None:
            said["about"] = presented(run.method, self.stage.ensemble, self.stage.objects.k)
            said["ghosts"] = [
                ghost.said(run.method) for ghost in self.stage.ghosts if type(ghost.method) is type(run.method)
            ]
        return said

    def _pair(self, pair: Pair) -> dict:
        quantities = pair.quantities()
        pictures = [
            {"name": q.name, "letter": q.letter, "axes": list(q.axes), "axisNames": [AXES.get(a, a) for a in q.axes]}
            for q in quantities
        ]
        scales = self._scales(pair, quantities)
        return {"id": pair.id, "one": pair.one.id, "other": pair.other.id, "pictures": pictures, "scales": scales}

    def _scales(self, part: Run | Pair, quantities) -> dict:
        scales = {}
        for quantity in quantities:
            scale = self.stage.scale(part, quantity)
            if scale is not None:
                scales[quantity.name] = {"lo": scale.low, "hi": scale.high, "under": scale.under, "over": scale.over}
        return scales

    # --- pictures --------------------------------------------------------------------------------------------

    def _frames(self) -> dict:
        """What belongs to the places wanted most, as much as fits in a message; "more" says that others are waiting."""
        stage, asked = self.stage, self.question
        parts = (*(run for run in stage.runs if run.moments), *stage.pairs)
        visible = {part.id: list(stage.in_view(part, asked)) for part in parts}
        if not stage.objects.placed:
            return {"orders": [], "frames": [], "more": self.reach > 0, "visible": visible}
        same_order = asked.order == stage.standing
        self.orders, self.frames, self.sent = [], [], {}
        self.began, self.start = time.perf_counter(), self.body.length
        more = False
        for at in dict.fromkeys(_wanted(self.reach, asked, fresh=not any(run.id in asked.runs for run in stage.runs))):
            if not self._place(at, parts, visible, same_order):
                more = True
                break
        return {"orders": self.orders, "frames": self.frames, "more": more, "visible": visible}

    def _place(self, at: int, parts, visible, same_order: bool) -> bool:
        """Everything of one place that is not known yet; False where the message is full."""
        self._order(at, self.question.orders if same_order else Spans())
        for part in parts:
            known = self.question.runs.get(part.id) or Known()
            have = known.have if same_order else {LABELS: known.have.get(LABELS, Spans())}
            if isinstance(part, Run):
                self._labels(part, at, have.get(LABELS, Spans()))
            for name in visible[part.id]:
                held = have.get(name, Spans())
                if at in held:
                    continue
                if self._full(part, name, at):
                    return False
                self._picture(part, name, at, held)
        return True

    def _full(self, part, name: str, at: int) -> bool:
        if not self.frames:
            return False
        late = time.perf_counter() - self.began > MOST_SECONDS and not self.stage.drawn_already(part, name, at)
        return late or self.body.length - self.start > MOST_BYTES

    def _order(self, at: int, held: Spans) -> None:
        if at in held or any(order["i"] == at for order in self.orders):
            return
        first = self.stage.same_order_since(at)
        if first != at and (first in held or any(order["i"] == first for order in self.orders)):
            self.orders.append({"i": at, "of": first})
            return
        arranged = self.stage.arrangement(at)
        rows, columns = self.body.order(arranged.rows), self.body.order(arranged.columns)
        self.orders.append({"i": at, "rows": rows, "columns": columns})

    def _labels(self, run: Run, at: int, held: Spans) -> None:
        """Who is in which cluster at a place, how surely, and the colours that follow."""
        if at in held:
            return
        iteration = self.stage.iteration(run, at)
        first = self.stage.same_labels_since(run, iteration)
        frame = {"u": run.id, "n": LABELS, "i": at}
        if first != at and (first in held or (run.id, LABELS, first) in self.sent):
            self.frames.append({**frame, "k": "same", "of": first})
            return
        seen, ensemble, body = run.moments[iteration], self.stage.ensemble, self.body
        self.sent[run.id, LABELS, at] = True
        frame |= {
            "k": "labels",
            "labels": body.array(seen.labels, "i2"),
            "sure": body.array(seen.certainty, "f4"),
            "second": body.array(seen.second, "i2"),
            "owners": body.array(owners(ensemble, seen.labels), "i2"),
        }
        if ensemble.truth is not None:
            codes, names = truth_codes(ensemble)
            frame["classes"] = classes(codes, ensemble.expand(seen.labels), len(names)).tolist()
        self.frames.append(frame)

    def _picture(self, part: Run | Pair, name: str, at: int, held: Spans) -> None:
        shot: Shot = self.stage.shot(part, name, at)
        frame, picture = {"u": part.id, "n": name, "i": at}, shot.picture
        if picture is None:
            self.frames.append({**frame, "k": "none"})
            return
        twin = self.sent.get((part.id, name, id(picture)), shot.first if shot.first in held else None)
        if twin is not None:
            self.frames.append({**frame, "k": "same", "of": twin})
            return
        self.sent[part.id, name, id(picture)] = at
        self.frames.append({**frame, **self._packed(picture)})

    def _packed(self, picture) -> dict:
        frame = {"k": picture.kind, "r": picture.rows, "c": picture.cols, "lo": picture.low, "hi": picture.high}
        if picture.inner != (picture.low, picture.high):
            frame["inner"] = list(picture.inner)
        if getattr(picture, "dims", 0):
            frame["dims"] = picture.dims
        if getattr(picture, "colours", None) is not None:
            frame["colours"] = self.body.array(picture.colours, "i2")
        return {**frame, "log": picture.log, "at": self.body.place(picture.data)}

    def _details(self) -> dict:
        """Zoomed in: the part in view at its own sharpness."""
        wanted: Detail | None = self.question.detail
        if wanted is None or wanted.at >= self.reach or self.question.order != self.stage.standing:
            return {}
        r0, r1, c0, c1 = (min(at, self.stage.ensemble.n) for at in wanted.window)
        if r1 - r0 < 1 or c1 - c0 < 1:
            return {}
        frames = []
        for run in self.stage.runs:
            for name in wanted.see.get(run.id, ()):
                picture = self.stage.detail(run, name, wanted.at, ((r0, r1), (c0, c1)))
                if picture is not None:
                    frame = {"u": run.id, "n": name, "i": wanted.at, **self._packed(picture)}
                    frames.append({**frame, "window": [r0, r1, c0, c1], "order": self.stage.standing})
        return {"details": frames, "detailed": wanted.key}


def _wanted(count: int, asked: Question, fresh: bool) -> Iterator[int]:
    """Places by how soon they will be looked at."""
    if not count:
        return
    last = count - 1
    shown = last if asked.shown is None and fresh else min(asked.shown or 0, last)
    if asked.newest:  # playing as fast as it comes: the latest counts, what it overtook can wait
        yield last
        if asked.playing:
            return
    yield from range(shown, min(shown + AHEAD, count))
    if asked.playing or asked.full:
        return
    yield last
    yield from range(shown - 1, max(shown - AHEAD, -1), -1)
    yield from range(count)


def _row(seen: Moment) -> dict:
    """The numbers of one iteration."""
    return {
        "i": seen.iteration,
        "t": seen.at * 1000,
        "f": finite(seen.objective),
        "terms": {name: finite(value) for name, value in seen.terms.items()},
        "scalars": {name: finite(value) for name, value in seen.scalars.items()},
        "scores": {name: finite(value) for name, value in seen.scores.items()},
        "found": seen.found,
        "stage": seen.stage,
        "stop": seen.stop,
        "remarks": list(seen.remarks),
    }


def _palette() -> dict:
    stops = {
        "sequential": palettes.SEQUENTIAL,
        "diverging": palettes.DIVERGING,
        "divergingDark": palettes.DIVERGING_DARK,
    }
    return {"stops": stops, "clusters": palettes.CLUSTERS}
