"""The glossary on the page: every word, and every letter with the methods that use it."""

from __future__ import annotations

import itertools

import streamlit as st

from consensus_core import METHODS
from consensus_core.lessons.glossary import Sign, looked_up
from consensus_core.numbers import counted

from .words import Marked, plain, said

FIRST = 60  # letters that are listed before one asks for more


def glossary() -> None:
    asked = st.text_input("Look up", placeholder="a word or a letter", key="glossary_asked")
    words, signs = looked_up(asked)
    if not words and not signs:
        st.caption(said("Neither a word nor a letter here is “{asked}”.", asked=asked))
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(said("#### {count}", count=counted(len(words), "word")))
        st.markdown(
            Marked("\n\n".join(said("**{word}**  \n{meaning}", word=one.word, meaning=one.meaning) for one in words))
        )
    with right:
        groups = [list(group) for _, group in itertools.groupby(signs, key=lambda sign: sign.letter)]
        st.markdown(said("#### {count}", count=counted(len(groups), "letter")))
        everything = bool(asked) or st.session_state.get("all_letters", False)
        shown = groups if everything else groups[:FIRST]
        st.markdown(Marked("\n\n".join(_letter(group) for group in shown)))
        if len(shown) < len(groups):
            st.toggle(said("All {count} letters", count=len(groups)), key="all_letters")


def _letter(group: list[Sign]) -> str:
    lines = [said("**{letter}**", letter=group[0].letter)]
    for meaning, same in itertools.groupby(group, key=lambda sign: sign.meaning):
        links = ", ".join(_link(sign) for sign in same)
        lines.append(said("{meaning} :small[{links}]", meaning=meaning, links=Marked(links)))
    return "  \n".join(lines)


def _link(sign: Sign) -> str:
    """To its place on the method's sheet; a dial stands among the dials."""
    asked = f"&eq={sign.name}" if sign.kind == "quantity" else ""
    number = said(" {number}", number=sign.number) if sign.number else ""
    return f"[{plain(METHODS[sign.method].name())}{number}](./methods?method={sign.method}{asked})"
