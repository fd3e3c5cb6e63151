"""What is compared: chosen in one click or one by one, computed on the bench, shown as a table as results come."""

from __future__ import annotations

import time
from dataclasses import replace

import streamlit as st

from consensus_core import METHODS, InputError, Method
from consensus_core.compare import CANNOT_CHOOSE, Comparison, within
from consensus_core.compare.outcome import OVER
from consensus_core.compare.plan import QUICK, in_words
from consensus_core.live.bench import Bench
from consensus_core.live.keeper import Keeping
from consensus_core.method.settings import settings_in_words
from consensus_core.methods import SHOWN_FIRST
from consensus_core.numbers import counted, number, seconds_in_words
from consensus_core.trust.agreement import EVIDENCE, mutual, panel

from .advice import advice_for
from .board import board
from .controls import param_widget
from .entrants import MOST, entrants, written
from .live import follow
from .place import Place
from .session import Dataset, Session, session
from .visitor import desk, keeping, remember, remembered, store
from .words import plain, said

ROLES = ("method", "ablation", "common")
POLL = 0.4  # seconds between two looks at the bench
SIDE = 3  # runs that stand side by side unless somebody chooses
MOST_SIDE = 6


# --- which ----------------------------------------------------------------------------------------------------------


def rivals(k: int) -> list[Method]:
    """What the link says, or what was compared last, or a few methods to begin with."""
    mine = session()
    text = st.query_params.get("with") or mine.linked.get("with") or remembered("compared").get("with", "")
    usual = [*panel(k), METHODS[SHOWN_FIRST](k=k)]  # those that say whether sound methods agree, and one to look at
    found = (entrants(text, k) if isinstance(text, str) else []) or usual
    stage = mine.stage if mine.page == "compare" else None
    turned = stage.turned if stage is not None else {}  # by a dial of the view
    mine.side = [turned.get(method, method) for method in mine.side]
    if mine.rivals_k not in (0, k):  # with the page's k: who stood side by side stays there
        mine.side = [replace(method, k=k) if method.k == mine.rivals_k else method for method in mine.side]
    mine.rivals_k = k
    return list(dict.fromkeys(turned.get(method, method) for method in found))


def _chosen(methods: list[Method], k: int) -> None:
    """From the next run on, these are compared."""
    mine, text = session(), written(methods[:MOST], k)
    mine.linked["with"] = text
    mine.side = [method for method in mine.side if method in methods]
    if text:
        st.query_params["with"] = text


def add_rivals(method: Method, k: int) -> None:
    """A callback: one more."""
    now = rivals(k)
    _chosen(now if method in now else [*now, method], k)
    session().side = [*session().side, method][-MOST_SIDE:]


def shown() -> Comparison:
    """What is compared, as it stands."""
    return session().bench.comparison()


def choose_rivals(dataset: Dataset, k: int) -> None:
    mine, now = session(), rivals(k)
    _chosen(now, k)  # a page switch has taken it out of the address
    if mine.linked["with"] != remembered("compared").get("with"):
        remember("compared", **{"with": mine.linked["with"]})
    with st.container(horizontal=True, vertical_alignment="center", key="rivals"):
        words = said("All that take less than {seconds} here", seconds=seconds_in_words(QUICK))
        st.button(
            words, type="primary", key="all_quick", on_click=_all_quick, args=(dataset, k), icon=":material/bolt:"
        )
        with st.popover("Choose methods", icon=":material/checklist:"):
            _pick(now, k)
        with st.popover("One method, several settings", icon=":material/tune:"):
            _vary(now, k)


def _all_quick(dataset: Dataset, k: int) -> None:
    """What is compared already with settings of its own stays."""
    now = rivals(k)
    quick = within(dataset.ensemble, k)
    _chosen([*now, *(method for method in quick if method not in now)], k)


def _pick(now: list[Method], k: int) -> None:
    with st.form("pick", border=False):
        usual = [key for key, cls in METHODS.items() if cls(k=k) in now]
        titles = {key: f"{cls.name()}: {cls.title}" for key, cls in METHODS.items()}
        st.multiselect("Methods with their defaults", list(METHODS), usual, format_func=titles.get, key="picked")
        st.form_submit_button("Compare these", on_click=_picked, args=(now, k))


