"""Compare: methods, settings and runs side by side on one ensemble."""

import streamlit as st

from pages.ui.controls import choose_clusters, choose_order, ready_for_all
from pages.ui.data_choice import choose_data
from pages.ui.differences import differences
from pages.ui.links import part, share
from pages.ui.live import live_view
from pages.ui.rivals import choose_rivals, rivals_table, side_by_side
from pages.ui.session import session

mine = session()
with st.sidebar:
    with part("data"):
        choose_data()
    with part("parameters"):
        k = choose_clusters(mine.dataset)
    mine.dataset = ready_for_all(mine.dataset)
    with part("order"):
        order = choose_order(mine.dataset.ensemble)

with part("method"):
    choose_rivals(mine.dataset, k)
rivals_table(mine.dataset, k)
if side_by_side(mine.dataset):
    live_view(order)
differences(mine.dataset)
with part("home"), st.expander("Share this screen", icon=":material/link:"):
    share()
