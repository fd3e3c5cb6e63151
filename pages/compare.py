"""Compare: methods, settings and runs side by side on one ensemble."""

import streamlit as st

from pages.ui.controls import choose_clusters, choose_order, ready_for_all
from pages.ui.data_choice import choose_data
from pages.ui.differences import clusters_named, differences
from pages.ui.fold import fold
from pages.ui.history import history
from pages.ui.links import part, share
from pages.ui.live import live_view
from pages.ui.pieces import slot
from pages.ui.repeating import brought_back, repeating
from pages.ui.results import results_table, side_by_side
from pages.ui.rivals import choose_rivals
from pages.ui.session import session
from pages.ui.taking import take_home

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
results_table(mine.dataset, k)
with slot():
    if side_by_side(mine.dataset):
        live_view(order)
st.subheader("Where they differ", anchor=False)
with slot():
    differences(mine.dataset)
luck = "Luck or not: repeats over redrawn base clusterings"
with st.expander(luck, key="fold-repeats", icon=":material/replay:", expanded=brought_back(mine.dataset)):
    repeating(mine.dataset)
with part("home"):
    with st.expander("Runs on these data", key="fold-history", icon=":material/history:"):
        history(mine.dataset, k)
    with st.expander("Name, merge and colour clusters", key="fold-names", icon=":material/label:"):
        clusters_named(mine.dataset)
    with fold("Take it home", key="fold-home", icon=":material/download:") as is_open:
        if is_open:
            take_home(mine.dataset)
    share()
