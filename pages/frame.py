"""The frame around every page: its looks, the list of pages, and what is the same on all of them."""

import streamlit as st

from pages.ui.front_door import FIRST, ICON, PAGES
from pages.ui.links import hide_parts
from pages.ui.visitor import leave_cookie

st.set_page_config(page_title="Quorum", page_icon=str(ICON), layout="wide")
st.html("<style>[data-testid=stMainBlockContainer]{padding:3.5rem 2rem 4rem}</style>")
page = st.navigation(
    [
        st.Page(f"{name}.py", title=title, icon=icon, url_path=name, default=name == FIRST)
        for name, (title, icon) in PAGES.items()
    ],
    position="top",
)
page.run()
leave_cookie()
hide_parts()
