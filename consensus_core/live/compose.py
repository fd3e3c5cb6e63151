"""The answer to a question: only what the browser says it does not have yet. Composing changes nothing on the stage."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..data.naming import Naming
from ..drawing import palettes
from ..drawing.kinds import kind_of
from ..drawing.orders import member_of
from ..ensemble.truth import truth_codes
from ..method.quantities import AXES
from ..numbers import finite
from .crowd import CROWD
from .frames import frames
from .moment import Moment
from .pace import time_left
from .pair import PARTITION, Pair
from .pin import pointed_at, why
from .present import presented
from .protocol import Answer, Body, Question
from .run import LIVE, Run
from .stage import Stage, Stand, reach_of

FEW = 30  # objects up to which labels are written into a picture
HOLDS = 60 << 20  # bytes of pictures a browser may keep


def compose(stage: Stage, question: Question, hurry: bool = True) -> Answer:
    """`hurry`: somebody waits for it, and the pictures that take their time come with the next. Where something else is
    asked meanwhile, no more pictures are packed for this."""
    return _Composing(stage.as_it_is(), question, hurry, lambda: stage.question.seq > question.seq).answer()


class _Composing:
    def __init__(self, stage: Stage, question: Question, hurry: bool, overtaken: Callable[[], bool]):
        self.stage, self.question, self.body = stage, question, Body()
        self.hurry, self.overtaken = hurry, overtaken
        self.stands = stage.stands()  # once: runs go on while this is written
        self.reach = reach_of(self.stands)

    def answer(self) -> Answer:
        stage, asked = self.stage, self.question
        # first: scales are told as they are with what is sent
        pictures = frames(stage, asked, self.body, self.reach, self.hurry, self.overtaken)
        header = {
            "seq": asked.seq,
            "door": stage.door,
            "now": time.time() * 1000,
            "pace": CROWD.pace(len(LIVE), new=not asked.runs),
            "count": self.reach,
            "order": stage.sight.order,
            "standing": stage.sight.standing,
            "live": any(stand.live for stand in self.stands),
            "runs": [self._run(stand) for stand in self.stands],
            "pairs": [self._pair(pair) for pair in stage.pairs],
            **pictures,
        }
        scene = stage.scene
        header["scene"] = scene and scene.key
        if scene is not None and asked.scene != scene.key:
            header["staged"] = scene.said()
        if asked.data != stage.ensemble.fingerprint:
            header |= {"data": self._data(), "palette": _palette(), "look": dict(stage.asked), "holds": HOLDS}
            header["ways"] = dict(stage.ways)
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
            "labels": _label_names(ensemble),
            "ids": None if objects.ids is None else [str(name) for name in objects.ids],
            "member": self.body.array(member_of(ensemble), "i4"),
            "rows": self.body.array(ensemble.rows, "i2"),
            "truth": truth,
        }

    def _run(self, stand: Stand) -> dict:
        run, count = stand.run, stand.count
        known = self.question.runs.get(run.id)
        said = {
            "id": run.id,
            "state": stand.state,
            "live": stand.live,
            "count": count,
            "error": run.error,
            "left": time_left(run),
            "called": _called(self.stage.called.get(run.method)),
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
            {
                "name": q.name,
                "letter": q.letter,
                "meaning": q.meaning if q == PARTITION else "the second less the first",
                "card": kind_of(q).card,
                "axes": list(q.axes),
                "axisNames": [AXES[a].plural for a in q.axes],
            }
            for q in quantities
        ]
        scales = self._scales(pair, quantities)
        return {"id": pair.id, "one": pair.one.id, "other": pair.other.id, "pictures": pictures, "scales": scales}

    def _scales(self, part: Run | Pair, quantities) -> dict:
        scales = {}
        for quantity in quantities:
            scale = self.stage.sight.scale(part, quantity)
            if scale is not None:
                scales[quantity.name] = {"lo": scale.low, "hi": scale.high, "under": scale.under, "over": scale.over}
        return scales


def _called(clusters: Naming | None) -> dict | None:
    """What a person has named, coloured and merged; None where nothing was."""
    if not clusters:
        return None
    into = {label: clusters.place(label) for label, _ in clusters.merged}
    return {"names": dict(clusters.names), "colours": dict(clusters.colours), "into": into}


def _label_names(ensemble) -> list[list[str]] | None:
    """What base labels are called, where there is room to write them."""
    if ensemble.n > FEW:
        return None
    return [[ensemble.label_name(t, code) for code in range(int(k))] for t, k in enumerate(ensemble.k_each)]


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
        "because": seen.because,
        "answer": seen.answer,
        "remarks": list(seen.remarks),
    }


def _palette() -> dict:
    stops = {
        "sequential": palettes.SEQUENTIAL,
        "diverging": palettes.DIVERGING,
        "divergingDark": palettes.DIVERGING_DARK,
    }
    return {"stops": stops, "clusters": palettes.CLUSTERS}
