"""Three steps for a first visit, dismissed for good by one click."""

from __future__ import annotations

import streamlit as st

from .links import part
from .visitor import remember, remembered
from .words import Marked, said

STEPS = (
    "**Move a parameter:** the run starts anew, the old curve stays in grey.",
    "**Click an entry** of a matrix to see *why it has this value*.",
    "**Space** plays and pauses, **← →** step through the iterations.",
)
# a telephone has no keys: the last step is none there
LOOKS = """<style>.st-key-hint { padding: .5rem .75rem; } .st-key-hint p { line-height: 1.35 }
@media (max-width: 640px) { .st-key-hint_3 { display: none } }</style>"""


def hint() -> None:
    if remembered("hint").get("seen"):
        return
    with part("hint"), st.container(horizontal=True, vertical_alignment="center", gap="small", border=True, key="hint"):
        for number, step in enumerate(STEPS, start=1):
            with st.container(key=f"hint_{number}", width=238):
                st.markdown(said(":small[:primary-badge[{number}] {step}]", number=number, step=Marked(step)))
        st.html(LOOKS)
        st.button("Got it", key="hint_seen", on_click=remember, args=("hint",), kwargs={"seen": True}, type="tertiary")
