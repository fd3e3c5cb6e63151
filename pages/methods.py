"""Methods: what each does, in its own letters; generated from the classes."""

import streamlit as st

from consensus_core import METHODS
from consensus_core.data.sheets import sheet
from consensus_core.methods import SHOWN_FIRST
from pages.ui.links import linked_choice
from pages.ui.sheets import show_sheet
from pages.ui.words import said

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
titles = {key: f"{METHODS[key].name()} · {METHODS[key].title}" for key in found}
with st.sidebar:
    if words and len(found) == len(wanted):
        every = all(one.says(words) for one in wanted.values())
        st.caption("In every sheet." if every else "Not in any sheet: all are shown.")
    if wanted is sheets and (family or gaps):
        st.caption("No method is both: all are shown.")
    default = SHOWN_FIRST if SHOWN_FIRST in titles else next(iter(titles))
    key = linked_choice(st.radio, "Method", titles, "method", default)
    st.caption(said("{count} of {all} methods", count=len(found), all=len(sheets)))
show_sheet(sheets[key], st.query_params.get("eq", ""))
