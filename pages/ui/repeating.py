"""Repeats on the page: over redrawn base clusterings, on these data and others; cancelled, kept, taken home."""

from __future__ import annotations

import re

import streamlit as st

from consensus_core import InputError, Method
from consensus_core.compare import MEASURES, Repeats, Trial, repeats_script
from consensus_core.compare.repeats import PUBLISHED
from consensus_core.data import Generation
from consensus_core.numbers import seconds_in_words
from consensus_core.sweep import Made, Pool

from .board import board
from .clicks import pressed
from .data_choice import dataset as dataset_of
from .data_choice import titles
from .entrants import entrants, written
from .pieces import piece
from .results import shown
from .session import Dataset, session
from .taking import table_downloads
from .visitor import cells, desk, remember, remembered
from .words import listed, plain, said

POLL = 0.7
LIKELY = 12  # methods that are repeated unless somebody chooses


def repeating(dataset: Dataset) -> None:
    mine = session()
    st.markdown(
        "The papers' protocol: every method on the same redrawn base clusterings, again and again. Then a difference "
        "can be told from luck."
    )
    _ask(dataset)
    if mine.repeats is not None:
        piece(_shown, None if mine.repeats.over else POLL)(mine.repeats.over)


def brought_back(dataset: Dataset) -> bool:
    """What was repeated last on these data is there again after a refresh: its runs were kept, and what was stopped
    stays so. Whether there is a table."""
    mine, asked = session(), remembered("repeated")
    if mine.repeats is None and asked.get("data") == dataset.key:
        try:
            methods = entrants(str(asked["with"]), dataset.k)
            mine.repeats = _repeats(dataset, methods, asked["more"], asked["draws"], asked["m"], asked["published"])
            if asked["stopped"]:
                mine.repeats.cancel()
        except (InputError, KeyError, TypeError, ValueError):  # data that are gone, or of an older version
            remember("repeated")
    return mine.repeats is not None


def _ask(dataset: Dataset) -> None:
    comparison = shown()
    names = dict(zip(comparison.names, (o.method for o in comparison.outcomes), strict=True))
    m, most, draws = PUBLISHED
    published = dataset.ensemble.m == most
    with st.form("repeat", border=False):
        wanted = st.multiselect("Methods", list(names), list(names)[:LIKELY], key="repeat_methods")
        others = {key: title for key, title in titles().items() if key != dataset.key}
        more = st.multiselect(
            "On these data, and on others", list(others), format_func=others.get, key="repeat_data", max_selections=12
        )
        left, right = st.columns(2)
        count = left.number_input("Draws", 2, 200, draws, key="repeat_draws")
        each = right.number_input(
            "Base clusterings in each", 2, 1000, _m(dataset), key="repeat_m",
            help="Drawn from those there are; where they were made from features here, made anew.",
        )  # fmt: skip
        as_published = published and st.checkbox(
            said("The published draws: {m} of {most}, {draws} times, as in EC-CMS's Tables IV to IX",
                 m=m, most=most, draws=draws),
            True,
            key="repeat_published",
        )  # fmt: skip
        if pressed(st.form_submit_button, "Repeat", key="repeat", icon=":material/replay:") and wanted:
            _begin(dataset, [names[name] for name in wanted], more, int(count), int(each), bool(as_published))


def _m(dataset: Dataset) -> int:
    """Twenty, or as many as can be drawn so that draws differ."""
    return 20 if _made(dataset) is not None else max(2, min(20, dataset.ensemble.m // 2))


def _made(one: Dataset) -> Generation | None:
    """How base clusterings are made anew; None where they are drawn from those there are."""
    return one.origin.generation if one.origin is not None and one.features is not None else None


def _begin(dataset: Dataset, methods: list[Method], more: list[str], draws: int, m: int, published: bool) -> None:
    mine = session()
    if mine.repeats is not None:
        mine.repeats.cancel()
    try:
        mine.repeats = _repeats(dataset, methods, more, draws, m, published)
    except InputError as refusal:
        mine.repeats = None
        st.error(plain(refusal))
        return
    asked = {"data": dataset.key, "with": written(methods, dataset.k), "more": more, "draws": draws, "m": m}
    remember("repeated", **asked, published=published, stopped=False)


def _repeats(dataset: Dataset, methods: list[Method], more: list[str], draws: int, m: int, published: bool) -> Repeats:
    sets = [dataset, *map(dataset_of, more)]
    return Repeats(methods, [_trial(one, m, published) for one in sets], draws, [cells(of=one) for one in sets], desk())


def _stop() -> None:
    session().repeats.cancel()
    remember("repeated", **remembered("repeated") | {"stopped": True})


def _trial(one: Dataset, m: int, published: bool) -> Trial:
    if published and one.ensemble.m == PUBLISHED[1]:
        return Trial.published(one.title, one.ensemble, one.k, one.origin)
    if (made := _made(one)) is not None:
        source, most = Made(one.features, made, one.truth), m
    else:
        source, most = Pool(one.ensemble), min(m, one.ensemble.m)
    return Trial(one.title, source, one.k, most, one.ensemble.truth is not None, one.origin)


def _shown(was_over: bool) -> None:
    mine = session()
    repeats = mine.repeats
    if repeats.over and not was_over:
        st.rerun()
    if not repeats.over:
        left = repeats.seconds_left
        rest = "" if left is None else f", about {seconds_in_words(left)} left"
        words = said("{done:,} of {total:,} runs{rest}", done=repeats.done, total=repeats.total, rest=rest)
        with st.container(horizontal=True, vertical_alignment="center", key="repeat_progress"):
            st.progress(repeats.done / max(repeats.total, 1), words)
            st.button("Stop repeating", key="repeat_cancel", on_click=_stop, icon=":material/stop_circle:")
    elif repeats.cancelled:
        words = "Stopped after {done:,} of {total:,} runs; the table is of what there is."
        st.info(said(words, done=repeats.done, total=repeats.total))
    known = repeats.measures
    measure = st.segmented_control("Measure", known, format_func=MEASURES.get, default=known[0], required=True,
                                   key="repeat_measure", label_visibility="collapsed")  # fmt: skip
    table = repeats.table(measure or known[0])
    marks = [{"id": name} for name in repeats.names]
    board(table, "repeats_board", table.title, marks)
    st.markdown(listed(table.notes))
    program = None
    if all(trial.origin is not None for trial in repeats.trials):
        program = repeats_script(repeats, measure or known[0])
    what = re.sub(r"[^a-z]", "", (measure or known[0]).lower())
    table_downloads(table, repeats.trials[0].name, f"repeated_{what}", program)
