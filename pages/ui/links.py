"""What a link says beside the widgets that are bound to it: choices whose key is short and whose title is long."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

HIDE = "hide"


def linked_choice(widget, label: str, titles: Mapping[str, str], key: str, default: str, **more):
    """A selectbox or segmented control whose place in the link is the key of what is chosen, not its title.

    (Streamlit's own binding would write the title.) The link is read once; from then on the widget writes it.
    """
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, default)
    if st.session_state[key] not in titles:
        st.session_state[key] = default
    chosen = widget(label, list(titles), format_func=titles.get, key=key, **more) or default
    if chosen != st.query_params.get(key, default):
        if chosen == default:
            del st.query_params[key]
        else:
            st.query_params[key] = chosen
    return chosen


def hidden(what: str) -> bool:
    """Whether the link hides a part of the page: ?hide=data,method,…"""
    return what in st.query_params.get(HIDE, "").split(",")
