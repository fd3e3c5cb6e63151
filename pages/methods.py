"""Methods: what each does, in its own letters; generated from the classes."""

import streamlit as st

from consensus_core import METHODS
from consensus_core.data.catalogue import left_out, short_list
from consensus_core.data.sheets import sheet
from consensus_core.methods import SHOWN_FIRST
from pages.ui.catalogue import all_methods_button
from pages.ui.links import linked_choice
from pages.ui.pieces import slot
from pages.ui.sheets import show_sheet
from pages.ui.words import plain, said

sheets = {key: sheet(cls) for key, cls in METHODS.items()}
with st.sidebar:
    words = st.text_input("Search", placeholder="a word or a letter", key="methods_search")
    families = {"": "all families"} | {family: family for family in sorted({cls.family for cls in METHODS.values()})}
    family = st.selectbox("Family", families, format_func=families.get, key="methods_family")
    gaps = st.toggle("takes missing labels", key="methods_gaps")
wanted = {
    key: one
    for key, one in sheets.items()
    if family in ("", METHODS[key].family) and (not gaps or METHODS[key].handles_missing)
} or sheets
found = {key: one for key, one in wanted.items() if one.says(words)} or wanted
asked = st.session_state.get("method") or st.query_params.get("method", "")
# the short list where nothing narrows it; else what was found, those looked at first before the others
few = [key for key in short_list(asked, *(found if len(found) < len(sheets) else ())) if key in found]
titles = {key: f"{METHODS[key].name()} · {METHODS[key].title}" for key in few}
with st.sidebar:
    with slot():
        if words and len(found) == len(wanted):
            everywhere = all(one.says(words) for one in wanted.values())
            st.caption("In every sheet." if everywhere else "Not in any sheet: all are shown.")
        if wanted is sheets and (family or gaps):
            st.caption("No method is both: all are shown.")
    default = SHOWN_FIRST if SHOWN_FIRST in titles else next(iter(titles))
    key = linked_choice(st.radio, "Method", titles, "method", default)
    st.caption(said("{count} of {all} methods", count=len(found), all=len(sheets)))
    every = said("All {count} methods by family", count=len(METHODS))
    all_methods_button(every, lambda key: st.session_state.update(method=key))
    with st.expander("Not here, and why", key="fold-left-out"):
        for one in left_out():
            st.markdown(said(":small[**{name}**]", name=one.name))
            st.caption(plain(one.why))
show_sheet(sheets[key], st.query_params.get("eq", ""))
