"""The first rows of a file as a table whose columns have their roles in the header, each to be changed by a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from consensus_core.reading import FoundColumn
from consensus_core.text import visible

TITLES = {
    "id": "ids",
    "label": "base clustering",
    "feature": "feature",
    "truth": "truth",
    "covariate": "kept beside",
    "left out": "left out",
}
MOST = 60  # columns shown at once
_LONGEST = 60  # letters of a name or a cell
_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "quorum_columns",
    html='<div class="columns" tabindex="0" role="region"></div>',
    css=(_HERE / "columns.css").read_text(encoding="utf-8"),
    js=(_HERE / "columns.js").read_text(encoding="utf-8"),
)


def columns_table(
    columns: Sequence[FoundColumn], label: str, key: str, changed: Callable[[str, str], None], doubted=()
) -> None:
    """`changed` hears of a column and the role that was chosen for it."""

    def heard() -> None:
        told = dict(st.session_state[key].get("role") or {})
        if told.get("role") in TITLES and any(told.get("name") == column.name for column in columns):
            changed(told["name"], told["role"])

    _component(
        key=key,
        data={
            "label": label,
            "titles": TITLES,
            "columns": [
                {
                    "name": column.name,
                    "shown": visible(column.name, _LONGEST),
                    "role": column.role,
                    "why": column.why,
                    "doubted": column.name in doubted,
                    "cells": [visible(cell, _LONGEST) for cell in column.head],
                }
                for column in columns
            ],
        },
        on_role_change=heard,
    )
