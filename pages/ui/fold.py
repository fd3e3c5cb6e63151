"""What is folded away, and written when somebody opens it: a page that carries what few open has that much more to do
before its picture stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from .words import plain


@contextmanager
def fold(title: str, key: str, icon: str | None = None) -> Iterator[bool]:
    """`with fold("Take it home", key="fold-home") as is_open: if is_open: ...`"""
    folded = st.expander(plain(title), key=key, icon=icon, on_change="rerun")
    with folded:
        yield bool(folded.open)
