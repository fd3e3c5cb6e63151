"""Files a person gives: looked at, corrected, joined, and then used."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from consensus_core.data import Joined, Origin, build
from consensus_core.data.joining import joined
from consensus_core.data.proposal import k_for_features
from consensus_core.data.record import is_record
from consensus_core.errors import InputError
from consensus_core.reading import Choices, Reading

from .clicks import does
from .data_choice import add, use
from .file_panel import asked, corrections, file_panel
from .making import making_panel
from .more_files import more_files
from .reading import Given, looked_at
from .records import record_panel
from .session import session
from .words import plain, said


@dataclass
class Upload:
    """The files on the page; the first says which objects there are."""

    main: Given
    more: list[Given] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.main.name


def upload_panel() -> None:
    file = st.file_uploader(
        "A table of base labels (rows are objects, columns are clusterings) or of features",
        key="file",
        help="CSV, TSV, Excel, Parquet, Feather, NPZ, NPY, MAT or JSON. Files never leave this machine.",
    )
    if file is None:
        session().upload = None
        st.session_state.pop("u_more", None)
        st.caption(
            said(
                "CSV, TSV, TXT, Excel, Parquet, Feather, NPZ, NPY, MAT or JSON, at most {most:d} MB: a larger table "
                "gets through as Parquet or gzipped, and the core reads it in Python. Files never leave this machine.",
                most=st.get_option("server.maxUploadSize"),
            )
        )
        return
    if is_record(file.getvalue()):
        session().upload = None
        record_panel(file.name, file.getvalue())
        return
    upload = session().upload
    if upload is None or upload.main.id != file.file_id:
        upload = session().upload = Upload(Given.of(file))
    main = upload.main
    reading = looked_at(main, asked(main), alone=not upload.more)
    file_panel(main, reading, _in_use(main, reading.choices))
    place = st.container()
    corrections(main, reading)
    upload.more, others = more_files(reading, upload.more) if reading.columns else ([], [])
    with place:
        _next(upload, reading, others)


def _in_use(given: Given, choices: Choices) -> bool:
    """These labels, as they are read now: what was corrected since is not in use yet."""
    dataset = session().dataset
    if not given.data or dataset is None or dataset.key != given.data:
        return False
    return dataset.origin is not None and dataset.origin.choices == choices


def _next(upload: Upload, reading: Reading, others: list[tuple[Reading, str]]) -> None:
    """What is done with the files as they stand."""
    readings = [reading, *(other for other, _ in others)]
    if any(one.fault for one in readings):
        return
    try:
        together = joined(reading, others)
        shape = together.measured.shape
    except InputError as refusal:
        if not reading.gap:  # which is said already
            st.error(plain(refusal), icon=":material/error:")
        return
    origin = Origin(
        file=upload.main.name,
        choices=reading.choices,
        more=tuple(Joined(other.source, other.choices, by) for other, by in others),
    )
    contents = [upload.main.content, *(given.content for given in upload.more)]
    asked_first = any(suspicion.must for one in readings for suspicion in one.suspicions)
    if asked_first:
        st.caption("Answer the question above, then the data can be used.")
    elif together.kind == "labels":
        _use_button(upload.main, origin, readings, contents)
    else:
        making_panel(origin, readings, contents, shape, k_for_features(together.truth), origin.title)


def _use_button(given: Given, origin: Origin, readings: list[Reading], contents: list[bytes]) -> None:
    if _in_use(given, origin.choices) and session().dataset.origin.more == origin.more:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(said("{name} is in use now", name=given.name), icon=":material/check:", color="green")
            st.page_link("watch.py", label="Watch a method on it", icon=":material/play_circle:")
        return
    does(plain("Use these labels"), _use, given, origin, readings, contents, type="primary", key="use")


def _use(given: Given, origin: Origin, readings: list[Reading], contents: list[bytes]) -> None:
    try:
        given.data = add(build(origin, readings), contents)
        use(given.data)
    except InputError as refusal:
        session().refusal = str(refusal)
