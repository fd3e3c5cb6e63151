"""Buttons that act on what stands beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from .session import session
from .words import Marked


def pressed(button: Callable, label: Marked | str, *, key: str, **look) -> bool:
    """Whether that button (`st.button`, `st.form_submit_button`) was clicked, told once. What a button says itself is
    said to one run alone: where that run gives way to another before it comes to the button, the click is lost."""
    button(label, key=key, on_click=_press, args=(key,), **look)
    clicks = session().clicks
    heard = key in clicks
    clicks.discard(key)
    return heard


def _press(key: str) -> None:
    session().clicks.add(key)


def does(label: Marked, act: Callable, *args, key: str, **look) -> None:
    """A button that acts on what was chosen on the page. The arguments of a callback are those of the run that has
    drawn the button: a click that comes with a choice, in one breath, would act on what was chosen before it. So it is
    heard by the run that has read the choice, and is done first thing in the next one, as a callback is."""
    if pressed(st.button, label, key=key, **look):
        session().wish = partial(act, *args)
        st.rerun()


def do_what_was_asked() -> None:
    """From the frame around every page, before a widget is drawn."""
    mine = session()
    if (wish := mine.wish) is not None:
        mine.wish = None
        wish()


def nothing_more_to_hear() -> None:
    """A page was drawn to its end: what was clicked and is not on it any more is not done later."""
    session().clicks.clear()
