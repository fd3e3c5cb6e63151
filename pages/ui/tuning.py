"""Sweeps of the Tune page: asked for, followed while they fill, shown."""

from __future__ import annotations

import hashlib
import math
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from consensus_core import InputError, Method
from consensus_core.data.samples import SAMPLES
from consensus_core.drawing import tuned
from consensus_core.ensemble import FILLINGS
from consensus_core.numbers import counted, number, seconds_in_words
from consensus_core.sweep import Plan, Pool, Sweep, Task, grid, sweep
from consensus_core.sweep.curves import MEASURES, NEED_TRUTH, SHARES, curve
from consensus_core.sweep.dials import is_log, movable, nearest_first, place_of, taken, title_of, values_of
from consensus_core.sweep.presets import PRESETS, Preset
from consensus_core.trust.recommended import WORTH, fittest

from .clicks import does
from .going import link_button
from .links import linked_choice, turn
from .pieces import piece, slot
from .place import Place
from .session import Dataset, session
from .strip import strip
from .visitor import cells, desk, remember, remembered
from .words import plain, said

DRAWS = (2, 5, 10, 20)  # that may be asked for
FRAMES = 8  # pictures of a run on the way
PATIENCE = 60.0  # seconds of processors that begin without being asked
CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]}


@dataclass
class Tuning:
    """What is asked, and the sweeps that answer: one result of every value, and the draws."""

    asked: tuple
    strip: Sweep | None = None
    draws: Sweep | None = None
    told: set = field(default_factory=set)  # sweeps whose end the page has heard of
    since: float = field(default_factory=time.time)
    name: str = ""  # under which it is remembered that the draws were asked for

    @property
    def sweeps(self) -> list[Sweep]:
        return [one for one in (self.strip, self.draws) if one is not None]

    @property
    def busy(self) -> bool:
        return any(not one.over for one in self.sweeps)

    def cancel(self) -> None:
        for one in self.sweeps:
            one.cancel()


def begun(plan: Plan, source: Pool, first=None) -> Sweep:
    """A sweep of this visitor's, where it was asked to be computed."""
    where = st.session_state.get("cluster_address", "").strip()
    return sweep(plan, source, cells(session().dataset.key not in SAMPLES), where, visitor=desk(), first=first)


def _follow(asked: tuple) -> Tuning:
    mine = session()
    if mine.tuning is None or mine.tuning.asked != asked:
        if mine.tuning is not None:
            mine.tuning.cancel()
        mine.tuning = Tuning(asked)
    return mine.tuning


# --- one dial -----------------------------------------------------------------------------------------------------


def one_dial(method: Method, dataset: Dataset) -> None:
    ensemble = dataset.ensemble
    titles = movable(method, ensemble)
    preset = _preset(method)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dial = linked_choice(st.selectbox, "Dial to move", titles, "dial", next(iter(titles)), width=260)
        measure = _measure(dataset)
        draws = st.select_slider("draws of base clusterings", DRAWS, 10, key="tune_draws", width=180)
    values = _values(method, dial, ensemble, preset)
    tuning = _follow((ensemble.fingerprint, method, dial, tuple(values)))
    filling = "" if method.handles_missing else FILLINGS[1]
    refused = slot()
    try:
        if tuning.strip is None and dial not in ("m", "missing") and _soon(method, ensemble, len(values)):
            plan = grid(method, fill=filling, **{dial: values})
            plan = Plan(plan.method, plan.dials, plan.points, plan.draws, FRAMES)
            tuning.strip = begun(plan, Pool(ensemble), _nearest(values, dial, place_of(values, getattr(method, dial))))
    except InputError as refusal:
        refused.error(plain(refusal))
    _asks(tuning, method, dataset, {dial: values}, draws, preset)
    every = 0.4 if tuning.busy else None
    piece(_one_dial_shown, every)(tuning, method, dataset, dial, measure, values)
    _opening(method, dataset, dial, values)


