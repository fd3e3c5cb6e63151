"""Pictures for a browser: of the places it will look at soonest, those it does not have, as many as fit in one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ..data.naming import surely
from ..drawing.kinds import drawn
from ..drawing.owners import classes, owners
from ..ensemble.truth import truth_codes
from .film import Shot
from .pair import Pair
from .protocol import Body, Detail, Known, Question, Spans
from .run import Run
from .scene import Scene
from .sight import in_view, iteration
from .stage import Stage

MOST_BYTES = 900_000  # of pictures in one message: a few frames, so that the first is not kept waiting by the last
MOST_SECONDS = 0.06  # spent packing pictures nobody packed before
AHEAD = 12  # frames sent ahead of the one shown while it plays
LABELS = ""  # the name under which the labels of a place are sent


def frames(
    stage: Stage, question: Question, body: Body, reach: int, hurry: bool, overtaken: Callable[[], bool]
) -> dict:
    """Of the places below `reach`: row orders, labels and pictures, and the part in view at its own sharpness."""
    framing = _Framing(stage, question, body, reach, hurry, overtaken)
    return framing.said() | framing.details()


class _Framing:
    def __init__(
        self, stage: Stage, question: Question, body: Body, reach: int, hurry: bool, overtaken: Callable[[], bool]
    ):
        self.hurry = hurry  # somebody waits for the answer
        self.overtaken = overtaken  # it is waited for no longer
        self.stage, self.sight = stage, stage.sight
        self.question, self.body, self.reach = question, body, reach

    def said(self) -> dict:
        """What belongs to the places wanted most, as much as fits in a message; "more" says that others are waiting."""
        stage, asked = self.stage, self.question
        parts = (*(run for run in stage.runs if run.moments), *stage.pairs)
        visible = {part.id: list(self._in_view(part)) for part in parts}
        if not stage.objects.placed:
            return {"orders": [], "frames": [], "more": self.reach > 0, "visible": visible}
        same_order = asked.order == self.sight.standing
        self.orders, self.frames, self.sent = [], [], {}
        self.began, self.start = time.perf_counter(), self.body.length
        more = False
        fresh = not any(run.id in asked.runs for run in stage.runs)
        for at in dict.fromkeys((*self._begun_with(), *_wanted(self.reach, asked, fresh))):
            # of what a moved dial has brought the first picture is worth more than the others
            more = not self._place(at, parts, visible, same_order) or (asked.dial is not None and bool(self.frames))
            if more:
                break
        return {"orders": self.orders, "frames": self.frames, "more": more, "visible": visible}

    def _in_view(self, part: Run | Pair) -> tuple[str, ...]:
        """What is on the screen of who asks; or will be, where another scene begins."""
        scene = self._new_scene
        if scene is None or not scene.show:
            return in_view(part, self.question)
        if isinstance(part, Pair) and "difference" not in scene.show:
            return ()
        quantities = drawn(part.method) if isinstance(part, Run) else part.quantities()
        wanted = {name.partition("~")[0] for name in scene.show}
        further = [also for one in quantities for also in one.also if f"{one.name}~{also.card}" in scene.show]
        wanted |= {name for also in further for name in also.others}
        return tuple(quantity.name for quantity in quantities if quantity.name in wanted)

    def _begun_with(self) -> tuple[int, ...]:
        """The place at which another scene begins."""
        scene, last = self._new_scene, self.reach - 1
        return () if scene is None or last < 0 else (last if scene.at < 0 else min(scene.at, last),)

    @property
    def _new_scene(self) -> Scene | None:
        scene = self.stage.scene
        return scene if scene is not None and scene.key != self.question.scene else None

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
        if self.overtaken():
            return True
        if not self.frames:
            return False
        late = (
            self.hurry
            and time.perf_counter() - self.began > MOST_SECONDS
            and not self.sight.drawn_already(part, name, at)
        )
        return late or self.body.length - self.start > MOST_BYTES

    def _order(self, at: int, held: Spans) -> None:
        if at in held or any(order["i"] == at for order in self.orders):
            return
        first = self.sight.same_order_since(at)
        if first != at and (first in held or any(order["i"] == first for order in self.orders)):
            self.orders.append({"i": at, "of": first})
            return
        arranged = self.sight.arrangement(at)
        rows, columns = self.body.order(arranged.rows), self.body.order(arranged.columns)
        self.orders.append({"i": at, "rows": rows, "columns": columns})

    def _labels(self, run: Run, at: int, held: Spans) -> None:
        """Who is in which cluster at a place, how surely, and the colours that follow."""
        if at in held:
            return
        seen_at = iteration(run, at)
        first = self.sight.same_labels_since(run, seen_at)
        frame = {"u": run.id, "n": LABELS, "i": at}
        if first != at and (first in held or (run.id, LABELS, first) in self.sent):
            self.frames.append({**frame, "k": "same", "of": first})
            return
        seen, ensemble, body = run.moments[seen_at], self.stage.ensemble, self.body
        certainty, second = seen.certainty, seen.second
        clusters = self.stage.called.get(run.method)
        if clusters and clusters.merged:  # as the table of labels has it: one number
            _, _, second, certainty = surely(ensemble, clusters.applied(seen.labels))
        self.sent[run.id, LABELS, at] = True
        frame |= {
            "k": "labels",
            "labels": body.array(seen.labels, "i2"),
            "sure": body.array(certainty, "f4"),
            "second": body.array(second, "i2"),
            "owners": body.array(owners(ensemble, seen.labels), "i2"),
        }
        if ensemble.truth is not None:
            codes, names = truth_codes(ensemble)
            frame["classes"] = classes(codes, ensemble.expand(seen.labels), len(names)).tolist()
        self.frames.append(frame)

    def _picture(self, part: Run | Pair, name: str, at: int, held: Spans) -> None:
        shot: Shot = self.sight.shot(part, name, at)
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

    def details(self) -> dict:
        """Zoomed in: the part in view at its own sharpness."""
        wanted: Detail | None = self.question.detail
        if wanted is None or wanted.at >= self.reach or self.question.order != self.sight.standing:
            return {}
        r0, r1, c0, c1 = (min(at, self.stage.ensemble.n) for at in wanted.window)
        if r1 - r0 < 1 or c1 - c0 < 1:
            return {}
        frames = []
        for run in self.stage.runs:
            for name in wanted.see.get(run.id, ()):
                picture = self.sight.detail(run, name, wanted.at, ((r0, r1), (c0, c1)))
                if picture is not None:
                    frame = {"u": run.id, "n": name, "i": wanted.at, **self._packed(picture)}
                    frames.append({**frame, "window": [r0, r1, c0, c1], "order": self.sight.standing})
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
