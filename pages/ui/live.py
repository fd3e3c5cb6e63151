"""The live view in the page: mounts the component, takes what the browser asks to the stage, and its answer back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import streamlit as st

from consensus_core import Method
from consensus_core.live.compose import compose
from consensus_core.live.crowd import CROWD
from consensus_core.live.keeper import Keeping
from consensus_core.live.objects import Objects
from consensus_core.live.pack import packed, style
from consensus_core.live.parse import parsed
from consensus_core.live.protocol import Answer, NotAQuestion, Question
from consensus_core.live.run import Run
from consensus_core.live.scene import Scene
from consensus_core.live.stage import Stage

from .naming import naming_of
from .pieces import alone, piece
from .session import Dataset, Session, session, session_behind
from .visitor import desk, keeping, store

PATIENCE = 0.05  # seconds an answer waits for a frame that is about to come
FIRST = 0.25  # and the very first one of a run
LET_OUT = 0.03
LOOK = ("pin", "zoom", "contrast", "big")  # what a link may say of the view itself

_component = st.components.v2.component(
    "quorum_live", html='<div class="quorum"></div>', css=style(), js=packed("hosts/streamlit.js")
)


def follow(methods: Sequence[Method], page: str = "watch") -> Run:
    """The runs of these methods on the session's data: those on screen, or new ones that start at once."""
    mine = session()
    stage, before = _stage(mine, mine.dataset, page, keeping()), mine.run
    stage.follow(methods)
    mine.followed = time.monotonic()
    stage.dialled.clear()  # the page's own widgets say it now
    stage.turned.clear()
    stage.called = {method: naming_of(method) for method in methods}
    if before is not None and before is not mine.run:
        st.query_params.pop("it", None)  # it spoke of that run
    return mine.run


def follow_scene(methods: Sequence[Method], dataset: Dataset, scene: Scene, page: str) -> Stage:
    """Runs that are looked at as a page says, on data of its own; they are not kept."""
    stage = _stage(session(), dataset, page, kept=False)
    stage.scene = scene
    stage.follow(methods)
    return stage


def _stage(mine: Session, dataset: Dataset, page: str, kept: bool) -> Stage:
    """The page's own stage: that of another page waits aside, with its runs."""
    objects = _objects(dataset)
    if mine.page != page:
        if mine.stage is not None:
            mine.aside[mine.page] = mine.stage
        mine.page, mine.stage = page, mine.aside.pop(page, None)
        if mine.stage is not None:
            mine.stage.question = Question()  # nothing of it is on the screen
    if mine.stage is None or mine.stage.objects is not objects:
        if mine.stage is not None:
            mine.stage.leave()
        mine.stage = Stage(objects, desk(), Keeping(store(), desk(), dataset.key) if kept else None, mine.door)
        mine.stage.ways = {"equation": "./methods?method={method}&eq={name}"}
    return mine.stage


@lru_cache(maxsize=16)
def _objects(dataset: Dataset) -> Objects:
    """One for all who look at the same data: what takes long about them is computed once."""
    return Objects(dataset.ensemble, dataset.title, dataset.ids, dataset.features, dataset.k)


@piece
def live_view(order: str, tell: Callable[[Session], None] | None = None) -> None:
    """`tell`: what the page wants to know after each question, where it is not what Watch wants to know."""
    mine = session()
    stage = mine.stage
    if stage is not None:
        stage.touch()
    if stage is None or not stage.runs:  # nobody was here for a while, and what was held was let go
        st.rerun()
    stage.sight.order = order
    _presence(mine)
    asked = stage.question
    if not asked.runs:
        stage.asked = {name: st.query_params[name] for name in ("it", *LOOK) if name in st.query_params}
    _link(stage)
    if not CROWD.at_the_door:  # runs stand aside then
        _wait(stage, asked)
    _component(key="live", data=compose(stage, asked).bytes(), on_ask_change=_heard)
    stage.begin_waiting()
    CROWD.opened(stage.door)
    if not alone():
        # A question that waits for this script to end begins by throwing away what was not sent yet; the browser would
        # then take the view for gone and make it anew. So what was just written is let out first.
        time.sleep(LET_OUT)
        CROWD.rest()
    (tell or _tell_the_page)(mine)


def _wait(stage: Stage, asked: Question) -> None:
    until = time.monotonic() + patience(stage, asked)
    while awaited(stage, asked) and time.monotonic() < until:
        stage.run.wait_beyond(len(stage.run.moments), until - time.monotonic())


def patience(stage: Stage, asked: Question) -> float:
    return PATIENCE if _heard_of(stage, asked) else FIRST


def awaited(stage: Stage, asked: Question) -> bool:
    """Whether an answer is worth waiting a moment for."""
    return stage.going and stage.reach <= _heard_of(stage, asked)


def _heard_of(stage: Stage, asked: Question) -> int:
    """How many places the browser knows."""
    known = {run.id: asked.runs[run.id].rows if run.id in asked.runs else 0 for run in stage.runs}
    under_way = [known[run.id] for run in stage.runs if not run.stopped]
    return min(under_way) if under_way else max(known.values(), default=0)


def heard_aside(door: str, asked: Question) -> Stage | None:
    """The stage of whoever knows its door, which has heard the question on a way past the script and the page.

    None where the script has to have its say: other data, or a visitor who is not here.
    """
    mine = session_behind(door)
    stage = mine and mine.stage
    if stage is None or mine.between:
        return None
    stage.linger()  # before the look at what there is: from here on nothing is let go
    if not stage.runs or asked.data != stage.ensemble.fingerprint:
        return None
    stage.hear(asked)
    stage.linger()  # a dial moved in the view has brought another run
    return stage


def answer_aside(stage: Stage, asked: Question) -> Answer:
    began = time.thread_time()
    answer = compose(stage, asked)
    CROWD.answered(stage.door, time.thread_time() - began)
    stage.begin_waiting()
    return answer


def _tell_the_page(mine: Session) -> None:
    """What stands around the view is drawn anew when the run stops, another iteration is settled on, or a dial was
    moved in the view."""
    stage = mine.stage
    stands = (stage.run.id, stage.run.state, stage.shown)
    news = not stage.going and stands != mine.stands
    if news:
        mine.stands = stands
    if stage.turned or (news and alone()):  # else what is below is about to be drawn
        st.rerun()


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda mine: mine.orphan())
def _presence(_mine: Session) -> Session:
    """Released when the browser's connection closes: its runs then end soon, unless the browser is back before."""
    return _mine


def _link(stage: Stage) -> None:
    """What is looked at becomes part of the link; the end of a run needs no mention."""
    asked = stage.question
    if not any(run.id in asked.runs for run in stage.runs) or asked.scene != (stage.scene.key if stage.scene else ""):
        return
    if asked.settled is not None:
        at_end = stage.stopped and asked.settled >= stage.reach - 1
        _write("it", "" if at_end else str(asked.settled))
    for name in LOOK if asked.look is not None else ():
        _write(name, asked.look.get(name, ""))


def _write(name: str, value: str) -> None:
    if value and st.query_params.get(name) != value:
        st.query_params[name] = value
    elif not value:
        st.query_params.pop(name, None)


def _heard() -> None:
    """The browser asks through the page; the fragment that follows answers."""
    mine = session()
    try:
        asked = parsed(st.session_state["live"].get("ask") or {})
        if mine.stage is not None and mine.stage.runs:
            mine.stage.hear(asked)
    except NotAQuestion:
        return
