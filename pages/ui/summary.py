"""What is in the data: numbers, oddities, the track plot, how far the base clusterings agree."""

from __future__ import annotations

import math

import streamlit as st

from consensus_core.data import filled
from consensus_core.data.oddities import Portrait, portrait
from consensus_core.drawing import figures

from .advice import advice
from .clicks import does
from .data_choice import add, contents_behind, use
from .parameters import FILLED
from .session import Dataset
from .words import listed, plain, said

CONFIG = {"displaylogo": False, "toImageButtonOptions": {"format": "svg"}}


@st.cache_resource(show_spinner="Looking at the data …", max_entries=32)
def _portrait(_dataset: Dataset, fingerprint: str) -> Portrait:
    return portrait(_dataset.ensemble)


@st.cache_resource(show_spinner=False, max_entries=16)
def _clusterings(_dataset: Dataset, fingerprint: str, dark: bool):
    return figures.clusterings(_dataset.ensemble, _dataset.ids, dark=dark)


def arrived(dataset: Dataset) -> None:
    ensemble = dataset.ensemble
    seen = _portrait(dataset, ensemble.fingerprint)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(plain(dataset.title), anchor=False)
        st.space("stretch")
        st.page_link("watch.py", label="Watch a method on these data", icon=":material/play_circle:")
    _numbers(seen)
    if dataset.origin is None or dataset.origin.file:
        advice(dataset)
    st.caption(plain(dataset.k_why))
    for sentence in (*dataset.notes, *seen.odd):
        st.warning(plain(sentence), icon=":material/info:")
    if dataset.because:
        with st.expander("Why the file was read like this", key="fold-reading"):
            st.markdown(listed(dataset.because))
    if ensemble.has_missing and dataset.origin is not None:  # counted from files: filled where a method needs it
        _gaps(dataset, seen)
    dark = st.context.theme.type == "dark"
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure, drawn = _clusterings(dataset, ensemble.fingerprint, dark)
        st.markdown(
            "**Track plot.** A column is a base clustering, a row an object; clusters of the same objects look alike."
        )
        if drawn < ensemble.n:
            st.badge(said("{drawn:,} of {n:,} objects drawn, evenly along the order", drawn=drawn, n=ensemble.n))
        st.plotly_chart(
            figure,
            key="tracks",
            theme=None,
            config=CONFIG,
            alt=f"Track plot of {ensemble.m} base clusterings over {drawn} objects",
        )
    with right:
        st.markdown("**Agreement.** How alike two base clusterings are: 1 is the same partition, 0 unrelated.")
        st.plotly_chart(
            figures.agreement(seen.nmi, ensemble.names, "NMI", dark),
            key="agreement",
            theme=None,
            config=CONFIG,
            alt=f"NMI between {ensemble.m} base clusterings, mean {seen.mean_nmi:.2f}",
        )
    with st.expander("Clusters and missing labels of each base clustering", key="fold-bases"):
        st.dataframe(
            {
                "base clustering": ensemble.names,
                "clusters": seen.k_each,
                "missing": seen.missing_each,
                "mean NMI with the others": seen.nmi_with_others,
            },
            column_config={
                "missing": st.column_config.NumberColumn(format="percent"),
                "mean NMI with the others": st.column_config.NumberColumn(format="%.3f"),
            },
            hide_index=True,
        )


def _numbers(seen: Portrait) -> None:
    k = (
        f"{seen.k_each.min():,}"
        if seen.k_each.min() == seen.k_each.max()
        else f"{seen.k_each.min():,} – {seen.k_each.max():,}"
    )
    diversity = "–" if math.isnan(seen.mean_nmi) else f"{1 - seen.mean_nmi:.2f}"
    numbers = [
        ("objects n", f"{seen.n:,}", "rows of the table"),
        ("base clusterings m", f"{seen.m:,}", "columns of the table"),
        ("clusters in each", k, "fewest and most clusters of a base clustering"),
        ("distinct rows q", f"{seen.q:,}", "objects with equal labels everywhere are one"),
        ("missing labels", "none" if seen.missing == 0 else f"{seen.missing:.1%}", "share of the table"),
        ("diversity", diversity, "1 − mean NMI between base clusterings"),
    ]  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        for label, value, meaning in numbers:
            number = said(":small[:gray[{label}]]  \n**{value}**", label=label, value=value)
            st.markdown(number, help=plain(meaning), width=134)


def _gaps(dataset: Dataset, seen: Portrait) -> None:
    """Missing labels are welcome: some methods take them, for the others they can be filled here, visibly."""
    with st.container(border=True):
        st.markdown(
            said(
                "**{share:.1%} of the labels are missing.** Some methods take them as they are (Watch says which); "
                "for the others they can be filled:",
                share=seen.missing,
            )
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            how = st.selectbox("Fill missing labels", list(FILLED), format_func=FILLED.get, key="fill_how")
            seed = st.number_input("seed", 0, 2**31, 0, key="fill_seed", width=120, disabled=how != "random")
            nowhere = dataset.origin is None
            does(plain("Use the filled table"), _fill, dataset, how, int(seed), key="fill", disabled=nowhere)


def _fill(dataset: Dataset, how: str, seed: int) -> None:
    use(add(filled(dataset.data, how, seed), contents_behind(dataset.key)))