def _one_dial_shown(tuning: Tuning, method: Method, dataset: Dataset, dial: str, measure: str, values: list) -> None:
    progress(tuning)
    told = tuning.draws or tuning.strip
    if told is not None:
        points = {point.values[0]: point for point in curve(told, measure)}
        mean = [points[value].mean if value in points else math.nan for value in values]
        std = [points[value].std if value in points else math.nan for value in values]
        here = getattr(method, dial, None)
        count = max((point.count for point in points.values()), default=0)
        figure = tuned.curve(
            values, mean, std, MEASURES[measure], title_of(method, dial), is_log(method, dial), here,
            st.context.theme.type == "dark", 1.0 if measure in SHARES else None,
        )  # fmt: skip
        alt = f"{MEASURES[measure]} over {title_of(method, dial)}, mean of {counted(count, 'draw')}"
        st.plotly_chart(figure, key="tune_curve", theme=None, config=CONFIG, alt=alt)
        with slot():
            for error in told.errors():
                st.warning(plain(error))
            _best_agreement(told, method, dial)
    if tuning.strip is not None:
        outcomes = [tuning.strip.outcome(tuning.strip.plan.of((value,))[0]) for value in values]
        at = place_of(values, getattr(method, dial))
        looked = partial(_nearest_first, tuning.strip, values, dial)
        strip(dataset, method, title_of(method, dial), values, outcomes, at, tuning.since, looked)
    ended(tuning)


def _nearest(values: list, dial: str, at: int) -> Callable[[Task], float]:
    """What is nearest to where the dial stands is computed first."""
    far = nearest_first(values, at)
    return lambda task: far[getattr(task.method, dial)]


def _nearest_first(under_way: Sweep, values: list, dial: str, at: int) -> None:
    """Heard from the strip: its dial was dragged to where nothing is yet."""
    under_way.first(_nearest(values, dial, at))


def _best_agreement(told: Sweep, method: Method, dial: str) -> None:
    """For a dial that an ensemble may choose: what it would choose, and what that is worth."""
    if dial in ("m", "missing") or not method.param(dial).auto or not told.over:
        return
    points = [point for point in curve(told, "agreement_ari") if math.isfinite(point.mean)]
    if points:
        itself = [all(one.found == one.clusters for one in told.of(point.values)) for point in points]
        best = points[fittest([point.mean for point in points], itself)]
        words = (
            "Of the values that need no repair the base clusterings agree best with {dial} = {value} (mean ARI "
            "{mean}). {worth}"
        )
        value = number(best.values[0]) if isinstance(best.values[0], float) else best.values[0]
        st.caption(said(words, dial=title_of(method, dial), value=value, mean=number(best.mean), worth=WORTH))


def _opening(method: Method, dataset: Dataset, dial: str, values: list) -> None:
    """A point opens its run in Watch."""
    if dial in ("m", "missing"):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        called = [_said(value) for value in values]
        at = _one_of("Open in Watch with", called, "tune_open", 220)
        opened = Plan(method, (dial,), ((values[at],),)).tasks[0].method
        link_button(Place.of(dataset.key, opened), "Watch it", title=f"{title_of(method, dial)} {called[at]}")


def _one_of(title: str, called: list[str], key: str, width: int) -> int:
    """The place of the one that is chosen. The browser goes on showing what it showed first under a key: another list
    has another."""
    told = {str(i): name for i, name in enumerate(called)}
    key = f"{key}-{zlib.crc32('|'.join(called).encode()):x}"
    return int(st.selectbox(plain(title), list(told), format_func=told.get, key=key, width=width) or 0)


# --- two dials ------------------------------------------------------------------------------------------------------


def two_dials(method: Method, dataset: Dataset) -> None:
    ensemble = dataset.ensemble
    titles = movable(method, ensemble)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one = linked_choice(st.selectbox, "Dial upwards", titles, "dial", next(iter(titles)), width=240)
        others = {name: title for name, title in titles.items() if name != one}
        other = linked_choice(st.selectbox, "Dial across", others, "dial2", next(iter(others)), width=240)
        measure = _measure(dataset)
        draws = st.select_slider("draws of base clusterings", DRAWS, 2, key="tune_draws2", width=180)
    values = {name: values_of(method, name, ensemble, 7) for name in (one, other)}
    tuning = _follow((ensemble.fingerprint, method, one, other))
    _asks(tuning, method, dataset, values, draws, None)
    piece(_two_dials_shown, 0.4 if tuning.busy else None)(tuning, method, dataset, values, measure)


