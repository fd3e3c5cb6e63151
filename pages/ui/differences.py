"""Where the results on the bench differ; clusters as the person calls them."""

from __future__ import annotations

import streamlit as st

from consensus_core.compare import Comparison

from .between import between
from .going import link_button
from .naming import naming_of, naming_panel
from .place import Place
from .results import side
from .session import Dataset, session


def differences(dataset: Dataset) -> None:
    """The two that are chosen, or the first two side by side."""
    mine = session()
    comparison = mine.bench.comparison()
    if len(comparison.there) < 2:
        st.caption("Where results differ is shown when there are two of them.")
        return
    there = {comparison.outcomes[place].method: place for place in comparison.there}
    flowing = [there[method] for method in side(comparison) if method in there]
    between(dataset, comparison, _pair(comparison, there, flowing), flowing, naming_of, _chosen)


def _pair(comparison: Comparison, there: dict, flowing: list[int]) -> tuple[int, int]:
    chosen = [there[method] for method in session().pair if method in there]
    every = list(dict.fromkeys([*chosen, *flowing, *comparison.there])) if len(chosen) < 2 else chosen
    return every[0], every[1]


def _chosen(one: int, other: int) -> None:
    mine = session()
    outcomes = mine.bench.comparison().outcomes
    mine.pair = (outcomes[one].method, outcomes[other].method)


def clusters_named(dataset: Dataset) -> None:
    """The clusters of one of the results get names of the person's own, and its labels go home with them."""
    mine = session()
    comparison = mine.bench.comparison()
    there = {comparison.names[place]: place for place in comparison.there}
    if not there:
        st.caption("There is something to name when the first result is there.")
        return
    name = st.selectbox("Clusters of", list(there), key="naming_of")
    outcome = comparison.outcomes[there[name]]
    naming_panel(outcome.method, comparison.labels(there[name]))
    link_button(Place.of(dataset.key, outcome.method), "Open it in Watch", title=name)
