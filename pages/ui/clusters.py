"""How many clusters, honestly: the tree cut anywhere, who splits from whom, every rule as a curve with its record."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from consensus_core import InputError, Method
from consensus_core.data.advice import QUICK
from consensus_core.drawing import figures, tuned
from consensus_core.ensemble import Ensemble
from consensus_core.methods import METHODS
from consensus_core.partition.numbering import numbered
from consensus_core.sweep import Draw, Plan, Pool, Sweep
from consensus_core.trust.counting import CONSTANT, RULES, distribution, from_redraws, hint, read_off, splits, tree_of
from consensus_core.trust.stability import halves

from .clicks import does
from .going import link_button
from .pieces import piece
from .place import Place
from .session import Dataset, session
from .tuning import CONFIG, Tuning, begun, ended, progress
from .words import plain, said

MOST = 12  # numbers of clusters that are tried
PAIRS = 5  # of halves of the base clusterings


@st.cache_resource(show_spinner="Growing the tree …", max_entries=8)
def _tree(_ensemble: Ensemble, fingerprint: str):
    return tree_of(_ensemble)


@st.cache_data(show_spinner="Reading the rules off …", max_entries=16)
def _read_off(_ensemble: Ensemble, fingerprint: str, ks: tuple[int, ...]) -> dict[str, np.ndarray]:
    return read_off(_ensemble, _tree(_ensemble, fingerprint), ks)


@st.cache_data(show_spinner=False, max_entries=16)
def _cuts(_ensemble: Ensemble, fingerprint: str, ks: tuple[int, ...]) -> dict[int, np.ndarray]:
    tree = _tree(_ensemble, fingerprint)
    return {k: numbered(_ensemble, tree.cut(k)) for k in ks}


def how_many(method: Method, dataset: Dataset) -> None:
    ensemble = dataset.ensemble
    quick = METHODS[QUICK]
    if ensemble.q < 3:
        st.info("These base clusterings tell fewer than three groups apart: there is nothing to choose.")
        return
    ks = tuple(range(2, min(max(MOST, method.k + 2), ensemble.q) + 1))
    st.markdown(
        said(
            "No rule finds the number of clusters reliably: on real ensembles {constant}, and no rule here did better. "
            "Look at the tree, at what splits and at what is stable, and decide by what you need. {why}",
            constant=CONSTANT,
            why=dataset.k_why,
        )
    )
    k = st.slider("k looked at", ks[0], ks[-1], min(max(method.k, ks[0]), ks[-1]), key="look_k")
    with st.container(horizontal=True, vertical_alignment="center"):
        does(said("Use k = {k} everywhere", k=k), _use_k, dataset, k, key="use_k", type="primary")
        place = Place.of(dataset.key, dataclasses.replace(method, k=k))
        link_button(place, "Watch it", title=f"{method.name()} with k = {k}")
    cuts = _cuts(ensemble, ensemble.fingerprint, ks)
    _pictures(dataset, cuts, k)
    tuning = _asked(quick(k=2), ensemble, ks)
    piece(_rules, 0.5 if tuning.busy else None)(tuning, dataset, quick(k=2), ks, k)


def _use_k(dataset: Dataset, k: int) -> None:
    """A callback: from now on k clusters are wanted, on every page."""
    st.session_state["p_k"] = k
    session().clusters[dataset.key] = k


def _pictures(dataset: Dataset, cuts: dict[int, np.ndarray], k: int) -> None:
    ensemble, dark = dataset.ensemble, st.context.theme.type == "dark"
    tree = _tree(ensemble, ensemble.fingerprint)
    left, right = st.columns(2)
    with left:
        figure = tuned.dendrogram(tree, ensemble.counts, cuts[k], k, "the consensus as a tree (LWEA), its top", dark)
        st.plotly_chart(figure, key="k_tree", theme=None, config=CONFIG, alt=f"Dendrogram cut into {k} clusters")
    with right:
        figure = figures.object_map(ensemble, cuts[k], dataset.features, dataset.ids, "objects, cut there", dark)
        figure.update_layout(height=340, showlegend=False)
        st.plotly_chart(figure, key="k_map", theme=None, config=CONFIG, alt=f"Map of the objects in {k} clusters")
    with st.expander("Who splits from whom", key="fold-tree", expanded=True):
        figure = tuned.clustering_tree(cuts, splits(cuts, ensemble.counts), ensemble.counts, tree.leaf_order(), k, dark)
        st.plotly_chart(figure, key="k_splits", theme=None, config=CONFIG, alt="Clustering tree over k")


def _asked(method: Method, ensemble: Ensemble, ks: tuple[int, ...]) -> Tuning:
    """Results for every k on halves of the base clusterings, two and two without one in common."""
    mine, asked = session(), (ensemble.fingerprint, ks)
    if mine.counting is None or mine.counting.asked != asked:
        if mine.counting is not None:
            mine.counting.cancel()
        mine.counting = Tuning(asked)
        half = ensemble.m // 2
        if half > 1:
            draws = tuple(Draw(number, half) for number in range(2 * PAIRS))
            plan = Plan(method, ("k",), tuple((k,) for k in ks), draws)
            try:
                mine.counting.draws = begun(plan, Pool(ensemble, halves(ensemble.m, PAIRS)))
            except InputError as refusal:
                st.error(plain(refusal))
    return mine.counting


def _redrawn(sweep: Sweep | None, ks: tuple[int, ...]) -> dict[int, list[np.ndarray]]:
    """Results for each k, as far as both of two halves are there."""
    found = {}
    for k in ks if sweep is not None else ():
        labels = [outcome and outcome.labels for outcome in map(sweep.outcome, sweep.plan.of((k,)))]
        twos = zip(labels[::2], labels[1::2], strict=True)
        found[k] = [one for two in twos if all(side is not None for side in two) for one in two]
    return found


def _rules(tuning: Tuning, dataset: Dataset, method: Method, ks: tuple[int, ...], k: int) -> None:
    ensemble, dark = dataset.ensemble, st.context.theme.type == "dark"
    progress(tuning)
    redrawn = _redrawn(tuning.draws, ks)
    curves = _read_off(ensemble, ensemble.fingerprint, ks) | from_redraws(redrawn, ks)
    if not tuning.busy:
        if tuning.draws is None:
            st.info("Stability takes at least four base clusterings.")
        else:
            told = hint(ks, curves)
            icon = ":material/lightbulb:" if told.k else ":material/help:"
            st.info(plain(told.sentence), icon=icon)
    columns = st.columns(2)
    for at, rule in enumerate(RULES.values()):
        with columns[at % 2]:
            words = "**{title}.** {reads}. Right on real ensembles: {right}."
            st.markdown(
                said(words, title=rule.title[:1].upper() + rule.title[1:], reads=rule.reads_as, right=rule.right)
            )
            figure = tuned.rule(ks, curves[rule.key], k, rule.best, dark)
            st.plotly_chart(figure, key=f"k_{rule.key}", theme=None, config=CONFIG, alt=f"{rule.title} over k")
    many = {one: distribution(labels) for one, labels in redrawn.items() if len(labels) > 1}
    if many:
        st.markdown(
            "**Distribution of the consensus.** Flat in the middle: pairs are together always or never. Right on real "
            "ensembles as PAC and delta area are, which are read off it."
        )
        figure = tuned.distributions(many, k, dark)
        st.plotly_chart(figure, key="k_cdf", theme=None, config=CONFIG, alt=f"Distribution of the consensus, k = {k}")
    ended(tuning)
