"""Which method is advised for a person's own data, and the way there."""

from __future__ import annotations

import streamlit as st

from consensus_core import METHODS
from consensus_core.data.advice import advised
from consensus_core.trust.recommended import SIZES

from .going import link_button
from .place import Place
from .session import Dataset
from .words import plain, said


@st.cache_resource(show_spinner=False, max_entries=32)
def _advised(_dataset: Dataset, fingerprint: str) -> tuple[str, str]:
    return advised(_dataset.ensemble, _dataset.k)


def advice_for(dataset: Dataset) -> tuple[str, str]:
    """(key of METHODS, a sentence that says why)."""
    return _advised(dataset, dataset.ensemble.fingerprint)


def advice(dataset: Dataset) -> None:
    key, why = advice_for(dataset)
    with st.container(horizontal=True, vertical_alignment="center"):
        method = METHODS[key].name()
        st.markdown(said(":material/lightbulb: **{method}** is advised: {why}", method=method, why=why))
        st.page_link(
            "watch.py",
            label=said("Watch {method} on it", method=method),
            icon=":material/play_circle:",
            query_params={"method": key, "data": dataset.key},
        )
    _sizes(dataset, key)


def _sizes(dataset: Dataset, advised_key: str) -> None:
    """The one question whose answer changes a setting, where the method it is about can be taken."""
    if any(advice.method != advised_key for advice in SIZES.values()):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        words = {answer: advice.when for answer, advice in SIZES.items()}
        said_so = st.radio(
            "Do you expect groups of very different size?", list(words), format_func=words.get, key="sizes",
            horizontal=True,
        )  # fmt: skip
        asked = SIZES[said_so or "no"]
        place = Place.of(dataset.key, asked.made(dataset.k))
        link_button(place, "Watch it with that", title=f"{METHODS[asked.method].name()}, {place.settings()}")
    st.caption(plain(asked.evidence))
