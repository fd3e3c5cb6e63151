"""All methods by family, with a search: what to think of each stands beside it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from consensus_core import METHODS
from consensus_core.data.catalogue import CHANGES, measured_in_words, thought, with_words

from .words import Marked, plain, said

OPEN = "all_methods_open"  # whether the window is: a run that ends meanwhile must not shut it


def all_methods_button(label: Marked, choose: Callable[[str], None], **more) -> None:
    """Opens a window with all of them; the method chosen closes it."""
    st.button(label, icon=":material/menu_book:", on_click=_opened, args=(True,), **more)
    if st.session_state.get(OPEN):
        _window(choose)


def _opened(is_open: bool) -> None:
    st.session_state[OPEN] = is_open


@st.dialog("All methods", width="large", on_dismiss=lambda: _opened(False))
def _window(choose: Callable[[str], None]) -> None:
    words = st.text_input("Search", placeholder="a word: hypergraph, Huang, missing …", key="all_methods_search")

    def taken(key: str) -> None:
        _opened(False)
        choose(key)

    if shown_by_family(words, taken, "all"):
        st.rerun()


def shown_by_family(words: str, choose: Callable[[str], None], where: str) -> bool:
    """Shelves that open, and whether a method was chosen."""
    found, chosen = with_words(words), False
    if not found:
        st.caption("No method says that. Fewer letters find more.")
    for shelf in found:
        title = said("{title} ({count})", title=shelf.title, count=len(shelf.keys))
        is_open = bool(words) or shelf.open
        with st.expander(title, key=f"fold-{where}-{shelf.title}-{is_open}", expanded=is_open):
            for key in shelf.keys:
                chosen = _offered(key, choose, where) or chosen
    st.caption(said("{changes}: {how}.", changes=CHANGES, how=measured_in_words()))
    return chosen


def _offered(key: str, choose: Callable[[str], None], where: str) -> bool:
    cls, told = METHODS[key], thought(key)
    with st.container(key=f"{where}-{key}"):
        label = said("**{name}** · {title}", name=cls.name(), title=cls.title)
        chosen = st.button(label, key=f"{where}_take_{key}", on_click=choose, args=(key,), type="tertiary")
        st.caption(plain(told.line))
        if told.advised:
            st.caption(said("Advised: {why}.", why=told.advised))
        for part in filter(None, (told.good, told.bad)):
            st.markdown(said(":small[{part}]", part=part))
    return chosen


def what_to_think(key: str) -> None:
    """Below the choice: in a line, and in full on demand."""
    told = thought(key)
    if told.advised:
        st.caption(said("Advised: {why}.", why=told.advised))
    st.caption(plain(told.line), help=plain(told.sentences))
