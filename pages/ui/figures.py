"""The standing version of every picture: a Plotly figure to zoom into, read off and export. Only when nothing runs."""

from __future__ import annotations

import csv
import io

import numpy as np
import streamlit as st

from consensus_core.drawing import figures
from consensus_core.drawing.kinds import drawn
from consensus_core.drawing.palettes import cluster_colour
from consensus_core.live.present import found_word
from consensus_core.live.run import Run
from consensus_core.live.sight import iteration
from consensus_core.live.stage import Stage
from consensus_core.method import Matrix, Scalar
from consensus_core.text import csv_cell, from_plotly

from .naming import naming_of
from .pieces import piece
from .session import Dataset, session

CAMERA = {"png": "PNG", "svg": "SVG"}


@piece
def standing_figures() -> None:
    """One figure at a time, of the iteration settled on."""
    mine = session()
    if not st.toggle("Figures to zoom, read off and export", key="figures", help="The pictures above, standing still."):
        return
    stage = mine.stage.as_it_is()
    if not stage.runs:  # nobody was here for a while, and what was held was let go
        st.rerun()
    run = stage.run
    if run.going or not run.moments:
        st.caption("Figures stand still: they appear when the run pauses or ends.")
        return
    shown = iteration(run, stage.shown)
    titles = _titles(run)
    name = st.selectbox("Picture", list(titles), format_func=titles.get, key="figure")
    figure, table = _figure(stage, mine.dataset, name, shown)
    if figure is None:
        st.caption("There is nothing to show at this iteration.")
        return
    image = st.session_state.get("camera") or "png"
    config = {"toImageButtonOptions": {"format": image, "scale": 2}, "displaylogo": False}
    st.plotly_chart(
        figure, config=config, key=f"standing_{image}", alt=f"{titles[name]}, iteration {shown}", theme=None
    )
    file = f"{run.method.key or run.method.name().lower()}_{name}_{shown}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "HTML", lambda: figure.to_html(include_plotlyjs=True), f"{file}.html", "text/html", on_click="ignore"
        )
        st.download_button("CSV", lambda: _csv(table), f"{file}.csv", "text/csv", on_click="ignore")
        st.segmented_control(
            "The camera in the figure's corner makes",
            CAMERA,
            format_func=CAMERA.get,
            default="png",
            key="camera",
            label_visibility="collapsed",
            required=True,
        )
        st.caption("by the camera in the figure's corner")


def _titles(run: Run) -> dict[str, str]:
    pictures = sorted(drawn(run.method), key=lambda quantity: (quantity.minor, quantity.kind is not Matrix))
    titles = {quantity.name: f"{quantity.letter}: {quantity.meaning}" for quantity in pictures}
    scalars = {f"curve {q.name}": f"{q.letter}: {q.meaning}" for q in run.method.quantities() if q.kind is Scalar}
    own = {
        "curve": "objective and its terms",
        "scores": "scores over the iterations",
        "found": f"{found_word(run.method)} found",
    }
    return {**titles, "map": "map of the objects", "tracks": "base clusterings", **own, **scalars}


def _figure(stage: Stage, dataset: Dataset, name: str, shown: int):
    """The figure, and its numbers as a table: (header, rows)."""
    run, dark = stage.run, st.context.theme.type == "dark"
    ensemble, moment = run.ensemble, run.moments[shown]
    arrangement = stage.sight.arrangement(shown)
    ids = np.arange(1, ensemble.n + 1) if dataset.ids is None else np.asarray(dataset.ids)
    if name == "map":
        places = figures.map_of(ensemble, dataset.features)
        clusters = naming_of(run.method)
        labels = clusters.applied(ensemble.expand(moment.labels))
        called = {label: clusters.name(label) for label in np.unique(labels).tolist()}
        colours = {label: clusters.colour(label, cluster_colour(label)) for label in called}
        figure = figures.points(places, labels, ids, "map of the objects", dark, called, colours)
        said = [called[label] for label in labels.tolist()] if clusters else labels + 1
        return figure, (["object", "x", "y", "cluster"], zip(ids, *places.T, said, strict=True))
    if name == "tracks":
        return _tracks(arrangement, ids, dark)
    if name in ("curve", "scores", "found") or name.startswith("curve "):
        series, title, log = _series(run, name)
        figure = figures.curves(series, title, log, marker=shown, dark=dark)
        return figure, (["iteration", *series], zip(range(len(run.moments)), *series.values(), strict=True))
    scale = stage.sight.scale(run, run.method.quantity(name))
    figure = figures.of(run.method, ensemble, run.at(shown), name, arrangement, ids, dark, scale)
    if figure is None:
        return None, None
    return figure, _numbers_of(figure)


def _tracks(arrangement, ids, dark):
    columns, names = figures.columns_of(arrangement), ids[arrangement.rows]
    figure = figures.tracks(columns, names, "labels, in the order of the rows", dark)
    lines = ((name, *line) for name, line in zip(names, (columns.codes + 1).tolist(), strict=True))
    return figure, (["object", *columns.names], lines)


def _series(run: Run, name: str):
    moments = run.moments
    if name == "found":
        wanted = [run.method.k] * len(moments)
        return {"found": [seen.found for seen in moments], "wanted": wanted}, f"{found_word(run.method)} found", False
    if name == "scores":
        return {key: [seen.scores[key] for seen in moments] for key in moments[0].scores}, "scores", False
    if name.startswith("curve "):
        quantity = run.method.quantity(name[6:])
        values = [seen.scalars[quantity.name] for seen in moments]
        return {quantity.letter: values}, quantity.meaning, quantity.log
    terms = {key: [seen.terms.get(key, np.nan) for seen in moments] for key in moments[-1].terms}
    objective = {"objective": [seen.objective for seen in moments]}
    return {**objective, **(terms if len(terms) > 1 else {})}, "objective and its terms", False


def _numbers_of(figure):
    """What a figure draws, as a table."""
    trace = figure.data[0]
    if trace.type == "heatmap":
        return [f"column {k + 1}" for k in range(trace.z.shape[1])], trace.z.tolist()
    if trace.type == "bar":
        return ["name", "value"], zip(map(from_plotly, trace.customdata), trace.y, strict=True)
    lines = [
        (x, y, trace.name, *([] if trace.customdata is None else [from_plotly(trace.customdata[k])]))
        for trace in figure.data
        for k, (x, y) in enumerate(zip(trace.x, trace.y, strict=True))
    ]
    return ["x", "y", "cluster", "object"], lines


def _csv(table) -> str:
    header, rows = table
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(map(csv_cell, header))
    writer.writerows(map(csv_cell, row) for row in rows)
    return text.getvalue()