def _two_dials_shown(tuning: Tuning, method: Method, dataset: Dataset, values: dict, measure: str) -> None:
    progress(tuning)
    (one, rows), (other, cols) = values.items()
    if tuning.draws is None:
        st.caption("The map fills while the sweep runs; a cell opens its run in Watch.")
        return
    points = {point.values: point.mean for point in curve(tuning.draws, measure)}
    z = [[points.get((row, col), math.nan) for col in cols] for row in rows]
    axes = title_of(method, one), title_of(method, other)
    figure = tuned.heat(rows, cols, z, MEASURES[measure], axes, st.context.theme.type == "dark")
    st.plotly_chart(
        figure, key="tune_map", theme=None, config=CONFIG, alt=f"{MEASURES[measure]} over {' and '.join(axes)}"
    )
    there = [(value, point) for point, value in points.items() if math.isfinite(value)]
    if there and not {one, other} & {"m", "missing"}:
        best = sorted(there, key=lambda found: -found[0])
        told = [f"{_said(p[0])}, {_said(p[1])}: {value:.3f}" for value, p in best]
        with st.container(horizontal=True, vertical_alignment="bottom"):
            at = _one_of("Open in Watch", told, "tune_open2", 320)
            opened = Plan(method, (one, other), (best[at][1],)).tasks[0].method
            link_button(Place.of(dataset.key, opened), "Watch it", title=f"{axes[0]}, {axes[1]}: {told[at]}")
    ended(tuning)


# --- what both have -------------------------------------------------------------------------------------------------


def _preset(method: Method):
    """One of the papers' figures, if it was chosen: it sets method and dial."""
    titles = {"": "your own"} | {key: one.title for key, one in PRESETS.items()}
    with st.expander(
        "The papers' own figures, and where it is computed", key="fold-papers", icon=":material/menu_book:"
    ):
        key = st.selectbox("Figure", list(titles), format_func=titles.get, key="tune_preset", on_change=_take_preset)
        preset = PRESETS.get(key)
        if preset is not None and preset.method == method.key:
            _told(preset)
        st.text_input("Dask scheduler (empty: this machine)", key="cluster_address", placeholder="tcp://10.0.0.5:8786")
    return preset if preset is not None and preset.method == method.key else None


def _told(preset: Preset) -> None:
    """What the paper's figure shows, what came out here and with which dials, and where it is to be seen."""
    where = f", with {preset.setting}" if preset.params else ""
    words = "The paper's figure: {shape}. Measured on Ecoli, Aggregation and UMIST{where}: {seen}."
    st.caption(said(words, shape=preset.shape, where=where, seen=preset.seen))
    if session().dataset.key != preset.sample:
        words = said("Its shape is seen on the sample {title}", title=SAMPLES[preset.sample].title)
        st.button(words, key="tune_preset_sample", on_click=_take_preset, args=(preset.sample,))


def _take_preset(sample: str = "") -> None:
    """A callback: dial, values and the method's other dials as the figure has them, on these data or on a sample."""
    preset = PRESETS.get(st.session_state["tune_preset"])
    if preset is not None:
        data = sample or session().dataset.key
        k = SAMPLES[sample].k if sample else st.session_state.get("p_k")
        session().opened = Place(data, preset.method, {"k": k, **preset.params})
        turn(data=data, method=preset.method, dial=preset.dial)
        turn(tune_draws=min(DRAWS, key=lambda count: abs(count - preset.draws)))
        if sample or session().dataset.ensemble.truth is not None:
            turn(measure=preset.measure)


def _values(method: Method, dial: str, ensemble, preset) -> list:
    if preset is not None and preset.dial == dial:
        return preset.values_for(ensemble)
    return values_of(method, dial, ensemble)


def _measure(dataset: Dataset) -> str:
    truth = dataset.ensemble.truth is not None
    titles = {key: title for key, title in MEASURES.items() if truth or key not in NEED_TRUTH}
    return linked_choice(st.selectbox, "Shown", titles, "measure", "ari" if truth else "agreement_ari", width=300)


