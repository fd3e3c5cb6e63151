"""What a person takes home: labels, matrices, the run's record, and the same in Python."""

from __future__ import annotations

import json
import re

import streamlit as st

from consensus_core.data.exports import labels_csv, matrices_npz, run_record
from consensus_core.data.script import script
from consensus_core.live.run import Run

from .session import Dataset, session


def downloads(run: Run, dataset: Dataset) -> None:
    """Everything is made when it is asked for, at the iteration then shown."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", f"{dataset.title} {run.method.key}").strip("_").lower()
    with st.container(horizontal=True):
        _button(
            "Labels (CSV)", f"{name}_labels.csv", "text/csv", lambda: _labels(run, dataset), "ids, clusters, certainty"
        )
        _button("Matrices (NPZ)", f"{name}_matrices.npz", "application/zip", lambda: _matrices(run), "all quantities")
        _button(
            "Run record (JSON)",
            f"{name}_run.json",
            "application/json",
            lambda: _record(run, dataset),
            "how it came about",
        )
        if dataset.origin is not None:
            program = script(dataset.origin, run.method)
            _button(
                "Python (PY)", f"{name}.py", "text/x-python", lambda: program.encode(), "a script with the same labels"
            )
    st.caption("Labels and matrices are those of the iteration shown; the script runs to the end.")
    if dataset.origin is not None:
        with st.expander("The same in Python"):
            if dataset.origin.file:
                st.caption(f"Put {dataset.origin.file} beside the script.")
            st.code(program, language="python")


def _button(label: str, name: str, kind: str, make, what: str) -> None:
    st.download_button(
        label, make, name, kind, key=f"download {label}", on_click="ignore", help=what, icon=":material/download:"
    )


def _shown(run: Run) -> int:
    """The iteration on screen while the view rests there, else the last."""
    return session().stage.shown


def _labels(run: Run, dataset: Dataset) -> bytes:
    seen = run.moments[_shown(run)]
    labels = run.method.labels(run.ensemble, run.at(seen.iteration).state)
    certainty = run.ensemble.expand(seen.certainty).round(6)
    more = {"truth": dataset.ensemble.truth} if dataset.ensemble.truth is not None else {}
    return labels_csv(run.ensemble, run.ensemble.expand(labels), dataset.ids, certainty=certainty, **more)


def _matrices(run: Run) -> bytes:
    return matrices_npz(run.method, run.ensemble, run.at(_shown(run)))


def _record(run: Run, dataset: Dataset) -> bytes:
    step = run.at(_shown(run))
    course = run.history.objective[: step.iteration + 1]
    scores = run.moments[step.iteration].scores
    record = run_record(run.method, run.ensemble, dataset.origin, step, course, scores=scores)
    return json.dumps(record, ensure_ascii=False, indent=1).encode()