def _picked(now: list[Method], k: int) -> None:
    wanted = st.session_state["picked"]
    others = [method for method in now if method != type(method)(k=k)]  # with settings of their own
    _chosen([*(METHODS[key](k=k) for key in wanted), *others] or now, k)


def _vary(now: list[Method], k: int) -> None:
    key = st.selectbox("Method", list(METHODS), format_func=lambda key: METHODS[key].name(), key="vary_method")
    cls = METHODS[key]
    # the method's own dials first
    own = sorted(cls.params(), key=lambda p: ROLES.index(p.role) if p.role in ROLES else len(ROLES))
    offered = {p.name: p for p in own if p.role in ROLES[:2] or p.name in ("k", "seed")}
    name = st.selectbox("What is varied", list(offered), format_func=lambda n: offered[n].title, key=f"vary_{key}")
    param = offered[name]
    st.caption(plain(f"{param.meaning}: {param.range_in_words}"))
    if param.kind in ("number", "integer"):
        st.text_input("Values, with commas between them", key=f"vary_{key}_{name}", placeholder="0.6, 0.7, 0.8")
        values = [text.strip() for text in st.session_state[f"vary_{key}_{name}"].split(",") if text.strip()]
    else:
        values = [str(choice) for choice in param.choices or (True, False)]
    rest = {}
    with st.expander("Its other dials"):
        for other in cls.params():
            if other.role == "method" and other.name != name:
                rest[other.name] = param_widget(other, f"vary_{key}_rest_{other.name}")
    st.button(
        said("Add {count}", count=counted(len(values), "setting")),
        key="vary_add",
        disabled=not values,
        on_click=_add,
        args=(now, key, name, values, rest, k),
    )
    if wrong := session().linked.get("vary_wrong"):
        st.warning(plain(wrong))


def _add(now: list[Method], key: str, name: str, values: list[str], rest: dict, k: int) -> None:
    cls, linked = METHODS[key], session().linked
    linked["vary_wrong"] = ""
    found = []
    try:
        for value in values:
            found.append(cls(**{"k": k, **rest, name: _read(cls.param(name), value)}))
    except (InputError, ValueError) as problem:
        kind = "whole number" if cls.param(name).kind == "integer" else "number"
        linked["vary_wrong"] = str(problem) if isinstance(problem, InputError) else f"{value} is not a {kind}."
        return
    # the defaults stand for the method until settings of its own are asked for
    others = [method for method in now if method != cls(k=k)] if any(m.key == key for m in now) else now
    _chosen([*others, *found], k)


def _read(param, text: str):
    if param.kind == "switch":
        return text == "True"
    if param.kind == "choice":
        return next(choice for choice in param.choices if str(choice) == text)
    return int(text) if param.kind == "integer" else float(text)


# --- the table ------------------------------------------------------------------------------------------------------


def bench_of(dataset: Dataset, methods: list[Method]) -> Bench:
    """The runs of these methods on these data: those there are, and what is new begins."""
    mine = session()
    if mine.bench is None or mine.bench.ensemble is not dataset.ensemble:
        if mine.bench is not None:
            mine.bench.leave()
        kept = Keeping(store(), desk(), dataset.key) if keeping() else None
        mine.bench = Bench(dataset.ensemble, desk(), kept)
    mine.bench.follow(methods)
    mine.bench.touch()
    return mine.bench


def rivals_table(dataset: Dataset, k: int) -> None:
    bench = bench_of(dataset, rivals(k))
    until = time.monotonic() + POLL
    while bench.live and not bench.comparison().there and time.monotonic() < until:
        time.sleep(0.01)  # the first result is worth a moment
    st.fragment(_table, run_every=POLL if bench.live else None)(bench.live, k)
    key, why = advice_for(dataset)
    st.markdown(said(":material/lightbulb: **{method}** is advised: {why}", method=METHODS[key].name(), why=why))
    _agreement(bench.comparison(), k)
    st.caption(CANNOT_CHOOSE)


def _agreement(comparison: Comparison, k: int) -> None:
    """Do the sound methods agree? The one number that goes with the quality of a result."""
    labels = {outcome.method: outcome.labels for outcome in comparison.outcomes if outcome.labels is not None}
    wanted = panel(k)
    if not all(method in labels for method in wanted):
        return
    trust = mutual(wanted, [labels[method] for method in wanted], comparison.ensemble.counts)
    words = ":material/handshake: Sound methods agree: **{level}** ({value}, {names}). {meaning}"
    names = ", ".join(trust.names)
    st.markdown(
        said(words, level=trust.level, value=number(trust.value, 2), names=names, meaning=trust.meaning),
        help=plain(EVIDENCE),
    )


