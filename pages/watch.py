"""Watch: one method, live."""

import streamlit as st

from pages.ui.controls import beside, choose_method, choose_order, ready_for
from pages.ui.data_choice import choose_data
from pages.ui.downloads import downloads
from pages.ui.figures import standing_figures
from pages.ui.fold import fold
from pages.ui.going import look_for_where_one_left_off, mark, offer
from pages.ui.hint import hint
from pages.ui.links import part, share
from pages.ui.live import follow, live_view
from pages.ui.pieces import slot
from pages.ui.presets import presets
from pages.ui.session import session
from pages.ui.trust import trust_panel

mine = session()
look_for_where_one_left_off()
with st.sidebar:
    with part("data"):
        choose_data()
    method, draw_rare_dials = choose_method(mine.dataset)
    mine.dataset = ready_for(method, mine.dataset)
    with part("order"):
        order = choose_order(mine.dataset.ensemble)

follow([method, *beside(method, mine.dataset)])
with slot():
    offer(method)
    hint()
live_view(order)
draw_rare_dials()
with part("presets"):
    presets(mine.dataset.key)
with slot():
    standing_figures()
with part("trust"):
    trust_panel()
with part("home"):
    left, right = st.columns([3, 2], gap="large")
    with left, fold("Take it home", key="fold-home", icon=":material/download:") as is_open:
        if is_open:
            downloads(mine.run, mine.dataset)
    with right:
        share()
mark(method)
