"""Files on this machine, where its owner offers some: chosen, foreseen, counted; labels written beside."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import streamlit as st

from consensus_core import Cancelled, InputError
from consensus_core.data import Data
from consensus_core.data.proposal import proposed_k
from consensus_core.data.tables import OFFERED, PREFIX, Tables
from consensus_core.ensemble.files import Files, Foreseen, foresee
from consensus_core.live.run import Run
from consensus_core.method import Step, conclude
from consensus_core.numbers import bytes_in_words, counted
from consensus_core.text import visible

from .clicks import does
from .pieces import piece
from .session import Dataset, session
from .visitor import store
from .words import plain, said

POLL = 0.4
NAMES = ("id", "ids", "name", "names", "object", "row", "key")  # columns that are taken for names of objects
NOTE = (
    "Objects stand by their labels here, and their numbers are not those of the files' rows. Names come back beside "
    "the labels that are written: Watch, Take it home."
)


class Work:
    """One piece of it, in a thread; nothing here touches Streamlit."""

    def __init__(self, what: str, work: Callable[[Callable[[int, int], None]], object]):
        self.what, self.done, self.total = what, 0, 0
        self.answer, self.error, self.cancelled = None, "", False
        self._work = work
        self._thread = threading.Thread(target=self._do, name=what, daemon=True)
        self._thread.start()

    @property
    def live(self) -> bool:
        return self._thread.is_alive()

    def cancel(self) -> None:
        self.cancelled = True

    def _told(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if self.cancelled:
            raise Cancelled

    def _do(self) -> None:
        try:
            self.answer = self._work(self._told)
        except Cancelled:
            self.error = "Cancelled. Nothing was changed."
        except InputError as refusal:
            self.error = str(refusal)
        except MemoryError:
            self.error = "There is not enough memory for it."
        except OSError as fault:
            self.error = f"The files cannot be read or written: {fault.strerror or fault}."


@st.cache_resource(show_spinner=False)
def tables() -> Tables | None:
    """None unless the owner of this machine has said which folder."""
    folder = os.environ.get(OFFERED, "")
    return Tables(folder, store().folder / "counts") if folder and os.path.isdir(folder) else None


def titles_of_tables() -> dict[str, str]:
    return tables().titles() if tables() is not None else {}


def is_table(key: str) -> bool:
    return key.startswith(PREFIX) and tables() is not None


def dataset_of_table(key: str) -> Dataset:
    if key not in titles_of_tables():
        raise InputError("These files have changed since they were counted, or are offered no longer.")
    return _counted(key)


@st.cache_resource(show_spinner="Taking the counts …", max_entries=8)
def _counted(key: str) -> Dataset:
    title, ensemble = tables().counted(key)
    k, why = proposed_k(ensemble)
    return Dataset.of(key, Data(None, title, ensemble, k=k, k_why=why, notes=(NOTE,)))


# --- choosing and counting ------------------------------------------------------------------------------------------


def tables_panel() -> None:
    offered = {table.name: table for table in tables().offered()}
    st.caption("Tables of base labels in a folder of the machine that runs Quorum. They are counted piece by piece.")
    if not offered:
        st.info("There is no Parquet or CSV file in that folder.")
        return
    words = {
        name: f"{visible(name)} · {counted(len(table.paths), 'file')}, {bytes_in_words(table.bytes)}"
        for name, table in offered.items()
    }
    name = st.selectbox("Table", list(words), format_func=words.get, key="table")
    try:
        every = tables().files(name).columns
        likely = next((one for one in every if one.lower() in NAMES), None)
        place = 0 if likely is None else 1 + every.index(likely)
        ids = st.selectbox("Names of the objects", [None, *every], place, key=f"table ids {name}",
                           format_func=lambda one: "none: by their row" if one is None else visible(one))  # fmt: skip
        rest = [one for one in every if one != ids]
        columns = st.multiselect("Base clusterings", rest, rest, key=f"table columns {name} {ids}", format_func=visible)
        if not columns:
            st.info("Choose at least one column as a base clustering.")
            return
        files = tables().files(name, columns, ids)
        _foreseen(files)
    except InputError as refusal:
        st.error(plain(refusal), icon=":material/error:")
        return
    work = session().counting_files
    busy = work is not None and work.live
    does(plain("Count and use"), _count, name, files, type="primary", key="count_table", disabled=busy)
    if work is not None:
        piece(_followed, POLL if busy else None)(work)


def _foreseen(files: Files) -> None:
    seen = _estimate(files, files.stamp, files.columns, files.ids)
    objects = "As many objects as rows; the files do not say how many" if seen.n is None else counted(seen.n, "object")
    if seen.n is not None and seen.most > seen.least:
        words = (
            "{objects}. By {looked:,} rows looked at there will be about {q:,} distinct rows ({least:,} to {most:,})."
        )
    elif seen.n is not None:
        words = "{objects} with {q:,} distinct rows."
    else:
        words = "{objects}. Among the first {looked:,} there are {least:,} distinct ones."
    st.markdown(said(words, objects=objects, looked=seen.looked_at, q=seen.q, least=seen.least, most=seen.most))


@st.cache_data(show_spinner="Looking at some rows …", max_entries=32)
def _estimate(_files: Files, stamp: str, columns: tuple[str, ...], ids: str | None) -> Foreseen:
    return foresee(_files)


def _count(name: str, files: Files) -> None:
    offered = tables()
    session().counting_files = Work("counting", lambda told: offered.count(name, files, told))


def _followed(work: Work) -> None:
    mine = session()
    if work.live:
        share = work.done / work.total if work.total else 0.0
        st.progress(share, said("Counting, {done} of {all} pieces", done=work.done, all=work.total or "…"))
        st.button("Stop counting", key="count_cancel", on_click=work.cancel, icon=":material/stop_circle:")
    elif mine.counting_files is work:
        mine.counting_files = None
        if work.error:
            mine.refusal = work.error
        else:
            mine.goes_to = work.answer
        st.rerun()


def take_in_what_was_counted() -> None:
    """At the head of the page, before its widgets: these are the data from now on."""
    mine = session()
    if mine.goes_to:
        st.session_state["data"], mine.goes_to = mine.goes_to, ""


# --- writing --------------------------------------------------------------------------------------------------------


def write_labels(run: Run, step: Step, dataset: Dataset) -> None:
    """Labels beside the names in the files, in a new folder among them."""
    if tables() is None or run.ensemble.files is None:
        words = "Labels that were filled at random, object by object, cannot stand beside the files' names."
        st.caption(words if tables() is not None else "The folder these files lie in is offered no longer.")
        return
    work = session().writing_files
    busy = work is not None and work.live
    with st.container(horizontal=True, vertical_alignment="bottom"):
        usual = f"labels {run.method.key} k {run.method.k}"
        st.text_input("New folder beside the files", usual, max_chars=80, key="write_name", width=280)
        does(plain("Write labels"), _write, run, step, key="write_labels", disabled=busy, icon=":material/save:")
    if work is not None:
        piece(_written, POLL if busy else None)(work, busy)


def _write(run: Run, step: Step) -> None:
    offered, name = tables(), st.session_state["write_name"].strip()

    def work(told):
        written = offered.write(conclude(run.method, run.ensemble, step), name, told)
        return f"Written: {counted(len(written), 'file')} in {name}, {counted(run.ensemble.n, 'object')}."

    session().writing_files = Work("writing", work)


def _written(work: Work, was_busy: bool) -> None:
    if work.live:
        share = work.done / work.total if work.total else 0.0
        st.progress(share, said("Writing, {done} of {all} pieces", done=work.done, all=work.total or "…"))
    elif was_busy:
        st.rerun()
    elif work.error:
        st.error(plain(work.error), icon=":material/error:")
    else:
        st.success(plain(work.answer), icon=":material/check:")
