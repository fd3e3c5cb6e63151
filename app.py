"""Quorum's server. `streamlit run app.py` starts it."""

import streamlit as st

from pages.ui.server import doors, guards, ready

app = st.App("pages/frame.py", routes=doors(), middleware=guards(), lifespan=ready)
