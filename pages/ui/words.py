"""What is said on a page, in Streamlit's Markdown: our own words as they are, everybody else's as nothing but text.

    st.markdown(said("**{title}** has {n:,} objects", title=dataset.title, n=n))
    st.error(plain(refusal))

Every text that is not written out in the call itself goes through one of the two; a test sees to it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import Any

from consensus_core.text import isolated, visible

JOIN = "\u2060"  # joins words without being seen: it stands where two signs together would mean something
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_SET_OFF = re.compile(r"(\s*(?:`[^`]+`|\*\*[^*`]+\*\*)\s*)")
# Escapes are gone when Streamlit looks for links, icons, emoji and arrows in what is left, so these are broken up
_TOGETHER = re.compile(r"(?<=:)(?=\S)|(?<=\bwww)(?=\.)|(?<=@)(?=\w)|(?<=[-<>~])(?=[->=])", re.IGNORECASE)


class Marked(str):
    """Markdown of ours: not escaped once more."""

    __slots__ = ()


def plain(text: Any) -> Marked:
    """Shown sign by sign as it is, on one line."""
    if isinstance(text, Marked):
        return text
    broken = _TOGETHER.sub(JOIN, visible(text))
    return Marked(isolated(_PUNCTUATION.sub(r"\\\g<0>", broken)))


def said(sentence: str, /, **values: Any) -> Marked:
    """A sentence of ours with values put in: numbers as their format says, everything else as plain text."""
    return Marked(_SENTENCES.vformat(sentence, (), values))


def prose(paragraph: str) -> Marked:
    """A paragraph of a docstring of ours: `names of the program` and **what matters** as such, the rest is plain."""
    parts = _SET_OFF.split(paragraph)
    return Marked("".join(part if k % 2 else plain(part) for k, part in enumerate(parts)))


def listed(sentences: Iterable[Any]) -> Marked:
    """One below the other."""
    return Marked("\n".join(f"* {plain(sentence)}" for sentence in sentences))


class _Sentences(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        shown = format(value, format_spec)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return shown if number or isinstance(value, Marked) else plain(shown)

    def get_field(self, field_name: str, args, kwargs):
        if not field_name.isidentifier():
            raise TypeError(f"{field_name!r} is no name: a value is put in as it is, not looked into")
        return super().get_field(field_name, args, kwargs)


_SENTENCES = _Sentences()
