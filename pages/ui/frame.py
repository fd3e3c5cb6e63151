"""Whether app.py stands around a page."""

from __future__ import annotations

import runpy
from pathlib import Path

import streamlit as st

from .session import session

APP = Path(__file__).resolve().parents[2] / "app.py"


def within_the_frame() -> None:
    """First line of every page.

    When the first thing a fresh server is asked for is a page's own address, Streamlit runs that page without app.py
    around it. Then app.py is run from here; its navigation tells the server, once for all, that it is the frame.
    """
    if not session().framed:
        runpy.run_path(str(APP))
        st.stop()
