"""What a person takes home of a comparison: its table, and the program that makes it."""

from __future__ import annotations

import streamlit as st

from consensus_core.compare import Table, comparison_script, table_name

from .results import shown
from .session import Dataset, session
from .words import plain

ICON = ":material/download:"


def table_downloads(table: Table, title: str, what: str, program: str | None) -> None:
    """As CSV, LaTeX, HTML, and as a program that comes to the same."""
    kinds = {
        "CSV": ("csv", "text/csv", table.csv),
        "LaTeX": ("tex", "text/x-tex", lambda: table.latex().encode()),
        "HTML": ("html", "text/html", lambda: table.html().encode()),
    }
    if program is not None:
        kinds["Python"] = ("py", "text/x-python", program.encode)
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, (ending, mime, make) in kinds.items():
            name = table_name(title, f"{what}.{ending}")
            st.download_button(
                plain(label), make, name, mime, key=f"{what} {label}", on_click="ignore", icon=ICON, help=plain(name)
            )


def take_home(dataset: Dataset) -> None:
    comparison = shown()
    methods = [outcome.method for outcome in comparison.outcomes]
    program = None if dataset.origin is None else comparison_script(dataset.origin, methods)
    table_downloads(comparison.table(f"Methods compared on {dataset.title}"), dataset.title, "compared", program)
    if program is not None:
        with st.expander("The same in Python", key="fold-compared-python"):
            st.code(program, language="python")
    if session().bench.live:
        st.caption("Results are still coming: what is taken now is the table as it stands.")