def _table(was_live: bool, k: int) -> None:
    mine = session()
    bench, dataset = mine.bench, mine.dataset
    if bench is None or mine.turned or (was_live and not bench.live):
        mine.turned = False
        st.rerun()
    comparison = bench.comparison()
    _progress(bench, comparison)
    advised = advice_for(dataset)[0]
    marks = [
        {
            "id": written([outcome.method], k),
            "state": outcome.state,
            "wrong": bool(row["wrong"]),
            "advised": outcome.method == METHODS[advised](k=k),
            "side": outcome.method in side(comparison),
            "href": Place.of(dataset.key, outcome.method, **mine.linked_more()).link(),
            "title": settings_in_words(outcome.method),
        }
        for outcome, row in zip(comparison.outcomes, comparison.rows, strict=True)
    ]
    methods = [outcome.method for outcome in comparison.outcomes]

    def chosen(place: int, on: bool) -> None:
        now = [method for method in side(comparison) if method != methods[place]]
        mine.side = [*now, methods[place]][-MOST_SIDE:] if on else now
        mine.turned = True

    def left_out(place: int) -> None:
        if len(methods) > 1:
            _chosen([method for method in methods if method != methods[place]], k)
            mine.turned = True

    board(comparison.table(), "rivals_board", "Methods compared", marks, chosen, left_out)


def _progress(bench: Bench, comparison: Comparison) -> None:
    """Of the same moment as the table."""
    every, waiting = len(bench.plan.entries), bench.waiting_for_a_word
    done = sum(outcome.state in OVER for outcome in comparison.outcomes)
    with st.container(horizontal=True, vertical_alignment="center", key="rivals_progress"):
        words = said("{done} of {every} done", done=done, every=every)
        if bench.live:
            left = bench.seconds_left()
            if left > 1:
                words = said("{words}, about {left} left", words=words, left=seconds_in_words(left))
            st.markdown(words)
            st.button("Cancel", key="rivals_cancel", on_click=_cancel, icon=":material/stop_circle:")
        elif bench.cancelled and done < every:
            st.markdown(words)
            st.button("Go on", key="rivals_go_on", on_click=_go_on, icon=":material/play_circle:")
        else:
            st.markdown(said("{words}: {plan}", words=words, plan=in_words(bench.plan)))
        if waiting:
            words = said("Run what takes long too: {names}", names=", ".join(entry.name for entry in waiting[:4]))
            st.button(words, key="rivals_long", on_click=_go_on, args=(True,))


def _cancel() -> None:
    mine = session()
    mine.bench.cancel()
    mine.turned = True


def _go_on(long: bool = False) -> None:
    mine = session()
    mine.bench.go_on(long)
    mine.turned = True


# --- side by side ---------------------------------------------------------------------------------------------------


def side(comparison: Comparison) -> list[Method]:
    """Which stand side by side: those chosen, or the first few that can run."""
    mine = session()
    able = [outcome.method for outcome in comparison.outcomes if outcome.state != "refused"]
    return [method for method in mine.side if method in able] or able[:SIDE]


def side_by_side(dataset: Dataset) -> bool:
    """Puts them on the stage; False where there are none."""
    mine = session()
    methods = _linked_side(mine, mine.bench.comparison())
    if not methods:
        return False
    follow(methods, "compare")
    return True


def _linked_side(mine: Session, comparison: Comparison) -> list[Method]:
    """The link is read once; from then on it is written."""
    every = [outcome.method for outcome in comparison.outcomes]
    asked = st.query_params.get("side", "")
    if asked and not mine.side and "side" not in mine.linked:
        mine.side = [every[int(at)] for at in asked.split(".") if int(at) < len(every)]
    now = side(comparison)
    mine.linked["side"] = text = ".".join(str(every.index(method)) for method in now)
    usual = [method for method in every if method in now] == now and now == every[: len(now)] and len(now) == SIDE
    if usual:
        st.query_params.pop("side", None)
    elif text:
        st.query_params["side"] = text
    return now
