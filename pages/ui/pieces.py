"""Pieces of a page that are drawn anew without the page around them, and what is said to the page meanwhile.

Streamlit's browser sends what happens within one beat as one message, in the name of whichever piece spoke first. A
click on the page in the moment in which the live view asks something comes as the live view's own: it is done, but the
page is not drawn anew, and whoever clicked sees nothing happen. So a piece first looks whether something outside of it
was said, and if so lets the whole page hear it.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def piece(draw: Callable, every: float | None = None) -> Callable:
    """`st.fragment`. One that comes by itself every so often brings no clicks that do not come on their own as well."""

    @functools.wraps(draw)
    def drawn(*args, **kwargs):
        if every is None:
            _pass_on()
        with giving_way():
            return draw(*args, **kwargs)

    return st.fragment(drawn, run_every=every)


def slot():
    """A place of its own for what comes and goes: what stands below stays where it is. While a page is drawn anew the
    browser shows what has moved twice, and a fold that is clicked in that moment belongs to the page before."""
    return st.container()


@contextlib.contextmanager
def giving_way():
    """A run that is told to end goes on to its next word, beside the one that follows it, and may find the session's
    state changing under Streamlit's hands. What goes wrong in a run like that is nobody's: it ends there."""
    try:
        yield
    except Exception:
        st.session_state.get("a word")  # does not come back from there where it is told to end
        raise


def alone() -> bool:
    """A piece is drawn without the page around it."""
    return bool(get_script_run_ctx().fragment_ids_this_run)


def heard_of() -> set[str]:
    """The widgets, by their keys, that say something else in this run's message than before."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:  # of no page
        return set()
    names = context.session_state._state._key_id_mapper.id_key_mapping
    return {names.get(widget, widget) for widget in _changed(context)}


def _pass_on() -> None:
    """What a click had to do at once has been done, and what the page does when it comes to the button is still to be
    done (`clicks.pressed`)."""
    if alone() and _said_to_the_page(get_script_run_ctx()):
        st.rerun()


def _said_to_the_page(context) -> bool:
    """Something was said outside of the pieces being drawn."""
    about = context.session_state._state._new_widget_state.widget_metadata
    said = [about[widget] for widget in _changed(context) if about.get(widget) is not None]
    return any(one.fragment_id not in context.fragment_ids_this_run for one in said)


def _changed(context) -> list[str]:
    """The widgets that say something else than before. Streamlit keeps that to itself: it is looked up where it
    stands."""
    state = context.session_state._state
    return [widget for widget in list(state._new_widget_state.states) if state._widget_changed(widget)]
