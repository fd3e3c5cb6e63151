"""The table of a comparison: sorted by a click on a column, rows chosen to stand side by side or left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from consensus_core.compare import Spread, Table
from consensus_core.text import visible

from ..component import component

_HERE = Path(__file__).parent

_component = component(
    "quorum_board",
    html='<div class="board" tabindex="0" role="region"></div>',
    css=(_HERE / "board.css").read_text(encoding="utf-8"),
    js=(_HERE / "board.js").read_text(encoding="utf-8"),
)


def board(
    table: Table,
    key: str,
    label: str,
    marks: Sequence[dict],
    chosen: Callable[[int, bool], None] | None = None,
    left_out: Callable[[int], None] | None = None,
) -> None:
    """`marks`: of each row `id`, and what else there is to say: `state`, `wrong`, `advised`, `side`, `href`, `title`.
    `chosen` and `left_out` hear of a row's place."""

    def heard() -> None:
        told = dict(st.session_state[key].get("act") or {})
        place = next((i for i, mark in enumerate(marks) if mark["id"] == told.get("id")), None)
        if place is None:
            return
        if told.get("what") == "side" and chosen is not None:
            chosen(place, told.get("on") is True)
        elif told.get("what") == "out" and left_out is not None:
            left_out(place)

    cells = table.cells()
    _component(
        key=key,
        data={
            "label": label,
            "columns": [
                {"key": c.key, "title": c.title, "meaning": c.meaning, "kind": c.kind, "better": c.better}
                for c in table.columns
            ],
            "rows": [
                {
                    "cells": [visible(cell) for cell in line],
                    "keys": [_sortable(row.get(column.key)) for column in table.columns],
                    "bold": [(i, column.key) in table.bold for column in table.columns],
                    **mark,
                }
                for i, (line, row, mark) in enumerate(zip(cells, table.rows, marks, strict=True))
            ],
            "choosing": chosen is not None,
            "leaving": left_out is not None,
        },
        on_act_change=heard,
    )


def _sortable(value):
    value = value.mean if isinstance(value, Spread) else value
    return None if value is None or value == "" or (isinstance(value, float) and not math.isfinite(value)) else value
