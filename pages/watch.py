"""Watch: one method, live."""

import streamlit as st

from pages.ui.controls import choose_method
from pages.ui.datasets import choose_data
from pages.ui.frame import within_the_frame
from pages.ui.live import follow, live_view
from pages.ui.session import session
from pages.ui.standing import standing_figures

within_the_frame()
mine = session()


with st.sidebar:
    choose_data()
    ensemble = mine.dataset.ensemble
    method = choose_method(mine.dataset.k, ensemble.q)
    orders = ["consensus", *(["truth"] if ensemble.truth is not None else []), "leaf", "given"]
    orders += [f"base:{i}" for i in range(ensemble.m)]
    order = st.selectbox("Rows in the order of", orders, key="order", bind="query-params")

follow(method)
live_view(order)
standing_figures(order)
