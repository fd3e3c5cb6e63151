"""A file a person gives: what was understood and why, how to correct it, and then to use it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from consensus_core import MISSING, InputError
from consensus_core.data import Origin, build
from consensus_core.reading import MISSING_TEXTS, Choices, Reading, arrays, read

from .data_choice import add, use
from .making import making_panel
from .session import session
from .words import listed, plain, said

FOUND = "as found"
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", " ": "blanks", "|": "bar"}
KINDS = {"labels": "base labels: a column is a clustering", "features": "features: a column is a measurement"}


@dataclass
class Given:
    """The file on the page, as it was read last."""

    name: str
    content: bytes
    digest: str
    choices: Choices
    reading: Reading | None = None
    error: str = ""
    key: str = ""  # of the data it has become


def upload_panel() -> None:
    file = st.file_uploader(
        "A table of base labels (rows are objects, columns are clusterings) or of features",
        key="file",
        help="CSV, TSV, Excel, Parquet, Feather, NPZ, NPY, MAT or JSON. Files never leave this machine.",
    )
    if file is None:
        session().upload = None
        st.caption(
            said(
                "CSV, TSV, TXT, Excel, Parquet, Feather, NPZ, NPY, MAT or JSON, at most {most:d} MB: a larger table "
                "gets through as Parquet or gzipped, and the core reads it in Python. Files never leave this machine.",
                most=st.get_option("server.maxUploadSize"),
            )
        )
        return
    given = _read(file.name, file.getvalue())
    if given.error:
        st.error(plain(given.error), icon=":material/error:")
    else:
        _understood(given.reading, _in_use(given))
    _corrections(given)
    if given.reading is not None:
        _next(given)


def _read(name: str, content: bytes) -> Given:
    """Anew only when the file or a correction has changed."""
    digest = hashlib.blake2b(content, digest_size=12).hexdigest()
    before = session().upload
    same_file = before is not None and (before.name, before.digest) == (name, digest)
    choices = _asked(digest) if same_file else Choices()
    if same_file and before.choices == choices:
        return before
    given = Given(name, content, digest, choices)
    try:
        with st.spinner("Reading …"):
            given.reading = read(content, name=name, choices=choices)
    except InputError as refusal:
        given.error = str(refusal)
    session().upload = given
    return given


def _in_use(given: Given) -> bool:
    dataset = session().dataset
    return bool(given.key) and dataset is not None and dataset.key == given.key


def _understood(reading: Reading, in_use: bool) -> None:
    width = reading.frame.shape[1]
    what = "base clusterings" if reading.kind == "labels" else "features"
    besides = [f"ids in “{reading.choices.id_column}”"] if reading.ids is not None and reading.choices.id_column else []
    besides += [f"the truth in “{reading.truth_name}”"] if reading.truth is not None else []
    found = f"{reading.source}: {reading.n:,} objects, {width:,} {what}"
    st.success(plain(found + (", " if besides else "") + " and ".join(besides) + "."), icon=":material/check:")
    for note in () if in_use else reading.notes:  # in use, they stand with the data
        st.warning(plain(note), icon=":material/info:")
    with st.expander("Why it was understood like this"):
        st.markdown(listed(reading.because))
    head = reading.frame.head(6).astype(object)
    if reading.kind == "labels":
        head = head.where((head != MISSING) & head.notna(), "–").astype(str)
    if reading.truth is not None:
        head.insert(0, reading.truth_name or "truth", reading.truth[:6])
    if reading.ids is not None:
        head.insert(0, reading.choices.id_column or "id", reading.ids[:6], allow_duplicates=True)
    st.dataframe(head, hide_index=True)


def _corrections(given: Given) -> None:
    """Every guess can be overruled; what is left alone is found out anew."""
    key = given.digest
    columns = _columns(given)
    with st.expander("Not right? Correct it", expanded=bool(given.error) or given.choices != Choices()):
        with st.container(horizontal=True):
            others = _parts(given)
            if len(others) > 1:
                _choice(key, "part", "sheet or array", {name: name for name in others})
            _choice(key, "kind", "the table holds", KINDS)
            _choice(key, "header", "first row", {True: "names of the columns", False: "already data"})
            _choice(key, "transposed", "an object is", {False: "a row", True: "a column"})
            _choice(key, "separator", "separator", SEPARATORS)
            _choice(key, "decimal", "decimal sign", {".": "point", ",": "comma"})
            _choice(key, "id_column", "ids", {"": "none", **{name: name for name in columns}})
            _choice(key, "truth_column", "truth", {"": "none", **{name: name for name in columns}})
        st.multiselect("columns to leave out", columns, key=f"u_drop_{key}")
        st.text_input(
            "texts that count as missing, besides empty cells (separated by blanks)",
            key=f"u_missing_{key}",
            placeholder=" ".join(text for text in MISSING_TEXTS if text),
        )


def _choice(key: str, name: str, label: str, options: dict) -> None:
    st.selectbox(
        plain(label),
        [FOUND, *options],
        format_func=lambda x: FOUND if x is FOUND else options[x],
        key=f"u_{name}_{key}",
        width=196,
    )


def _asked(key: str) -> Choices:
    """The corrections as the widgets stand."""

    def of(name):
        value = st.session_state.get(f"u_{name}_{key}", FOUND)
        return None if value == FOUND else value

    missing = tuple((st.session_state.get(f"u_missing_{key}") or "").split())
    part = of("part")
    return Choices(
        kind=of("kind"),
        header=of("header"),
        transposed=of("transposed"),
        separator=of("separator"),
        decimal=of("decimal"),
        sheet=part,
        variable=part,
        id_column=of("id_column"),
        truth_column=of("truth_column"),
        missing=("", *missing) if missing else None,
        drop=tuple(st.session_state.get(f"u_drop_{key}", ())),
    )


def _columns(given: Given) -> list[str]:
    """Names a correction may mention: of the file as it stands, and of what was left out of it."""
    reading = given.reading
    names = list(given.choices.drop) + [name for name in (given.choices.id_column, given.choices.truth_column) if name]
    if reading is not None:
        chosen = reading.choices
        names += [name for name in (chosen.id_column, chosen.truth_column) if name] + [
            str(c) for c in reading.frame.columns
        ]
    return list(dict.fromkeys(names))


def _parts(given: Given) -> list[str]:
    try:
        return [part.name for part in arrays(given.content, given.name) if part.usable]
    except InputError:
        return []


def _next(given: Given) -> None:
    reading = given.reading
    origin = Origin(file=given.name, choices=reading.choices)
    if reading.kind == "labels":
        _use_button(given, origin)
        return
    try:
        shape = reading.features().shape
    except InputError as refusal:
        st.error(plain(refusal), icon=":material/error:")
        return
    k = len(set(reading.truth.tolist())) if reading.truth is not None else 8
    making_panel(origin, given.content, shape, k, given.name)


def _use_button(given: Given, origin: Origin) -> None:
    if _in_use(given):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(said("{name} is in use now", name=given.name), icon=":material/check:", color="green")
            st.page_link("watch.py", label="Watch a method on it", icon=":material/play_circle:")
        return
    st.button("Use these labels", type="primary", key="use", on_click=_use, args=(given, origin))


def _use(given: Given, origin: Origin) -> None:
    try:
        given.key = add(build(origin, given.content), given.content)
        use(given.key)
    except InputError as refusal:
        session().refusal = str(refusal)
