"""The live view: mounts the component, hears what the browser asks, and answers with what it lacks."""

from __future__ import annotations

import json
import time
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import consensus_core.live as live_room
from consensus_core import Ensemble, Method
from consensus_core.drawing import palettes
from consensus_core.live.film import Film, drawn
from consensus_core.live.keeper import Keeper, kept_run
from consensus_core.live.pin import pinned, sound
from consensus_core.live.protocol import Message, compose, describe
from consensus_core.live.run import LIVE, LiveRun
from consensus_core.method import available_bytes

from .session import Session, session, session_behind
from .visitor import desk, keeping, store

ROOM = Path(live_room.__file__).parent / "view"
PARTS = (
    "wire",
    "colours",
    "model",
    "card",
    "matrix",
    "points",
    "tracks",
    "bars",
    "curves",
    "panels",
    "transport",
    "main",
)
PATIENCE = 0.05  # seconds an answer waits for a frame that is about to come
FIRST = 0.25  # and the very first one of a run
LET_OUT = 0.03
GHOSTS = 3
HEAVY = 60.0  # seconds a run is estimated to take from which a person is asked first


def _palette() -> str:
    stops = {
        "sequential": palettes.SEQUENTIAL,
        "diverging": palettes.DIVERGING,
        "divergingDark": palettes.DIVERGING_DARK,
    }
    return f"const PALETTE = {json.dumps({'stops': stops, 'clusters': palettes.CLUSTERS})};"


