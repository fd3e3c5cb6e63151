"""Quorum's frame: page config and the list of pages."""

import gc

import streamlit as st

from pages.ui.links import hide_parts
from pages.ui.session import session
from pages.ui.visitor import leave_cookie

st.set_page_config(page_title="Quorum", page_icon="🗳️", layout="wide")


@st.cache_resource(show_spinner=False)
def freeze_imports():
    gc.collect()
    gc.freeze()
    return True


st.html("<style>[data-testid=stMainBlockContainer]{padding:3.5rem 2rem 4rem}</style>")
page = st.navigation(
    [
        st.Page("pages/watch.py", title="Watch", icon=":material/play_circle:", url_path="watch", default=True),
        st.Page("pages/data.py", title="Data", icon=":material/table:", url_path="data"),
    ],
    position="top",
)
session().framed = True
page.run()
leave_cookie()
hide_parts()
freeze_imports()
