"""What a person takes home: labels, matrices, the run's record, and the same in Python."""

from __future__ import annotations

import streamlit as st

from consensus_core.command.same import by_record, command, files_command
from consensus_core.data import Naming
from consensus_core.data.exports import as_json, file_name, labels_csv, matrices_npz, run_record
from consensus_core.data.record import as_called
from consensus_core.data.script import program as program_of
from consensus_core.live.run import Run
from consensus_core.live.sight import iteration
from consensus_core.method import Step
from consensus_core.report import report

from .film import film_panel
from .naming import naming_of, naming_panel
from .paper_figures import paper_figures
from .session import Dataset, session
from .tables import is_table, write_labels
from .words import plain, said

ICON = ":material/download:"


def downloads(run: Run, dataset: Dataset) -> None:
    """Everything is of the iteration shown, and says so in its name."""
    if not run.moments:
        st.caption("There is something to take home when the first iteration is there.")
        return
    step, clusters = run.at(iteration(run, session().stage.shown)), naming_of(run.method)
    name = lambda what: file_name(dataset.title, step, what)  # noqa: E731
    of_files = is_table(dataset.key)
    # of files: where gaps were filled there is none, and write_labels says why
    program = (
        "" if of_files and run.ensemble.files is None else program_of(dataset.origin, dataset.title, step, clusters)
    )
    if of_files:
        write_labels(run, step, dataset)
    with st.container(horizontal=True):
        if not of_files:
            _button(
                "Labels (CSV)",
                name("labels.csv"),
                "text/csv",
                lambda: labels_csv(step, dataset.ids, dataset.id_name or "id", clusters),
                "ids, clusters, certainty",
            )
        _button("Matrices (NPZ)", name("matrices.npz"), "application/zip", lambda: matrices_npz(step), "all quantities")
        _button(
            "Run record (JSON)",
            name("run.json"),
            "application/json",
            lambda: _record(run, step, dataset, clusters),
            "how it came about",
        )
        _button(
            "Report (HTML)",
            name("report.html"),
            "text/html",
            lambda: report(dataset.data, step, run.history, clusters=clusters),
            "one file: data, method, figures, trust, what to cite",
        )
        if program:
            _button(
                "Python (PY)",
                name("run.py"),
                "text/x-python",
                lambda: program.encode(),
                "a script with the same labels",
            )
    if st.toggle("Name, merge and colour the clusters", key="naming"):
        naming_panel(run.method, step.labels)
    st.caption(said("Everything is of iteration {at}, the one shown.", at=step.iteration))
    with st.expander("A film of it", key="fold-film"):
        film_panel(dataset)
    with st.expander("Figures for a paper", key="fold-figures"):
        if st.toggle("Draw them", key="paper_on"):
            paper_figures(run, step, dataset)
    if program:
        with st.expander("The same in Python", key="fold-python"):
            st.code(program, language="python")
        with st.expander("The same as a command", key="fold-command"):
            _command(step, dataset, clusters)


def _command(step: Step, dataset: Dataset, clusters: Naming) -> None:
    if dataset.origin is None:
        st.code(files_command(dataset.title, step), language="sh")
        st.caption("In the folder where the files lie. It writes a folder of its own and overwrites nothing.")
        if not step.stop:
            st.caption("It runs to the end, beyond the iteration shown.")
        return
    words = command(dataset.origin, step, clusters)
    st.code(words, language="sh")
    beside = "the data and the run record (JSON, above)" if by_record(words) else "the data"
    where = "" if dataset.origin.sample else said("In the folder where {beside} lie. ", beside=beside)
    st.caption(said("{where}It writes a folder of its own and overwrites nothing.", where=where))


def _button(label: str, name: str, kind: str, make, what: str) -> None:
    st.download_button(
        plain(label), make, name, kind, key=f"download {label}", on_click="ignore", help=plain(what), icon=ICON
    )


def _record(run: Run, step: Step, dataset: Dataset, clusters: Naming) -> bytes:
    course = run.history.objective[: step.iteration + 1]
    called, scores = as_called(clusters), run.moments[step.iteration].scores
    return as_json(run_record(step, dataset.origin, course, scores=scores, **called))
