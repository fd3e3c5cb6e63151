"""The samples as cards: what each is and teaches, one click to open."""

from __future__ import annotations

import streamlit as st

from consensus_core.data.samples import FIRST

from .data_choice import use
from .words import said

AT_ONCE = 6  # two rows; the others are one click away
LOOKS = """<style>
[class*=st-key-samples] > div { flex: 1 1 258px; min-width: 0; height: auto !important }
[class*=st-key-samples] [class*=st-key-card] { height: 100% }
[class*=st-key-samples] [class*=st-key-card] [data-testid=stHorizontalBlock] { overflow: visible }
[class*=st-key-samples] p { line-height: 1.4 }
</style>"""


def sample_cards(samples: dict, current: str) -> None:
    made = [key for key, sample in samples.items() if sample.group and key != FIRST]
    keys = [key for key in samples if key not in made]
    everything = st.session_state.get("all_samples", False)
    if not everything and current in keys[AT_ONCE:]:
        keys.insert(0, keys.pop(keys.index(current)))
    st.html(LOOKS)
    if not everything and current in made:
        keys.insert(0, current)
    _cards(keys if everything else keys[:AT_ONCE], samples, current, "samples")
    if everything and made:
        st.markdown("**Made so that a switch is seen to matter**, each with settings to break and repair on Watch")
        _cards(made, samples, current, "samples_breaking")
    if not everything:
        st.button(
            said("All {count} samples", count=len(samples)),
            key="more_samples",
            on_click=_show_all,
            icon=":material/expand_more:",
        )


def _cards(keys, samples: dict, current: str, name: str) -> None:
    with st.container(horizontal=True, gap="small", border=False, key=name):
        for key in keys:
            with st.container(border=True, width=258, height="stretch", gap="xsmall", key=f"card-{key}"):
                _card(key, samples[key], key == current)


def _show_all() -> None:
    st.session_state["all_samples"] = True


def _card(key: str, sample, open_now: bool) -> None:
    size = f"{sample.n:,} objects · {sample.m} clusterings" + (f" · {sample.p} features" if sample.p else "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(said("**{title}**", title=sample.title), width="stretch")
        st.button(
            "In use" if open_now else "Open",
            key=f"sample {key}",
            on_click=use,
            args=(key,),
            disabled=open_now,
            help=said("{origin}. {licence}.", origin=sample.origin, licence=sample.licence),
        )
    st.markdown(said(":small[:gray[{size}]]  \n:small[{teaches}]", size=size, teaches=sample.teaches))
