"""Three steps for a first visit, dismissed for good by one click."""

from __future__ import annotations

import streamlit as st

from .links import part
from .visitor import remember, remembered

STEPS = (
    "**Move a parameter** on the left: the run starts again at once, the old curve stays in grey.",
    "**Space** pauses and plays, **← →** step through the iterations: every picture follows.",
    "**Click an entry** of a matrix: which two objects, and *why this value?*",
)


def hint() -> None:
    if remembered("hint").get("seen"):
        return
    with part("hint"), st.container(horizontal=True, vertical_alignment="center", gap="small", border=True, key="hint"):
        for number, step in enumerate(STEPS, start=1):
            st.markdown(f":small[:primary-badge[{number}] {step}]", width=270)
        st.space("stretch")
        st.button("Got it", key="hint_seen", on_click=remember, args=("hint",), kwargs={"seen": True}, type="tertiary")