_component = st.components.v2.component(
    "quorum_live",
    html='<div class="quorum"></div>',
    css=(ROOM / "style.css").read_text(encoding="utf-8"),
    js="\n".join([_palette(), *((ROOM / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)]),
)


def follow(method: Method) -> LiveRun:
    """The run of this method on the session's data: the one on screen, or a new one that starts at once."""
    mine = session()
    film = _film(mine)
    run = mine.run
    if run is not None and run.ensemble is film.ensemble and run.method == method and run.state != "cancelled":
        return run
    like = None
    if run is not None:
        run.cancel()
        st.query_params.pop("it", None)  # it spoke of that run
        if run.ensemble is film.ensemble and run.moments:
            like = run.moments[-1].labels
            mine.ghosts = [_ghost(run), *mine.ghosts][:GHOSTS]
        film.forget(run.id)
    keep, before = None, None
    if keeping():
        keep = Keeper(store(), desk(), mine.dataset.key)
        before = kept_run(store(), desk(), method, film.ensemble)
    history, moments = before or (None, ())
    mine.run = LiveRun(method, film.ensemble, film, like=like, history=history, moments=moments, keep=keep)
    seen = set(mine.ask.get("names") or ())
    mine.run.watched = tuple(q.name for q in drawn(method) if q.name in seen)
    if before or _light(method, film.ensemble):
        mine.run.go()
    return mine.run


def _light(method: Method, ensemble: Ensemble) -> bool:
    """Begins without being asked to. What is beyond the machine begins as well, to be refused in a sentence."""
    cost = method.cost(ensemble)
    return cost.seconds <= HEAVY or cost.bytes > available_bytes()


def _film(mine: Session) -> Film:
    if mine.film is None or mine.film.ensemble is not mine.dataset.ensemble:
        mine.film, mine.ghosts = Film(mine.dataset.ensemble), []
    return mine.film


def _ghost(run: LiveRun) -> dict:
    """What is left of a run on the curves: a grey line to compare with."""
    names = {name for seen in run.moments for name in seen.scalars}
    return {
        "run": run.id,
        "name": run.method.name(),
        "f": [sound(seen.objective) for seen in run.moments],
        "scalars": {name: [sound(seen.scalars[name]) for seen in run.moments] for name in names},
        "scores": {name: [sound(seen.scores[name]) for seen in run.moments] for name in run.moments[0].scores},
        "found": [seen.found for seen in run.moments],
    }


@st.fragment
def live_view(order: str) -> None:
    mine = session()
    run, film = mine.run, mine.film
    ask = mine.ask if isinstance(mine.ask, dict) else {}
    film.order = order
    _presence(mine)
    run.touch()
    if not ask:
        mine.goto = _linked()
    _link(run, ask)
    heard = _heard_of(run, ask)
    if run.live and len(run.moments) <= heard:
        run.wait_beyond(heard, PATIENCE if heard else FIRST)
    message = _answer(mine, ask, order)
    message.header["door"] = mine.door
    message.header["ghosts"] = mine.ghosts if ask.get("run") != run.id else None
    if "data" in message.header:
        describe(message, mine.dataset, film)
    _component(key="live", data=message.bytes(), on_ask_change=_heard)
    if not get_script_run_ctx().fragment_ids_this_run:
        # A question that waits for this script to end begins by throwing away what was not sent yet; the browser would
        # then take the view for gone and make it anew. So what was just written is let out first.
        time.sleep(LET_OUT)
    _tell_the_page(mine, run, ask)


def _heard_of(run: LiveRun, ask: dict) -> int:
    """How many iterations of this run the browser knows."""
    return int(ask.get("rows", 0)) if ask.get("run") == run.id else 0


def _answer(mine: Session, ask: dict, order: str) -> Message:
    run = mine.run
    extras = {
        "pace": _pace(),
        "goto": mine.goto,
        "pinned": pinned(run, ask.get("pin"), ask),
        "probed": pinned(run, ask.get("probe"), ask),
    }
    return compose(run, mine.film, ask, order, extras)


def awaited(door: str, ask: dict) -> bool:
    """Whether an answer is worth waiting a moment for."""
    mine = session_behind(door)
    run = mine and mine.run
    return bool(run and run.live and ask.get("run") == run.id and len(run.moments) <= _heard_of(run, ask))


def answer_aside(door: str, ask: dict) -> bytes | None:
    """The answer to a question that changes nothing, on a way past the script and the page around the view.

    None where the script has to have its say: another run, other data, or a visitor who is not here.
    """
    mine = session_behind(door)
    if mine is None or mine.run is None or mine.film is None:
        return None
    if ask.get("run") != mine.run.id or ask.get("data") != mine.film.ensemble.fingerprint:
        return None
    mine.ask = ask
    mine.run.linger()
    return _answer(mine, ask, mine.film.order).bytes()


def _tell_the_page(mine: Session, run: LiveRun, ask: dict) -> None:
    """What stands under the run is drawn anew when the run stops, or another iteration is settled on."""
    if run.live:
        return
    stands = (run.id, run.state, settled_on(mine))
    if stands != mine.stands:
        mine.stands = stands
        st.rerun()


def settled_on(mine: Session) -> int:
    """The iteration a person has come to rest at; the last one while it plays."""
    last = len(mine.run.moments) - 1
    settled = mine.ask.get("settled") if mine.ask.get("run") == mine.run.id else None
    return last if settled is None else min(max(int(settled), 0), last)


@st.cache_resource(scope="session", show_spinner=False, on_release=lambda mine: mine.run and mine.run.orphan())
def _presence(_mine: Session) -> Session:
    """Released when the browser's connection closes: its run then ends soon, unless the browser is back before."""
    return _mine


def _link(run: LiveRun, ask: dict) -> None:
    """The iteration looked at becomes part of the link; the end of a run needs no mention."""
    settled = ask.get("settled")
    if settled is None or ask.get("run") != run.id:
        return
    at_end = run.stopped and settled >= len(run.moments) - 1
    if at_end or settled < 0:
        st.query_params.pop("it", None)
    elif st.query_params.get("it") != str(settled):
        st.query_params["it"] = str(settled)


def _linked() -> int | None:
    """The iteration a link asks for."""
    asked = st.query_params.get("it", "")
    return int(asked) if asked.isdecimal() else None


def _heard() -> None:
    """The browser asks: first what it wants done, then (in the fragment that follows) what it wants to see."""
    mine = session()
    ask = dict(st.session_state["live"].get("ask") or {})
    mine.ask = ask
    run = mine.run
    if run is None or ask.get("run") != run.id:
        return
    for command in ask.get("do") or ():
        {"play": run.go, "pause": run.pause, "step": run.step}.get(command, lambda: None)()


def _pace() -> int:
    """Milliseconds between two questions while a run is live: fewer when many are watching."""
    return max(30, 25 * len(LIVE))
