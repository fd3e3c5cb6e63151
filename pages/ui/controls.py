"""Param -> widget. Every widget has a short key that is also its place in the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from consensus_core import METHODS, Ensemble, Method, Param
from consensus_core.data.catalogue import short_list
from consensus_core.data.oddities import missing_share
from consensus_core.live.dials import most_clusters, step_of, stops
from consensus_core.methods import SHOWN_FIRST

from .catalogue import all_methods_button, what_to_think
from .data_choice import by_fewer_rows, without_gaps
from .entrants import entrants, written
from .going import remember_where, way_back
from .links import hold, linked_choice, note, part, turn
from .parameters import FILLED, ORDERS, ROWS
from .pieces import slot
from .session import Dataset, session
from .settings import key_of, quoted, value_of
from .words import Marked, plain, said

MANY_ROWS = 3000  # distinct rows from which fewer of them are offered
GROUPS = {"ablation": "Switches", "schedule": "Schedule", "common": "Run"}


def choose_method(dataset: Dataset) -> tuple[Method, Callable[[], None]]:
    """The method with all its parameters, as the widgets stand; and how to draw those that are rarely opened, which is
    half of the work of a page and can wait until there is something to see."""
    with part("method"):
        asked = st.session_state.get("method") or st.query_params.get("method", session().linked.get("method", ""))
        titles = {key: METHODS[key].name() for key in short_list(asked)}
        cls = METHODS[linked_choice(st.selectbox, "Method", titles, "method", SHOWN_FIRST)]
        st.caption(plain(cls.title))  # below the box, where it is not cut
        what_to_think(cls.key)
        all_methods_button(said("All {count} methods", count=len(METHODS)), _take_method, width="stretch")
        _take_up(cls, dataset)
        _take_over_dials(cls)
        way_back()
    params = [p for p in cls.params() if p.low is None or p.low != p.high]
    chosen = {}
    with part("parameters"):
        chosen["k"] = choose_clusters(dataset)
        for param in params:
            if param.role == "method":
                chosen[param.name] = _widget(param)
    rare = {role: [p for p in params if p.role == role and p.name != "k"] for role in GROUPS}
    with part("switches"):
        folded = st.expander("Switches, schedule, seed", key="fold-rare")
    chosen |= {param.name: _where_it_stands(param) for group in rare.values() for param in group}
    mine = session()
    mine.chosen[cls.key], mine.clusters[dataset.key] = chosen, chosen["k"]
    return cls(**chosen), lambda: _draw_folded(folded, rare, chosen, cls, dataset)


def _draw_folded(folded, rare: Mapping[str, Sequence[Param]], chosen: Mapping, cls, dataset: Dataset) -> None:
    said_otherwise = False
    with folded:
        for role, group in rare.items():
            if group:
                st.markdown(said(":small[**{title}**]", title=GROUPS[role]))
            for param in group:
                said_otherwise |= _widget(param) != chosen[param.name]
        st.button("Back to the defaults", on_click=_reset, args=(cls, dataset), width="stretch")
    if said_otherwise:  # never seen; what is computed is what the dials say
        st.rerun()


def _where_it_stands(param: Param):
    """What its widget is going to say: what it was set to, else the link, which was read and put right, else the
    default."""
    if key_of(param) in st.session_state:
        return st.session_state[key_of(param)]
    text = st.query_params.get(key_of(param))
    return param.default if text is None else value_of(param, text)


def _take_method(key: str) -> None:
    turn(method=key)


def beside(method: Method, dataset: Dataset) -> list[Method]:
    """A second method, where a link names one: ?beside=eac, or with dials of its own, ?beside=spce~theta:0.5. What is
    moved in the live view is from then on in the link."""
    found = entrants(st.query_params.get("beside", ""), method.k)[:1]
    if not found or (dataset.ensemble.has_missing and not found[0].handles_missing):
        return []
    stage = session().stage
    other = stage.turned.get(found[0], found[0]) if stage is not None else found[0]
    if other != found[0]:
        st.query_params["beside"] = written([other], method.k)
    return [other] if other != method else []


def ready_for(method: Method, dataset: Dataset) -> Dataset:
    """The data as the method can take them, and as the machine can: nothing is filled in or left out but as the person
    says, and it is shown."""
    with slot():
        return _represented(_without_gaps(method, dataset))


def _represented(dataset: Dataset) -> Dataset:
    """Where rows hardly repeat, some of them may stand for all."""
    q = dataset.ensemble.q
    if q <= MANY_ROWS and st.query_params.get("rows", "all") == "all" and st.session_state.get("rows", "all") == "all":
        return dataset
    title = said("Of {q:,} distinct rows", q=q)
    chosen = linked_choice(st.selectbox, title, ROWS, "rows", "all")
    if chosen == "all" or int(chosen) >= q:
        return dataset
    fewer = by_fewer_rows(dataset, int(chosen))
    st.badge(
        said("{rows:,} of {q:,} distinct rows stand for all", rows=fewer.ensemble.q, q=q),
        color="orange",
        help=plain(
            "An approximation: every object takes the labels of the row it agrees with most. Methods that compare all "
            "pairs of rows are quicker by the square of what is saved, and their answer is another one: compare it "
            "with a quick method on all rows."
        ),
    )
    return fewer


def _without_gaps(method: Method, dataset: Dataset) -> Dataset:
    if not dataset.ensemble.has_missing:
        return dataset
    if method.handles_missing:
        st.badge("missing labels taken as they are", color="green", help=plain(method.handles_missing))
        return dataset
    how = linked_choice(st.selectbox, "Missing labels are filled", FILLED, "fill", "nearest")
    seed = st.session_state.get("seed", 0) if how == "random" else 0
    filled = without_gaps(dataset, how, int(seed))
    st.badge(
        said("{share:.0%} of the labels filled: {how}", share=missing_share(dataset.ensemble), how=how),
        color="orange",
        help=said("{name} needs a label everywhere.", name=method.name()),
    )
    return filled


def ready_for_all(dataset: Dataset) -> Dataset:
    """The data as every method can take them, and the machine: the same for all, like with like."""
    with slot():
        return _represented(_filled(dataset))


def _filled(dataset: Dataset) -> Dataset:
    if not dataset.ensemble.has_missing:
        return dataset
    how = linked_choice(st.selectbox, "Missing labels are filled", FILLED, "fill", "nearest")
    share = missing_share(dataset.ensemble)
    words = said("{share:.0%} of the labels filled, for all methods alike: {how}", share=share, how=how)
    st.badge(words, color="orange", help="So that all are compared on the same labels.")
    return without_gaps(dataset, how, 0)


def choose_order(ensemble: Ensemble) -> str:
    """How objects stand in all pictures."""
    titles = {key: title for key, title in ORDERS.items() if key != "truth" or ensemble.truth is not None}
    titles |= {f"base:{i}": name for i, name in enumerate(ensemble.names)}
    return linked_choice(st.selectbox, "Rows in the order of", titles, "order", "consensus")


def _take_up(cls, dataset: Dataset) -> None:
    """Widgets of a method take up what was last chosen for it; k belongs to the data, whatever the method. A first
    visit's link rules."""
    mine, now = session(), (cls.key, dataset.key)
    before, mine.asked = mine.asked, now
    opened, mine.opened = mine.opened, None
    there = opened is not None and (opened.method, opened.data) == now
    if there:
        chosen = dict(opened.parameters)
        if before is not None and before != now and before[1] == dataset.key:
            remember_where(mine, *before, dataset.title)  # to and fro
    elif before is None:
        return
    elif before == now:
        chosen = {param.name: st.session_state.get(key_of(param)) for param in cls.params()}
    else:
        chosen = {**mine.chosen.get(cls.key, {}), "k": mine.clusters.get(dataset.key)}
        if before[1] == dataset.key:
            remember_where(mine, *before, dataset.title)
        else:
            mine.before = None
    for param in cls.params():
        usual = dataset.k if param.name == "k" else param.default
        value = usual if chosen.get(param.name) is None else chosen[param.name]
        turn(**{key_of(param): value}) if there else _hold_dial(cls, param, value)


