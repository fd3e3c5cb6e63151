"""What comparing has come to: the bench on which runs compute, the table as results come, who stands side by side."""

from __future__ import annotations

import time

import streamlit as st

from consensus_core import METHODS, Method
from consensus_core.compare import CANNOT_CHOOSE, Comparison
from consensus_core.compare.outcome import OVER
from consensus_core.compare.plan import in_words
from consensus_core.live.bench import Bench
from consensus_core.live.keeper import Keeping
from consensus_core.method.settings import settings_in_words
from consensus_core.numbers import seconds_in_words
from consensus_core.trust.agreement import mutual, panel

from .advice import advice_for
from .board import board
from .entrants import written
from .live import follow
from .pieces import piece, slot
from .place import Place
from .rivals import MOST_SIDE, chosen_from_now_on, rivals
from .session import Dataset, Session, session
from .trust import agreement_line, told_trust
from .visitor import desk, keeping, store
from .words import said

POLL = 1.0  # seconds between two looks at the bench: each takes a fifth of a second from the runs, here and there
FIRST = 0.4  # the first result, beside those that were there, is worth a moment
SIDE = 3  # runs that stand side by side unless somebody chooses


def shown() -> Comparison:
    """What is compared, as it stands."""
    return session().bench.comparison()


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


def results_table(dataset: Dataset, k: int) -> None:
    before = _methods(session().bench, dataset)
    bench = bench_of(dataset, rivals(k))
    if _methods(bench, dataset) - before:  # not at every run of the page while results come
        _wait_for_the_first(bench)
    piece(_table, POLL if bench.live else None)(bench.live, k)
    key, why = advice_for(dataset)
    st.markdown(said(":material/lightbulb: **{method}** is advised: {why}", method=METHODS[key].name(), why=why))
    with slot():
        _agreement(bench.comparison(), k)
    st.caption(CANNOT_CHOOSE)


def _methods(bench: Bench | None, dataset: Dataset) -> set[Method]:
    there = bench is not None and bench.ensemble is dataset.ensemble
    return {entry.method for entry in bench.plan.entries} if there else set()


def _wait_for_the_first(bench: Bench) -> None:
    """Of the new results; who was there before counts for nothing."""
    done, until = _done(bench), time.monotonic() + FIRST
    while bench.live and _done(bench) == done and time.monotonic() < until:
        time.sleep(0.01)


def _done(bench: Bench) -> int:
    return sum(outcome.state in OVER for outcome in bench.comparison().outcomes)


def _agreement(comparison: Comparison, k: int) -> None:
    """Do the sound methods agree? The one number that goes with the quality of a result. Where they are compared their
    results are there; else they run for it."""
    outcomes = {outcome.method: outcome for outcome in comparison.outcomes}
    compared = [outcomes[method] for method in panel(k) if method in outcomes]
    if len(compared) < len(panel(k)) or any(one.state in ("failed", "refused", "cancelled") for one in compared):
        agreement_line(comparison.ensemble, k)
    elif all(one.state == "finished" for one in compared):
        methods, labels = [one.method for one in compared], [one.labels for one in compared]
        told_trust(mutual(methods, labels, comparison.ensemble.counts))


def _table(was_live: bool, k: int) -> None:
    mine = session()
    bench, dataset = mine.bench, mine.dataset
    if bench is None or mine.stirred or (was_live and not bench.live):
        mine.stirred = False
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
        mine.stirred = True

    def left_out(place: int) -> None:
        if len(methods) > 1:
            chosen_from_now_on([method for method in methods if method != methods[place]], k)
            mine.stirred = True

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
    mine.stirred = True


def _go_on(long: bool = False) -> None:
    mine = session()
    mine.bench.go_on(long)
    mine.stirred = True


# --- side by side ---------------------------------------------------------------------------------------------------


def side(comparison: Comparison) -> list[Method]:
    """Which stand side by side: those chosen, or the first few that can run. What was cancelled leaves the stage, or it
    would go on there."""
    mine = session()
    able = [outcome.method for outcome in comparison.outcomes if outcome.state not in ("refused", "cancelled")]
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
