"""The samples as cards: what each is and teaches, one click to open."""

from __future__ import annotations

import streamlit as st

from .datasets import use

# cards share the rows evenly; two rows and a half are seen, so that it shows that there are more
LOOKS = """<style>
.st-key-samples { align-content: flex-start }
.st-key-samples > div { flex: 1 1 258px; min-width: 0; height: auto !important }
.st-key-samples [class*=st-key-card] { height: 100% }
.st-key-samples p { line-height: 1.4 }
</style>"""


def sample_cards(samples: dict, current: str) -> None:
    with st.container(horizontal=True, gap="small", height=430, border=False, key="samples"):
        for key, sample in samples.items():
            with st.container(border=True, width=258, height="stretch", gap="xsmall", key=f"card-{key}"):
                _card(key, sample, key == current)
    st.html(LOOKS)


def _card(key: str, sample, open_now: bool) -> None:
    size = f"{sample.n:,} objects · {sample.m} clusterings" + (f" · {sample.p} features" if sample.p else "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(f"**{sample.title}**", width="stretch")
        st.button(
            "In use" if open_now else "Open",
            key=f"sample {key}",
            on_click=use,
            args=(key,),
            disabled=open_now,
            help=f"{sample.origin}. {sample.licence}.",
        )
    st.markdown(f":small[:gray[{size}]]  \n:small[{sample.teaches}]")
