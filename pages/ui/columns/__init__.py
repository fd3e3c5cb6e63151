"""The first rows of a file as a table whose columns have their roles in the header, each to be changed by a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from consensus_core.reading import FoundColumn
from consensus_core.text import visible

from ..component import component

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

_component = component(
    "quorum_columns",
    html='<div class="columns" tabindex="0" role="region"></div>',
    css=(_HERE / "columns.css").read_text(encoding="utf-8"),
    js=(_HERE / "columns.js").read_text(encoding="utf-8"),
)


def columns_table(
    columns: Sequence[FoundColumn], label: str, key: str, changed: Callable[[dict[str, str]], None], doubted=()
) -> None:
    """`changed` hears of columns and the roles that were chosen for them."""

    def heard() -> None:
        told = {name: dict(one) for name, one in dict(st.session_state[key].get("roles") or {}).items()}
        st.session_state[f"heard_{key}"] = max((one.get("number", 0) for one in told.values()), default=0)
        roles, known = {name: one.get("role") for name, one in told.items()}, {column.name for column in columns}
        if chosen := {name: role for name, role in roles.items() if name in known and role in TITLES}:
            changed(chosen)

    _component(
        key=key,
        data={
            "label": label,
            "heard": st.session_state.get(f"heard_{key}", 0),
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
        on_roles_change=heard,
    )
