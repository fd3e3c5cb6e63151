"""Buttons that act on what stands beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from .session import session
from .words import Marked


def does(label: Marked, act: Callable, *args, **look) -> None:
    """A button that acts on what was chosen on the page. The arguments of a callback are those of the run that has
    drawn the button: a click that comes with a choice, in one breath, would act on what was chosen before it. So it is
    heard by the run that has read the choice, and is done first thing in the next one, as a callback is."""
    if st.button(label, **look):
        session().wish = partial(act, *args)
        st.rerun()


def do_what_was_asked() -> None:
    """From the frame around every page, before a widget is drawn."""
    mine = session()
    if (wish := mine.wish) is not None:
        mine.wish = None
        wish()
