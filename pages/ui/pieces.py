"""Pieces of a page that are drawn anew without the page around them, and what is said to the page meanwhile.

Streamlit's browser sends what happens within one beat as one message, in the name of whichever piece spoke first. A
click on the page in the moment in which the live view asks something comes as the live view's own: it is done, but the
page is not drawn anew, and whoever clicked sees nothing happen. So a piece first looks whether something outside of it
was said, and if so lets the whole page hear it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

_CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value")


def piece(draw: Callable, every: float | None = None) -> Callable:
    """`st.fragment`. One that comes by itself every so often brings no clicks that do not come on their own as well."""
    if every is not None:
        return st.fragment(draw, run_every=every)

    @functools.wraps(draw)
    def drawn(*args, **kwargs):
        _pass_on()
        return draw(*args, **kwargs)

    return st.fragment(drawn)


def alone() -> bool:
    """A piece is drawn without the page around it."""
    return bool(get_script_run_ctx().fragment_ids_this_run)


def _pass_on() -> None:
    context = get_script_run_ctx()
    if not alone() or (clicks := _said_to_the_page(context)) is None:
        return
    # what a click had to do at once has been done; what the page does when it reads a button is still to be done
    raise RerunException(
        RerunData(
            query_string=context.query_string,
            page_script_hash=context.page_script_hash,
            cached_message_hashes=context.cached_message_hashes,
            context_info=context.context_info,
            replay_trigger_states=clicks,
        )
    )


def _said_to_the_page(context) -> WidgetStates | None:
    """All clicks of this moment, where anything was said outside of the pieces being drawn: those within them are not
    drawn now either. None where nothing was. Streamlit keeps that to itself: it is looked up where it stands."""
    state = context.session_state._state
    fresh, clicks, said = state._new_widget_state, WidgetStates(), False
    for widget in list(fresh.states):
        about = fresh.widget_metadata.get(widget)
        if about is None or not state._widget_changed(widget):
            continue
        said = said or about.fragment_id not in context.fragment_ids_this_run
        one = fresh.get_serialized(widget)
        if one is not None and one.WhichOneof("value") in _CLICKS:
            clicks.widgets.add().CopyFrom(one)
    return clicks if said else None