def _take_over_dials(cls) -> None:
    """What was moved in the live view is where the widgets stand from now on."""
    stage = session().stage
    if stage is None or not stage.runs or type(stage.run.method) is not cls:
        return
    for param in cls.params():
        if param.name in stage.dialled:
            _hold_dial(cls, param, stage.dialled[param.name])


def _hold_dial(cls, param: Param, value) -> None:
    text = st.query_params.get(key_of(param))  # from there its widget takes its value, where the browser says nothing
    sure = text is None or value_of(param, text) == value
    hold(key_of(param), value, made_of=None if param.name == "k" else cls.key, sure=sure)


def _reset(cls, dataset: Dataset) -> None:
    for param in cls.params():
        st.session_state[key_of(param)] = dataset.k if param.name == "k" else param.default


def choose_clusters(dataset: Dataset) -> int:
    """k, the same slider wherever it is asked for."""
    most = most_clusters(dataset.ensemble, dataset.k)
    if most < 2:
        st.caption("These base clusterings tell no two objects apart: there is one cluster.")
        return 1
    if isinstance(st.session_state.get("p_k"), int):
        wanted = min(st.session_state["p_k"], most)
        hold("p_k", wanted, made_of=most, sure=st.query_params.get("p_k") in (None, str(wanted)))
    elif (asked := st.query_params.get("p_k", "")).isdecimal() and int(asked) > most:
        note(f"k was set to {most:,}, the most these data allow, not {quoted(asked)}")
    k = st.slider(
        "clusters wanted k", 1, most, min(dataset.k, most), key="p_k", bind="query-params", help="number of clusters"
    )
    with slot():
        if k == dataset.k:
            st.caption(plain(dataset.k_why))
    return k


def _widget(param: Param):
    """A method's parameter, bound to the link."""
    return param_widget(param, key_of(param), bind="query-params")


def param_widget(param: Param, key: str, **more):
    common, title = {"key": key, "help": _help(param), **more}, plain(param.title)
    if param.kind == "choice":
        return st.selectbox(title, param.choices, index=param.choices.index(param.default), **common)
    if param.kind == "switch":
        return st.toggle(title, param.default, **common)
    if param.kind == "integer":
        return st.number_input(title, param.low, param.high, param.default, 1, **common)
    if param.log and param.low and param.high:
        return st.select_slider(title, stops(param), param.default, format_func=lambda x: f"{x:g}", **common)
    if param.low is not None and param.high is not None and param.role == "method":
        step = float(step_of(param))
        return st.slider(title, float(param.low), float(param.high), float(param.default), step, **common)
    return st.number_input(title, param.low, param.high, param.default, format="%g", **common)


def _help(param: Param) -> Marked:
    equation = f" {param.equation}" if param.equation else ""
    return plain(f"{param.meaning}.{equation} ({param.name}: {param.range_in_words})")