def _soon(method: Method, ensemble, runs: int) -> bool:
    return method.cost(ensemble).seconds * runs <= PATIENCE or bool(st.session_state.get("tune_anyway"))


def _asks(tuning: Tuning, method: Method, dataset: Dataset, dials: dict, draws: int, preset) -> None:
    ensemble = dataset.ensemble
    runs = draws * math.prod(len(values) for values in dials.values())
    m = None if "m" in dials else taken(ensemble.m, preset and preset.m)
    takes = seconds_in_words(method.cost(ensemble).seconds * runs)
    if again := _goes_on(tuning, _name_of(tuning, m)):
        _go(tuning, method, dataset, dials, again, m, preset)
    with st.container(horizontal=True, vertical_alignment="center"):
        words, look = said("Try {draws} draws of each", draws=draws), {"type": "primary", "disabled": tuning.busy}
        does(words, _go, tuning, method, dataset, dials, draws, m, preset, key="tune_go", **look)
        of = f"{m} of {ensemble.m} base clusterings each" if m else "all base clusterings"
        st.caption(said("{runs}, {of}, about {takes} of one processor.", runs=counted(runs, "run"), of=of, takes=takes))
    with slot():
        if refusal := session().refusal:
            st.error(plain(refusal))
            session().refusal = ""


def _go(tuning: Tuning, method: Method, dataset: Dataset, dials: dict, draws: int, m: int | None, preset) -> None:
    gaps = "missing" in dials or (preset is not None and preset.missing) or dataset.ensemble.has_missing
    filling = FILLINGS[1] if gaps and not method.handles_missing else ""
    hidden = {} if "missing" in dials or preset is None else {"missing": preset.missing}
    drawn = {} if m is None else {"m": m}
    try:
        plan = grid(method, draws=range(1, draws + 1), fill=filling, **drawn, **hidden, **dials)
        tuning.draws = begun(plan, Pool(dataset.ensemble))
        tuning.name = _name_of(tuning, m)
        remember("draws asked", asked=tuning.name, draws=draws)
    except InputError as refusal:
        session().refusal = str(refusal)


def _name_of(tuning: Tuning, m: int | None) -> str:
    """The same question has the same name, also when it is asked after a restart."""
    fingerprint, method, *rest = tuning.asked
    return hashlib.blake2b(repr((fingerprint, method.key, method.parameters(), rest, m)).encode()).hexdigest()[:32]


def _goes_on(tuning: Tuning, name: str) -> int:
    """How many draws of this were asked for last and not cancelled: whoever comes back, after a reload or when the
    server was killed, finds them going on, and what is finished is there."""
    last = remembered("draws asked")
    asked = last.get("draws") if tuning.draws is None and last.get("asked") == name else 0
    return asked if asked in DRAWS else 0


def _cancelled(tuning: Tuning) -> None:
    """A callback."""
    tuning.cancel()
    if tuning.name and remembered("draws asked").get("asked") == tuning.name:
        remember("draws asked", asked="")


def progress(tuning: Tuning) -> None:
    with slot():
        if tuning.busy:
            _progress(tuning)


def _progress(tuning: Tuning) -> None:
    done, total = sum(one.done for one in tuning.sweeps), sum(one.total for one in tuning.sweeps)
    left = max((one.seconds_left or 0.0 for one in tuning.sweeps if not one.over), default=0.0)
    words = f", {seconds_in_words(left)} left" if left else ""
    st.progress(done / max(total, 1), said("{done} of {total} runs{left}", done=done, total=total, left=words))
    st.button("Cancel", key="tune_cancel", on_click=_cancelled, args=(tuning,))


def ended(tuning: Tuning) -> None:
    """The page hears once of every sweep that ended, and stops asking."""
    ended = {id(one) for one in tuning.sweeps if one.over}
    for one in tuning.sweeps:
        if one.error:
            st.error(plain(one.error))
    if ended - tuning.told:
        tuning.told |= ended
        st.rerun()


def _said(value) -> str:
    """For lists to choose from, which take text as it is: a sign that is kept from meaning something would be seen."""
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
