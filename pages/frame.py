"""The frame around every page: its looks, the list of pages, and what is the same on all of them."""

import streamlit as st

from consensus_core.live.crowd import CROWD
from pages.ui.clicks import do_what_was_asked, nothing_more_to_hear
from pages.ui.links import hide_parts, link_notice, read_link, remember_choices, said_by_the_browser
from pages.ui.making import making_elsewhere
from pages.ui.pieces import giving_way
from pages.ui.server import FIRST, ICON, PAGES
from pages.ui.session import session
from pages.ui.visitor import store_notice

LOOKS = """<style>
[data-testid=stMainBlockContainer] { padding: 3.5rem 2rem 4rem }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding: 3.5rem 1rem 4rem } }
/* Streamlit's own export of a table leaves formulas in it; our downloads do not */
[data-testid=stElementToolbarButton] button[aria-label^="Download as CSV"] { display: none }
/* Streamlit writes white on the primary colour, which is a light one in the dark */
[data-testid=stBaseButton-primary] { color: light-dark(#fff, #11141b) }
/* a finger hovers over nothing: the tools of a figure are always there, and stand below its title */
@media (hover: none) { .js-plotly-plot .modebar-container { top: 1.75rem !important } }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
</style>"""

st.set_page_config(page_title="Quorum", page_icon=str(ICON), layout="wide")
page = st.navigation(
    [
        st.Page(f"{name}.py", title=title, icon=icon, url_path=name, default=name == FIRST)
        for name, (title, icon) in PAGES.items()
    ],
    position="top",
)
st.html(f"{LOOKS}<h1 class=unseen>Quorum: {page.title}</h1>")
session().standing.begin(page.title, said_by_the_browser())
remember_choices()
do_what_was_asked()
read_link()
notices = st.container(key="notices")
with CROWD.opening(), giving_way():
    page.run()
if page.title != PAGES["data"][0]:
    making_elsewhere()
hide_parts()
with notices:
    link_notice()
    store_notice()
session().standing.end()
nothing_more_to_hear()
