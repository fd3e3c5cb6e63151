"""Param -> widget. Every widget has a short key that is also its place in the link."""

from __future__ import annotations

import streamlit as st

from consensus_core import METHODS, Ensemble, Method, Param
from consensus_core.live.dials import most_clusters, step_of, stops
from consensus_core.methods import SHOWN_FIRST

from .data_choice import without_gaps
from .links import hold, linked_choice, part
from .session import Dataset, session

FILLED = {
    "nearest": "like the rows that agree best",
    "random": "at random, as in the PCE paper",
    "own cluster": "as clusters of their own",
}
GROUPS = {"ablation": "Switches", "schedule": "Schedule", "common": "Run"}


def choose_method(dataset: Dataset) -> Method:
    """The method and all its parameters, as the widgets stand."""
    with part("method"):
        titles = {key: cls.name() for key, cls in METHODS.items()}
        cls = METHODS[linked_choice(st.selectbox, "Method", titles, "method", SHOWN_FIRST)]
        st.caption(cls.title)  # below the box, where it is not cut
    _take_up(cls, dataset)
    _take_over_dials(cls)
    params = [p for p in cls.params() if p.low is None or p.low != p.high]
    chosen = {}
    with part("parameters"):
        chosen["k"] = _clusters(dataset)
        for param in params:
            if param.role == "method":
                chosen[param.name] = _widget(param)
    with part("switches"), st.expander("Switches, schedule, seed"):
        for role, title in GROUPS.items():
            group = [p for p in params if p.role == role and p.name != "k"]
            if group:
                st.markdown(f":small[**{title}**]")
            for param in group:
                chosen[param.name] = _widget(param)
        st.button("Back to the defaults", on_click=_reset, args=(cls, dataset), width="stretch")
    session().chosen[cls.key] = chosen
    return cls(**chosen)


def beside(method: Method, dataset: Dataset) -> list[Method]:
    """A second method with its defaults, where a link names one: ?beside=eac."""
    cls = METHODS.get(st.query_params.get("beside", ""))
    if cls is None or (dataset.ensemble.has_missing and not cls.handles_missing):
        return []
    return [cls(k=method.k)]


def ready_for(method: Method, dataset: Dataset) -> Dataset:
    """The data as the method can take them: missing labels are filled only as the person says, and it is shown."""
    if not dataset.ensemble.has_missing:
        return dataset
    if method.handles_missing:
        st.badge("missing labels taken as they are", color="green", help=method.handles_missing)
        return dataset
    how = linked_choice(st.selectbox, "Missing labels are filled", FILLED, "fill", "nearest")
    seed = st.session_state.get("seed", 0) if how == "random" else 0
    filled = without_gaps(dataset, how, int(seed))
    share = float(dataset.ensemble.counts @ dataset.ensemble.missing.mean(axis=1)) / dataset.ensemble.n
    st.badge(
        f"{share:.0%} of the labels filled: {how}", color="orange", help=f"{method.name()} needs a label everywhere."
    )
    return filled


def choose_order(ensemble: Ensemble) -> str:
    """How objects stand in all pictures."""
    titles = {"consensus": "the consensus", "leaf": "likeness (leaves of the tree)", "given": "the table, as given"}
    if ensemble.truth is not None:
        titles["truth"] = "the truth"
    titles |= {f"base:{i}": name for i, name in enumerate(ensemble.names)}
    return linked_choice(st.selectbox, "Rows in the order of", titles, "order", "consensus")


def _key(param: Param) -> str:
    return "seed" if param.name == "seed" else f"p_{param.name}"


def _take_up(cls, dataset: Dataset) -> None:
    """Widgets of a method take up what was last chosen for it; k follows the data. A first visit's link rules."""
    mine, turn = session(), (cls.key, dataset.key)
    before, mine.asked = mine.asked, turn
    if before is None:
        return
    kept = mine.chosen.get(cls.key, {})
    for param in cls.params():
        key, value = _key(param), kept.get(param.name, dataset.k if param.name == "k" else param.default)
        if param.name == "k" and before[1] != dataset.key:
            value = dataset.k
        hold(key, value if before != turn else st.session_state.get(key, value))


def _take_over_dials(cls) -> None:
    """What was moved in the live view is where the widgets stand from now on."""
    stage = session().stage
    if stage is None or not stage.runs or type(stage.run.method) is not cls:
        return
    for param in cls.params():
        if param.name in stage.dialled:
            hold(_key(param), stage.dialled[param.name])


def _reset(cls, dataset: Dataset) -> None:
    for param in cls.params():
        st.session_state[_key(param)] = dataset.k if param.name == "k" else param.default


def _clusters(dataset: Dataset) -> int:
    most = most_clusters(dataset.ensemble, dataset.k)
    if most < 2:
        st.caption("These base clusterings tell no two objects apart: there is one cluster.")
        return 1
    if isinstance(st.session_state.get("p_k"), int):
        st.session_state["p_k"] = min(st.session_state["p_k"], most)
    return st.slider(
        "clusters wanted k", 1, most, min(dataset.k, most), key="p_k", bind="query-params", help="number of clusters"
    )


def _widget(param: Param):
    """A method's parameter, bound to the link."""
    return param_widget(param, _key(param), bind="query-params")


def param_widget(param: Param, key: str, **more):
    common = {"key": key, "help": _help(param), **more}
    if param.kind == "choice":
        return st.selectbox(param.title, param.choices, index=param.choices.index(param.default), **common)
    if param.kind == "switch":
        return st.toggle(param.title, param.default, **common)
    if param.kind == "integer":
        return st.number_input(param.title, param.low, param.high, param.default, 1, **common)
    if param.log and param.low and param.high:
        return st.select_slider(param.title, stops(param), param.default, format_func=lambda x: f"{x:g}", **common)
    if param.low is not None and param.high is not None and param.role == "method":
        step = float(step_of(param))
        return st.slider(param.title, float(param.low), float(param.high), float(param.default), step, **common)
    return st.number_input(param.title, param.low, param.high, param.default, format="%g", **common)


def _help(param: Param) -> str:
    equation = f" {param.equation}" if param.equation else ""
    return f"{param.meaning}.{equation} ({param.name}: {param.range_in_words})"
