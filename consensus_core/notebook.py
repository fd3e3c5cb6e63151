"""The live view in a notebook: the same view as on the Watch page, answered by the notebook's own kernel.

from consensus_core.notebook import watch

watch(SPCE(k=7), ensemble)                        # play, scrub, point, pin, ask why
watch([SPCE(k=7), ECCMS(k=7)], ensemble)          # two under one transport, and where they differ
watch(SPCE(k=7), data)                            # a Data from `build`: with ids and features

Needs anywidget: python -m pip install 'quorum-consensus[notebook]'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .data import Data
from .ensemble import Ensemble
from .errors import InputError
from .live.compose import compose
from .live.objects import Objects
from .live.pack import packed, style
from .live.parse import parsed
from .live.protocol import NotAQuestion
from .live.stage import Stage
from .method import Method, Step
from .method.loop import check

FRAME = 0.05  # seconds an answer waits for a frame that is about to come


def watch(method: Method | Sequence[Method], ensemble: Ensemble | Data, ids=None, features=None, title: str = ""):
    """A widget to be shown by a cell. `widget.stage` has the runs; `widget.step` the step that is looked at."""
    methods = [method] if hasattr(method, "init") else list(method)
    if isinstance(ensemble, Data):
        data, ensemble = ensemble, ensemble.ensemble
        ids, features, title = data.ids if ids is None else ids, data.features if features is None else features, title
        title = title or data.title
    if not methods:
        raise InputError("There is nothing to watch: give a method, like watch(SPCE(k=7), ensemble).")
    for each in methods:
        check(each, ensemble)
    objects = Objects(ensemble, title or f"{ensemble.n:,} objects", ids, features, methods[0].k)
    return _widget()(objects, methods)


@cache
def _widget():
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise InputError(
            "The live view in a notebook needs anywidget: python -m pip install 'quorum-consensus[notebook]' brings it."
        ) from None

    class Watch(anywidget.AnyWidget):
        _esm = packed("hosts/notebook.js")
        looks = traitlets.Unicode(style()).tag(sync=True)

        def __init__(self, objects: Objects, methods: Sequence[Method]):
            super().__init__()
            self.stage = Stage(objects)
            self.stage.follow(methods)
            self.on_msg(self._asked)

        @property
        def step(self) -> Step:
            """The step of the first run that is looked at: where one has come to rest, or as far as it is."""
            run = self.stage.run
            run.wait_beyond(0, 5.0)
            at = self.stage.rests_at
            return run.at(len(run.moments) - 1 if at is None else min(at, len(run.moments) - 1))

        def _asked(self, _, content, buffers) -> None:
            if not isinstance(content, dict) or "ask" not in content:
                return
            try:
                question = parsed(content.get("question") or {})
            except NotAQuestion:
                self.send({"answer": content["ask"]})
                return
            stage = self.stage
            if question.runs or question.dial:
                stage.hear(question)
            stage.touch()
            if stage.live:
                stage.run.wait_beyond(len(stage.run.moments), FRAME)
            self.send({"answer": content["ask"]}, buffers=[compose(stage, question).bytes()])
            stage.begin_waiting()

        def close(self) -> None:
            self.stage.leave()
            super().close()

    return Watch
