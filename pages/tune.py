"""Tune: dials moved over their range, seen as pictures and as curves; and how many clusters there may be."""

import streamlit as st

from pages.ui.clusters import how_many
from pages.ui.controls import choose_method, ready_for
from pages.ui.data_choice import choose_data
from pages.ui.links import linked_choice, part
from pages.ui.parameters import TUNED
from pages.ui.session import session
from pages.ui.tuning import one_dial, two_dials

mine = session()
with st.sidebar:
    with part("data"):
        choose_data()
    method, draw_rare_dials = choose_method(mine.dataset)
    draw_rare_dials()
    mine.dataset = ready_for(method, mine.dataset)

way = linked_choice(
    st.segmented_control, "What to see", TUNED, "see", "curve", label_visibility="collapsed", required=True
)
match way:
    case "curve":
        one_dial(method, mine.dataset)
    case "map":
        two_dials(method, mine.dataset)
    case _:
        how_many(method, mine.dataset)
