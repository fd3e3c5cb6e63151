"""Figures for a paper, of the iteration shown: what, how wide, in which format; chosen once for all of them."""

from __future__ import annotations

import streamlit as st

from consensus_core import InputError
from consensus_core.data.exports import file_name
from consensus_core.drawing import paper
from consensus_core.live.run import Run
from consensus_core.method import Matrix, Step

from .naming import naming_of
from .session import Dataset
from .words import plain, said

COLUMN, PAGE = 85, 174  # millimetres
FONTS = ["DejaVu Sans", "Arial", "Helvetica", "Times New Roman"]
SHOWN = {
    "heat": "consensus heat map",
    "tracks": "track plot of all clusterings",
    "map": "map of the objects",
    "curves": "objective over the iterations",
}


def paper_figures(run: Run, step: Step, dataset: Dataset) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = st.selectbox("Figure", list(SHOWN), format_func=SHOWN.get, key="paper_what", width=240)
        width = st.number_input("width in mm", 30, 400, COLUMN, key="paper_width", width=120)
        size = st.number_input("type in points", 4.0, 16.0, 7.0, 0.5, key="paper_size", width=120)
        font = st.selectbox("font", FONTS, key="paper_font", width=170)
        palette = st.selectbox("numbers", list(paper.PALETTES), key="paper_palette", width=120)
        clusters = st.selectbox("clusters", list(paper.CLUSTER_COLOURS), 1, key="paper_clusters", width=130)
        dpi = st.number_input("dots per inch (PNG)", 72, 1200, 300, key="paper_dpi", width=150)
    style = paper.Style(width, None, font, size, int(dpi), palette, clusters)
    options = {}
    if what == "heat":
        options = _heat_options(step, dataset)
    try:
        sheet = _drawn(what, run, step, dataset, style, options)
    except InputError as refusal:
        st.info(plain(refusal))
        return
    st.image(sheet.svg(), width=min(int(width * 4), 700))
    with st.container(horizontal=True):
        for how, kind in paper.FORMATS.items():
            st.download_button(
                plain(how.upper()),
                lambda how=how: paper.written(sheet, how),
                file_name(dataset.title, step, f"{what}.{how}"),
                kind,
                key=f"paper_{how}",
                on_click="ignore",
                icon=":material/download:",
            )
    st.caption(
        said(
            "{width:.0f} × {height:.0f} mm; text is text in SVG and PDF. A column of most journals is {column:d} mm "
            "wide, a page {page:d}. The first palette of clusters is that of the screen.",
            width=sheet.width,
            height=sheet.height,
            column=COLUMN,
            page=PAGE,
        )
    )


def _heat_options(step: Step, dataset: Dataset) -> dict:
    names = [q.name for q in step.run.method.quantities() if q.kind is Matrix and q.axes == ("object", "object")]
    letters = {q.name: f"{q.letter}: {q.meaning}" for q in step.run.method.quantities()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Matrix", names, format_func=letters.get, key="paper_matrix", width=300) if names else None
        tree = st.toggle("tree", True, key="paper_tree")
        borders = st.toggle("borders", True, key="paper_borders")
        beside = st.multiselect("bars beside", list(dataset.covariates), key="paper_beside", width=260)
    return {
        "name": name,
        "dendrogram": tree,
        "borders": borders,
        "covariates": {column: dataset.covariates[column] for column in beside},
    }


def _drawn(what: str, run: Run, step: Step, dataset: Dataset, style: paper.Style, options: dict) -> paper.Sheet:
    called = naming_of(run.method)
    if what == "heat":
        return paper.heatmap(step, style=style, clusters=called, **options)
    if what == "tracks":
        return paper.tracks(step, style, clusters=called)
    if what == "curves":
        return paper.curves({"objective": run.history.objective[: step.iteration + 1]}, style, y="objective")
    labels = run.moments[step.iteration].labels
    return paper.object_map(step.run.ensemble, labels, dataset.features, style, clusters=called)
