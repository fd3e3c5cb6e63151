"""Quorum's server. `streamlit run app.py` starts it."""

import streamlit as st

from pages.ui.server import doors, ready

app = st.App("pages/frame.py", routes=doors(), lifespan=ready)
