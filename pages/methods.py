"""Methods: what each does, in its own letters; generated from the classes."""

import streamlit as st

from consensus_core import METHODS
from consensus_core.data.catalogue import left_out, short_list
from consensus_core.data.sheets import sheet
from consensus_core.methods import SHOWN_FIRST
from pages.ui.catalogue import all_methods_button
from pages.ui.links import linked_choice
from pages.ui.sheets import show_sheet
from pages.ui.words import plain, said

sheets = {key: sheet(cls) for key, cls in METHODS.items()}
with st.sidebar:
    words = st.text_input("Search", placeholder="a word or a letter", key="methods_search")
found = {key: one for key, one in sheets.items() if one.says(words)} or sheets
asked = st.session_state.get("method") or st.query_params.get("method", "")
few = short_list(asked) if len(found) == len(sheets) else tuple(key for key in short_list(*found) if key in found)
titles = {key: f"{METHODS[key].name()} · {METHODS[key].title}" for key in few}
with st.sidebar:
    if words and len(found) == len(sheets):
        everywhere = all(one.says(words) for one in sheets.values())
        st.caption("In every sheet." if everywhere else "Not in any sheet: all are shown.")
    default = SHOWN_FIRST if SHOWN_FIRST in titles else next(iter(titles))
    key = linked_choice(st.radio, "Method", titles, "method", default)
    st.caption(said("{count} of {all} methods", count=len(found), all=len(sheets)))
    every = said("All {count} methods by family", count=len(METHODS))
    all_methods_button(every, lambda key: st.session_state.update(method=key))
    with st.expander("Not here, and why"):
        for one in left_out():
            st.markdown(said(":small[**{name}**]", name=one.name))
            st.caption(plain(one.why))
show_sheet(sheets[key], st.query_params.get("eq", ""))
