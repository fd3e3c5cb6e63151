"""The samples as cards: what each is and teaches, one click to open."""

from __future__ import annotations

import streamlit as st

from .datasets import use


def sample_cards(samples: dict, current: str) -> None:
    with st.container(horizontal=True, gap="small", height=430, border=False):
        for key, sample in samples.items():
            with st.container(border=True, width=280, height="stretch"):
                size = f"{sample.n:,} objects · {sample.m} clusterings" + (
                    f" · {sample.p} features" if sample.p else ""
                )
                st.markdown(f"**{sample.title}**  \n:small[:gray[{size}]]")
                st.markdown(f":small[{sample.teaches}]")
                st.space("stretch")
                open_now = key == current
                st.button(
                    "Open" if not open_now else "Opened",
                    key=f"sample {key}",
                    on_click=use,
                    args=(key,),
                    disabled=open_now,
                    width="stretch",
                    help=f"{sample.origin}. {sample.licence}.",
                )
