"""Watch: one method, live."""

import streamlit as st

from consensus_core.samples import FIRST, SAMPLES, load
from pages.ui.controls import choose_method
from pages.ui.live import follow, live_view
from pages.ui.session import Dataset, session

mine = session()


@st.cache_resource(show_spinner=False)
def sample(key: str) -> Dataset:
    loaded = load(key)
    return Dataset(
        key, loaded.sample.title, loaded.ensemble, loaded.ids, loaded.features, loaded.sample.origin, loaded.sample.k
    )


with st.sidebar:
    keys = list(SAMPLES)
    data = st.selectbox(
        "Data",
        keys,
        index=keys.index(FIRST),
        format_func=lambda key: SAMPLES[key].title,
        key="data",
        bind="query-params",
    )
    mine.dataset = sample(data)
    ensemble = mine.dataset.ensemble
    method = choose_method(mine.dataset.k, ensemble.q)
    orders = ["consensus", *(["truth"] if ensemble.truth is not None else []), "leaf", "given"]
    orders += [f"base:{i}" for i in range(ensemble.m)]
    order = st.selectbox("Rows in the order of", orders, key="order", bind="query-params")

follow(method)
live_view(order)
