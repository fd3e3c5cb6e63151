"""What is compared: chosen in one click, one by one, or as several settings of one method."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from consensus_core import METHODS, InputError, Method
from consensus_core.compare import within
from consensus_core.compare.plan import QUICK
from consensus_core.methods import SHOWN_FIRST
from consensus_core.numbers import counted, seconds_in_words
from consensus_core.trust.agreement import panel

from .clicks import does
from .controls import param_widget
from .entrants import MOST, entrants, written
from .session import Dataset, session
from .visitor import remember, remembered
from .words import plain, said

ROLES = ("method", "ablation", "common")
MOST_SIDE = 6  # runs side by side


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


def chosen_from_now_on(methods: list[Method], k: int) -> None:
    """From the next run on, these are compared."""
    mine, text = session(), written(methods[:MOST], k)
    mine.linked["with"] = text
    mine.side = [method for method in mine.side if method in methods]
    if text:
        st.query_params["with"] = text


def add_rivals(method: Method, k: int) -> None:
    """A callback: one more."""
    now = rivals(k)
    chosen_from_now_on(now if method in now else [*now, method], k)
    session().side = [*session().side, method][-MOST_SIDE:]


def choose_rivals(dataset: Dataset, k: int) -> None:
    mine, now = session(), rivals(k)
    chosen_from_now_on(now, k)  # a page switch has taken it out of the address
    if mine.linked["with"] != remembered("compared").get("with"):
        remember("compared", **{"with": mine.linked["with"]})
    with st.container(horizontal=True, vertical_alignment="center", key="rivals"):
        words = said("All that take less than {seconds} here", seconds=seconds_in_words(QUICK))
        st.button(
            words, type="primary", key="all_quick", on_click=_all_quick, args=(dataset, k), icon=":material/bolt:"
        )
        with st.popover("Choose methods", key="fold-pick", icon=":material/checklist:"):
            _pick(now, k)
        with st.popover("One method, several settings", key="fold-vary", icon=":material/tune:"):
            _vary(now, k)


def _all_quick(dataset: Dataset, k: int) -> None:
    """What is compared already with settings of its own stays."""
    now = rivals(k)
    quick = within(dataset.ensemble, k)
    chosen_from_now_on([*now, *(method for method in quick if method not in now)], k)


def _pick(now: list[Method], k: int) -> None:
    with st.form("pick", border=False):
        usual = [key for key, cls in METHODS.items() if cls(k=k) in now]
        titles = {key: f"{cls.name()}: {cls.title}" for key, cls in METHODS.items()}
        st.multiselect("Methods with their defaults", list(METHODS), usual, format_func=titles.get, key="picked")
        st.form_submit_button("Compare these", on_click=_picked, args=(now, k))


def _picked(now: list[Method], k: int) -> None:
    wanted = st.session_state["picked"]
    others = [method for method in now if method != type(method)(k=k)]  # with settings of their own
    chosen_from_now_on([*(METHODS[key](k=k) for key in wanted), *others] or now, k)


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
    with st.expander("Its other dials", key="fold-vary-rest"):
        for other in cls.params():
            if other.role == "method" and other.name != name:
                rest[other.name] = param_widget(other, f"vary_{key}_rest_{other.name}")
    # never disabled: the click that leaves the field above is the one that tells what was typed
    words = said("Add {count}", count=counted(len(values), "setting")) if values else plain("Add them")
    does(words, _add, now, key, name, values, rest, k, key="vary_add")
    if wrong := session().linked.get("vary_wrong"):
        st.warning(plain(wrong))


def _add(now: list[Method], key: str, name: str, values: list[str], rest: dict, k: int) -> None:
    cls, linked = METHODS[key], session().linked
    linked["vary_wrong"] = "" if values else "No value is there yet: type some, with commas between them."
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
    chosen_from_now_on([*others, *found], k)


def _read(param, text: str):
    if param.kind == "switch":
        return text == "True"
    if param.kind == "choice":
        return next(choice for choice in param.choices if str(choice) == text)
    return int(text) if param.kind == "integer" else float(text)
